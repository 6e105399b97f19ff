// What edits numbers, in a script of its own beside the widget, with its English texts: most readers change none. The widget
// asks for it when the reader presses on an entry that can be edited.

import { completed } from '../language/completed.js';
import english from '../language/english-numbers.js';
import { sharedStyleSheet } from '../views/style-sheet.js';
import editorStyles from './editor.css';
import * as editor from './editor.js';

export const styles = sharedStyleSheet(() => [editorStyles]);

/** @type {typeof editor.createEditor} */
export const createEditor = (layer, messages, actions) =>
  editor.createEditor(layer, completed(messages, english), actions);
