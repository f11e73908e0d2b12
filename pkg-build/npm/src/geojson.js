// Answers as GeoJSON (RFC 7946), in the form that the service gives with `format=geojson`.

import { boxed } from "./box.js";

/** Returns a FeatureCollection of one answer, of several, or of none: `null`. */
export function featureCollection(answers) {
  const list = Array.isArray(answers) ? answers : answers ? [answers] : [];
  return { type: "FeatureCollection", features: list.map(feature) };
}

/** A point with the fields of the answer as properties; without a geometry if nothing was found. */
function feature(answer) {
  const { bbox, ...properties } = boxed(answer);
  const { place_id: id, lat, lon } = properties;
  const found = { type: "Feature" };
  if (id !== undefined) found.id = id;
  if (bbox) found.bbox = bbox;
  found.geometry = lat === undefined ? null : { type: "Point", coordinates: [lon, lat] };
  found.properties = properties;
  return found;
}
