// An implementation without a library: names in order, a binary search for the prefix, a scan for the most important.

import { LIMIT, answer, fold, readPlaces } from '../places.mjs';

export const title = 'sorted scan';

export function load(folder) {
  const { places, fileBytes } = readPlaces(folder);
  const rows = places.map((place) => ({ key: fold(place.name), place })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const autocomplete = (text) => {
    const prefix = fold(text);
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].key < prefix) low = middle + 1;
      else high = middle;
    }
    const best = [];
    for (let at = low; at < rows.length && rows[at].key.startsWith(prefix); at++) {
      const { place } = rows[at];
      if (best.length === LIMIT && place.importance <= best[LIMIT - 1].importance) continue;
      let to = best.length;
      while (to > 0 && best[to - 1].importance < place.importance) to--;
      best.splice(to, 0, place);
      best.length = Math.min(best.length, LIMIT);
    }
    return best.map(answer);
  };
  return { autocomplete, forward: autocomplete, fileBytes };
}
