// What the build makes of files that are not JavaScript.

declare module '#lesson/module' {
  /** What a call hands its numbers to, or the text of a problem: argument, found and expected, a line each. */
  export interface Receiver {
    receive(packed: Float64Array): void;
    refuse(text: Uint8Array): void;
  }

  type Call = (numbers: ArrayLike<number>, size: number, receiver: Receiver) => void;

  /** The functions that bindings/lesson.cpp lists. */
  export type LessonFunction =
    | 'lesson'
    | 'lessonRows'
    | 'worksheet'
    | 'average'
    | 'proofs'
    | 'comparison'
    | 'jacobians'
    | 'widths'
    | 'checksum'
    | 'train'
    | 'taskGradients'
    | 'sample'
    | 'summarise';

  export type LessonModule = Record<LessonFunction, Call> & {
    /** Puts a fresh instance in the place of this one: web/engine/instance.js. */
    restart?(): void;
  };

  export default function createModule(options: { wasm: ArrayBuffer }): Promise<LessonModule>;
}

declare module '#engine/module' {
  import type { LessonModule, Receiver } from '#lesson/module';

  /** The functions that bindings/attention.cpp lists beside the lessons. */
  export type EngineModule = LessonModule & {
    /** A view of the block for a call. */
    reserveCall(bytes: number): Uint8Array<ArrayBuffer>;
    /** Computes the call in its block: 0, or 1 where there is a problem, which `tellProblem` tells. */
    attentionFloat32(): number;
    attentionFloat64(): number;
    /** The same for the last call of `attention…`, if nothing but the numbers in its tensors has changed since. */
    attentionAgainFloat32(): number;
    attentionAgainFloat64(): number;
    /** The same for the call's gradients. */
    gradientsFloat32(): number;
    gradientsFloat64(): number;
    tellProblem(receiver: Pick<Receiver, 'refuse'>): void;
  };

  export default function createModule(options: { wasm: ArrayBuffer }): Promise<EngineModule>;
}

declare module '#lesson/bytes' {
  const packed: string;
  export default packed;
}

declare module '#engine/bytes' {
  const packed: string;
  export default packed;
}

declare module '#model/bytes' {
  const packed: string;
  export default packed;
}

declare module '#languages' {
  /** The address of each language's texts, English apart. */
  const files: Record<string, () => string>;
  export default files;
}

declare module '#hashes' {
  /** By its path in dist/, the hash of each script that the widget may fetch from beside it, as `integrity` has it. */
  const hashes: Record<string, string>;
  export default hashes;
}

declare module '*.css' {
  const text: string;
  export default text;
}
