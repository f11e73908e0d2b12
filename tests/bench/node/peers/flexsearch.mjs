// flexsearch: every prefix of every word is a key; of equal matches the one that was added first, the most important.

import { Index } from 'flexsearch';
import { LIMIT, answer, fold, readPlaces } from '../places.mjs';

export const title = 'flexsearch';

export function load(folder) {
  const { places, fileBytes } = readPlaces(folder);
  const index = new Index({ tokenize: 'forward', encode: (text) => fold(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean) });
  places.forEach(({ name, country }, id) => index.add(id, `${name} ${country}`));
  const search = (text) => index.search(text, { limit: LIMIT, suggest: true }).map((id) => answer(places[id]));
  return { autocomplete: search, forward: search, fileBytes };
}
