// Starts the map as soon as somebody uses the page, or something must be shown on it; until then the page shows its picture.
// The map that is not there yet keeps what to show.

import { onFirstUse } from "./first-use.mjs";

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
  // After what the use itself sets off, such as the answer to a letter.
  onFirstUse(() => (globalThis.requestIdleCallback ?? setTimeout)(start));

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
