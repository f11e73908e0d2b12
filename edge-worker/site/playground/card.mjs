// The card of a place: its name and kind, where it lies, how sure the answer is, the facts, and what can be done with it.

import { featureCollection } from "../../../build/npm/geojson.js";
import { splitLabel } from "../../../build/npm/label.js";
import { button, copyButton, element } from "./dom.mjs";

/** Kinds of places in which others lie. */
const AREAS = new Set(["country", "state", "county", "city", "town", "village", "region", "island", "continent"]);

const count = new Intl.NumberFormat("en");

/** `address()` gives the link to share; `within(id)` searches inside the place. */
export function card(place, { address, within, show }) {
  const { type, place_id: id } = place;
  const { name, areas } = splitLabel(place);
  return element("article", { class: "card" },
    element("div", { class: "head" },
      element("h3", { dir: "auto" }, name),
      element("span", { class: "kind" }, kindName(type))),
    areas && element("p", { class: "areas", dir: "auto" }, areas),
    confidence(place),
    factList(place),
    element("div", { class: "actions" },
      copyButton("Copy link", address),
      copyButton("Copy GeoJSON", () => JSON.stringify(featureCollection(place), null, 2)),
      button("Show on the map", show),
      id !== undefined && AREAS.has(type) && button("Search inside", () => within(id))));
}

/** `aerodrome` is what people call an airport. */
export const kindName = (type) => ({ aerodrome: "airport", neighbourhood: "quarter", suburb: "quarter" })[type] ?? type?.replaceAll("_", " ") ?? "place";

function confidence({ confidence: share }) {
  if (share === undefined) return null;
  const percent = Math.round(share * 100);
  const meter = element("meter", { min: "0", max: "100", value: String(percent), "aria-label": "Confidence" }, `${percent} %`);
  return element("p", { class: "sure" }, meter, element("span", {}, `${percent < 1 ? "below 1" : percent} % sure`));
}

function factList(place) {
  const pairs = facts(place).filter(([, value]) => value !== undefined && value !== "");
  return element("dl", { class: "facts" }, ...pairs.map(([term, value]) => element("div", {}, element("dt", {}, term), element("dd", { dir: "auto" }, String(value)))));
}

function facts({ lat, lon, population, timezone, capital, codes = {}, iso_3166_2: subdivision, matched, distance, name }) {
  return [
    ["Position", `${lat.toFixed(4)}, ${lon.toFixed(4)}`],
    ["People", population && count.format(population)],
    ["Time", timezone && `${timeIn(timezone)} (${timezone})`],
    ["Capital", capital?.name],
    ["Codes", [codes.iata, codes.icao, codes.iso ?? subdivision].filter(Boolean).join(", ")],
    ["Found by", matched && matched.name.toLowerCase() !== name?.toLowerCase() ? [matched.name, languages(matched)].filter(Boolean).join(", ") : undefined],
    ["Distance", distance > 0 ? metres(distance) : undefined],
  ];
}

const timeIn = (timeZone) => new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(new Date());

/** At most two languages of a name. */
function languages({ languages: tags = [] }) {
  const names = new Intl.DisplayNames("en", { type: "language" });
  return tags.slice(0, 2).map((tag) => names.of(tag)).join(", ");
}

const metres = (distance) => (distance < 1000 ? `${Math.round(distance)} m` : `${(distance / 1000).toFixed(distance < 10_000 ? 1 : 0)} km`);
