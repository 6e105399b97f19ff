// What the editor says, in English.

/** A number as a reader reads it: every digit that decides, and no more. @param {unknown} value */
const written = (value) =>
  typeof value === 'number' ? String(Number(value.toPrecision(6))).replace('-', '−') : String(value);

/** What was there instead of a list of numbers. @param {string | number} found */
const instead = (found) =>
  typeof found === 'number'
    ? `has ${found} ${found === 1 ? 'entry' : 'entries'}`
    : found === 'undefined'
      ? 'is missing'
      : found.startsWith('list:')
        ? `has an entry of the type ${found.slice('list:'.length)}`
        : `is of the type ${found}`;

/** @type {Record<string, (values: any[], row: import('./rows.js').Row) => string>} */
const faults = {
  shape: ([name, found, wanted]) =>
    `Right shape: ${name} ${instead(found)}, and must be a list of ${wanted} ${wanted === 1 ? 'number' : 'numbers'}.`,
  finite: ([name, found], { scores }) => {
    const [largest, smallest] = [Math.max(...scores), Math.min(...scores)];
    const why =
      largest > 709
        ? ` The largest score is ${written(largest)}, and exp(${written(largest)}) is Infinity. Subtract the row’s maximum before exp.`
        : smallest < -700
          ? ` The scores are near ${written(smallest)}, and exp(${written(smallest)}) is 0: you divide by 0. Subtract the row’s maximum before exp.`
          : '';
    return `No overflow: ${name} is ${found}.${why}`;
  },
  future: ([key, weight]) =>
    `Future exactly 0: key ${key} comes after the query, and its weight is ${written(weight)}. Set its score to −Infinity before the softmax.`,
  sum: ([sum]) => `Sums to one: your weights sum to ${written(sum)}.`,
  weights: ([name, found, expected]) =>
    `The core’s weights: your ${name} is ${written(found)}, and the core has ${written(expected)}.`,
  output: ([name, found, expected]) =>
    `The core’s output: your ${name} is ${written(found)}, and the core has ${written(expected)}.`,
};

export default {
  label: 'attention_row in JavaScript',
  run: 'Run on ten rows',
  reset: 'Start again',
  keys: 'Control and Enter run it. Tab leaves the editor.',
  running: 'Running …',
  rows: {
    plain: 'Six words, every key visible',
    narrowValues: 'Queries of width 5, values of width 3',
    wide: 'Width 64, the last word',
    oneVisible: 'Causal, one visible key',
    twoVisible: 'Causal, two visible keys',
    lastRow: 'Causal, the last of four tokens',
    causal: 'Causal, the third of six words',
    oneToken: 'A text of one token',
    huge: 'Causal, scores of 800',
    negative: 'Scores of −800',
  },
  holds: 'Every assertion holds.',
  faults,
  threw: (/** @type {string} */ text) => `It threw ${text}`,
  endless: (/** @type {number} */ seconds) =>
    `It did not end within ${seconds} seconds, and was stopped. Is there a loop that never ends? The rows after it were not run.`,
  problems: {
    noWorker: () =>
      'The program cannot run here: the browser starts no worker for this page. It does not for pages opened as files; open it from a server, for example with npm start.',
    unreadable: (/** @type {string} */ text) => `The program cannot be read: ${text}`,
    threwBefore: (/** @type {string} */ text) => `The program threw before any row was run: ${text}`,
    noFunction: () => 'The program defines no function of the name attention_row.',
    endlessBefore: (/** @type {string} */ _, /** @type {number} */ seconds) =>
      `The program did not end within ${seconds} seconds, before any row was run, and was stopped. Is there a loop that never ends?`,
  },
  someFail: (/** @type {number} */ held, /** @type {number} */ all) => `${held} of ${all} rows hold.`,
  allHold: (/** @type {number} */ all) => `All ${all} rows hold.`,
  unmoved: 'Only token four changed: outputs one to three are the same to the last bit. The future reaches nothing.',
  moved: (/** @type {{row: number, before: number, after: number}} */ { row, before, after }) =>
    `Only token four changed, and the output of token ${row + 1} moved from ${written(before)} to ${written(after)}. It looks into the future.`,
  entropies: (/** @type {number} */ divided, /** @type {number} */ notDivided) =>
    `The entropy of the last row of four is ${written(divided)} with the scale. Without it the core finds ${written(notDivided)}.`,
};
