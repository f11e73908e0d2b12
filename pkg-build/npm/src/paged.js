// The geocoder of an index in pages: asks the engine, fetches the pages that the question needs, and asks again.

import { Geocoder as Engine } from "./engine-pages.js";
import { ofAll } from "./about.js";
import * as checked from "./arguments.js";
import { boxed } from "./box.js";
import { fault, freed, guarded } from "./fault.js";
import { Groups } from "./groups.js";
import { spoken } from "./languages.js";
import { Pages } from "./pages.js";

/** Bytes of pages in memory: a few hundred pages, which is what an hour of questions looks at. */
const IN_MEMORY = 30_000_000;

/** A question takes two fetches, and as many again if there is a new root meanwhile. */
const MOST_FETCHES = 8;

/** Pages that `prefetch` fetches at a time. Browsers fetch six at a time from a host with HTTP/1.1: questions need some, too. */
const AT_A_TIME = 4;

/** Nobody waits for it. */
const BESIDE = { priority: "low" };

/** Statuses of a host that lacks a file. */
const GONE = new Set([404, 410]);

/** The methods of `Geocoder`, as promises. Make one with `Geocoder.load({ pages })`. */
export class PagedGeocoder {
  /** A question may fetch pages. */
  paged = true;
  #engine;
  #open;
  #pages;
  #memory;
  #asking = 0;
  #groups = new Groups();

  /**
   * @private Opens the root at `pages`, and the packs beside it. `Class` loads the wasm and reads what `fetch` cannot; `load(make)`
   * loads the packs.
   */
  static async open(Class, { pages: root, memory = IN_MEMORY, signal, onProgress, ...options }, load) {
    const started = Class.startPages();
    started.catch(() => {});
    const pages = new Pages(root, { ...options, read: Class.read, isShared: !Class.isPerRequest });
    const open = async (bytes) => {
      await begun(started);
      signal?.throwIfAborted();
      return engineOf(root, bytes);
    };
    const { opened, isKept } = await withPacks(
      pages.root(open, { signal, onProgress }),
      load((index, trusted) => new Engine(index, trusted)),
    );
    const geocoder = new PagedGeocoder(opened, (bytes) => engineOf(root, bytes), pages, memory);
    if (isKept) geocoder.#renew(BESIDE);
    return geocoder;
  }

  /** @private */
  constructor(engine, open, pages, memory) {
    this.#engine = engine;
    this.#open = open;
    this.#pages = pages;
    this.#memory = memory;
  }

  /** Like `Geocoder.autocomplete`. A newer call of the same `group` supersedes an unanswered one. */
  async autocomplete(query, options) {
    const { signal, group, asked } = checked.ofThread(options);
    const call = (engine) => engine.autocomplete(named(engine, checked.unfinishedSearch(query, asked)));
    return this.#groups.ask({ signal, group }, (signal) => this.#answer(call, { signal }));
  }

  /** Like `Geocoder.forward`. */
  async forward(query, options) {
    return boxed(await this.#answer((engine) => engine.forward(named(engine, checked.search(query, options))), options));
  }

  /** Like `Geocoder.explain`. */
  async explain(query, options) {
    const unfinished = checked.unfinished(options);
    return this.#answer((engine) => engine.explain(named(engine, checked.search(query, options)), unfinished), options);
  }

  /** Like `Geocoder.reverse`. */
  async reverse(lat, lon, options) {
    return boxed(await this.#answer((engine) => engine.reverse(named(engine, checked.point(lat, lon, options))), options));
  }

  /** Like `Geocoder.batch`. */
  async batch(queries, options) {
    const asked = checked.queries(queries);
    // The caller may change the array meanwhile.
    const given = [...queries];
    const results = await this.#answer((engine) => engine.batch(asked, named(engine, checked.shown(options))), options);
    return results.map((result, at) => ({ ...result, query: given[at] }));
  }

  /** Like `Geocoder.place`. */
  async place(reference, options) {
    return boxed(await this.#answer((engine) => engine.place(named(engine, checked.reference(reference, options))), options));
  }

  /** Like `Geocoder.about`. */
  async about(options) {
    checked.aborted(options);
    return ofAll(this.#ask((engine) => engine.about()));
  }

  /** Fetches the pages of `countries`, of a `bbox`, or both, so that their places are found without a connection. */
  async prefetch(region) {
    const { signal, onProgress, ...asked } = checked.region(region);
    const { engine, pages } = await this.#answer((engine) => pagesOf(engine, asked), { signal });
    const progress = { pages: 0, of: pages.length, bytes: 0, kept: 0 };
    onProgress?.({ ...progress });
    const fetchSome = async () => {
      for (let page = pages.pop(); page; page = pages.pop()) {
        const { bytes, kept } = await this.#page(engine, page, { ...BESIDE, signal });
        const isKept = await kept;
        progress.kept += isKept ? 1 : 0;
        progress.pages += 1;
        progress.bytes += bytes;
        if (progress.kept > 0 && progress.bytes > this.#pages.limit) throw tooMuch(this.#pages.limit);
        onProgress?.({ ...progress });
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_A_TIME }, fetchSome));
    } catch (error) {
      // The others stop, too.
      pages.length = 0;
      if (!(await this.#isRenewed(engine, error, signal))) throw error;
      return this.prefetch(region);
    }
    return progress;
  }

  /** Frees the memory, and ends the downloads. */
  free() {
    const engine = this.#engine;
    this.#engine = undefined;
    this.#pages.stop(freed());
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
    this.#asking += 1;
    try {
      for (let fetches = 0; fetches <= MOST_FETCHES; fetches += 1) {
        const engine = this.#engine;
        const answer = this.#ask(call);
        if (!answer?.missing) return answer;
        await this.#fetch(engine, answer.missing, signal);
      }
      throw fault("internal", "a question has no end, which is a fault of this package");
    } finally {
      this.#asking -= 1;
      this.#trim();
    }
  }

  async #fetch(engine, numbers, signal) {
    const pages = numbers.map((number) => pageOf(engine, number));
    try {
      await Promise.all(pages.map((page) => this.#page(engine, page, { signal })));
    } catch (error) {
      if (!(await this.#isRenewed(engine, error, signal))) throw error;
    }
  }

  #page(engine, { number, file }, how) {
    const insert = (bytes) => {
      // There may be a new root meanwhile.
      if (engine !== this.#engine) return false;
      engine.insert(number, bytes);
      this.#trim();
      return true;
    };
    return this.#pages.page(file, insert, how);
  }

  /** A question that is not answered yet needs the pages that it has fetched. */
  #trim() {
    if (this.#asking === 0) this.#engine?.keep_within(this.#memory);
  }

  /** Whether the error comes from a root that is out of date, and there is a new one. */
  async #isRenewed(engine, error, signal) {
    signal?.throwIfAborted();
    if (!this.#engine || (error.code !== "invalid_index" && !GONE.has(error.status))) return false;
    if (engine === this.#engine) await this.#renew({ signal });
    // Another question may have renewed it meanwhile, or it is freed.
    return this.#engine !== undefined && engine !== this.#engine;
  }

  /** Takes the root of the host in place of the present one, if it is another one. */
  async #renew(options) {
    const engine = await this.#pages.newRoot(this.#open, options).catch(() => undefined);
    if (!engine) return;
    const old = this.#engine;
    // Freed meanwhile.
    if (!old) return void engine.free();
    engine.join_as(old);
    this.#engine = engine;
    old.free();
    this.#pages.keepOnly(filesOf(engine));
  }

  #ask(call) {
    return guarded(this.#engine, call);
  }
}

/** Waits for a root and for packs, and joins them. If some cannot be loaded, frees the others. */
async function withPacks(rooting, loading) {
  const [root, packs] = await Promise.allSettled([rooting, loading]);
  const failed = [root, packs].find(({ status }) => status === "rejected");
  if (failed) {
    for (const engine of [root.value?.opened, ...(packs.value ?? [])]) engine?.free();
    throw failed.reason;
  }
  for (const pack of packs.value) root.value.opened.join(pack);
  return root.value;
}

/** Waits for the wasm, which has its own attempts. */
async function begun(started) {
  try {
    await started;
  } catch (error) {
    throw Object.assign(error, { final: true });
  }
}

function engineOf(root, bytes) {
  try {
    return guarded(Engine, () => Engine.paged(bytes));
  } catch (error) {
    if (error.code !== "invalid_index") throw error;
    throw fault("invalid_index", `${root} is not a root that this version of toponym reads: ${error.message}`, error);
  }
}

function named(engine, question) {
  return { ...question, lang: spoken(engine, question.lang) };
}

/** The pages of a region, and of which engine. */
function pagesOf(engine, region) {
  const numbers = engine.pages_of(named(engine, region));
  return numbers.missing ? numbers : { engine, pages: numbers.map((number) => pageOf(engine, number)) };
}

function pageOf(engine, number) {
  return { number, file: engine.file(number) };
}

function filesOf(engine) {
  const files = [];
  for (let file = engine.file(0); file !== undefined; file = engine.file(files.length)) files.push(file);
  return files;
}

function tooMuch(limit) {
  return fault("invalid_argument", `the region has more than the ${limit} bytes that stay for later visits: give load() a greater cache`);
}
