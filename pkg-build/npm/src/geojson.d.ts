// Types of `toponym/geojson`.

/** A point with the fields of an answer as properties. */
export interface Feature<Answer> {
  type: "Feature";
  /** The `place_id`, of answers that have one. */
  id?: number;
  /** Of answers that have a box. `west > east` if it crosses the date line. */
  bbox?: [west: number, south: number, east: number, north: number];
  /** `null` for an item of a batch without a place. */
  geometry: { type: "Point"; coordinates: [lon: number, lat: number] } | null;
  /** The `bbox` is the feature's own. */
  properties: Answer extends unknown ? Omit<Answer, "bbox"> : never;
}

/** GeoJSON (RFC 7946), as maps take it. */
export interface FeatureCollection<Answer> {
  type: "FeatureCollection";
  features: Feature<Answer>[];
}

/**
 * Returns a FeatureCollection of one answer, of several, or of none: `null`.
 * @example <caption>Show answers on a map</caption>
 * import { featureCollection } from "toponym/geojson";
 *
 * const { features } = featureCollection(geo.forward("Rome", { limit: 1 }));
 * features[0]?.geometry?.type; // "Point"
 */
export function featureCollection<Answer extends object>(
  answers: Answer | readonly Answer[] | null,
): FeatureCollection<Answer>;
