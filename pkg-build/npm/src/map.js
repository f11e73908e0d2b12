// What a map shows of a place, and suggestions that a map can show. The adapters for MapLibre and Leaflet use it.

import { boxed } from "./box.js";
import { isWritten } from "./element-highlight.js";
import { fault } from "./fault.js";

export { escapeHtml, splitLabel } from "./label.js";

/** Metres from west to east that a map shows of a place whose own box is not known, by its kind. */
const WIDTHS = {
  country: 800_000,
  state: 300_000,
  region: 300_000,
  county: 80_000,
  city: 20_000,
  town: 10_000,
  village: 5_000,
  quarter: 5_000,
  suburb: 5_000,
  airport: 8_000,
  aerodrome: 8_000,
  station: 2_000,
};

/** Of a landmark, or a type that is not listed. */
const WIDTH = 4_000;

const METRES_PER_DEGREE = 111_320;

/** So near to a pole a degree of longitude is too short to divide by. */
const MOST_NORTHERN = 85;

/**
 * What a map should show of a place: `[west, south, east, north]`, its own box or one around its centre that fits its kind.
 * Where it crosses the date line, `east` is above 180.
 */
export function view(place) {
  const { bbox, lat, lon, kind, type } = boxed(place);
  if (bbox) {
    const [west, south, east, north] = bbox;
    return [west, south, east < west ? east + 360 : east, north];
  }
  const high = (WIDTHS[type] ?? WIDTHS[kind] ?? WIDTH) / METRES_PER_DEGREE / 2;
  const wide = high / Math.cos((Math.min(Math.abs(lat), MOST_NORTHERN) * Math.PI) / 180);
  return [lon - wide, lat - high, lon + wide, lat + high];
}

/**
 * Returns a function that suggests places for a text, as complete places where that fetches nothing: `source` has all in
 * memory, and they have a `place_id`. A question that a newer one supersedes gets the answer of the newer one: controls of maps
 * show whatever comes, and an error would be shown too.
 */
export function suggester(source) {
  // Others may share the source.
  const group = {};
  let newest;
  return (text, options) => {
    const isNewest = () => newest === asked;
    const asked = suggestions(source, text, { group, ...options }, isNewest).catch((error) => {
      if (error?.code !== "superseded" || isNewest()) throw error;
      return newest;
    });
    newest = asked;
    return asked;
  };
}

async function suggestions(source, text, options, isNewest) {
  const found = (await source.autocomplete(text, options)) ?? [];
  if (source.isComplete === false) return sure(source, text, options, isNewest, found);
  if (source.remote || source.paged) return found;
  const { lang, fields } = options;
  const complete = async (place) => (place.place_id && (await source.place(place.place_id, { lang, fields }))) || place;
  return Promise.all(found.map(complete));
}

/**
 * Returns those of the first places that are written as the text. If none is, what is meant may be among the others, for which this
 * waits: a control of a map asks once for a text, and shows what it gets.
 */
async function sure(source, text, options, isNewest, found) {
  const written = found.filter((place) => isWritten(place, text));
  if (written.length > 0) return written;
  // Without the others, such as offline, something similar is better than nothing.
  await source.complete().catch(() => {});
  if (source.isComplete === false) return found;
  if (isNewest()) return suggestions(source, text, options, isNewest);
  throw fault("superseded", "a newer question superseded this one");
}
