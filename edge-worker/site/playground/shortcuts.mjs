// Keys of the page: `/` goes to the field, Escape in an empty field or elsewhere clears the answers.

/** `field` is the search field; `clear()` removes the answers. */
export function shortcuts({ field, clear }) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !isTyping(event)) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape") {
      clear();
    }
  });
}

/** Whether the key writes a letter into a control. */
const isTyping = (event) => event.composedPath().some((target) => ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) && target.type !== "checkbox");
