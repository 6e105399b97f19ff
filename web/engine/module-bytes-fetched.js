// Where a module's bytes come from: a file beside the script. Bundlers know this way of naming it, and take it along.

/** @returns {Promise<ArrayBuffer>} */
export async function moduleBytes() {
  const response = await fetch(new URL('./attention_lesson.wasm', import.meta.url));
  if (!response.ok) {
    throw new Error(`the server answers ${response.status} for ${response.url}`);
  }
  return response.arrayBuffer();
}
