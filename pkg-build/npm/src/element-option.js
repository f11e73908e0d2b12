// An item of the list of <toponym-autocomplete>: the name of a place, the name by which it was found, and its areas.

import { explains, matches } from "./element-highlight.js";
import { element } from "./element-tree.js";
import { splitLabel } from "./label.js";

/** Makes the item of a place, the `at`-th. `typed` is the text that found it, or empty. */
export function option(place, at, typed) {
  const { name, matched, areas } = partsOf(place, typed);
  const item = element("li", { part: "option", id: `option-${at}`, role: "option", dir: "auto" }, part("name", ...highlighted(name, typed)));
  if (matched) item.append(" — ", part("matched", ...highlighted(matched, typed)));
  if (areas) item.append(", ", part("areas", areas));
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
    pieces.push(text.slice(done, start), part("match", text.slice(start, end)));
    done = end;
  }
  return [...pieces, text.slice(done)].filter((piece) => piece !== "");
}

const part = (name, ...children) => element("span", { part: name }, ...children);
