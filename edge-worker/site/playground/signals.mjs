// Shows the result of `explain` as a table: the signals that decide the rank of each candidate.

/** Columns: heading, its explanation, and the cell for a candidate. */
const COLUMNS = [
  ["Candidate", "Best first", ({ display_name }) => display_name],
  ["Cost", "What candidates are ordered by: 1 − importance + doubts", ({ cost }) => number(cost)],
  ["Importance", "0 to 1", ({ importance }) => number(importance)],
  ["Doubts", "Added to the cost for edits, a context in which it does not lie and the like", ({ cost, importance }) => number(cost - (1 - importance))],
  ["Confidence", "Probability that this is meant", ({ confidence }) => number(confidence)],
  ["Name class", "Of the name that matched", ({ class: name, prefix }) => (prefix ? `${name}, prefix` : name)],
  ["Edits", "Letters left out, added, changed or swapped", ({ edits }) => some(edits)],
  ["Context", "Areas in which it lies, and in which it does not", ({ context: [matched, unmatched] }) => [matched && `in ${matched}`, unmatched && `not in ${unmatched}`].filter(Boolean).join(", ")],
  ["Dropped", "Terms that were left out", ({ dropped }) => some(dropped)],
  ["Also", "Anything else that is known", also],
];

/** Columns of numbers, which align right. */
const NUMBERS = new Set(["Cost", "Importance", "Doubts", "Confidence", "Edits", "Dropped"]);

/** The table of what `explain` returned. */
export function signals(candidates) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const [title, help] of COLUMNS) head.append(cell("th", title, { scope: "col", title: help, className: kind(title) }));
  const body = table.createTBody();
  for (const candidate of candidates) {
    const row = body.insertRow();
    COLUMNS.forEach(([title, , of], at) => row.append(at ? cell("td", of(candidate) || "–", { className: kind(title) }) : cell("th", of(candidate), { scope: "row" })));
  }
  return table;
}

function also({ respelled, code, role }) {
  return [code && "a code", respelled && "respelled", role && `asked for: ${role.toLowerCase()}`].filter(Boolean).join(", ");
}

function number(value) {
  // Not -0.000.
  return Math.max(0, value).toFixed(3);
}

function some(count) {
  return count ? String(count) : "";
}

function kind(title) {
  return NUMBERS.has(title) ? "number" : "";
}

function cell(name, text, properties) {
  return Object.assign(document.createElement(name), { textContent: text, ...properties });
}
