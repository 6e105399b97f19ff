// Where a module's bytes come from: a file beside the script. Bundlers know this way of naming it, and take it along.

/**
 * @param {string} _packed
 * @param {boolean} isAgain  after a failure: what the browser's cache keeps is passed over
 * @returns {Promise<{wasm: ArrayBuffer, source: string}>}  `source` says what came, for a sentence
 */
export async function moduleBytes(_packed, isAgain) {
  const { href } = new URL('./attention_lesson.wasm', import.meta.url);
  let response;
  let wasm;
  try {
    response = await fetch(href, isAgain ? { cache: 'reload' } : {});
    wasm = await response.arrayBuffer();
  } catch (reason) {
    const status = response === undefined ? '' : ` with status ${response.status}`;
    throw new Error(`${href} did not come whole${status}: ${reason}`);
  }
  const source = `${href} came as ${described(response, wasm)}, which`;
  if (!response.ok) {
    throw new Error(`${source} is no success`);
  }
  return { wasm, source };
}

/** @param {Response} response @param {ArrayBuffer} bytes */
function described({ status, headers }, bytes) {
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 40));
  const kind = /^\s*</.test(start) ? 'a page of HTML' : bytes.byteLength === 0 ? 'an empty file' : 'a file';
  const shown = start.replace(/[^ -~]+/g, '·');
  const type = headers.get('content-type') ?? 'no content type';
  return `${kind} (status ${status}, ${type}, ${bytes.byteLength} bytes: "${shown}")`;
}
