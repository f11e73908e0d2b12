// The base class of the geocoder. `index.js`, `node.js` and `workerd.js` extend it with loading wasm and packs.

import { Geocoder as Engine } from "./engine.js";
import { ofAll } from "./about.js";
import * as checked from "./arguments.js";
import { abortable, once } from "./attempts.js";
import { boxed } from "./box.js";
import { fault, freed, guarded } from "./fault.js";
import { fetched } from "./pack.js";
import { inflated } from "./inflate.js";
import { spoken } from "./languages.js";

/** Geocodes from a pack of places, or from several. Make one with `Geocoder.load()`. */
export class Geocoder {
  #engine;
  // Loads what takes the place of the first places, and what gives that up. Neither where all places are there.
  #rest;
  #stop;

  constructor(engine) {
    if (!(engine instanceof Engine)) throw fault("invalid_argument", "use Geocoder.load()");
    this.#engine = engine;
  }

  /**
   * Opens the core pack of this package, the pack at `url`, the pack in `bytes`, or several `packs`, which answer together;
   * or an index in `pages`, with or without packs beside it, whose geocoder answers with promises.
   *
   * @abstract `start()` loads the wasm, `core(open)` opens the core pack, `read(url)` reads URLs that `fetch` cannot. Where the core
   * pack is fetched, `first()` says where the first one is, and `keptCore()` returns what an earlier visit has kept.
   */
  static async load(options) {
    const source = checked.source(options);
    source.signal?.throwIfAborted();
    return abortable(loaded(this, source), source.signal);
  }

  /** @private `load` for a thread. Its page has checked the options and passes the `kept` index, if it found one. */
  static async loadKept(source, kept) {
    return loaded(this, source, kept);
  }

  /** Tells whether all places are there. Before, only the first are, and only `autocomplete` and `about` answer. */
  get isComplete() {
    return this.#rest === undefined;
  }

  /** Waits until all places are there. If they could not be loaded, tries again. */
  async complete(options) {
    const { signal } = checked.ofThread(options);
    signal?.throwIfAborted();
    if (!this.#engine) throw freed();
    return abortable(this.#rest?.(), signal);
  }

  /** @private Answers until the geocoder that `load(signal)` loads takes its place. */
  follow(load) {
    this.#stop = new AbortController();
    this.#rest = once(async () => this.#become(await load(this.#stop.signal)));
    this.#rest().catch(() => {});
  }

  #become(other) {
    const engine = other.#engine;
    other.#engine = undefined;
    if (!this.#engine) {
      engine.free();
      throw freed();
    }
    this.#engine.free();
    this.#engine = engine;
    this.#rest = undefined;
  }

  /** Returns suggestions for a text whose last word may be unfinished, the most relevant first; none for a blank text. */
  autocomplete(query, options) {
    return this.#ask((engine) => engine.autocomplete(named(engine, checked.unfinishedSearch(query, options))));
  }

  /** Returns the places that match a text or fields, the most relevant first. */
  forward(query, options) {
    return boxed(this.#askAll((engine) => engine.forward(named(engine, checked.search(query, options)))));
  }

  /** Returns the candidates of `forward`, or with `unfinished` those of `autocomplete`, with their signals. */
  explain(query, options) {
    return this.#askAll((engine) => engine.explain(named(engine, checked.search(query, options)), checked.unfinished(options)));
  }

  /** Returns the place at a point, or `null` at sea and far from everything; with `limit` the nearest places. */
  reverse(lat, lon, options) {
    return boxed(this.#askAll((engine) => engine.reverse(named(engine, checked.point(lat, lon, options)))));
  }

  /** Returns the best place for each of 1 to 100 texts, fields or points, in order. */
  batch(queries, options) {
    const results = this.#askAll((engine) => engine.batch(checked.queries(queries), named(engine, checked.shown(options))));
    return results.map((result, at) => ({ ...result, query: queries[at] }));
  }

  /** Returns the place with a `place_id` or a code such as `iata:CDG`, or `null`. */
  place(reference, options) {
    return boxed(this.#askAll((engine) => engine.place(named(engine, checked.reference(reference, options)))));
  }

  /** Returns title, date and attribution of the pack: of several, title and date of the first, and each line of all once. */
  about(options) {
    checked.aborted(options);
    return ofAll(this.#ask((engine) => engine.about()));
  }

  /** @private Adds the packs of another geocoder behind its own. The other one is freed. */
  join(other) {
    const engine = other.#engine;
    other.#engine = undefined;
    this.#ask((own) => own.join(engine));
  }

  /** Frees the memory. */
  free() {
    const engine = this.#engine;
    this.#engine = undefined;
    this.#stop?.abort(freed());
    engine?.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    this.free();
  }

  /** Asks where one of the places that are not there yet could be the answer. */
  #askAll(call) {
    if (this.#engine && !this.isComplete) throw fault("incomplete", INCOMPLETE);
    return this.#ask(call);
  }

  #ask(call) {
    return guarded(this.#engine, call);
  }
}

const INCOMPLETE =
  'only autocomplete answers from the first places: first `await geocoder.complete()`, or load all by Geocoder.load({ packs: ["core"] })';

/** A question with names in a language of the engine instead of `auto`. */
function named(engine, question) {
  return { ...question, lang: spoken(engine, question.lang) };
}

async function loaded(Class, { packs, ...source }, kept) {
  if (source.pages) return inPages(Class, source, packs);
  const how = { Class, start: () => Class.start(), make: (index, trusted) => new Class(new Engine(index, trusted)) };
  const isUsual = packs === undefined && source.url === undefined && source.bytes === undefined;
  if (isUsual && Class.first) return loadedBehind(how, source, kept);
  if (packs === undefined) return loadedPack(how, source, kept);
  const [first, ...others] = await loadedPacks(how, packs, source);
  for (const other of others) first.join(other);
  return first;
}

/** Loads the first pack, and behind it the core pack; that alone if an earlier visit has kept it. */
async function loadedBehind(how, { signal, onProgress }, kept) {
  // The wasm loads meanwhile. `loadedPack` reports its failure.
  how.start().catch(() => {});
  if (kept === undefined) kept = await how.Class.keptCore();
  if (kept) return loadedPack(how, { signal, onProgress }, kept);
  const geocoder = await loadedPack(how, { ...how.Class.first(), signal, onProgress });
  geocoder.follow((signal) => loadedPack(how, { signal }, null));
  return geocoder;
}

/** Its code is loaded only here, for who has a pack does without. */
async function inPages(Class, source, packs = []) {
  // The wasm loads meanwhile. `open` reports its failure.
  Class.startPages().catch(() => {});
  const { PagedGeocoder } = await import("./paged.js");
  const load = (make) => loadedPacks({ Class, start: () => Class.startPages(), make }, packs, source);
  return PagedGeocoder.open(Class, source, load);
}

/** Loads several packs, as `how` says: what starts the wasm, and what it makes of an index. */
async function loadedPacks(how, packs, { signal, onProgress }) {
  return all(packs.map((pack) => loadedPack(how, { ...pack, signal, onProgress })));
}

/** Waits for all geocoders. If one cannot be loaded, frees the others. */
async function all(loading) {
  const settled = await Promise.allSettled(loading);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed) {
    for (const { value } of settled) value?.free();
    throw failed.reason;
  }
  return settled.map(({ value }) => value);
}

async function loadedPack({ Class, start, make }, { url, bytes, sha256, size, signal, onProgress }, kept) {
  // The wasm loads in parallel with the pack. `open` reports its failure.
  const started = start();
  started.catch(() => {});
  const open = async (index, trusted = false) => {
    await started;
    signal?.throwIfAborted();
    return make(index, trusted);
  };
  if (bytes !== undefined) return open(await inflated(bytes));
  if (url === undefined) return Class.core(open, { signal, onProgress, kept });
  return fetched({ url, sha256, size }, open, { signal, onProgress, kept, read: Class.read });
}
