// Takes away from a worker, before anything else is loaded, what reaches the network or other pages by its name. A fence, not
// a prison: what a constructor's constructor gives is still there.

/** The way back to the page, for whoever imports it. */
export const send = postMessage.bind(globalThis);

const reach =
  'fetch XMLHttpRequest WebSocket WebTransport EventSource BroadcastChannel importScripts indexedDB caches navigator Worker postMessage';
for (const name of reach.split(' ')) {
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
}
