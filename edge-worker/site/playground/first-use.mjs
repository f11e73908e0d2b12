// Tells when somebody first uses the page. A mere glance at it costs no megabyte, and no battery.

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
