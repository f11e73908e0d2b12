// The tree in the shadow of <toponym-autocomplete>. It is made without a text of HTML: a page's policy (Trusted Types) may forbid that.

/** The longest text that the engine takes, in characters. */
const MAX_LENGTH = 500;

const INPUT = {
  role: "combobox",
  "aria-autocomplete": "list",
  "aria-expanded": "false",
  "aria-controls": "list",
  type: "text",
  dir: "auto",
  autocomplete: "off",
  autocapitalize: "off",
  autocorrect: "off",
  spellcheck: "false",
  enterkeyhint: "search",
  maxlength: MAX_LENGTH,
};

/** Fills a root. Returns its parts by their names. */
export function growTree(root) {
  const parts = {};
  const part = (tag, name, attributes = {}, ...children) => (parts[name] = element(tag, { part: name, ...attributes }, ...children));
  root.append(
    part("input", "input", INPUT),
    // Escape does it by keyboard.
    part("button", "reset", { type: "button", tabindex: "-1", hidden: "" }, "\u00d7"),
    part("button", "locate", { type: "button", hidden: "" }, "\u2316"),
    part("div", "popup", { hidden: "" },
      part("div", "heading", { "aria-hidden": "true", hidden: "" }),
      part("ul", "list", { role: "listbox", id: "list", hidden: "" }),
      part("div", "message", { "aria-hidden": "true", hidden: "" }),
      part("button", "clear", { type: "button", hidden: "" }),
      element("slot", { name: "attribution" })),
    part("div", "status", { role: "status", class: "quiet" }),
  );
  return parts;
}

/** Makes an element with attributes and children: elements, and texts. */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Returns the text of a node without that of a field, which a label may contain. */
export function textBeside(field, node) {
  if (node === field) return "";
  return node.nodeType === Node.TEXT_NODE ? node.data : [...node.childNodes].map((child) => textBeside(field, child)).join("");
}
