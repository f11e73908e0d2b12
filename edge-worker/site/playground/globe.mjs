// Starts the map when the page has time for it, or at once when something must be shown. Until then it keeps what to show.

/** Milliseconds after the page has loaded: the field works before the map comes. */
const LEISURE_MS = 1500;

/** `make()` gives the map. What is called before it is there is done when it is, the last of each kind. */
export function globe(make, failed) {
  let map;
  let starting;
  const waiting = new Map();

  function start() {
    starting ??= make().then(
      (made) => {
        map = made;
        // For tests, and for curious readers of the page.
        globalThis.toponymMap = made;
        document.body.dataset.map = "ready";
        for (const [name, given] of waiting) map[name](...given);
      },
      (error) => {
        document.body.dataset.map = "failed";
        failed(error);
      },
    );
    return starting;
  }

  const later = (name) => (...given) => {
    if (map) return map[name](...given);
    waiting.set(name, given);
    void start();
  };
  const atLeisure = () => setTimeout(() => (globalThis.requestIdleCallback ?? setTimeout)(start), LEISURE_MS);
  if (document.readyState === "complete") atLeisure();
  else addEventListener("load", atLeisure, { once: true });
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, start, { once: true, passive: true });

  return {
    mark: later("mark"),
    show: later("show"),
    glance: later("glance"),
    jump: later("jump"),
    relabel: () => map?.relabel(),
    /** `undefined` before the map is there. */
    get now() {
      return map;
    },
    start,
  };
}
