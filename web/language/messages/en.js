// Every text of the widget, in English. A letter with an underscore ("d_k") is drawn as a subscripted symbol.
//
// Another language is one more file like this one, named by its tag; README.md says what it takes. What readers cause by
// typing or choosing is said under `problems`. Other sentences of the engine stay English in every language, as do the names
// of settings: they are what an author writes.

export default {
  /** What Intl calls the language, and the way its lines run. */
  locale: 'en',
  direction: 'ltr',

  controls: 'Controls',
  divide: '÷ √d_k',
  divideByWidth: '÷ d_k',
  divideTitle: 'Divide the scores by √d_k',
  on: 'on',
  off: 'off',
  mistake: 'mistake',
  width: 'd_k',
  widthTitle: 'd_k, the number of dimensions of a query and a key',
  causal: 'causal mask',
  late: 'late mask',
  sliding: 'sliding window',
  window: 'window',
  windowTitle: 'How many keys a query sees, its own the last',
  padding: 'padding',
  paddingTitle: 'How many tokens at the end are padding',
  sentence: 'Sentence',
  context: 'Keys from',
  emptySentence: 'Type a word; the picture is of the sentence before.',
  asManyWords: (/** @type {number} */ rows) => `X has ${rows} rows: as many words are needed.`,
  rests: (/** @type {string} */ matrix) => `d_k is the width of ${matrix}, which is given.`,
  seed: 'Seed',
  seedDefault: 'default',
  seedDefaultTitle: 'The default seed',

  /** Of d_k, from 2 to 64. */
  sweep: { play: 'Play d_k up to 64', pause: 'Pause' },
  curves: {
    none: 'no curves: these numbers are not the seed’s',
    peak: 'peak',
    spread: 'spread',
    label: (/** @type {string} */ token) => `Peak weight of ${token} and score spread at every d_k`,
  },
  mend: (/** @type {string} */ mistake) => `Mend: ${mistake}`,
  beside: { sqrt: 'the same, divided by √d_k', none: 'the same, not divided' },

  heads: 'Heads',
  head: (/** @type {number} */ number) => `head ${number}`,
  average: 'average, which is no head',
  headsMeaning:
    'Each head has its own d_k columns of W_q, W_k and W_v, and divides by their root. Outputs are joined side by side. The picture shows the chosen head.',

  figures: 'Figures',
  spread: 'score spread',
  theory: {
    sqrt: () => 'theory 1',
    none: (/** @type {number} */ width, /** @type {string} */ expected) => `theory √${width} = ${expected}`,
    dk: (/** @type {number} */ width, /** @type {string} */ expected) => `theory 1/√${width} = ${expected}`,
  },
  noTheory: 'no law here',
  peak: (/** @type {string} */ token) => `peak weight, “${token}”`,
  peakOf: (/** @type {string} */ token) => `on “${token}”`,
  softmax: 'softmax',
  state: {
    diffuse: 'diffuse',
    peaked: 'peaked',
    'saturated (one-hot)': 'saturated (one-hot)',
    'no visible key': 'no visible key',
    'not a distribution': 'not a distribution',
  },
  oneKey: 'one key',
  nothingToLearn: 'nothing to learn',
  rowSum: (/** @type {string} */ sum) => `row sums to ${sum}`,
  entropy: 'entropy',
  entropyOf: (/** @type {string} */ maximum) => `max ${maximum}`,
  gradient: 'this row’s gradient',
  gradientState: {
    alive: 'alive',
    fading: 'fading',
    dead: 'dead',
    'no choice': 'no choice',
    undefined: 'undefined',
  },
  jacobian: (/** @type {string} */ norm) => `Jacobian ${norm}`,
  announce: (/** @type {{width: number, spread: string, peak: string, state: string, gradient: string}} */ f) =>
    `d_k ${f.width}: score spread ${f.spread}, peak weight ${f.peak}, softmax ${f.state}, gradient ${f.gradient}`,

  heatmap: 'Attention weights',
  axes: 'rows = queries (who is looking), columns = keys',
  heatmapLabel: (/** @type {number} */ queries, /** @type {number} */ keys) =>
    `Attention weights, ${queries} queries by ${keys} keys`,
  cell: (/** @type {string} */ query, /** @type {string} */ key, /** @type {string} */ weight) =>
    `${query} looks at ${key}, ${weight}`,
  cellHidden: (/** @type {string} */ query, /** @type {string} */ key) => `${key} is hidden from ${query}`,
  zoom: { out: 'Zoom out', up: 'Move up', in: 'Zoom in', left: 'Move left', down: 'Move down', right: 'Move right' },
  legend: 'weight',
  legendHidden: 'hidden',
  caution: 'Weights show where values are blended from. Alone they are not a causal explanation.',

  looksAt: (/** @type {string} */ token) => `“${token}” looks at …`,
  key: 'key',
  score: 'score',
  weight: 'weight',
  hidden: 'hidden',
  overflow: 'overflow',
  moreKeys: (/** @type {number} */ count) => `… and ${count} more ${count === 1 ? 'key' : 'keys'}`,
  keysShown: (/** @type {number} */ shown, /** @type {number} */ all) =>
    `The ${shown} of ${all} keys with most weight; sums are of all.`,

  arithmetic: (/** @type {string} */ query, /** @type {string} */ key) => `“${query}” → “${key}”`,
  pointedCell: (/** @type {string} */ cell) => `${cell}, under the pointer`,
  stepScore: 'q·k',
  stepDivide: { sqrt: '÷ √d_k', none: 'not divided', dk: '÷ d_k' },
  now: ' (now)',
  stepMask: 'mask',
  stepMaskHidden: {
    future: 'the future is hidden before the softmax',
    window: 'what lies before the window is hidden before the softmax',
    padding: 'padding is hidden before the softmax',
  },
  stepMaximum: { keys: '− row maximum', queries: '− column maximum' },
  stepNoMaximum: 'maximum not subtracted',
  stepExponential: 'exp',
  stepSum: { keys: '÷ row sum', queries: '÷ column sum' },
  stepCleared: 'cleared after the softmax',
  stepDropped: 'dropped after the softmax',
  allTerms: 'all terms',
  moreTerms: (/** @type {number} */ count) => `…\u00a0${count}\u00a0more`,

  layer: {
    name: 'The layer',
    meaning: {
      X: 'embeddings',
      context: 'embeddings of the keys',
      Wq: 'makes queries',
      Wk: 'makes keys',
      Wv: 'makes values',
      bias: 'bias',
      Q: 'queries',
      K: 'keys',
      V: 'values',
      S: 'scores',
      Z: 'outputs',
    },
    column: (/** @type {number} */ column) => `column ${column}`,
    row: (/** @type {number} */ row) => `row ${row}`,
    scale: 'full colour at ±',
    sampled: 'sampled',
    along: { keys: 'along the keys', queries: 'down the columns' },
    dropout: 'dropout',
    isX: 'no matrix',
    head: (
      /** @type {number} */ head,
      /** @type {number} */ first,
      /** @type {number} */ last,
      /** @type {number} */ all,
    ) => `Head ${head}: columns ${first} to ${last} of ${all} in W_q, W_k, Q and K.`,
    shared: 'One matrix makes queries, keys and values.',
    identity: 'No matrix makes q, k and v.',
    blendsX: 'V has no part in Z.',
    edited: ', edited',
    given: (/** @type {string} */ names) => `Given, not seeded: ${names}.`,
  },

  walk: {
    name: 'The walk from x to z',
    steps: ['x', 'q = x W_q', 'k, v', 'q·k', '÷ √d_k', 'mask', 'softmax', 'z = Σ a v'],
    back: 'Back',
    next: 'Next',
    play: 'Play the walk',
    pause: 'Pause',
    says: {
      x: (/** @type {string} */ query, /** @type {number} */ width, /** @type {string} */ first) =>
        `“${query}” enters as x, of width ${width}; it starts with ${first}.`,
      q: (
        /** @type {string} */ query,
        /** @type {string} */ matrix,
        /** @type {number} */ width,
        /** @type {string} */ first,
      ) => `“${query}” asks: x times ${matrix} is its query q, of width ${width}; it starts with ${first}.`,
      qIsX: (/** @type {string} */ query, /** @type {string} */ first) =>
        `“${query}” asks with x itself, for there is no matrix: q starts with ${first}.`,
      kv: (/** @type {string} */ key, /** @type {string} */ k, /** @type {string} */ v) =>
        `Every key offers a k and carries a v: those of “${key}” start with ${k} and ${v}.`,
      score: (/** @type {string} */ query, /** @type {string} */ key, /** @type {string} */ score) =>
        `“${query}” asks, “${key}” offers: q·k = ${score}, one number for how well they match.`,
      divide: {
        sqrt: (/** @type {string} */ score, /** @type {string} */ root, /** @type {string} */ scaled) =>
          `${score} ÷ √d_k = ${score} ÷ ${root} = ${scaled}.`,
        none: (/** @type {string} */ score, /** @type {string} */ root, /** @type {string} */ scaled) =>
          `The gate is open: ${score} ÷ ${root} stays ${scaled}.`,
        dk: (/** @type {string} */ score, /** @type {string} */ width, /** @type {string} */ scaled) =>
          `${score} ÷ d_k = ${score} ÷ ${width} = ${scaled}.`,
      },
      mask: (/** @type {string} */ query, /** @type {number} */ seen, /** @type {number} */ keys) =>
        `“${query}” sees ${seen} of ${keys} ${keys === 1 ? 'key' : 'keys'}; a hidden score is −∞ before the softmax.`,
      lateMask: (/** @type {string} */ query, /** @type {number} */ seen, /** @type {number} */ kept) =>
        `The softmax sees ${seen} ${seen === 1 ? 'key' : 'keys'} of “${query}”; only after it all but ${kept} are cleared.`,
      softmax: {
        keys: (
          /** @type {string} */ query,
          /** @type {string} */ key,
          /** @type {string} */ weight,
          /** @type {string} */ sum,
        ) => `exp, then ÷ sum: “${query}” gives “${key}” the weight ${weight}; its row sums to ${sum}.`,
        queries: (
          /** @type {string} */ query,
          /** @type {string} */ key,
          /** @type {string} */ weight,
          /** @type {string} */ sum,
        ) => `exp, then ÷ sum of a column: “${query}” gives “${key}” ${weight}, and its row sums to ${sum}.`,
      },
      z: (
        /** @type {string} */ query,
        /** @type {string} */ weight,
        /** @type {string} */ key,
        /** @type {number} */ width,
        /** @type {string} */ first,
      ) => `“${query}” leaves as z, a blend with ${weight} of “${key}”, of width ${width}; it starts with ${first}.`,
    },
  },

  problem: (/** @type {string} */ name, /** @type {string} */ found, /** @type {string} */ expected) =>
    `${name} ${found}, but ${expected}.`,
  missing: (/** @type {string} */ part) => `There is no picture here, because ${part} is missing.`,
  quoted: (/** @type {string} */ text) => `"${text}"`,
  comma: ', ',
  problems: {
    noTokens: () => 'The sentence is empty, but must hold at least one token.',
    noWords: (/** @type {string} */ found) => `tokens is ${found}, but must be words or an array of strings.`,
    seed: (/** @type {string} */ found, /** @type {string} */ least, /** @type {string} */ most) =>
      `seed is ${found}, but must be a whole number from ${least} to ${most}.`,
    heads: (/** @type {string} */ found, /** @type {string} */ tokens, /** @type {string} */ most) =>
      `heads is ${found}, but with ${tokens} tokens must be at most ${most}.`,
    width: (
      /** @type {string} */ name,
      /** @type {string} */ found,
      /** @type {string} */ other,
      /** @type {string} */ value,
    ) => `${name} is ${found}, but without matrices of their own it must equal ${other} = ${value}.`,
    rateText: (/** @type {string} */ found) =>
      `The learning rate is ${found}, but must be a positive number, such as 0.5.`,
    rate: () => 'The learning rate must be more than 0, and finite.',
    oneSentence: () => 'The task is about one sentence: keys from another have no token before.',
    noTask: () => 'The task takes two tokens that are no padding.',
    nothingToTrain: () => 'Without parameters there is nothing to train.',
  },
  restore: 'Back to the last picture',
  unreadable:
    'The address holds a state that cannot be read: part of it was cut off or changed. You see the lesson as its author set it.',
  dismiss: 'Close',
  failed: (/** @type {string} */ reason) => reason,
  again: 'Try again',
  loading: 'Loading …',
  computing: 'Computing …',
  cancel: 'Cancel',

  tooMany: (/** @type {number} */ found, /** @type {number} */ most) =>
    `${found} tokens are too many here: the work grows with their square, and ${most} are the most.`,
  groups: { see: 'See', break: 'Break', learn: 'Learn', try: 'Try', take: 'Take' },
  panels: {
    break: 'Break it',
    proofs: 'Proofs',
    shapes: 'Shapes',
    worksheet: 'Worksheet',
    jacobian: 'Softmax Jacobian',
    compare: 'Compare',
    gradients: 'Gradients',
    train: 'Train',
    law: 'The law of √d_k',
    checkpoints: 'Checkpoints',
    numbers: 'Your numbers',
    code: 'Copy as code',
    share: 'Embed and export',
  },
  answers: {
    break: 'What if one thing is wrong?',
    proofs: 'Which laws hold now?',
    shapes: 'What size has every matrix?',
    worksheet: 'How is a row worked out?',
    jacobian: 'How does a weight move with a score?',
    compare: 'What changed between two states?',
    gradients: 'What reaches W_q, W_k and W_v?',
    train: 'Does it learn or freeze?',
    law: 'Why √d_k and no other number?',
    checkpoints: 'Did I get it?',
    numbers: 'How do I bring my own?',
    code: 'How is it written in code?',
    share: 'How do I put it on a page?',
  },

  break: {
    introduction: 'Each is computed for real, and the law that it breaks turns red under Proofs.',
    mend: 'Mend it',
    larger: 'Larger scores',
    mistakes: /** @type {Record<string, {title: string, consequence: (...values: (string | number)[]) => string}>} */ ({
      noDivisor: {
        title: 'No divisor',
        consequence: (spread, dead, rows) =>
          `The spread is ${spread} and grows about as √d_k; ${dead} of ${rows} rows ${dead === 1 ? 'passes' : 'pass'} no gradient. The default seed shows this clearly; the law is over many.`,
      },
      divisorTooLarge: {
        title: '÷ d_k instead of ÷ √d_k',
        consequence: (spread, entropy, maximum) =>
          `The spread is ${spread}: attention goes uniform, entropy ${entropy} of ${maximum}.`,
      },
      oneMatrix: {
        title: 'One matrix for Q, K and V',
        consequence: (asymmetry) =>
          `max|S − Sᵀ| = ${asymmetry}: i scores j as j scores i, and tokens look at themselves.`,
      },
      noParameters: {
        title: 'No parameters at all',
        consequence: (count) => `${count} parameters: raw dot products, S = Sᵀ, and nothing to train.`,
      },
      wrongAxis: {
        title: 'Softmax down the columns',
        consequence: (sum, residual) => `Columns sum to 1, but this row to ${sum}; the worst is off by ${residual}.`,
      },
      lateMask: {
        title: 'Mask after the softmax',
        consequence: (token, sum, moved) =>
          `Row “${token}” keeps ${sum} of its weight: the rest leaked to the future. Another last token moves earlier outputs by up to ${moved}.`,
      },
      noMaximum: {
        title: 'Softmax without the row maximum',
        consequence: (score, token) =>
          token === ''
            ? `Nothing overflows yet: the largest score is ${score}; half precision overflows above 11.09.`
            : `Overflow in row “${token}”: at a score of ${score} exp exceeds half precision (65504, a score of 11.09), and ∞ ÷ ∞ is NaN.`,
      },
      dropout: {
        title: 'Dropout after the softmax',
        consequence: (token, dropped, keys, rate, sum) =>
          `Row “${token}” sums to ${sum}: ${dropped} of ${keys} weights ${dropped === 1 ? 'is' : 'are'} dropped, the others ÷ (1 − ${rate}). No bug: averaged over all draws it sums to 1. Right in training, wrong if it stays on after it.`,
      },
      rawEmbeddings: {
        title: 'Blend X instead of V',
        consequence: (residual, width, dV) =>
          width === dV
            ? `The output is off A·V by ${residual}; W_v learns nothing.`
            : `The output is ${width} wide where d_v is ${dV}, so that it cannot be A·V (off by ${residual}); W_v learns nothing.`,
      },
    }),
  },

  proofs: {
    outcomes: {
      holds: { mark: '✓', text: 'holds' },
      fails: { mark: '✗', text: 'fails' },
      notClaimed: { mark: '–', text: 'not claimed' },
    },
    laws: /** @type {Record<string, {claim: string}>} */ ({
      weightsAreFinite: { claim: 'Every weight is a number' },
      rowsSumToOne: { claim: 'Every row sums to 1' },
      futureIsHidden: { claim: 'Weights on the future are exactly 0' },
      pastIsUntouched: { claim: 'The last token changes no earlier output, bit for bit' },
      windowIsKept: { claim: 'Weights before the window are exactly 0' },
      paddingIsHidden: { claim: 'Weights on padding are exactly 0' },
      paddingDoesNotCount: { claim: 'Padding changes no other output, bit for bit' },
      orderDoesNotCount: { claim: 'Reversing the tokens reverses the outputs' },
      outputHasShape: { claim: 'The output has shape (T, d_v)' },
      valuesAreBlended: { claim: 'The output is A·V' },
      rolesDiffer: { claim: 'Q and K differ: S is not symmetric' },
      somethingCanLearn: { claim: 'There is something to learn' },
      spreadIsKept: { claim: 'The scores reach the softmax with a spread near 1' },
      entropyIsKept: { claim: 'No row is less even than ÷ √d_k leaves it' },
      gradientIsAlive: { claim: 'A gradient comes back through every row' },
    }),
  },
};
