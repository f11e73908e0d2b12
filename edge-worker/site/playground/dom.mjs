// Small helpers to make elements. Text is inserted as text, never as markup.

export const byId = (id) => document.getElementById(id);

/** An element with attributes and children; a string becomes text, and what is null or false is left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A button that calls `pressed(button)`. */
export function button(text, pressed, attributes = {}) {
  const made = element("button", { type: "button", class: "quietly", ...attributes }, text);
  made.addEventListener("click", () => pressed(made));
  return made;
}

/** A button that copies what `text()` gives, and says so. */
export function copyButton(label, text) {
  return button(label, async (made) => {
    try {
      await navigator.clipboard.writeText(text());
      say(made, "Copied", label);
    } catch {
      say(made, "Copying is not allowed here", label);
    }
  });
}

/** Milliseconds for which a button says what happened. */
const SAID_MS = 1500;

function say(made, text, label) {
  made.textContent = text;
  setTimeout(() => (made.textContent = label), SAID_MS);
}
