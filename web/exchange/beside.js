// What takes and gives matrices, in a script of its own beside the widget, with its English texts. The widget asks for it when
// the panel of own numbers is opened.

import { completed } from '../language/completed.js';
import english from '../language/english-exchange.js';
import * as exchange from './exchange.js';

/** @type {typeof exchange.createExchange} */
export const createExchange = (messages, actions) => exchange.createExchange(completed(messages, english), actions);
