// The method of local-reverse-geocoder: a k-d tree of objects in degrees, with the distance on the sphere.

import kdt from 'kdt';
import { answer, readPlaces } from '../places.mjs';

export const title = 'kdt (local-reverse-geocoder)';

export function load(folder) {
  const { places, fileBytes } = readPlaces(folder);
  const points = places
    .filter((place) => place.populated)
    .map((place) => ({ latitude: place.lat / 1e5, longitude: place.lon / 1e5, place }));
  const tree = kdt.createKdTree(points, distance, ['latitude', 'longitude']);
  const reverse = ({ lat, lon }) => tree.nearest({ latitude: lat, longitude: lon }, 1).map(([{ place }]) => answer(place));
  return { reverse, fileBytes };
}

/** The haversine of the angle between two points, as in that library. */
function distance(a, b) {
  const radians = Math.PI / 180;
  const lat = ((a.latitude - b.latitude) * radians) / 2;
  const lon = ((a.longitude - b.longitude) * radians) / 2;
  return Math.sin(lat) ** 2 + Math.sin(lon) ** 2 * Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians);
}
