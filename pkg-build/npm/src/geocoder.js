// The geocoder, apart from where the bytes come from: `index.js`, `node.js` and `workerd.js` tell it.

import { Geocoder as Engine } from "./engine.js";
import * as checked from "./arguments.js";
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
   * @abstract `start()` makes the wasm ready, `core()` tells where the core pack is.
   */
  static async load(options = {}) {
    const { url, bytes, sha256, size, signal, onProgress } = options ?? {};
    signal?.throwIfAborted();
    const open = async (packed) => {
      const [index] = await Promise.all([inflated(packed), this.start()]);
      signal?.throwIfAborted();
      return new this(new Engine(index));
    };
    if (bytes !== undefined) return open(view(bytes));
    if (url === undefined) return this.core(open, { signal, onProgress });
    return fetched({ url: String(url), sha256, size }, open, { signal, onProgress, read: this.read });
  }

  /** Suggestions for a text whose last word may be unfinished, the most relevant first. */
  autocomplete(query, options) {
    return this.#open().autocomplete(checked.query(query), checked.options(options));
  }

  /** Places that a text names, the most relevant first. */
  forward(query, options) {
    return this.#open().forward(checked.query(query), checked.options(options));
  }

  /** The place at a point; `null` at sea and far from everything. */
  reverse(lat, lon) {
    return this.#open().reverse(checked.number(lat, "lat"), checked.number(lon, "lon"));
  }

  /** The best place of each of 1 to 100 texts, in order. */
  batch(queries) {
    const results = this.#open().batch(checked.queries(queries));
    return results.map((result, at) => ({ ...result, query: queries[at] }));
  }

  /** Title, date and attribution of the pack. */
  about() {
    const { title, data_date, attribution } = this.#open().about();
    return { title, data_date, attribution };
  }

  /** Gives the memory back. */
  free() {
    this.#engine?.free();
    this.#engine = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  #open() {
    if (!this.#engine) throw fault("freed", "this geocoder was freed");
    return this.#engine;
  }
}

function view(bytes) {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  throw fault("invalid_argument", "bytes must be an ArrayBuffer or a view of one");
}
