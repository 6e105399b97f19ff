// A model of the one operator Attention, in the bytes of an .onnx file: a protocol buffer, whose fields are numbered as
// onnx.proto numbers them.

const irVersion = 11;
const operatorSet = 23; // the first that has Attention
const float32 = 1;
const integerAttribute = 2;

/** @param {number} value @returns {number[]} seven bits a byte, the lowest first */
function varint(value) {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** @param {number} field @param {number} value */
const number = (field, value) => [...varint(8 * field), ...varint(value)];

/** @param {number} field @param {(number | number[])[]} contents */
const message = (field, ...contents) => {
  const bytes = contents.flat();
  return [...varint(8 * field + 2), ...varint(bytes.length), ...bytes];
};

/** @param {number} field @param {string} value */
const text = (field, value) => message(field, [...new TextEncoder().encode(value)]);

/** @param {number} field @param {string} name @param {number[]} shape */
function tensorInfo(field, name, shape) {
  const sizes = message(2, ...shape.map((size) => message(1, number(1, size))));
  return message(field, text(1, name), message(2, message(1, number(1, float32), sizes)));
}

/**
 * Scaled dot-product attention of one batch and one head: query, key and value to output, each (1, 1, length, width),
 * float32.
 *
 * @param {{length: number, width: number, isCausal: boolean}} options
 */
export function attentionModel({ length, width, isCausal }) {
  const inputs = ['query', 'key', 'value'];
  const shape = [1, 1, length, width];
  const causal = message(5, text(1, 'is_causal'), number(3, Number(isCausal)), number(20, integerAttribute));
  const node = message(1, ...inputs.map((name) => text(1, name)), text(2, 'output'), text(4, 'Attention'), causal);
  const graph = message(
    7,
    node,
    text(2, 'attention'),
    ...inputs.map((name) => tensorInfo(11, name, shape)),
    tensorInfo(12, 'output', shape),
  );
  return Uint8Array.from([...number(1, irVersion), ...graph, ...message(8, text(1, ''), number(2, operatorSet))]);
}
