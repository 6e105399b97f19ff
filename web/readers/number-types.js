// Types of numbers in files, and each as float64. Every f16, bf16 and f32 is a float64 too, so widening loses nothing.

/**
 * @typedef {object} NumberType
 * @property {number} bytes
 * @property {(view: DataView, at: number, isLittle: boolean) => number} read  NaN where no float64 is the number
 */

/** @type {Record<string, NumberType>} */
export const numberTypes = {
  f16: { bytes: 2, read: (view, at, isLittle) => fromHalf(view.getUint16(at, isLittle)) },
  bf16: { bytes: 2, read: (view, at, isLittle) => fromSingleBits(view.getUint16(at, isLittle) * 2 ** 16) },
  f32: { bytes: 4, read: (view, at, isLittle) => view.getFloat32(at, isLittle) },
  f64: { bytes: 8, read: (view, at, isLittle) => view.getFloat64(at, isLittle) },
  i8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  i16: { bytes: 2, read: (view, at, isLittle) => view.getInt16(at, isLittle) },
  i32: { bytes: 4, read: (view, at, isLittle) => view.getInt32(at, isLittle) },
  i64: { bytes: 8, read: (view, at, isLittle) => exactly(view.getBigInt64(at, isLittle)) },
  u8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  u16: { bytes: 2, read: (view, at, isLittle) => view.getUint16(at, isLittle) },
  u32: { bytes: 4, read: (view, at, isLittle) => view.getUint32(at, isLittle) },
  u64: { bytes: 8, read: (view, at, isLittle) => exactly(view.getBigUint64(at, isLittle)) },
  bool: { bytes: 1, read: (view, at) => (view.getUint8(at) === 0 ? 0 : 1) },
};

/** @param {bigint} whole */
function exactly(whole) {
  const number = Number(whole);
  return BigInt(number) === whole ? number : Number.NaN;
}

/** ±2^(e - 15)·(1 + m / 1024), and ±2^-14·m / 1024 where e = 0. @param {number} bits */
function fromHalf(bits) {
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  const size = exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15);
  const special = mantissa === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  return (bits >> 15 ? -1 : 1) * (exponent === 31 ? special : size);
}

const single = new DataView(new ArrayBuffer(4));

/** @param {number} bits */
function fromSingleBits(bits) {
  single.setUint32(0, bits);
  return single.getFloat32(0);
}

/**
 * An entry as a sentence quotes it: what it is where it is no finite float64.
 *
 * @param {DataView} view
 * @param {number} at
 * @param {string} dtype
 * @param {boolean} isLittle
 */
export function entryText(view, at, dtype, isLittle) {
  if (dtype === 'i64') {
    return String(view.getBigInt64(at, isLittle));
  }
  return String(dtype === 'u64' ? view.getBigUint64(at, isLittle) : numberTypes[dtype].read(view, at, isLittle));
}
