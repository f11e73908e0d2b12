// fuse.js: compares the query with every name.

import Fuse from 'fuse.js';
import { LIMIT, answer, fold, readPlaces } from '../places.mjs';

export const title = 'fuse.js';

export function load(folder) {
  const { places, fileBytes } = readPlaces(folder);
  const index = new Fuse(places.map(({ name }) => fold(name)), { threshold: 0.3 });
  const search = (text) => index.search(fold(text), { limit: LIMIT }).map(({ refIndex }) => answer(places[refIndex]));
  return { autocomplete: search, forward: search, fileBytes };
}
