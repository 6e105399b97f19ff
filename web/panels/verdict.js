// What became of a training run, from its own numbers alone. Pure.

/** @typedef {import('../engine/lesson-engine.js').TrainingPoint} TrainingPoint */

/** A run has learnt when less than this share of its first loss is left. */
const learntBelow = 0.4;

/** It is under way when less than this share is left. */
const movingBelow = 0.9;

/** It rests when the last quarter of its steps changes the loss by less than this share. */
const restsBelow = 0.01;

/** A mean Jacobian of a smaller norm is that of rows that are all but one-hot. */
export const deadBelow = 0.05;

/** A gradient is gone when less than this share of its largest is left. */
const goneBelow = 0.01;

/**
 * @typedef {object} Verdict
 * @property {'learnt' | 'settled' | 'slow' | 'frozen' | 'died' | 'stuck'} fate
 *   `learnt`: the loss fell far · `settled`: it fell and has come to rest · `slow`: it falls · `frozen`: rows were one-hot
 *   at the start and at the end, and nothing moved · `died`: its gradient was there, and is gone with rows one-hot that have
 *   not learnt · `stuck`: none of these
 * @property {{first: number, last: number}} loss
 * @property {number | null} learntAt  the step from which the loss stays below 40 % of the first
 * @property {number} diedAt  the step from which the gradient stays below a hundredth of its largest
 * @property {{first: number, most: number, last: number}} gradient  its norm, by all that is trained
 * @property {{first: number, last: number}} jacobian  mean norm over the rows
 */

/**
 * @param {TrainingPoint[]} points  of every step, all finite
 * @returns {Verdict}
 */
export function verdictOn(points) {
  const losses = points.map(({ loss }) => loss);
  const norms = points.map(({ trainedNorm }) => trainedNorm);
  const ends = (/** @type {number[]} */ series) => ({ first: series[0], last: series[series.length - 1] });
  const loss = ends(losses);
  const gradient = { ...ends(norms), most: Math.max(...norms) };
  const jacobian = ends(points.map(({ meanJacobian }) => meanJacobian));
  const learntAt = startOfEnd(losses, (value) => value < learntBelow * loss.first);
  const diedAt = startOfEnd(norms, (value) => value < goneBelow * gradient.most);
  const isGone = jacobian.last < deadBelow && diedAt !== null;
  const wasDead = jacobian.first < deadBelow && jacobian.last < deadBelow;
  const moved = (/** @type {number} */ since) => Math.abs(loss.last - losses[since]) / losses[since];
  const isLess = loss.last < movingBelow * loss.first;
  const fate =
    learntAt !== null
      ? 'learnt'
      : wasDead && moved(0) < restsBelow
        ? 'frozen'
        : isGone
          ? 'died'
          : !isLess
            ? 'stuck'
            : moved(Math.floor(0.75 * points.length)) < restsBelow
              ? 'settled'
              : 'slow';
  return { fate, loss, learntAt, diedAt: diedAt ?? points.length, gradient, jacobian };
}

/**
 * The first place from which all of a series is so; null where its last is not.
 *
 * @param {number[]} series
 * @param {(value: number) => boolean} isSo
 */
function startOfEnd(series, isSo) {
  let start = series.length;
  while (start > 0 && isSo(series[start - 1])) {
    start--;
  }
  return start === series.length ? null : start;
}
