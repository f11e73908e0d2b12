// What <toponym-autocomplete> can answer before its places are loaded: a point, and places that were chosen before.

import { explains } from "./element-highlight.js";
import { placeOfPoint } from "./element-points.js";

/** As many as a geocoder suggests if nothing else is asked for. */
const USUAL_LIMIT = 5;

/** Returns what is known of a text: the point that it names, or those of the places chosen before that it fits. */
export function knownOf(text, point, chosen) {
  return point ? [placeOfPoint(point)] : chosen.filter(({ display_name }) => explains(display_name, text));
}

/**
 * Puts the places that were found behind those that were known and are shown already, so that nothing moves. `kept` of them stay as they
 * are shown. The place at a point takes the place of the point.
 */
export function behind(known, found, limit = USUAL_LIMIT) {
  const kept = known.filter((place) => isChosen(place) || found.some((other) => isSame(place, other)));
  const places = kept.map((place) => found.find((other) => isSame(place, other)) ?? place);
  const others = found.filter((place) => !kept.some((other) => isSame(place, other)));
  return { places: [...places, ...others].slice(0, Math.max(limit, kept.length)), kept: kept.length };
}

/** A bare point is no place that anybody chose: it has its text and its coordinates alone. */
function isChosen(place) {
  return place.country !== undefined || place.place_id !== undefined;
}

function isSame(a, b) {
  return a.place_id === undefined ? a.display_name === b.display_name : a.place_id === b.place_id;
}
