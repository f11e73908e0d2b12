// Suggestions that come while others for the same text are shown: those of all places after those of the first ones, or after places
// that were chosen before. Nothing that stays moves, for a finger may be on it.

/** As many as a geocoder suggests if nothing else is asked for. */
const USUAL_LIMIT = 5;

/**
 * Puts the places that were found among those that are shown. What both have stays where it is, and so does what `isHeld(place)`; the
 * others make room for what was found beside.
 */
export function inPlace(shown, found, isHeld, limit = USUAL_LIMIT) {
  const others = found.filter((place) => !shown.some((other) => isSame(place, other)));
  const next = (place) => found.find((other) => isSame(place, other)) ?? (isHeld(place) ? place : others.shift());
  const places = shown.map(next).filter(Boolean);
  return [...places, ...others].slice(0, Math.max(limit, places.length));
}

/** Tells whether two suggestions are of one place. A point without a name has coordinates alone. */
export function isSame(a, b) {
  return a.place_id === undefined ? a.display_name === b.display_name : a.place_id === b.place_id;
}
