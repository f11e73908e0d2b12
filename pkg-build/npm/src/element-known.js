// What <toponym-autocomplete> can answer before its places are loaded: a point, and places that were chosen before.

import { explains } from "./element-highlight.js";
import { placeOfPoint } from "./element-points.js";

/** Returns what is known of a text: the point that it names, or those of the places chosen before that it fits. */
export function knownOf(text, point, chosen) {
  return point ? [placeOfPoint(point)] : chosen.filter(({ display_name }) => explains(display_name, text));
}
