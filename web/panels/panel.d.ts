// What a panel is: a view of the state in a disclosure of its own, under the picture.

import type { LessonEngine, LessonResult, Metrics, Proof } from '../engine/lesson-engine.js';
import type { LessonState, PanelName } from '../engine/lesson-state.js';
import type { Messages } from '../language/language.js';
import type { Cell } from '../views/cells.js';
import type { SharedStyleSheet } from '../views/style-sheet.js';

/** What a panel shows is a function of this. */
export interface PanelContext {
  engine: LessonEngine;
  state: LessonState;
  /** the state that the widget opened with */
  start: LessonState;
  /** what the engine gave for the state */
  result: LessonResult;
  selected: Cell;
  /** the cell under the pointer */
  pointed: Cell | null;
  /** computed when first asked for */
  proofs(): Proof[];
  /** of the state with this divisor; computed when first asked for */
  metricsWith(divisor: LessonState['divisor']): Metrics;
}

/** What a panel asks of the widget. */
export interface PanelActions {
  /** Whether the reader may: all of the settings change, or none. */
  change(settings: Partial<LessonState>): boolean;
  select(cell: Cell): void;
  point(cell: Cell | null): void;
  /** opens another panel and brings it into view */
  open(panel: PanelName): void;
  /** fires an event of the element */
  dispatch(type: string, detail: object): void;
  /** the page's own address with the widget's state, or null where the address does not hold it */
  pageLink(): string | null;
  /** the folder of the package's files, or null where the widget does not know it */
  packageFolder(): string | null;
  /** loads a script that lies beside the widget's */
  loadSibling(name: 'picture' | 'snippets' | 'exchange' | 'read-lesson'): Promise<unknown>;
}

/** Panels that lie beside the widget, and their style sheet. */
export interface PanelsBeside {
  panels: PanelDefinition[];
  styles: SharedStyleSheet;
}

export interface Panel {
  root: HTMLElement;
  update(context: PanelContext): void;
  point?(context: PanelContext): void;
}

export type CreatePanel = (messages: Messages, actions: PanelActions) => Panel;

/** One entry of the registry. */
export interface PanelDefinition {
  /** as the attribute `panels` and the messages call it */
  name: PanelName;
  /** style sheets, added to the page's when the first panel opens */
  styles?: string[];
  /** true: the work does not grow with the square of the tokens, so that the panel takes any number of them */
  takesAnyLength?: boolean;
  /** called when the panel is first opened */
  create: CreatePanel;
}
