// Colours as the page mixes them.

/**
 * A colour between two, mixed in OKLab, then in sRGB. Source: B. Ottosson, A perceptual color space for image processing, 2020.
 *
 * @param {number[]} from  L, a and b
 * @param {number[]} to
 * @param {number} share  of the second
 * @returns {string}  "#rrggbb"
 */
export function mixed(from, to, share) {
  const [lightness, a, b] = from.map((start, axis) => start + share * (to[axis] - start));
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const small = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * small,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * small,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * small,
  ];
  const bytes = linear.map((light) => {
    const encoded = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.max(0, Math.min(1, encoded)));
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
