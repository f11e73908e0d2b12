// The places that were chosen before, in the browser's storage, for <toponym-autocomplete recent>. Without storage (a page
// may be denied it) there are none.

/** As many as a list shows without scrolling on a phone. */
const MOST = 5;

/** The fields of a place that are kept; a page may have asked for more. */
const KEPT = ["place_id", "name", "display_name", "lat", "lon", "country", "country_code", "city", "type", "kind", "within"];

const PREFIX = "toponym-recent";

/** Returns the places of the list `name` that pass the filters, the newest first; none if the page wants no list: `null`. */
export function recent(name, filters = {}) {
  if (name === null) return [];
  try {
    const places = JSON.parse(localStorage.getItem(key(name)) ?? "[]");
    return Array.isArray(places) ? places.filter((place) => isPlace(place) && passes(place, filters)).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts a place first that was found `within` another one, or anywhere; if the page wants a list. */
export function remember(name, place, { within } = {}) {
  if (name === null) return;
  const found = { ...place, within };
  const kept = Object.fromEntries(KEPT.filter((field) => found[field] !== undefined).map((field) => [field, found[field]]));
  const others = recent(name).filter((other) => !isSame(other, place));
  store(() => localStorage.setItem(key(name), JSON.stringify([kept, ...others].slice(0, MOST))));
}

/** Forgets the list. */
export function forget(name) {
  store(() => localStorage.removeItem(key(name)));
}

function key(name) {
  return name ? `${PREFIX}-${name}` : PREFIX;
}

/** Storage of another version, or of another program, may hold anything. */
function isPlace(place) {
  return typeof place?.display_name === "string" && Number.isFinite(place.lat) && Number.isFinite(place.lon);
}

/** Tells whether a place passes the filters of a search. One whose country or areas are not known does not. */
function passes({ country_code: code, kind, type, lat, lon, within }, filters) {
  const { countries, types, bbox } = filters;
  if (countries && !countries.some((country) => country.toLowerCase() === code?.toLowerCase())) return false;
  if (types && !types.includes(kind) && !types.includes(type)) return false;
  if (filters.within !== undefined && filters.within !== within) return false;
  return !bbox || isInBox(lat, lon, bbox);
}

function isInBox(lat, lon, [west, south, east, north]) {
  const isBetween = west > east ? lon >= west || lon <= east : lon >= west && lon <= east;
  return isBetween && lat >= south && lat <= north;
}

function isSame(a, b) {
  return a.display_name === b.display_name && a.lat === b.lat && a.lon === b.lon;
}

function store(work) {
  try {
    work();
  } catch {
    // Storage is full or denied: choosing a place must work all the same.
  }
}
