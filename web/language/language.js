// Which language a widget speaks, and where its texts come from. English is inside; the texts of every other language
// are a script of their own. It leaves them in a registry of the page, whoever loads it: the widget when a language is
// asked for, a script tag, an import, a bundle.

import files from '#languages';
import { runScript } from '../platform/run-script.js';
import { closestLanguage } from './closest-language.js';
import { completed } from './completed.js';
import own from './messages/en.js';

/** @typedef {typeof own & typeof import('./english-beside.js').default & typeof import('./english-try-and-take.js').default & typeof import('./english-numbers.js').default & typeof import('./english-exchange.js').default} Messages */

/** Where panels come from beside the widget they bring their English texts along. */
const english = /** @type {Messages} */ (own);

/** @type {Record<string, Promise<void> | false>} by language: its file on the way, or false once it came or failed */
const arriving = {};

/** @type {Record<string, Messages>} by language: its texts, and English ones where its file is of another version */
const complete = {};

/** Every copy of the widget on a page knows the registry by this name. @returns {Record<string, Messages>} */
const registry = () => /** @type {any} */ (globalThis)[Symbol.for('attention-widget.messages')] ?? {};

/**
 * The texts as a region writes their numbers. Every language's file brings `inRegion` of region.js along: English, which is
 * inside, needs none.
 *
 * @param {Messages} messages
 * @param {string | undefined} tag  of the place
 * @returns {Messages}
 */
const inRegion = (messages, tag) =>
  /** @type {any} */ (globalThis)[Symbol.for('attention-widget.region')]?.(messages, tag) ?? messages;

/**
 * The texts in the language of the place where an element stands, as its `lang` or its nearest ancestor's says; English
 * ones where no others are known, or until they are there, and then what to wait for.
 *
 * @param {Element} element
 * @returns {{messages: Messages, arrival?: Promise<void> | false}}
 */
export function messagesFor(element) {
  const texts = registry();
  const language = languageOf(element, Object.keys({ en: english, ...files, ...texts }));
  if (language === undefined || (language === 'en' && !(language in texts))) {
    return { messages: english };
  }
  if (language in texts) {
    complete[language] ??= completed(texts[language], english);
  } else {
    arriving[language] ??= fetchTexts(language);
  }
  const messages = complete[language];
  return { messages: messages ? inRegion(messages, tagOf(element)) : english, arrival: arriving[language] };
}

/** What the nearest `lang` says, if one does. @param {any} element @returns {string | undefined} */
function tagOf(element) {
  for (let node = element; node; node = node.getRootNode().host) {
    const place = node.closest('[lang]');
    if (place !== null) {
      return place.getAttribute('lang');
    }
  }
  return undefined;
}

/**
 * The closest of the languages that there are to the one of an element's place.
 *
 * @param {Element} element
 * @param {string[]} names
 */
function languageOf(element, names) {
  const said = tagOf(element);
  if (said !== undefined) {
    return closestLanguage(said, names);
  }
  // A header of the page may say it: no script can read that, and `:lang()` matches it and its prefixes. Of Chinese the
  // region says the script.
  const all = ['zh-TW', 'zh-HK', 'zh-MO', ...names, ...names.map((name) => name.split('-')[0])];
  const tags = all.sort((one, other) => other.length - one.length);
  return closestLanguage(tags.find((tag) => element.matches(`:lang(${tag})`)) ?? '', names);
}

/** @param {string} name */
async function fetchTexts(name) {
  await new Promise((later) => setTimeout(later)); // what is imported after the widget may bring the texts
  if (!(name in registry())) {
    let reason = '';
    try {
      await runScript(addressOf(files[name]));
    } catch (error) {
      reason = `: ${error instanceof Error ? error.message : error}`;
    }
    if (!(name in registry())) {
      const help = 'To hand it over, put its <script> or its text before the widget’s';
      console.warn(`attention-widget: messages/${name}.js does not load, the texts stay English${reason}. ${help}`);
    }
  }
  arriving[name] = false;
}

/** @param {() => string} find  throws where the widget came out of a text: from `blob:`, `data:`, or inside a page */
function addressOf(find) {
  try {
    return find();
  } catch {
    throw new Error('nothing lies beside a widget that has no address of its own');
  }
}
