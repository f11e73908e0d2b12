// Labels of places: a name, and the areas that it lies in, as texts of one or of HTML.

/** Splits the label of a place into its name and its areas. A name may contain commas; a place without one ends at the first. */
export function splitLabel({ name: known, display_name: label }) {
  const name = known && label.startsWith(known) ? known : label.split(", ", 1)[0];
  return { name, areas: label.slice(name.length).replace(/^, /, "") };
}

/** What HTML reads otherwise, in text and between double quotation marks. */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Writes a text as HTML, for an element or for an attribute between double quotation marks. */
export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
}
