// Toponym in wasm, through the same JavaScript that the npm package has; TOPONYM_WASM is the folder of engine.js.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LIMIT } from '../places.mjs';

export const title = 'Toponym, wasm in Node';

const at = ({ lat, lon }) => [Math.round(lat * 1e5), Math.round(lon * 1e5), null];

export async function load(folder) {
  const built = process.env.TOPONYM_WASM;
  const path = join(folder, 'index.toponym');
  const { default: init, Geocoder } = await import(pathToFileURL(join(built, 'engine.js')));
  const { memory } = await init({ module_or_path: readFileSync(join(built, 'engine_bg.wasm')) });
  const bytes = readFileSync(path);
  const begin = performance.now();
  const geocoder = new Geocoder(bytes);
  const opened = performance.now();
  geocoder.autocomplete('par', { limit: LIMIT });
  const answered = performance.now();
  return {
    autocomplete: (text) => geocoder.autocomplete(text, { limit: LIMIT }).map(at),
    forward: (text) => geocoder.forward(text, { limit: LIMIT }).map(at),
    reverse: ({ lat, lon }) => {
      const place = geocoder.reverse(lat, lon);
      return place ? [[...at(place).slice(0, 2), place.address.country_code.toUpperCase()]] : [];
    },
    batch: (texts) => geocoder.batch(texts).map((item) => (item.status === 'ok' ? at(item) : [0, 0, null])),
    memoryBytes: () => memory.buffer.byteLength,
    openMs: opened - begin,
    firstAnswerMs: answered - opened,
    fileBytes: statSync(path).size,
  };
}
