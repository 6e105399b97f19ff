// Scripts that most pages never ask for: each is a file of its own, fetched when it is first needed.

import hashes from '#hashes';

/** The tag of a classic script that this is in. A module finds its own by its address. */
const currentTag = /** @type {HTMLScriptElement | null | undefined} */ (globalThis.document?.currentScript);

/** @type {{createScriptURL(address: string): any} | undefined} */
let policy;

/**
 * An address that a page with `require-trusted-types-for 'script'` takes from this script and nobody else: the policy is
 * called "attention-widget". Where the page does not allow it, the address alone, which a default policy may let through.
 *
 * @param {string} address
 */
function trusted(address) {
  try {
    policy ??= /** @type {any} */ (globalThis).trustedTypes?.createPolicy('attention-widget', {
      createScriptURL: (/** @type {string} */ own) => own,
    });
  } catch {}
  return policy?.createScriptURL(address) ?? address;
}

/** The tag that brought this script, as far as it can be told. @returns {HTMLScriptElement | undefined} */
const ownTag = () =>
  currentTag ?? Array.prototype.find.call(document.scripts, ({ src }) => src !== '' && src === import.meta.url);

/**
 * The hash of a file that lies beside this one, where the page holds this one to its own: by its tag, or by an import map.
 *
 * @param {string} address
 */
function integrityOf(address) {
  const name = Object.keys(hashes).find((each) => address.split(/[?#]/)[0].endsWith(`/${each}`));
  const maps = Array.from(document.querySelectorAll('script[type="importmap"]'), ({ textContent }) => textContent);
  const isHeld = ownTag()?.integrity || maps.some((map) => map?.includes('"integrity"'));
  return isHeld && name !== undefined ? hashes[name] : '';
}

/**
 * Runs a script. A script element works from disk, in frames without an origin, and under the policy that let the widget
 * in; `import()` would not.
 *
 * @param {string} address
 * @returns {Promise<unknown>}  rejects where the script does not load
 */
export async function runScript(address) {
  // Another origin may demand what its tag here has. Where that is not known, both ways are tried; browsers take a script
  // with a hash in one of them alone.
  const own = ownTag();
  const isModule = own === undefined || own.type === 'module';
  const isHeld = integrityOf(address) !== '';
  const first = own?.crossOrigin ?? (isModule || isHeld ? 'anonymous' : null);
  if (new URL(address, document.baseURI).origin === globalThis.origin) {
    return runTag(address, null);
  }
  try {
    return await runTag(address, first);
  } catch (error) {
    if (isHeld) {
      throw error;
    }
    return runTag(address, first === null ? 'anonymous' : null);
  }
}

/** @param {string} address @param {string | null} crossOrigin */
function runTag(address, crossOrigin) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.crossOrigin = crossOrigin;
    script.integrity = integrityOf(address);
    script.src = trusted(address);
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`${address} does not load`));
    });
    document.head.append(script);
  });
}
