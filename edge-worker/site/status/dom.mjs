// Helpers of the status page that build elements and format values. Text is inserted as text, never as markup.

/** Makes an element with attributes and children. A child that is not an element becomes text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Fills a `dl` with pairs of term and value. */
export function fillFigures(list, pairs) {
  list.replaceChildren(...pairs.map(([term, value]) => element("div", {}, element("dt", {}, term), element("dd", {}, value))));
}

/** Fills a table. A column has a heading, a function from row to value, and whether the value is a number. */
export function fillTable(table, caption, columns, rows) {
  const style = ({ number }) => (number ? { class: "number" } : {});
  const head = columns.map((column) => element("th", { scope: "col", ...style(column) }, column.heading));
  const cells = (row) =>
    columns.map((column, at) =>
      at === 0 ? element("th", { scope: "row" }, column.of(row)) : element("td", style(column), column.of(row)));
  table.replaceChildren(
    element("caption", { class: "quiet" }, caption),
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))),
  );
}

/** Shows in `section` what is missing, and why. */
export function showFailure(section, what, failure) {
  const note = element("p", { class: "note failure", "data-state": "bad", role: "status" }, `${what} cannot be shown: ${failure.message}`);
  clearFailure(section);
  const title = section.querySelector("h2");
  (title.closest(".row") ?? title).after(note);
}

/** Removes that message. */
export function clearFailure(section) {
  section.querySelector(".failure")?.remove();
}

const count = new Intl.NumberFormat("en");
const upToThree = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const instant = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** 12,345 */
export const asCount = (value) => count.format(value);

/** 99.95 % */
export const asPercent = (value) => `${upToThree.format(value)} %`;

/** 12 ms */
export const asMilliseconds = (value) => `${count.format(value)} ms`;

/** 20 Nov 2026, 12:00 UTC */
export const asInstant = (iso) => `${instant.format(new Date(iso))} UTC`;
