// The files of an index in pages: fetched from any static host, kept in Cache Storage for the next visit and for times without
// a connection.
//
// A page is named by its checksum and never changes, so a kept one is used without asking the server. The root has one
// address for all its versions: it is fetched anew, and the kept one is used without a connection.

import { abortable, attempted } from "./attempts.js";
import { inflated } from "./inflate.js";
import { requested } from "./pack.js";

const CACHE = "toponym-pages";

/** Bytes of pages, as they are fetched, that stay in Cache Storage: half of the default index. */
const KEPT = 50_000_000;

/** A pause before the list of what was used is written: questions come in bursts. */
const WRITE_AFTER_MS = 1_000;

export class Pages {
  #root;
  #read;
  #limit;
  // Loads under way, by file.
  #loads = new Map();
  // Of each kept file its size and when it was last used; read when first needed.
  #kept;
  #writing;

  /** Of the root at an address. `read(url)` reads addresses that `fetch` cannot; `limit` bytes stay in Cache Storage. */
  constructor(root, { read, limit = KEPT }) {
    this.#root = root;
    this.#read = read;
    this.#limit = limit;
  }

  /** Returns the bytes of the root. */
  async root({ signal, onProgress }) {
    try {
      const bytes = await attempted(() => this.#fetched(this.#root, { signal, onProgress, init: { cache: "no-cache" } }), signal);
      await this.#put(this.#root, bytes);
      return await inflated(bytes);
    } catch (error) {
      signal?.throwIfAborted();
      const kept = await this.#match(this.#root);
      if (!kept) throw error;
      onProgress?.({ loaded: kept.byteLength, total: kept.byteLength, cached: true });
      return inflated(kept);
    }
  }

  /** Returns the bytes of a page. Its download ends when nobody waits for it any more. */
  async page(file, signal) {
    let load = this.#loads.get(file);
    if (!load) {
      const controller = new AbortController();
      load = { controller, waiting: 0, bytes: this.#loaded(file, controller.signal) };
      this.#loads.set(file, load);
      const end = () => this.#loads.get(file) === load && this.#loads.delete(file);
      load.bytes.then(end, end);
    }
    load.waiting += 1;
    try {
      return await abortable(load.bytes, signal);
    } finally {
      load.waiting -= 1;
      if (load.waiting === 0 && this.#loads.get(file) === load) {
        this.#loads.delete(file);
        load.controller.abort();
      }
    }
  }

  /** Forgets a page that is not what it should be. */
  async forget(file) {
    await this.#withCache((cache) => cache.delete(new URL(file, this.#root).href));
  }

  async #loaded(file, signal) {
    const url = new URL(file, this.#root).href;
    const kept = await this.#match(url);
    if (kept) {
      this.#use(file, kept.byteLength);
      return inflated(kept);
    }
    const bytes = await attempted(
      (attempt) => this.#fetched(url, { signal, init: attempt === 1 ? {} : { cache: "reload" } }),
      signal,
    );
    const index = await inflated(bytes);
    if (await this.#put(url, bytes)) this.#use(file, bytes.byteLength);
    return index;
  }

  async #fetched(url, { signal, onProgress, init }) {
    return (await this.#read?.(url)) ?? requested({ url }, { ...init, signal }, onProgress);
  }

  async #match(url) {
    return this.#withCache(async (cache) => {
      const response = await cache.match(url);
      return response && new Uint8Array(await response.arrayBuffer());
    });
  }

  async #put(url, bytes) {
    return this.#withCache(async (cache) => {
      await cache.put(url, new Response(bytes, { headers: { "content-type": "application/octet-stream" } }));
      return true;
    });
  }

  /** Notes that a file was used. Soon after, those that were not used for longest make room. */
  #use(file, size) {
    this.#kept ??= this.#match(this.#list).then((list) => (list ? JSON.parse(new TextDecoder().decode(list)) : {}));
    const used = Date.now();
    this.#kept = this.#kept.then((kept) => Object.assign(kept, { [file]: [size, used] })).catch(() => ({ [file]: [size, used] }));
    this.#writing ??= setTimeout(() => this.#write(), WRITE_AFTER_MS);
    this.#writing.unref?.();
  }

  /** Where the list of kept files is kept: beside them. */
  get #list() {
    return new URL("?kept", this.#root).href;
  }

  async #write() {
    this.#writing = undefined;
    const kept = await this.#kept;
    const byUse = Object.entries(kept).sort(([, [, a]], [, [, b]]) => a - b);
    let bytes = byUse.reduce((sum, [, [size]]) => sum + size, 0);
    await this.#withCache(async (cache) => {
      for (const [file, [size]] of byUse) {
        if (bytes <= this.#limit) break;
        await cache.delete(new URL(file, this.#root).href);
        delete kept[file];
        bytes -= size;
      }
      await cache.put(this.#list, new Response(JSON.stringify(kept)));
    });
  }

  /** Runs `work` with the cache. Without a usable cache, everything works uncached. */
  async #withCache(work) {
    try {
      return globalThis.caches && (await work(await caches.open(CACHE)));
    } catch {
      return undefined;
    }
  }
}
