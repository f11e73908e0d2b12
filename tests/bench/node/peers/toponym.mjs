// Toponym in wasm, through the same JavaScript that the npm package has; TOPONYM_WASM is the folder of engine.js. With
// TOPONYM_PACKAGE, the folder of the npm package, it is that as its users have it, with the pack that comes with it.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LIMIT } from '../places.mjs';

const built = process.env.TOPONYM_PACKAGE ?? process.env.TOPONYM_WASM;

export const title = process.env.TOPONYM_PACKAGE ? 'Toponym, npm package' : 'Toponym, wasm in Node';

const at = ({ lat, lon }) => [Math.round(lat * 1e5), Math.round(lon * 1e5), null];

const imported = (file) => import(pathToFileURL(join(built, file)));

export async function load(folder) {
  const { memory, geocoder, path, begin } = process.env.TOPONYM_PACKAGE ? await ofPackage() : await ofIndex(folder);
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

async function ofIndex(folder) {
  const path = join(folder, 'index.toponym');
  const { default: init, Geocoder } = await imported('engine.js');
  const { memory } = await init({ module_or_path: readFileSync(join(built, 'engine_bg.wasm')) });
  const bytes = readFileSync(path);
  const begin = performance.now();
  return { memory, geocoder: asPackage(new Geocoder(bytes)), path, begin };
}

/** The engine with the methods of the package, which asks it by objects. */
function asPackage(engine) {
  return {
    autocomplete: (text, { limit }) => engine.autocomplete({ text, limit }),
    forward: (text, { limit }) => engine.forward({ text, limit }),
    reverse: (lat, lon) => engine.reverse({ lat, lon }),
    batch: (texts) => engine.batch(texts.map((text) => ({ text })), {}),
  };
}

async function ofPackage() {
  const begin = performance.now();
  const { Geocoder } = await imported('node.js');
  const geocoder = await Geocoder.load();
  // It is started already, and this gives what it exports.
  const { default: init } = await imported('engine.js');
  const { memory } = await init();
  const { core } = await imported('core.js');
  return { memory, geocoder, path: core.url, begin };
}
