// The base class of the geocoder. `index.js`, `node.js` and `workerd.js` extend it with loading wasm and packs.

import { Geocoder as Engine } from "./engine.js";
import * as checked from "./arguments.js";
import { abortable } from "./attempts.js";
import { fault } from "./fault.js";
import { fetched } from "./pack.js";
import { inflated } from "./inflate.js";

/** Geocodes from one pack of places. Make one with `Geocoder.load()`. */
export class Geocoder {
  #engine;

  constructor(engine) {
    if (!(engine instanceof Engine)) throw fault("invalid_argument", "use Geocoder.load()");
    this.#engine = engine;
  }

  /**
   * Opens the core pack of this package, the pack at `url`, or the pack in `bytes`.
   *
   * @abstract `start()` loads the wasm, `core(open)` opens the core pack, `read(url)` reads URLs that `fetch` cannot.
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

  /** Returns suggestions for a text whose last word may be unfinished, the most relevant first. */
  autocomplete(query, options) {
    return this.#ask((engine) => engine.autocomplete(checked.query(query), checked.options(options)));
  }

  /** Returns the places that match a text, the most relevant first. */
  forward(query, options) {
    return this.#ask((engine) => engine.forward(checked.query(query), checked.options(options)));
  }

  /** Returns the candidates of `forward`, or with `unfinished` those of `autocomplete`, with their signals. */
  explain(query, options) {
    const ask = (engine) => engine.explain(checked.query(query), checked.options(options), checked.unfinished(options));
    return this.#ask(ask);
  }

  /** Returns the place at a point, or `null` at sea and far from everything. */
  reverse(lat, lon) {
    return this.#ask((engine) => engine.reverse(checked.number(lat, "lat"), checked.number(lon, "lon")));
  }

  /** Returns the best place for each of 1 to 100 texts, in order. */
  batch(queries) {
    const results = this.#ask((engine) => engine.batch(checked.queries(queries)));
    return results.map((result, at) => ({ ...result, query: queries[at] }));
  }

  /** Returns title, date and attribution of the pack. */
  about() {
    const { title, data_date, attribution } = this.#ask((engine) => engine.about());
    return { title, data_date, attribution };
  }

  /** Frees the memory. */
  free() {
    const engine = this.#engine;
    this.#engine = undefined;
    engine?.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  #ask(call) {
    if (!this.#engine) throw fault("freed", "this geocoder was freed");
    try {
      return call(this.#engine);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw fault("internal", `the engine failed, which is a fault of this package: ${error.message}`, error);
    }
  }
}

async function loaded(Class, { url, bytes, sha256, size, signal, onProgress }, kept) {
  // The wasm loads in parallel with the pack. `open` reports its failure.
  const started = Class.start();
  started.catch(() => {});
  const open = async (index, trusted = false) => {
    await started;
    signal?.throwIfAborted();
    return new Class(new Engine(index, trusted));
  };
  if (bytes !== undefined) return open(await inflated(bytes));
  if (url === undefined) return Class.core(open, { signal, onProgress, kept });
  return fetched({ url, sha256, size }, open, { signal, onProgress, kept, read: Class.read });
}
