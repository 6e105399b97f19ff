// Runs a reader's program, apart from the page: reads it, calls its attention_row for each row, and says what came back. An
// interpreter runs it, so that no policy of the page must allow code that is made of texts. Whoever started the worker ends it when
// it takes too long.

import { send } from './fence.js';

// The fence stands before the interpreter is loaded, which remembers what is there.

import Sval from 'sval';

/** @typedef {import('./rows.js').Row} Row */

/** A list of numbers as it is, anything else in words. @param {unknown} value @returns {number[] | string} */
function listOf(value) {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (!isList) {
    return value === null ? 'null' : typeof value;
  }
  const list = Array.from(/** @type {ArrayLike<unknown>} */ (value));
  const other = list.findIndex((each) => typeof each !== 'number');
  return other === -1 ? /** @type {number[]} */ (list) : `list:${typeof list[other]}`;
}

/** @param {unknown} error */
const told = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** @param {unknown} answer */
function answerFrom(answer) {
  const fields = /** @type {any} */ (typeof answer === 'object' && answer !== null ? answer : {});
  return { weights: listOf(fields.weights), output: listOf(fields.output) };
}

/** @param {string} program @param {Row[]} rows */
function run(program, rows) {
  /** @type {unknown} */
  let attentionRow;
  try {
    const interpreter = new Sval({ ecmaVer: 'latest', sourceType: 'script', sandBox: true });
    interpreter.run(
      `${program}\n;exports.attention_row = typeof attention_row === 'undefined' ? undefined : attention_row;`,
    );
    attentionRow = interpreter.exports.attention_row;
  } catch (error) {
    send({ kind: error instanceof SyntaxError ? 'unreadable' : 'threwBefore', text: told(error) });
    return;
  }
  if (typeof attentionRow !== 'function') {
    send({ kind: 'noFunction' });
    return;
  }
  send({ kind: 'read' });
  for (const { i, Q, K, V, causal } of rows) {
    try {
      send({
        kind: 'answer',
        answer: answerFrom(attentionRow(i, structuredClone(Q), structuredClone(K), structuredClone(V), causal)),
      });
    } catch (error) {
      send({ kind: 'threw', text: told(error) });
    }
  }
  send({ kind: 'end' });
}

addEventListener('message', ({ data }) => run(data.program, data.rows));
send({ kind: 'ready' });
