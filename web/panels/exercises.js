// The lesson's exercises: what to predict, when the reader has done it, and which answer the state on the screen gives.

/** @typedef {import('./panels.js').PanelContext} PanelContext */

/**
 * @typedef {object} Exercise
 * @property {string} name
 * @property {string[]} choices
 * @property {(now: PanelContext, atGuess: PanelContext, seen: Map<string, number>) => boolean} isDone
 * @property {(now: PanelContext, atGuess: PanelContext, seen: Map<string, number>) => {answer: string, found: number}} reveal
 * @property {(now: PanelContext, seen: Map<string, number>) => void} [watch]  notes what the reader passes through
 */

/** Outputs before the last that are no longer bit for bit what they were. @param {PanelContext} now @param {PanelContext} before */
function changedOutputs({ result: { output, tokens } }, { result: { output: earlier } }) {
  const width = output.shape[1];
  let changed = 0;
  for (let row = 0; row + 1 < tokens.length; row++) {
    const start = row * width;
    changed += output.data.subarray(start, start + width).every((entry, c) => Object.is(entry, earlier.data[start + c]))
      ? 0
      : 1;
  }
  return changed;
}

/** @type {Exercise[]} */
export const exercises = [
  {
    name: 'peak',
    choices: ['low', 'middle', 'one'],
    isDone: ({ state }) => state.divisor === 'none' && state.dK === 64,
    reveal({ state, result }) {
      const found = result.metrics.peak[state.row];
      return { answer: found < 0.45 ? 'low' : found < 0.95 ? 'middle' : 'one', found };
    },
  },
  {
    name: 'divisor',
    choices: ['sqrt', 'dk'],
    isDone: (_now, _atGuess, seen) => seen.has('sqrt') && seen.has('dk'),
    watch({ state, result }, seen) {
      if (state.dK === 64) {
        seen.set(state.divisor, result.metrics.spread);
      }
    },
    reveal(_now, _atGuess, seen) {
      const miss = (/** @type {string} */ divisor) => Math.abs(Math.log(seen.get(divisor) ?? 0));
      const answer = miss('sqrt') < miss('dk') ? 'sqrt' : 'dk';
      return { answer, found: seen.get(answer) ?? Number.NaN };
    },
  },
  {
    name: 'lateMask',
    choices: ['one', 'less', 'more'],
    isDone: ({ state }) => state.mask === 'late',
    reveal({ result }) {
      const found = Math.min(...result.metrics.rowSum);
      return { answer: found < 1 - 1e-9 ? 'less' : found > 1 + 1e-9 ? 'more' : 'one', found };
    },
  },
  {
    name: 'lastToken',
    choices: ['all', 'last', 'none'],
    // Under the mask, with another last word and no other change; the four tokens have fixed words, so there the proof does it.
    isDone: ({ state }, { state: before }) =>
      state.mask === 'causal' &&
      (state.preset === 'four-token' ||
        (before.mask === 'causal' &&
          state.tokens.length === before.tokens.length &&
          state.tokens.at(-1) !== before.tokens.at(-1) &&
          state.tokens.slice(0, -1).every((token, i) => token === before.tokens[i]) &&
          state.dK === before.dK &&
          state.seed === before.seed &&
          state.divisor === before.divisor)),
    reveal(now, atGuess) {
      const found =
        now.state.preset === 'four-token'
          ? (now
              .proofs()
              .find(({ law }) => law === 'pastIsUntouched')
              ?.residuals.filter((off) => off !== 0).length ?? 0)
          : changedOutputs(now, atGuess);
      return { answer: found === 0 ? 'last' : 'all', found };
    },
  },
  {
    name: 'axis',
    choices: ['one', 'other'],
    isDone: ({ state }) => state.softmaxAxis === 'queries',
    reveal({ state, result }) {
      const found = result.metrics.rowSum[state.row];
      return { answer: Math.abs(found - 1) <= 1e-9 ? 'one' : 'other', found };
    },
  },
  {
    name: 'oneMatrix',
    choices: ['equal', 'opposite', 'unrelated'],
    isDone: ({ state }) => state.projections === 'shared',
    reveal({ result: { scores, tokens } }) {
      const n = tokens.length;
      const forth = scores.data[1];
      const back = scores.data[n];
      const answer = n < 2 || forth === back ? 'equal' : forth === -back ? 'opposite' : 'unrelated';
      return { answer, found: n < 2 ? scores.data[0] : back };
    },
  },
];

/**
 * Questions that the widget answers: the settings that show it and the panel to look at.
 *
 * @type {{name: string, settings: Partial<import('../state.js').LessonState>, panel: string}[]}
 */
export const questions = [
  { name: 'trained', settings: { projections: 'identity', dK: 16, dModel: 16, dV: null }, panel: 'break' },
  { name: 'roles', settings: {}, panel: 'worksheet' },
  { name: 'derive', settings: { dK: 64 }, panel: 'worksheet' },
  { name: 'without', settings: { divisor: 'none', dK: 64 }, panel: 'jacobian' },
  { name: 'values', settings: { blend: 'embeddings' }, panel: 'break' },
  { name: 'square', settings: {}, panel: 'shapes' },
  { name: 'tooMuch', settings: { divisor: 'dk', dK: 64 }, panel: 'break' },
];
