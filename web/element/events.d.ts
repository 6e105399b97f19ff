// The element's events. The build tells the package's types and its manifest of them.

import type { Metrics } from '../engine/lesson-engine.js';
import type { LessonState } from '../engine/lesson-state.js';

/** What a code holds, and the code. */
interface Homework {
  student: string;
  time: string;
  seconds: number;
  answers: { name: string; guess: string; answer: string; found: number; tries: number }[];
  link: string;
  code: string;
}

export interface AttentionWidgetEventMap {
  /** State or figures changed. */
  'attention-change': CustomEvent<{ state: LessonState; metrics: Metrics }>;
  /** A reader did what an exercise asked, after committing a guess. */
  'attention-checkpoint': CustomEvent<{ name: string; guess: string; answer: string; correct: boolean; found: number }>;
  /** A reader made a code to hand in. */
  'attention-homework': CustomEvent<Homework>;
  /** The state cannot be computed; the element shows the message in place of the picture. */
  'attention-error': CustomEvent<{ state: LessonState; argument: string | null; message: string }>;
}
