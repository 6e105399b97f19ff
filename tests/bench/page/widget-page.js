// Stops the clock once every widget has its result, and once the picture is painted.

export {};

const { started } = /** @type {any} */ (globalThis);
await customElements.whenDefined('attention-widget');
await Promise.all(
  Array.from(document.querySelectorAll('attention-widget'), (widget) => /** @type {any} */ (widget).updated),
);
const toResult = performance.now() - started;
requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => console.log({ toResult, toPicture: performance.now() - started });
  port2.postMessage(null);
});
