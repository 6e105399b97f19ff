// A drag of the mouse, as Playwright and Puppeteer both move it.

/** @typedef {{move(x: number, y: number): Promise<void>, down(): Promise<void>, up(): Promise<void>}} Mouse */

/** @param {Mouse} mouse @param {[number, number][]} places  down at the first, up at the last */
export async function drag(mouse, [[x, y], ...others]) {
  await mouse.move(x, y);
  await mouse.down();
  for (const [x, y] of others) {
    await mouse.move(x, y);
  }
  await mouse.up();
}
