// What a lesson's page does besides its widgets: where the reader is, what was seen and done, which link's state is shown, and
// the editor where a page has one. Text, links and widgets work without it.

/** @typedef {HTMLElement & {state: Record<string, unknown>}} Widget */

const sections = Array.from(document.querySelectorAll('main > section'));
const seen = new Set();

/** @param {Element} section */
const entryOf = (section) => document.querySelector(`.contents a[href="#${section.id}"]`);

/** Says where the reader is: the section at the top of the window, and how many have been reached. */
function showPlace() {
  const reached = sections.filter((section) => section.getBoundingClientRect().top < innerHeight * 0.4);
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const current = isAtEnd ? sections.at(-1) : reached.at(-1);
  if (current !== undefined) {
    seen.add(current);
  }
  for (const section of sections) {
    const entry = entryOf(section);
    entry?.toggleAttribute('data-seen', seen.has(section));
    if (section === current) {
      entry?.setAttribute('aria-current', 'true');
    } else {
      entry?.removeAttribute('aria-current');
    }
  }
  const bar = document.querySelector('.way progress');
  if (bar instanceof HTMLProgressElement) {
    bar.max = sections.length;
    bar.value = seen.size;
  }
  const here = document.querySelector('.here');
  const title = current?.querySelector('h2')?.textContent ?? '';
  if (here !== null && here.textContent !== title) {
    here.textContent = title;
  }
}

let isWaiting = false;
addEventListener(
  'scroll',
  () => {
    if (!isWaiting) {
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        showPlace();
      });
    }
  },
  { passive: true },
);
showPlace();

/** "d-k" is the property dK. @param {string} attribute */
const property = (attribute) => attribute.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** A setting's value as an attribute writes it. @param {Record<string, any>} state @param {string} attribute */
function textOf(state, attribute) {
  const value = state[property(attribute)];
  if (attribute === 'edits') {
    return value.map((/** @type {any} */ edit) => [edit.matrix, edit.row, edit.column, edit.value].join(' ')).join(' ');
  }
  return Array.isArray(value) ? value.join(' ') : String(attribute === 'd-v' ? (value ?? state.dK) : value);
}

/** Whether a widget shows what was written of a setting. @param {Widget} widget @param {string} attribute @param {string} text */
const shows = (widget, attribute, text) => textOf(widget.state, attribute) === text;

/** Marks the links whose state is shown, and the tasks that have been done. @param {Widget} widget */
function mark(widget) {
  for (const link of document.querySelectorAll(`[data-attention-for="${widget.id}"]`)) {
    const settings = Array.from(link.attributes).flatMap(({ name, value }) =>
      name.startsWith('data-') && !['data-attention-for', 'data-shown'].includes(name) ? [[name.slice(5), value]] : [],
    );
    link.toggleAttribute(
      'data-shown',
      settings.every(([name, value]) => shows(widget, name, value)),
    );
  }
  for (const task of document.querySelectorAll(`[data-widget="${widget.id}"] > [data-when]`)) {
    const wanted = (task.getAttribute('data-when') ?? '').split(' ').map((each) => each.split('='));
    if (isTouched.has(widget) && wanted.every(([name, value]) => shows(widget, name, value))) {
      task.setAttribute('data-done', '');
    }
  }
}

/** Widgets that the reader has changed: the state in which a widget opens is nobody's doing. */
const isTouched = new WeakSet();

for (const event of ['input', 'click', 'keydown']) {
  document.addEventListener(
    event,
    ({ target }) => {
      if (target instanceof Element) {
        const driven = document.getElementById(
          target.closest('[data-attention-for]')?.getAttribute('data-attention-for') ?? '',
        );
        const own = driven ?? target.closest('attention-widget');
        if (own !== null) {
          isTouched.add(own);
        }
      }
    },
    true,
  );
}

document.addEventListener('attention-change', ({ target }) => {
  mark(/** @type {Widget} */ (target));
});

// On a narrow page the picture that a link has changed may be out of sight.
document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('[data-attention-for]') : null;
  const stage = document.getElementById(link?.getAttribute('data-attention-for') ?? '')?.closest('.stage');
  if (stage) {
    const { top, bottom } = stage.getBoundingClientRect();
    if (top > innerHeight * 0.8 || bottom < innerHeight * 0.2) {
      stage.scrollIntoView({ block: 'start' });
    }
  }
});

// Widgets take their place one after the other, and what a link leads to moves down: it is kept in sight until the reader moves.
const target = document.getElementById(location.hash.slice(1).split('~')[0]);
if (target !== null) {
  const settling = new ResizeObserver(() => target.scrollIntoView({ behavior: 'instant' }));
  settling.observe(document.body);
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(event, () => settling.disconnect(), { once: true, passive: true });
  }
}

// Where the widget's script did not come, the pictures for paper stand in.
addEventListener('load', () => {
  document.documentElement.classList.toggle('without-widget', customElements.get('attention-widget') === undefined);
});

// The editor is large, and comes when its section does.
const workbench = document.querySelector('[data-workbench]');
if (workbench !== null) {
  const load = () => {
    const script = document.createElement('script');
    script.src = workbench.getAttribute('data-workbench') ?? '';
    script.addEventListener('error', () => {
      const sentence = document.createElement('p');
      sentence.textContent = workbench.getAttribute('data-missing') ?? '';
      workbench.append(sentence);
    });
    document.head.append(script);
  };
  const whenNear = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        whenNear.disconnect();
        load();
      }
    },
    { rootMargin: '300px' },
  );
  whenNear.observe(workbench);
}
