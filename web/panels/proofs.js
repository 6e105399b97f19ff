// The laws of attention, checked on the state on the screen: each says whether it holds, by how much, and on what.

import { h, math, setAttribute, setMath, setText } from '../views/dom.js';
import { format, formatPrecise, localised, tokenName } from '../views/format.js';
import { placesOfLargest } from './panel-numbers.js';
import styles from './proofs.css';

/** The laws that want a number to be large enough; the others want it to be equal to another. */
const lowerBounds = ['rolesDiffer', 'somethingCanLearn', 'entropyIsKept', 'gradientIsAlive'];

/** A larger table shows its worst rows. */
const mostItems = 16;

/** @type {import('./panel.js').PanelDefinition} */
export const proofs = { name: 'proofs', styles: [styles], create: createProofs };

/** @type {import('./panel.js').CreatePanel} */
function createProofs(messages) {
  const summary = h('p', { class: 'proofs-summary' });
  const list = h('div', {});
  /** @type {Map<string, ReturnType<typeof createProof>>} */
  const lines = new Map();

  return {
    root: h('div', { class: 'proofs' }, summary, list),

    update({ proofs: prove, result }) {
      const proofs = prove();
      const count = (/** @type {string} */ outcome) => proofs.filter((proof) => proof.outcome === outcome).length;
      setText(summary, messages.proofs.summary(count('holds'), count('fails'), count('notClaimed')));
      for (const proof of proofs) {
        let line = lines.get(proof.law);
        if (line === undefined) {
          line = createProof(messages, proof.law);
          lines.set(proof.law, line);
          list.append(line.root);
        }
        line.update(proof, result);
      }
    },
  };
}

/**
 * @param {import('../language/language.js').Messages} messages
 * @param {string} law
 */
function createProof(messages, law) {
  const { items, ...texts } = messages.proofs.laws[law];
  const mark = h('span', { class: 'mark', role: 'img' });
  const residual = h('small', {});
  const body = h('tbody', {});
  const name = h('span', { class: 'proof-law' });
  const isBound = lowerBounds.includes(law);
  const { item, found, expected, residual: offBy, least, missing } = messages.proofs;
  const heads = isBound ? [item, found, least, missing] : [item, found, expected, offBy];
  const explanation = h('p', {});
  const root = h(
    'details',
    { class: 'proof', 'data-law': law, toggle: () => draw() },
    h('summary', {}, mark, name, residual),
    explanation,
    h('table', {}, h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))), body),
  );

  /** @type {import('../engine/lesson-engine.js').Proof | undefined} */
  let shown;
  /** @type {string[]} */
  let labels = [];

  /** Counts are whole numbers. @param {number} value */
  const write = (value) => (Number.isInteger(value) ? localised(String(value), messages) : format(value, messages));

  /** The numbers compared, for a reader who asks. */
  const draw = () => {
    if (!root.open || shown === undefined) {
      return;
    }
    const { found, expected, residuals } = shown;
    body.replaceChildren(
      ...placesOfLargest(residuals, mostItems).map((place) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, math(labels[place] ?? '')),
          ...[found, expected, residuals].map((numbers) =>
            h('td', { title: formatPrecise(numbers[place], messages) }, write(numbers[place])),
          ),
        ),
      ),
    );
  };

  return {
    root,

    /** @param {import('../engine/lesson-engine.js').Proof} proof @param {import('../engine/lesson-engine.js').LessonResult} result */
    update(proof, { tokens, context }) {
      shown = proof;
      const claim = (context && texts.claimAcross) || texts.claim;
      setMath(name, claim);
      setMath(explanation, texts.method);
      labels = items ?? tokens.map((_, place) => tokenName(tokens, place));
      setAttribute(root, 'data-outcome', proof.outcome);
      const outcome = messages.proofs.outcomes[proof.outcome];
      setText(mark, outcome.mark);
      setAttribute(mark, 'aria-label', outcome.text);
      const closest = closestToBound(proof);
      const { compared, between, measured } = messages.proofs;
      const [found, expected] = [write(proof.found[closest]), proof.expected[closest]];
      const factor = 2 ** proof.tolerance; // of the spread, whose residual is in powers of 2
      setText(
        residual,
        law === 'spreadIsKept'
          ? between(found, write(expected / factor), write(expected * factor))
          : isBound
            ? compared(found, write(expected))
            : measured(write(proof.residual), write(proof.tolerance)),
      );
      draw();
    },
  };
}

/** Where a number lies furthest below its bound, or least above it. @param {import('../engine/lesson-engine.js').Proof} proof */
function closestToBound({ found, expected }) {
  const margins = found.map((value, place) => value - expected[place]);
  const broken = margins.findIndex(Number.isNaN);
  return broken === -1 ? margins.indexOf(Math.min(...margins)) : broken;
}
