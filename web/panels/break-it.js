// The switchboard of mistakes: each is computed for real, says which law it breaks and by how much, and can be mended.

import { h, setAttribute, setMath } from '../views/dom.js';
import { format, visibleToken } from '../views/format.js';
import { mistakes } from './mistakes.js';

/** @type {(messages: typeof import('../messages/en.js').default, actions: import('./panels.js').PanelActions) => import('./panels.js').Panel} */
export function createBreakIt(messages, actions) {
  const text = messages.break;
  /** @type {import('../state.js').LessonState} */
  let state;

  const lines = mistakes.map((mistake) => {
    const { title, law } = text.mistakes[/** @type {keyof typeof text.mistakes} */ (mistake.name)];
    const toggle = h('button', {
      type: 'button',
      class: 'toggle',
      click: () => actions.change(mistake.isMade(state) ? mistake.mend : mistake.make(state)),
    });
    setMath(toggle, title);
    const consequence = h('p', { class: 'consequence' });
    const check = h('button', { type: 'button', class: 'quiet', click: () => actions.open('proofs') });
    const mend = h('button', { type: 'button', class: 'quiet', click: () => actions.change(mistake.mend) }, text.mend);
    const larger = h(
      'button',
      { type: 'button', class: 'quiet', click: () => actions.change({ divisor: 'none', dK: 64 }) },
      text.larger,
    );
    const claim = h('p', { class: 'law' });
    setMath(claim, law);
    const said = h(
      'div',
      { class: 'said', hidden: true },
      claim,
      consequence,
      h('p', { class: 'deeds' }, check, larger, mend),
    );
    const root = h('li', { 'data-mistake': mistake.name }, toggle, said);
    return { root, toggle, said, consequence, check, larger, mistake };
  });

  return {
    root: h('div', { class: 'break-it' }, h('p', {}, text.introduction), h('ul', {}, ...lines.map(({ root }) => root))),

    update({ proofs: prove, state: next, result }) {
      state = next;
      const made = lines.filter(({ mistake }) => mistake.isMade(state));
      const proofs = made.length === 0 ? [] : prove();
      for (const { toggle, said, consequence, check, larger, mistake } of lines) {
        const isMade = mistake.isMade(state);
        setAttribute(toggle, 'aria-pressed', String(isMade));
        said.hidden = !isMade;
        if (isMade) {
          const proof = /** @type {import('../lesson-engine.js').Proof} */ (
            proofs.find(({ law }) => law === mistake.law)
          );
          setMath(consequence, describe(messages, mistake.name, proof, state, result));
          setMath(
            check,
            text.check[proof.outcome](
              messages.proofs.laws[/** @type {keyof typeof messages.proofs.laws} */ (mistake.law)].claim,
            ),
          );
          setAttribute(check, 'data-outcome', proof.outcome);
          larger.hidden = mistake.name !== 'noMaximum' || proof.outcome === 'fails' || state.preset === 'four-token';
        }
      }
    },
  };
}

/**
 * What a mistake does to the state on the screen, in the engine's numbers.
 *
 * @param {typeof import('../messages/en.js').default} messages
 * @param {string} name
 * @param {import('../lesson-engine.js').Proof} proof
 * @param {import('../state.js').LessonState} state
 * @param {import('../lesson-engine.js').LessonResult} result
 * @returns {string}
 */
function describe(messages, name, { found, residual, outcome }, state, result) {
  const { consequence } = messages.break;
  const { metrics, tokens, scaled, visible } = result;
  switch (name) {
    case 'noDivisor': {
      const dead = metrics.gradient.filter((gradient) => gradient === 'dead').length;
      return consequence.noDivisor(format(metrics.spread), dead, tokens.length);
    }
    case 'divisorTooLarge':
      return consequence.divisorTooLarge(
        format(metrics.spread),
        format(metrics.entropy[state.row]),
        format(metrics.maximumEntropy[state.row]),
      );
    case 'oneMatrix':
      return consequence.oneMatrix(format(found[0]));
    case 'noParameters':
      return consequence.noParameters(format(found[0]));
    case 'wrongAxis':
      return consequence.wrongAxis(format(metrics.rowSum[state.row]), format(residual));
    case 'lateMask': {
      const least = metrics.rowSum.indexOf(Math.min(...metrics.rowSum));
      return consequence.lateMask(visibleToken(tokens[least]), format(metrics.rowSum[least]), format(residual));
    }
    case 'noMaximum': {
      const largest = scaled.data.reduce(
        (best, score, index) => (visible.data[index] !== 0 && score > scaled.data[best] ? index : best),
        visible.data.indexOf(1),
      );
      const query = visibleToken(tokens[Math.floor(largest / tokens.length)]);
      const score = format(scaled.data[largest]);
      return outcome === 'fails' ? consequence.overflow(query, score) : consequence.noOverflow(score);
    }
    default:
      return consequence.rawEmbeddings(format(residual), result.output.shape[1], result.V.shape[1]);
  }
}
