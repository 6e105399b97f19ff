// Arrays as NumPy and PyTorch print them, and as Python writes lists: [[ 0.1 -2. ] [3. 4.]], array([[0.1, -2.]]), tensor(…).

import { describe } from '../engine/engine-error.js';
import { tensorOfLists } from './json.js';
import { longest, mostEntries, numberIn } from './number-text.js';
import { placeText, refuse } from './refusal.js';
import { heldTensor } from './tensors.js';

/** @typedef {import('./tensors.js').FoundTensor} FoundTensor */

const opening = /^\s*(?:(?:np\.|numpy\.|torch\.)?(?:array|tensor)\(\s*)?(?=\[)/;

/** What may follow the last bracket: "dtype=float32)", "device='cuda:0', grad_fn=<AddBackward0>)". */
const ending = /^(?:\s*,\s*\w+=[^,()[\]]*(?:\([^()]*\))?)*\s*,?\s*(\)?)\s*;?\s*$/;

const token = /\s*(?:([[\],])|(\.\.\.|…)|([^\s[\],]+))/y;

/** @param {string} text  whether it begins like a printed array */
export const looksPrinted = (text) => opening.test(text);

/**
 * Entries are parted by commas or blanks; rows may be wrapped over lines. True and False are 1 and 0.
 *
 * @param {string} text
 * @param {string} file
 * @param {string} name
 * @returns {FoundTensor}
 */
export function readPrinted(text, file, name) {
  const [start] = opening.exec(text) ?? [''];
  // As many digits as are printed by default: there may have been more.
  const full = start.includes('tensor') ? /\.\d{4}(?!\d)/ : /\.\d{8}(?!\d)/;
  /** @type {any[][]} the lists that are open, the innermost last */
  const open = [];
  /** @type {any[] | null} */
  let whole = null;
  let isRounded = false;
  let mayPart = false;
  let count = 0;
  token.lastIndex = start.length;

  while (whole === null) {
    const [, mark, dots, word] = token.exec(text) ?? [];
    const end = token.lastIndex || text.length;
    const place = () => {
      const indexes = open.map((list, depth) => (depth === open.length - 1 ? list.length : list.length - 1));
      return `${name}${placeText(indexes)} on line ${text.slice(0, end).split(/\r\n?|\n/).length}`;
    };
    if (++count > 2 * mostEntries) {
      refuse(file, place(), `is entry ${count}`, `at most ${2 * mostEntries} numbers, commas and brackets are read`);
    }
    if (dots !== undefined) {
      refuse(
        file,
        place(),
        'is "...": numbers were left out when it was printed',
        'must be whole: np.set_printoptions(threshold=sys.maxsize)',
      );
    }
    if (mark === '[') {
      if (open.length === 32) {
        refuse(file, place(), 'is the 33rd bracket in one another', 'at most 32 are read');
      }
      const list = /** @type {any[]} */ ([]);
      open.at(-1)?.push(list);
      open.push(list);
      mayPart = false;
    } else if (mark === ']') {
      const list = open.pop();
      whole = open.length === 0 ? (list ?? null) : null;
      mayPart = true;
    } else if (mark === ',') {
      if (!mayPart) {
        refuse(file, place(), 'is a comma', 'must be a number');
      }
      mayPart = false;
    } else if (word !== undefined) {
      const number = word === 'True' ? 1 : word === 'False' ? 0 : numberIn(word);
      if (typeof number === 'string') {
        refuse(file, place(), `is ${describe(word)}, which ${number}`, 'must be a finite number');
      }
      isRounded ||= full.test(word);
      open.at(-1)?.push(number);
      mayPart = true;
    } else {
      refuse(file, place(), 'is the end', 'a "]" must close every "["');
    }
  }
  const rest = text.slice(token.lastIndex).trim();
  const [, close] = (rest.length <= longest && ending.exec(rest)) || [];
  if (close === undefined || (close === ')') !== start.includes('(')) {
    refuse(file, name, 'goes on after its last bracket', 'must be one array');
  }
  return heldTensor(file, name, tensorOfLists(whole, file, name), { notes: isRounded ? [{ code: 'rounded' }] : [] });
}
