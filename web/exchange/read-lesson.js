// Reads the lesson that the attribute `src` names, in a script of its own beside the widget: few widgets have one.

import { EngineError } from '../engine/engine-error.js';
import { parseLesson } from '../engine/lesson-document.js';
import { completeState } from '../engine/lesson-state.js';

/** A lesson is text of some kilobytes; this many bytes hold four matrices of the largest shapes. */
const mostBytes = 2 ** 27;

/** What the page around a lesson decides. */
const ofPage = ['panels', 'theme', 'locked'];

/**
 * Every setting of a lesson, as a file says it, but for those of the page around it. Null where the file is no lesson's: such a
 * document begins with its version.
 *
 * @param {File} file
 * @returns {Promise<Partial<import('../engine/lesson-state.js').LessonState> | null>}
 * @throws {EngineError}
 */
export async function lessonIn(file) {
  if (!/^\s*\{\s*"version":/.test(await file.slice(0, 99).text())) {
    return null;
  }
  const settings = Object.entries(completeState(parseLesson(await file.text())));
  return Object.fromEntries(settings.filter(([name]) => !ofPage.includes(name)));
}

/**
 * @param {string} source  the attribute's text
 * @param {string} base  the address that it starts from
 * @param {import('../platform/work-through.js').Work} work  where it is given up nothing is shown any more
 * @param {(share: number) => void} progress
 * @returns {Promise<Partial<import('../engine/lesson-state.js').LessonState>>}
 * @throws {EngineError}  with the address and what came
 */
export async function readLesson(source, base, work, progress) {
  let address = source;
  const fail = (/** @type {string} */ what) => new EngineError(`The lesson from ${address} ${what}`);
  /** @type {Response} */
  let response;
  progress(0);
  try {
    address = new URL(source, base).href;
    response = await fetch(address);
  } catch (error) {
    const allowed = 'The page’s policy must allow it (connect-src), and another server must (CORS)';
    throw fail(`does not load: ${/** @type {Error} */ (error).message}. ${allowed}`);
  }
  if (!response.ok) {
    throw fail(`does not load: ${response.status} ${response.statusText}`.trim());
  }
  const text = await textOf(response, (share) => work.isAborted || progress(share), fail);
  try {
    return parseLesson(text);
  } catch (error) {
    const type = response.headers.get('content-type') ?? 'nothing that names its type';
    throw fail(`cannot be read (it came as ${type}): ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {Response} response
 * @param {(share: number) => unknown} progress
 * @param {(what: string) => EngineError} fail
 */
async function textOf(response, progress, fail) {
  const { body, headers } = response;
  const length = Number(headers.get('content-length'));
  const decoder = new TextDecoder();
  let text = '';
  let received = 0;
  for (const reader = /** @type {ReadableStream<Uint8Array>} */ (body).getReader(); ; ) {
    const { done, value } = await reader.read().catch((error) => {
      throw fail(`broke off after ${received} bytes: ${error.message}`);
    });
    if (done) {
      return text + decoder.decode();
    }
    received += value.length;
    if (received > mostBytes) {
      reader.cancel();
      throw fail(`is larger than ${mostBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
    progress(length > 0 ? Math.min(1, received / length) : 0);
  }
}
