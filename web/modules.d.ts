// What the build makes of files that are not JavaScript.

declare module '#engine/module' {
  /** What the core threw, in its own names, or another failure's text. */
  export type Refusal = { argument: string; found: string; expected: string } | { message: string };

  /** The functions that bindings.cpp lists. */
  export interface EngineModule {
    lesson(tokens: string[], settings: object, receive: (packed: Float64Array) => void): Refusal | undefined;
    softmaxStateName(state: number): import('./engine.js').SoftmaxState;
    gradientStateName(state: number): import('./engine.js').GradientState;
    attentionFloat32(call: object, receive: (packed: Float32Array) => void): Refusal | undefined;
    attentionFloat64(call: object, receive: (packed: Float64Array) => void): Refusal | undefined;
  }

  export default function createModule(options: { wasmBinary: ArrayBuffer }): Promise<EngineModule>;
}

declare module '#engine/bytes' {
  const packed: string;
  export default packed;
}

declare module '*.css' {
  const text: string;
  export default text;
}
