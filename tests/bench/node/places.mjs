// Reads the prepared places, and shares helpers between the peers.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Results asked for: the contract's default. */
export const LIMIT = 5;

/** The most important first, so that engines that rank by order rank by importance. */
export function readPlaces(folder) {
  const path = join(folder, 'places.json');
  const rows = JSON.parse(readFileSync(path, 'utf8'));
  const places = rows.map(([name, code, country, importance, lat, lon, populated]) => ({ name, code, country, importance, lat, lon, populated }));
  return { places: places.sort((a, b) => b.importance - a.importance), fileBytes: statSync(path).size };
}

/** Without case and marks. */
export function fold(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** An answer, as src/measure.rs has it. */
export function answer(place) {
  return [place.lat, place.lon, place.code];
}
