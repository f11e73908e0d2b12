// The states of <toponym-autocomplete> that pages can style, as `:state(loading)`.

/** How a search stands, and how the element is. */
const STATES = ["open", "loading", "none", "offline", "failed", "unlocated", "invalid"];

/** Sets of an element's `internals` the states that are `on`, and no others. */
export function setStates({ states }, on) {
  if (!states) return;
  for (const name of STATES) setState(states, name, on.includes(name));
}

/** Sets one state. Chromium before 125 takes only names with two hyphens, styled as `:--open`. */
function setState(states, name, isOn) {
  const old = `--${name}`;
  if (!isOn) return void (states.delete(name), states.delete(old));
  try {
    states.add(name);
  } catch {
    states.add(old);
  }
}
