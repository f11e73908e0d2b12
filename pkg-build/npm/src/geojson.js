// Answers as GeoJSON (RFC 7946), in the form that the service gives with `format=geojson`.

/** Returns a FeatureCollection of one answer, of several, or of none: `null`. */
export function featureCollection(answers) {
  const list = Array.isArray(answers) ? answers : answers ? [answers] : [];
  return { type: "FeatureCollection", features: list.map(feature) };
}

/** A point with the fields of the answer as properties; without a geometry if nothing was found. */
function feature(answer) {
  const { place_id: id, boundingbox, lat, lon } = answer;
  const found = { type: "Feature" };
  if (id !== undefined) found.id = id;
  if (boundingbox) {
    const [south, north, west, east] = boundingbox;
    found.bbox = [west, south, east, north];
  }
  found.geometry = lat === undefined ? null : { type: "Point", coordinates: [lon, lat] };
  found.properties = answer;
  return found;
}
