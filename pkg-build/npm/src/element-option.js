// An item of the list of <toponym-autocomplete>: the name of a place, the name by which it was found, and its areas.

import { explains, matches } from "./element-highlight.js";
import { splitLabel } from "./label.js";

/** Makes the item of a place, the `at`-th. `typed` is the text that found it, or empty. */
export function option(place, at, typed) {
  const { name, matched, areas } = partsOf(place, typed);
  const item = part("li", "option", []);
  item.id = `option-${at}`;
  item.setAttribute("role", "option");
  item.dir = "auto";
  item.append(part("span", "name", highlighted(name, typed)));
  if (matched) item.append(" — ", part("span", "matched", highlighted(matched, typed)));
  if (areas) item.append(", ", part("span", "areas", [areas]));
  return item;
}

/**
 * The name of a place, its areas, and the name by which it was found if what is shown does not explain why: Munich for
 * `Monaco di Bav`.
 */
export function partsOf(place, typed) {
  const label = place.display_name;
  const other = place.matched?.name;
  const isClear = !typed || !other || explains(label, typed) || explains(label, other);
  return { ...splitLabel(place), matched: isClear ? undefined : other };
}

function highlighted(text, typed) {
  const pieces = [];
  let done = 0;
  for (const [start, end] of matches(text, typed)) {
    pieces.push(text.slice(done, start), part("span", "match", [text.slice(start, end)]));
    done = end;
  }
  return [...pieces, text.slice(done)].filter((piece) => piece !== "");
}

function part(tag, name, children) {
  const element = document.createElement(tag);
  element.setAttribute("part", name);
  element.append(...children);
  return element;
}
