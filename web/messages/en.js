// Every text of the widget, in English. A letter with an underscore ("d_k") is drawn as a subscripted symbol.

export default {
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
  sentence: 'Sentence',
  seed: 'Seed',
  seedDefault: 'default',
  seedDefaultTitle: 'Back to the default seed',

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
  rowSum: (/** @type {string} */ sum) => `row sums to ${sum}`,
  entropy: 'entropy',
  entropyOf: (/** @type {string} */ maximum) => `max ${maximum}`,
  gradient: 'gradient',
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
  heatmapLabel: (/** @type {number} */ n) => `Attention weights, ${n} queries by ${n} keys`,
  cell: (/** @type {string} */ query, /** @type {string} */ key, /** @type {string} */ weight) =>
    `${query} looks at ${key}, ${weight}`,
  cellHidden: (/** @type {string} */ query, /** @type {string} */ key) => `${key} is hidden from ${query}`,
  legend: 'weight',
  legendHidden: 'hidden',
  caution: 'Weights show where values are blended from. Alone they are not a causal explanation.',

  looksAt: (/** @type {string} */ token) => `“${token}” looks at …`,
  key: 'key',
  score: 'score',
  weight: 'weight',
  hidden: 'hidden',
  moreKeys: (/** @type {number} */ count) => `… and ${count} keys with less weight`,

  arithmetic: (/** @type {string} */ query, /** @type {string} */ key) => `“${query}” → “${key}”`,
  stepScore: 'q·k',
  stepDivide: { sqrt: '÷ √d_k', none: 'not divided', dk: '÷ d_k' },
  stepMask: 'mask',
  stepMaskHidden: 'the future is hidden before the softmax',
  stepMaximum: { keys: '− row maximum', queries: '− column maximum' },
  stepNoMaximum: 'maximum not subtracted',
  stepExponential: 'exp',
  stepSum: { keys: '÷ row sum', queries: '÷ column sum' },
  stepCleared: 'cleared after the softmax',
  moreTerms: (/** @type {number} */ count) => `…\u00a0${count}\u00a0more`,

  problem: (/** @type {string} */ name, /** @type {string} */ found, /** @type {string} */ expected) =>
    `${name} ${found}, but ${expected}.`,
  restore: 'Back to the last picture',
  loading: 'Loading …',

  panels: {
    break: 'Break it',
    proofs: 'Proofs',
    shapes: 'Shapes',
    worksheet: 'Worksheet',
    jacobian: 'Softmax Jacobian',
    compare: 'Compare',
    checkpoints: 'Checkpoints',
    code: 'Copy as code',
  },

  break: {},

  proofs: {},

  shapes: {},

  worksheet: {},

  jacobianPanel: {},

  compare: {},

  checkpoints: {},

  code: {},
};
