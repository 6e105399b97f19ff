// What is said of a row's softmax.

/**
 * Whether a row has one key, whose weight is 1 whatever is learnt.
 *
 * @param {import('../engine/lesson-engine.js').Metrics} metrics
 * @param {number} row
 */
export function isForced({ state, gradient }, row) {
  return gradient[row] === 'no choice' && state[row] === 'saturated (one-hot)';
}

/**
 * What is said of a row's softmax: of one with a single key no more than that.
 *
 * @param {typeof import('../language/messages/en.js').default} messages
 * @param {import('../engine/lesson-engine.js').Metrics} metrics
 * @param {number} row
 */
export function softmaxWord(messages, metrics, row) {
  return isForced(metrics, row) ? messages.oneKey : messages.state[metrics.state[row]];
}
