// What the build makes of files that are not JavaScript.

declare module '#lesson/module' {
  /** What a call hands its numbers to, or the text of a problem: argument, found and expected, a line each. */
  export interface Receiver<Data = Float64Array> {
    receive(packed: Data): void;
    refuse(text: Uint8Array): void;
  }

  type Call = (numbers: ArrayLike<number>, size: number, receiver: Receiver) => void;

  /** The functions that bindings/lesson.cpp lists. */
  export type LessonModule = Record<
    'lesson' | 'layer' | 'proofs' | 'comparison' | 'jacobians' | 'train' | 'taskGradients' | 'sample' | 'summarise',
    Call
  >;

  export default function createModule(options: { wasm: ArrayBuffer }): Promise<LessonModule>;
}

declare module '#engine/module' {
  import type { LessonModule, Receiver } from '#lesson/module';

  type Attention<Data> = (
    query: Data,
    key: Data,
    value: Data,
    mask: Data | Uint8Array | undefined,
    numbers: ArrayLike<number>,
    size: number,
    receiver: Receiver<Data>,
  ) => void;

  /** The functions that bindings/attention.cpp lists beside the lessons. */
  export type EngineModule = LessonModule & {
    attentionFloat32: Attention<Float32Array>;
    attentionFloat64: Attention<Float64Array>;
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

declare module '*.css' {
  const text: string;
  export default text;
}
