// The switchboard of mistakes: each is computed for real, says which law it breaks and by how much, and can be mended.

import { isLocked } from '../engine/lesson-state.js';
import { decides } from '../engine/own-matrices.js';
import { button, h, setAttribute, setMath, setText } from '../views/dom.js';
import { format, plainText } from '../views/format.js';
import { makes, mistakes } from '../views/mistakes.js';
import styles from './break-it.css';
import { proofOf } from './panel-numbers.js';

/** @type {import('./panel.js').PanelDefinition} */
export const breakIt = { name: 'break', styles: [styles], create: createBreakIt };

/** @type {import('./panel.js').CreatePanel} */
function createBreakIt(messages, actions) {
  const text = messages.break;
  /** @type {import('./panel.js').PanelContext} */
  let now;

  const announcer = h('p', { class: 'announcer', role: 'status' });
  const write = (/** @type {number} */ value) => format(value, messages);

  const lines = mistakes.map((mistake) => {
    const { name, setting, wrong, right, also, law, tell } = mistake;
    const { title, consequence: tellConsequence } = text.mistakes[name];
    const isMade = () => makes(mistake, now.state);
    const changes = (/** @type {number} */ dK) => ({ ...also?.(dK), [setting]: wrong });
    /** @type {Partial<import('../engine/lesson-state.js').LessonState>} what stood there before the mistake */
    let before = { ...also?.(), [setting]: right };
    const make = () => actions.change(changes(now.state.dK));
    const mend = () => actions.change(before);
    const toggle = button(title, () => (isMade() ? mend() : make()), { class: 'toggle' });
    const check = button('', () => actions.open('proofs'), { class: 'mark' });
    const consequence = h('p', { class: 'consequence' });
    const larger = button(text.larger, () => actions.change({ divisor: 'none', dK: 64 }));
    // The default seed was chosen; the law draws many.
    const seeds = name === 'noDivisor' ? [button(messages.panels.law, () => actions.open('law'))] : [];
    const said = h(
      'div',
      { class: 'said' },
      consequence,
      h('p', { class: 'strip deeds' }, check, larger, ...seeds, button(text.mend, mend)),
    );

    const root = h('div', { 'data-mistake': name }, toggle, said);

    const update = () => {
      const wasPressed = toggle.ariaPressed;
      setAttribute(toggle, 'aria-pressed', String(isMade()));
      toggle.disabled = isLocked(now.state, setting);
      said.hidden = !isMade();
      if (!mistakes.some((other) => other.setting === setting && makes(other, now.state))) {
        const names = /** @type {(keyof typeof before)[]} */ (Object.keys(changes(now.state.dK)));
        before = Object.fromEntries(names.map((name) => [name, now.state[name]]));
      }
      const isToggled = wasPressed !== null && wasPressed !== toggle.ariaPressed;
      if (isMade() || isToggled) {
        const proof = proofOf(now.proofs(), law);
        const { outcome } = proof;
        const { mark, text: holds } = messages.proofs.outcomes[outcome];
        const found = `${holds}: ${messages.proofs.laws[law].claim}`;
        const told = isMade() ? tellConsequence(...tell(now, proof, write)) : '';
        if (isToggled) {
          setText(announcer, plainText(`${title}: ${isMade() ? told : `${messages.off}.`} ${found}`));
        }
        setMath(consequence, told);
        setMath(check, `${mark} ${found}`);
        setAttribute(root, 'data-outcome', outcome);
        const isFixed = now.state.preset === 'four-token' || decides(now.state, 'dK') !== undefined;
        larger.hidden = name !== 'noMaximum' || outcome === 'fails' || isFixed;
      }
    };
    return { root, update };
  });

  return {
    root: h(
      'div',
      { class: 'break-it' },
      h('p', {}, text.introduction),
      h('div', { class: 'tiles' }, ...lines.map(({ root }) => root)),
      announcer,
    ),

    update(context) {
      now = context;
      for (const line of lines) {
        line.update();
      }
    },
  };
}
