// The places that were chosen before, in the browser's storage, for <toponym-autocomplete recent>. Without storage (a page
// may be denied it) there are none.

/** As many as a list shows without scrolling on a phone. */
const MOST = 5;

/** The fields of a place that are kept; a page may have asked for more. */
const KEPT = ["place_id", "name", "display_name", "lat", "lon", "country", "country_code", "city", "type", "kind"];

const PREFIX = "toponym-recent";

/** The places of the list `name`, the newest first. */
export function recent(name) {
  try {
    const places = JSON.parse(localStorage.getItem(key(name)) ?? "[]");
    return Array.isArray(places) ? places.filter(isPlace).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts a place first. */
export function remember(name, place) {
  const kept = Object.fromEntries(KEPT.filter((field) => place[field] !== undefined).map((field) => [field, place[field]]));
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
