// The engines that run.mjs measures, one in a process. Each function imports its library, and returns its title and
// `load(folder)`, which makes an index of the prepared places.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LIMIT, answer, fold, readPlaces } from './places.mjs';

const built = process.env.TOPONYM_PACKAGE ?? process.env.TOPONYM_WASM;

const at = ({ lat, lon }) => [Math.round(lat * 1e5), Math.round(lon * 1e5), null];

const imported = (file) => import(pathToFileURL(join(built, file)));

// One slip in five letters, none in short words.
const FUZZY = (term) => (term.length > 4 ? 0.2 : false);

/**
 * Toponym in wasm, through the same JavaScript that the npm package has; TOPONYM_WASM is the folder of engine.js. With
 * TOPONYM_PACKAGE, the folder of the npm package, it is that as its users have it, with the pack that comes with it.
 */
export function toponym() {
  return { title: process.env.TOPONYM_PACKAGE ? 'Toponym, npm package' : 'Toponym, wasm in Node', load: loadToponym };
}

/** Searches without a library: names in order, a binary search for the prefix, a scan for the most important. */
export function sortedScan() {
  const load = (folder) => {
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
  };
  return { title: 'sorted scan', load };
}

/** Searches a radix tree by prefixes and with slips, weighed by importance. */
export async function minisearch() {
  const { default: MiniSearch } = await import('minisearch');
  const load = (folder) => {
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
  };
  return { title: 'minisearch', load };
}

/** Searches with every prefix of every word as a key; of equal matches the one that was added first, the most important. */
export async function flexsearch() {
  const { Index } = await import('flexsearch');
  const load = (folder) => {
    const { places, fileBytes } = readPlaces(folder);
    const index = new Index({ tokenize: 'forward', encode: (text) => fold(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean) });
    places.forEach(({ name, country }, id) => index.add(id, `${name} ${country}`));
    const search = (text) => index.search(text, { limit: LIMIT, suggest: true }).map((id) => answer(places[id]));
    return { autocomplete: search, forward: search, fileBytes };
  };
  return { title: 'flexsearch', load };
}

/** Compares the query with every name. */
export async function fuse() {
  const { default: Fuse } = await import('fuse.js');
  const load = (folder) => {
    const { places, fileBytes } = readPlaces(folder);
    const index = new Fuse(places.map(({ name }) => fold(name)), { threshold: 0.3 });
    const search = (text) => index.search(fold(text), { limit: LIMIT }).map(({ refIndex }) => answer(places[refIndex]));
    return { autocomplete: search, forward: search, fileBytes };
  };
  return { title: 'fuse.js', load };
}

/** Searches a flat k-d tree on the sphere. */
export async function geokdbush() {
  const { default: KDBush } = await import('kdbush');
  const { around } = await import('geokdbush');
  const load = (folder) => {
    const { places, fileBytes } = readPlaces(folder);
    const populated = places.filter((place) => place.populated);
    const index = new KDBush(populated.length);
    for (const { lat, lon } of populated) index.add(lon / 1e5, lat / 1e5);
    index.finish();
    const reverse = ({ lat, lon }) => around(index, lon, lat, 1).map((id) => answer(populated[id]));
    return { reverse, fileBytes };
  };
  return { title: 'kdbush + geokdbush', load };
}

/** Searches as local-reverse-geocoder does: a k-d tree of objects in degrees, with the distance on the sphere. */
export async function kdt() {
  const { default: library } = await import('kdt');
  const load = (folder) => {
    const { places, fileBytes } = readPlaces(folder);
    const points = places
      .filter((place) => place.populated)
      .map((place) => ({ latitude: place.lat / 1e5, longitude: place.lon / 1e5, place }));
    const tree = library.createKdTree(points, distance, ['latitude', 'longitude']);
    const reverse = ({ lat, lon }) => tree.nearest({ latitude: lat, longitude: lon }, 1).map(([{ place }]) => answer(place));
    return { reverse, fileBytes };
  };
  return { title: 'kdt (local-reverse-geocoder)', load };
}

async function loadToponym(folder) {
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

/** The haversine of the angle between two points, as in that library. */
function distance(a, b) {
  const radians = Math.PI / 180;
  const lat = ((a.latitude - b.latitude) * radians) / 2;
  const lon = ((a.longitude - b.longitude) * radians) / 2;
  return Math.sin(lat) ** 2 + Math.sin(lon) ** 2 * Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians);
}
