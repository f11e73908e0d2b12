// Tells when somebody first uses the page. A mere glance at it costs no megabyte, and no battery. Until then the page shows a
// picture of the map from the same place, so that the map only adds its names. Started when the page is idle, the map made
// Lighthouse's performance 49 to 70 on a machine without a graphics card, where it blocks the page for seconds.

/** What people do first. */
const USES = ["pointermove", "pointerdown", "touchstart", "wheel", "keydown", "focusin"];

/** Calls `then()` once. */
export function onFirstUse(then) {
  const used = new AbortController();
  const listener = () => {
    used.abort();
    then();
  };
  for (const event of USES) addEventListener(event, listener, { signal: used.signal, passive: true });
}
