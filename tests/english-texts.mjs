// Every English text, wherever it lies: inside the widget, and with what lies beside it.

import { completed } from '../web/language/completed.js';
import beside from '../web/language/english-beside.js';
import exchange from '../web/language/english-exchange.js';
import numbers from '../web/language/english-numbers.js';
import tryAndTake from '../web/language/english-try-and-take.js';
import inside from '../web/language/messages/en.js';

export const english = /** @type {import('../web/language/language.js').Messages} */ (
  [beside, tryAndTake, numbers, exchange].reduce(completed, inside)
);
