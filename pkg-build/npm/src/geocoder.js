// The geocoder, apart from where the bytes come from: `index.js`, `node.js` and `workerd.js` tell it.

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
   * Opens the core pack of this package, the pack at `url`, or the pack that `bytes` hold.
   *
   * @abstract `start()` makes the wasm ready, `core(open)` opens the core pack, `read(url)` reads what `fetch` cannot.
   */
  static async load(options) {
    const source = checked.source(options);
    source.signal?.throwIfAborted();
    return abortable(loaded(this, source), source.signal);
  }

  /** @private Like `load` in a thread, whose page has checked the options and brings along what it found `kept`. */
  static async loadKept(source, kept) {
    return loaded(this, source, kept);
  }

  /** Suggestions for a text whose last word may be unfinished, the most relevant first. */
  autocomplete(query, options) {
    return this.#ask((engine) => engine.autocomplete(checked.query(query), checked.options(options)));
  }

  /** Places that a text names, the most relevant first. */
  forward(query, options) {
    return this.#ask((engine) => engine.forward(checked.query(query), checked.options(options)));
  }

  /** The candidates for a text with their signals: those of `forward`, or of `autocomplete` where it is `unfinished`. */
  explain(query, options) {
    const ask = (engine) => engine.explain(checked.query(query), checked.options(options), checked.unfinished(options));
    return this.#ask(ask);
  }

  /** The place at a point; `null` at sea and far from everything. */
  reverse(lat, lon) {
    return this.#ask((engine) => engine.reverse(checked.number(lat, "lat"), checked.number(lon, "lon")));
  }

  /** The best place of each of 1 to 100 texts, in order. */
  batch(queries) {
    const results = this.#ask((engine) => engine.batch(checked.queries(queries)));
    return results.map((result, at) => ({ ...result, query: queries[at] }));
  }

  /** Title, date and attribution of the pack. */
  about() {
    const { title, data_date, attribution } = this.#ask((engine) => engine.about());
    return { title, data_date, attribution };
  }

  /** Gives the memory back. */
  free() {
    const engine = this.#engine;
    this.#engine = undefined;
    engine?.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  #ask(question) {
    if (!this.#engine) throw fault("freed", "this geocoder was freed");
    try {
      return question(this.#engine);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw fault("internal", `the engine failed, which is a fault of this package: ${error.message}`, error);
    }
  }
}

async function loaded(Class, { url, bytes, sha256, size, signal, onProgress }, kept) {
  // Beside the places, not behind them. Whoever opens them hears of its failure.
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
