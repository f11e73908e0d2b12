// Writes calls, values and tags as a person writes them: on one line if it is short, otherwise one part a line.

/** The longest line that stays one. */
const LONGEST = 84;

/** `open`, the parts, `close`: with `space` inside the brackets of a short line, parts of a long one further in `by`. */
export function bracketed(open, parts, close, { space = "", by = "  " } = {}) {
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  return isShort(line) ? line : `${open}\n${indented(parts.join(",\n"), by)},\n${close}`;
}

/** A tag of HTML, which ends with `close`. */
export function tag(name, attributes, close) {
  const line = `<${name} ${attributes.join(" ")}${close}`;
  return isShort(line) ? line : `<${name}\n${indented(attributes.join("\n"))}\n${close.trimStart()}`;
}

const isShort = (line) => line.length <= LONGEST && !line.includes("\n");

/** Each line further in. */
export const indented = (text, by = "  ") => text.split("\n").map((line) => by + line).join("\n");
