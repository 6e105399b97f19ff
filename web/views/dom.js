// Building elements, and writing to them only where something changed.

/**
 * An element with attributes and children. A child that is a string becomes text, never markup; null and undefined
 * are left out. An attribute that is a function is an event listener, one that is false is left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | ((event: any) => void)>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * The window that shows an element, which may be another one than that of the script: a frame's, or one of the widget's own.
 *
 * @param {Node} node
 */
export const windowOf = (node) =>
  /** @type {Window & typeof globalThis} */ (/** @type {Document} */ (node.ownerDocument).defaultView ?? window);

/**
 * The same for SVG.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Text with symbols and isolated words: "d_k" shows an italic d with a small k below, "e^{−2}" an e with a raised −2, and
 * what stands between the marks of an isolate is an element that keeps its direction to itself.
 *
 * @param {string} text
 * @returns {Node[]}
 */
export function mathNodes(text) {
  return text.split(/(\u2068[^\u2069]*\u2069|\b[A-Za-z]_[a-z]+|\be\^\{[^}]*\})/).map((part, index) => {
    if (index % 2 === 0) {
      return document.createTextNode(part);
    }
    if (part[0] === '\u2068') {
      return h('bdi', { translate: 'no' }, part.slice(1, -1));
    }
    const [symbol, script] = part.split(/[_^]/);
    const raised = part[1] === '^';
    return h(
      'span',
      { class: 'symbol', translate: 'no' },
      h('i', {}, symbol),
      raised ? h('sup', {}, script.slice(1, -1)) : h('sub', {}, script),
    );
  });
}

/**
 * A button that says what it does, with symbols.
 *
 * @param {string} text
 * @param {(event: any) => void} act
 * @param {Record<string, string>} [attributes]
 */
export function button(text, act, attributes) {
  return h('button', { type: 'button', click: act, ...attributes }, ...mathNodes(text));
}

/**
 * One of a group of choices, with its name.
 *
 * @param {string} group
 * @param {string} value
 * @param {string} text
 * @param {() => void} choose
 */
export function choice(group, value, text, choose) {
  return h('label', {}, h('input', { type: 'radio', name: group, value, change: choose }), math(text));
}

/** @param {string} text */
export function math(text) {
  return h('span', {}, ...mathNodes(text));
}

/** @param {Element} element  with text alone @param {string} text */
export function setText(element, text) {
  const { firstChild } = element;
  if (firstChild === null || firstChild !== element.lastChild || firstChild.nodeType !== 3) {
    element.textContent = text;
  } else if (firstChild.nodeValue !== text) {
    firstChild.nodeValue = text; // another node would be styled anew
  }
}

/** @param {Element} element @param {string} text */
export function setMath(element, text) {
  if (element.getAttribute('data-math') !== text) {
    element.setAttribute('data-math', text);
    element.replaceChildren(...mathNodes(text));
  }
}

/** @param {Element} element @param {string} name @param {string | number | boolean | null} value */
export function setAttribute(element, name, value) {
  if (value === null || value === false) {
    element.removeAttribute(name);
  } else {
    const text = value === true ? '' : String(value);
    if (element.getAttribute(name) !== text) {
      element.setAttribute(name, text);
    }
  }
}

/** @param {HTMLElement} element @param {boolean} isHidden */
export function setHidden(element, isHidden) {
  setAttribute(element, 'hidden', isHidden);
}

/** @param {HTMLElement | SVGElement} element @param {string} name @param {string | number} value */
export function setStyle(element, name, value) {
  const text = String(value);
  if (element.style.getPropertyValue(name) !== text) {
    element.style.setProperty(name, text);
  }
}

/** @param {Element} element @param {string} names */
export function setClass(element, names) {
  if (element.className !== names) {
    element.className = names;
  }
}
