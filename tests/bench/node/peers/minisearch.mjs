// minisearch: a radix tree with prefix and fuzzy search, weighed by importance.

import MiniSearch from 'minisearch';
import { LIMIT, answer, fold, readPlaces } from '../places.mjs';

export const title = 'minisearch';

// One slip in five letters, none in short words.
const FUZZY = (term) => (term.length > 4 ? 0.2 : false);

export function load(folder) {
  const { places, fileBytes } = readPlaces(folder);
  const index = new MiniSearch({ fields: ['name', 'country'], processTerm: fold });
  index.addAll(places.map(({ name, country }, id) => ({ id, name, country })));
  const search = (prefix) => (text) =>
    index
      .search(text, {
        prefix,
        fuzzy: FUZZY,
        combineWith: 'AND',
        boost: { name: 3 },
        boostDocument: (id) => places[id].importance,
      })
      .slice(0, LIMIT)
      .map(({ id }) => answer(places[id]));
  return { autocomplete: search(true), forward: search(false), fileBytes };
}
