// Tells when somebody first uses the page. A mere glance at it costs no megabyte, and no battery. Until then the page shows a
// picture of the map from the same place, so that the map only adds its names. Started when the page is idle, the map made
// Lighthouse's performance 72 on a phone and 90 on a desktop, by software: it blocks the page for a second and more.

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
