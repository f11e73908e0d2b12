// Points of the earth in <toponym-autocomplete>: where the user is, and the place there.

/** Milliseconds until a position must be known, and the age of one that is good enough. */
const POSITION = { timeout: 15_000, maximumAge: 60_000 };

/** Asks the browser, which asks the user, where that is. */
export async function position() {
  const { coords } = await new Promise((found, failed) => navigator.geolocation.getCurrentPosition(found, failed, POSITION));
  return { lat: coords.latitude, lon: coords.longitude };
}

/** Returns the place at a point, in an array; where there is none, or the geocoder knows only names, the point itself. */
export async function placesAt(geocoder, point, { lang, fields, signal }) {
  // The first places alone would name another.
  await geocoder.complete?.({ signal });
  const place = await geocoder.reverse?.(point.lat, point.lon, { lang, fields, signal });
  return [place ?? placeOfPoint(point)];
}

/** Makes a place of a point of which nothing else is known. */
export function placeOfPoint(point) {
  return { display_name: `${point.lat}, ${point.lon}`, ...point };
}
