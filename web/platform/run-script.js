// Scripts that most pages never ask for: each is a file of its own, fetched when it is first needed.

/**
 * Runs a script. A script element works from disk, in frames without an origin, and under the policy that let the widget
 * in; `import()` would not.
 *
 * @param {string} address
 * @returns {Promise<unknown>}  rejects where the script does not load
 */
export function runScript(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
}
