// The widget as an anywidget module, for notebooks and MyST pages. The model's traits are the element's settings, in
// Python's spelling (d_k), the attribute's (d-k) or the property's (dK); those that the model has are kept in step both
// ways. A trait `metrics` receives the figures.

import { AttentionWidget } from '../element/define.js';
import { formatTokens } from '../engine/tokens.js';

/**
 * What a host hands over; Jupyter's is a Backbone model.
 *
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, callback: () => void) => void} on
 * @property {(event: string, callback: () => void) => void} off
 */

/** @typedef {import('../element/attention-widget.js').AttentionWidget & Record<string, any>} Widget */

/** The address of a notebook, or of a frame, keeps no state of a widget's. */
const settings = AttentionWidget.observedAttributes.filter((name) => name !== 'linked');

const properties = [...Object.keys(AttentionWidget.prototype), 'lang'];

const traits = [...settings, 'lang'].map((attribute) => ({
  attribute,
  property: String(properties.find((name) => name.toLowerCase() === attribute.replaceAll('-', ''))),
  trait: attribute.replaceAll('-', '_'),
}));

/**
 * Saves what it can: a page without a kernel has nowhere to save to, and some such hosts throw.
 *
 * @param {Model} model
 * @param {Record<string, unknown>} values
 */
function save(model, values) {
  try {
    for (const [name, value] of Object.entries(values)) {
      model.set(name, value);
    }
    model.save_changes();
  } catch (error) {
    console.debug('attention-widget: the host keeps no changes', error);
  }
}

/** A value as the trait writes it: a trait that held text stays text. @param {unknown} before @param {any} value */
function asTrait(before, value) {
  if (typeof before !== 'string' || typeof value === 'string') {
    return value;
  }
  return Array.isArray(value) ? formatTokens(value) : String(value);
}

/**
 * Draws a widget into a cell of a notebook.
 *
 * @param {{model: Model, el: HTMLElement}} host
 * @returns {() => void}  takes it away again
 */
function render({ model, el }) {
  const widget = /** @type {Widget} */ (document.createElement('attention-widget'));
  const known = traits.flatMap((setting) => {
    const names = [setting.trait, setting.attribute, setting.property];
    const name = names.find((each) => model.get(each) !== undefined);
    return name === undefined ? [] : [{ ...setting, name, told: '' }];
  });
  const readers = known.map((setting) => {
    const { name, attribute, property } = setting;
    const read = () => {
      const value = model.get(name);
      if (typeof value === 'string') {
        widget.setAttribute(attribute, value);
      } else {
        widget[property] = value ?? undefined; // None stands for the default
      }
      setting.told = JSON.stringify(widget[property]);
    };
    read();
    model.on(`change:${name}`, read);
    return { event: `change:${name}`, read };
  });
  widget.addEventListener('attention-change', (event) => {
    /** @type {Record<string, unknown>} */
    const changes = {};
    for (const setting of known) {
      const value = widget[setting.property];
      const text = JSON.stringify(value);
      if (text !== setting.told) {
        setting.told = text;
        changes[setting.name] = asTrait(model.get(setting.name), value);
      }
    }
    if (model.get('metrics') !== undefined) {
      changes.metrics = /** @type {CustomEvent} */ (event).detail.metrics;
    }
    if (Object.keys(changes).length > 0) {
      save(model, changes);
    }
  });
  el.append(widget);
  return () => {
    for (const { event, read } of readers) {
      model.off(event, read);
    }
    widget.remove();
  };
}

export default { render };
