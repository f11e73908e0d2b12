// The geocoder of an index in pages: asks the engine, fetches the pages that the question needs, and asks again.

import { Geocoder as Engine } from "./engine-pages.js";
import * as checked from "./arguments.js";
import { fault } from "./fault.js";
import { guarded } from "./geocoder.js";
import { spoken } from "./languages.js";
import { Pages } from "./pages.js";

/** Bytes of pages in memory: a few hundred pages, which is what an hour of questions looks at. */
const IN_MEMORY = 30_000_000;

/** A question takes two fetches. Another one may have taken the room of its pages meanwhile. */
const MOST_FETCHES = 8;

/** Pages that `prefetch` fetches at a time. */
const AT_A_TIME = 6;

/** The methods of `Geocoder`, as promises. Make one with `Geocoder.load({ pages })`. */
export class PagedGeocoder {
  #engine;
  #pages;
  #memory;

  /** @private Opens the root at `pages`. `Class` loads the wasm and reads what `fetch` cannot. */
  static async open(Class, { pages: root, memory = IN_MEMORY, cache, signal, onProgress }) {
    const started = Class.startPages();
    started.catch(() => {});
    const pages = new Pages(root, { read: Class.read, limit: cache });
    const bytes = await pages.root({ signal, onProgress });
    await started;
    signal?.throwIfAborted();
    return new PagedGeocoder(Engine.paged(bytes), pages, memory);
  }

  /** @private */
  constructor(engine, pages, memory) {
    this.#engine = engine;
    this.#pages = pages;
    this.#memory = memory;
  }

  /** Like `Geocoder.autocomplete`. */
  async autocomplete(query, options) {
    return this.#answer((engine) => engine.autocomplete(named(engine, checked.unfinishedSearch(query, options))), options);
  }

  /** Like `Geocoder.forward`. */
  async forward(query, options) {
    return this.#answer((engine) => engine.forward(named(engine, checked.search(query, options))), options);
  }

  /** Like `Geocoder.explain`. */
  async explain(query, options) {
    const unfinished = checked.unfinished(options);
    return this.#answer((engine) => engine.explain(named(engine, checked.search(query, options)), unfinished), options);
  }

  /** Like `Geocoder.reverse`. */
  async reverse(lat, lon, options) {
    return this.#answer((engine) => engine.reverse(named(engine, checked.point(lat, lon, options))), options);
  }

  /** Like `Geocoder.batch`. */
  async batch(queries, options) {
    const results = await this.#answer((engine) => engine.batch(checked.queries(queries), named(engine, checked.shown(options))), options);
    return results.map((result, at) => ({ ...result, query: queries[at] }));
  }

  /** Like `Geocoder.place`. */
  async place(reference, options) {
    return this.#answer((engine) => engine.place(named(engine, checked.reference(reference, options))), options);
  }

  /** Like `Geocoder.about`. */
  async about(options) {
    checked.aborted(options);
    const [{ title, data_date, attribution }] = this.#ask((engine) => engine.about());
    return { title, data_date, attribution };
  }

  /** Fetches the pages of `countries`, of a `bbox`, or both, so that their places are found without a connection. */
  async prefetch(region) {
    const { signal, onProgress, ...asked } = checked.region(region);
    const numbers = await this.#answer((engine) => engine.pages_of(named(engine, asked)), { signal });
    const left = numbers.map((number) => this.#ask((engine) => engine.file(number)));
    const progress = { pages: 0, of: left.length };
    onProgress?.({ ...progress });
    const fetchSome = async () => {
      for (let file = left.pop(); file !== undefined; file = left.pop()) {
        await this.#pages.page(file, signal);
        progress.pages += 1;
        onProgress?.({ ...progress });
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, fetchSome));
    return progress;
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

  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    this.free();
  }

  async #answer(call, options) {
    const signal = options?.signal ?? undefined;
    for (let fetches = 0; fetches <= MOST_FETCHES; fetches += 1) {
      const answer = this.#ask(call);
      if (!answer?.missing) {
        this.#ask((engine) => engine.keep_within(this.#memory));
        return answer;
      }
      await Promise.all(answer.missing.map((number) => this.#insert(number, signal)));
    }
    throw fault("internal", "a question has no end, which is a fault of this package");
  }

  async #insert(number, signal) {
    const file = this.#ask((engine) => engine.file(number));
    const insert = async () => {
      const bytes = await this.#pages.page(file, signal);
      this.#ask((engine) => engine.insert(number, bytes));
    };
    try {
      await insert();
    } catch (error) {
      if (error.code !== "invalid_index") throw error;
      // What is kept may be damaged.
      await this.#pages.forget(file);
      await insert();
    }
  }

  #ask(call) {
    return guarded(this.#engine, call);
  }
}

function named(engine, question) {
  return { ...question, lang: spoken(engine, question.lang) };
}
