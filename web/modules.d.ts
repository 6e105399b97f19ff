// What the build makes of files that are not JavaScript.

declare module '#engine/module' {
  /** Why the core refuses a call, in its own names. */
  export type Refusal = { argument: string; found: string; expected: string };

  /** Tensors and settings in, the packed stages to `receive`. */
  type Attention<Data> = (
    query: object,
    key: object,
    value: object,
    mask: object | null,
    settings: object,
    receive: (packed: Data) => void,
  ) => Refusal | undefined;

  /** The functions that bindings.cpp lists. */
  export interface EngineModule {
    lesson(tokens: string[], settings: object, receive: (packed: Float64Array) => void): Refusal | undefined;
    proofs(tokens: string[], settings: object, receive: (packed: Float64Array) => void): Refusal | undefined;
    comparison(
      firstTokens: string[],
      first: object,
      secondTokens: string[],
      second: object,
      receive: (packed: Float64Array) => void,
    ): Refusal | undefined;
    jacobians(tokens: string[], settings: object, receive: (packed: Float64Array) => void): Refusal | undefined;
    attentionFloat32: Attention<Float32Array>;
    attentionFloat64: Attention<Float64Array>;
  }

  export default function createModule(options: { wasm: ArrayBuffer }): Promise<EngineModule>;
}

declare module '#engine/bytes' {
  const packed: string;
  export default packed;
}

declare module '*.css' {
  const text: string;
  export default text;
}
