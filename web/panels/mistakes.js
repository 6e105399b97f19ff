// The mistakes that the lesson makes on purpose: which settings make each, which mend it, and the law that it breaks.

/** @typedef {import('../state.js').LessonState} LessonState */

/**
 * @typedef {object} Mistake
 * @property {string} name
 * @property {(state: LessonState) => boolean} isMade
 * @property {(state: LessonState) => Partial<LessonState>} make
 * @property {Partial<LessonState>} mend
 * @property {string} law  the proof that is about it
 */

/** @type {Mistake[]} */
export const mistakes = [
  {
    name: 'noDivisor',
    isMade: ({ divisor }) => divisor === 'none',
    make: () => ({ divisor: 'none' }),
    mend: { divisor: 'sqrt' },
    law: 'spreadIsKept',
  },
  {
    name: 'divisorTooLarge',
    isMade: ({ divisor }) => divisor === 'dk',
    make: () => ({ divisor: 'dk' }),
    mend: { divisor: 'sqrt' },
    law: 'spreadIsKept',
  },
  {
    name: 'oneMatrix',
    isMade: ({ projections }) => projections === 'shared',
    make: () => ({ projections: 'shared', dV: null }),
    mend: { projections: 'separate' },
    law: 'rolesDiffer',
  },
  {
    name: 'noParameters',
    isMade: ({ projections }) => projections === 'identity',
    make: ({ dK }) => ({ projections: 'identity', dModel: dK, dV: null }),
    mend: { projections: 'separate', dModel: undefined },
    law: 'somethingCanLearn',
  },
  {
    name: 'wrongAxis',
    isMade: ({ softmaxAxis }) => softmaxAxis === 'queries',
    make: () => ({ softmaxAxis: 'queries' }),
    mend: { softmaxAxis: 'keys' },
    law: 'rowsSumToOne',
  },
  {
    name: 'lateMask',
    isMade: ({ mask }) => mask === 'late',
    make: () => ({ mask: 'late' }),
    mend: { mask: 'causal' },
    law: 'pastIsUntouched',
  },
  {
    name: 'noMaximum',
    isMade: ({ softmax }) => softmax === 'naive',
    make: () => ({ softmax: 'naive' }),
    mend: { softmax: 'stable' },
    law: 'weightsAreFinite',
  },
  {
    name: 'rawEmbeddings',
    isMade: ({ blend }) => blend === 'embeddings',
    make: () => ({ blend: 'embeddings' }),
    mend: { blend: 'values' },
    law: 'valuesAreBlended',
  },
];
