// An item of the list of <toponym-autocomplete>: the name of a place, the name by which it was found, and its areas.

import { explains, matches } from "./element-highlight.js";
import { element } from "./element-tree.js";
import { splitLabel } from "./label.js";

/** A sign for each kind of place. */
const ICONS = {
  country: "🏳️",
  state: "🗺️",
  county: "🗺️",
  region: "🏞️",
  city: "🏙️",
  quarter: "🏘️",
  airport: "✈️",
  station: "🚉",
  landmark: "📍",
  postcode: "✉️",
};

/** What the service calls a place where the package has a kind of it. */
const KINDS = { administrative: "state", town: "city", village: "city", suburb: "quarter", neighbourhood: "quarter", aerodrome: "airport" };

/**
 * Makes the item of a place, the `at`-th. `typed` is the text that found it, or empty. `template(place, typed)` gives what the item
 * shows, a node or a text; without it, or where it gives nothing, that is the label, behind an icon if `hasIcons`.
 */
export function option(place, at, typed, { template, hasIcons }) {
  const item = element("li", { part: "option", id: `option-${at}`, role: "option", dir: "auto" });
  const own = template?.(place, typed);
  if (own) item.append(own);
  else fill(item, place, typed, hasIcons);
  return item;
}

function fill(item, place, typed, hasIcons) {
  const { name, matched, areas } = partsOf(place, typed);
  if (hasIcons) item.append(icon(place));
  item.append(part("name", ...highlighted(name, typed)));
  if (matched) item.append(" — ", part("matched", ...highlighted(matched, typed)));
  if (areas) item.append(", ", part("areas", areas));
}

/** The sign of a place's kind, which says nothing to a screen reader that the label does not. */
function icon({ kind, type }) {
  const sign = ICONS[kind] ?? ICONS[type] ?? ICONS[KINDS[type]] ?? ICONS.landmark;
  return element("span", { part: "icon", "aria-hidden": "true" }, sign);
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
