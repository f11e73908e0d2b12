// What the keys of <toponym-autocomplete> ask for.

/** Keys that move through the list, and by how many rows. */
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** Keys that do not use a field: they move on, or change what other keys do. */
const PASSING = ["Tab", "Shift", "Control", "Alt", "Meta"];

/** Keys that move the caret, so that the field is active again. */
const CARET = ["Home", "End"];

/** The code of every key that an input method takes. */
const COMPOSING = 229;

/** Tells whether a key uses the field. */
export function isUse({ key }) {
  return !PASSING.includes(key);
}

/** Returns what a key asks for: `move` by `step` rows, `open`, `close`, `caret`, `enter` or `escape`; undefined for nothing. */
export function askedBy({ key, altKey, ctrlKey, metaKey, isComposing, keyCode }) {
  // An input method has the keys while it composes.
  if (isComposing || keyCode === COMPOSING) return {};
  const step = STEPS[key];
  const isPlain = !altKey && !ctrlKey && !metaKey;
  if (step && isPlain) return { asked: "move", step };
  if (step && altKey) return { asked: step > 0 ? "open" : "close" };
  if (CARET.includes(key) && isPlain) return { asked: "caret" };
  return { asked: { Enter: "enter", Escape: "escape" }[key] };
}
