// kdbush + geokdbush: a flat k-d tree, searched on the sphere.

import KDBush from 'kdbush';
import { around } from 'geokdbush';
import { answer, readPlaces } from '../places.mjs';

export const title = 'kdbush + geokdbush';

export function load(folder) {
  const { places, fileBytes } = readPlaces(folder);
  const populated = places.filter((place) => place.populated);
  const index = new KDBush(populated.length);
  for (const { lat, lon } of populated) index.add(lon / 1e5, lat / 1e5);
  index.finish();
  const reverse = ({ lat, lon }) => around(index, lon, lat, 1).map((id) => answer(populated[id]));
  return { reverse, fileBytes };
}
