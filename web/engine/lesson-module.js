// The widget's WebAssembly: lessons alone, built for size.

import packedModule from '#lesson/bytes';
import createModule from '#lesson/module';
import { restartable } from './instance.js';
import { LessonEngine } from './lesson-engine.js';
import { memoisedStart } from './loading.js';

/** The widget's engine. One WebAssembly instance serves the whole page, however often this is called. */
export const loadLessonEngine = memoisedStart(
  packedModule,
  restartable(createModule),
  (module) => new LessonEngine(module),
);
