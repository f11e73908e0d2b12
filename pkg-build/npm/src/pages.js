// Fetches the files of an index in pages from any static host.
//
// A page is named by its checksum and never changes, so one that is kept is used without asking the host. The root has one
// address for all its versions: the kept one is used at once, and a newer one as soon as it is there.

import { abortable, attempted } from "./attempts.js";
import { fault } from "./fault.js";
import { inflated } from "./inflate.js";
import { Kept } from "./kept.js";
import { requested } from "./pack.js";

/** Bytes of files that stay in Cache Storage. */
const KEPT = 50_000_000;

/** Time without a byte after which a download is given up. */
const TIMEOUT_MS = 10_000;

/** A download that fails is begun once more. */
const ATTEMPTS = 2;

/** A download that nobody waits for any more goes on for so long: the next letter often needs the same page. */
const GRACE_MS = 20;

export class Pages {
  #root;
  #read;
  #send;
  #timeout;
  #isShared;
  #kept;
  #limit;
  // Downloads under way, by file.
  #loads = new Map();
  // What the root was made of when it was read.
  #print;

  /**
   * Of the root at an address. `read(url)` reads addresses that `fetch` cannot, `send` is used in place of `fetch`. Without
   * `isShared` no question waits for the download of another, and nothing is kept.
   */
  constructor(root, { read, fetch: send, cache = KEPT, timeout = TIMEOUT_MS, isShared = true }) {
    this.#root = root;
    this.#read = read;
    this.#send = send;
    this.#timeout = timeout;
    this.#isShared = isShared;
    this.#limit = isShared ? cache : 0;
    this.#kept = new Kept(root, this.#limit);
  }

  /** Bytes that stay in Cache Storage. */
  get limit() {
    return this.#limit;
  }

  /** Opens the root by `open(bytes)`: the kept one, or else that of the host. Returns what it opened, and whether that was kept. */
  async root(open, { signal, onProgress }) {
    const kept = await this.#kept.get(this.#root);
    if (kept) {
      try {
        const opened = await open(await inflated(kept));
        this.#print = print(kept);
        onProgress?.({ loaded: kept.byteLength, total: kept.byteLength, cached: true });
        return { opened, isKept: true };
      } catch (error) {
        // Damaged, or of another version of this package.
        if (error.code !== "invalid_index") throw error;
        await this.#kept.remove(this.#root);
      }
    }
    return { opened: await this.#opened(open, { signal, onProgress }), isKept: false };
  }

  /** Opens the root of the host by `open(bytes)` if it is another one; else `undefined`. */
  async newRoot(open, options) {
    return this.#opened(open, { ...options, isOther: (bytes) => print(bytes) !== this.#print });
  }

  /**
   * Gives `use` the bytes of a page, which is kept if that returns true. Returns their number as they were fetched, and a
   * promise of whether they are kept. Its download ends when nobody waits for it any more.
   */
  async page(file, use, { signal, priority } = {}) {
    signal?.throwIfAborted();
    const load = (this.#isShared && this.#loads.get(file)) || this.#begin(file, use, priority);
    load.waiting += 1;
    try {
      return await abortable(load.done, signal);
    } finally {
      load.waiting -= 1;
      if (load.waiting === 0 && !load.isDone) setTimeout(() => load.waiting || load.stop.abort(), GRACE_MS);
    }
  }

  /** Forgets the pages that are not among `files`. */
  async keepOnly(files) {
    await this.#kept.removeOthers(new Set(files.map((file) => this.#address(file))));
  }

  /** Ends all downloads. */
  stop(reason) {
    for (const { stop } of this.#loads.values()) stop.abort(reason);
  }

  #address(file) {
    return new URL(file, this.#root).href;
  }

  #begin(file, use, priority) {
    const stop = new AbortController();
    const { signal } = stop;
    const load = { stop, waiting: 0, isDone: false, done: abortable(this.#loaded(file, use, { signal, priority }), signal) };
    this.#loads.set(file, load);
    const end = () => {
      load.isDone = true;
      if (this.#loads.get(file) === load) this.#loads.delete(file);
    };
    load.done.then(end, end);
    return load;
  }

  async #opened(open, { signal, onProgress, priority, isOther = () => true }) {
    return attempted(
      async (attempt) => {
        const cache = attempt === 1 ? "no-cache" : "reload";
        const bytes = await this.#fetched(this.#root, { signal, onProgress, cache, priority, hint: ROOT_HINT });
        if (!isOther(bytes)) return undefined;
        const opened = await open(await inflated(bytes));
        this.#print = print(bytes);
        this.#kept.put(this.#root, bytes);
        return opened;
      },
      signal,
      ATTEMPTS,
    );
  }

  async #loaded(file, use, { signal, priority }) {
    const url = this.#address(file);
    const kept = await this.#kept.get(url);
    if (kept) {
      try {
        use(await inflated(kept));
        return { bytes: kept.byteLength, kept: true };
      } catch (error) {
        if (error.code !== "invalid_index") throw error;
        await this.#kept.remove(url);
      }
    }
    return attempted(
      async (attempt) => {
        // What is in the cache of HTTP is good for ever, unless it is damaged, or that a file was missing once.
        const isFirst = attempt === 1;
        const asked = { signal, cache: isFirst ? "force-cache" : "reload", priority, hint: PAGE_HINT };
        const bytes = await this.#fetched(url, asked).catch((error) => {
          throw isFirst ? Object.assign(error, { final: false }) : error;
        });
        const isUsed = await used(use, bytes, url);
        return { bytes: bytes.byteLength, kept: isUsed && this.#kept.put(url, bytes) };
      },
      signal,
      ATTEMPTS,
    );
  }

  async #fetched(url, { signal, onProgress, cache, priority, hint }) {
    const read = await this.#read?.(url);
    if (read) return read;
    // Workers have neither.
    const modes = this.#isShared ? { cache, priority } : {};
    const { stop, alive, end } = patience(url, signal, this.#timeout);
    const progress = (progress) => {
      alive();
      onProgress?.(progress);
    };
    try {
      return await abortable(requested({ url }, { ...modes, signal: stop }, progress, this.#send), stop);
    } catch (error) {
      if (error.status === 404 || error.status === 410) error.message += `: ${hint}`;
      else if (!error.status && isElsewhere(url)) error.message += CORS_HINT;
      throw error;
    } finally {
      end();
    }
  }
}

const ROOT_HINT = 'the option pages must be the address of the file "root" that `toponym index --paged` writes';

const PAGE_HINT = "upload all files that `toponym index --paged` writes, the root last";

const CORS_HINT = " The host must let pages of other origins fetch it: access-control-allow-origin";

/** Whether a page of the browser may fetch it only if its host says so. */
function isElsewhere(url) {
  const { origin } = globalThis.location ?? {};
  return origin !== undefined && new URL(url).origin !== origin;
}

/** Uses a page. A host may have sent something else. */
async function used(use, bytes, url) {
  try {
    return use(await inflated(bytes));
  } catch (error) {
    if (error.code !== "invalid_index") throw error;
    throw fault("invalid_index", `${url} is damaged, or not a page of this index: ${PAGE_HINT}, and let the host answer 404 for files that it lacks`, error);
  }
}

/** A signal that is aborted when `signal` is, or when nothing was `alive` for so many milliseconds. */
function patience(url, signal, timeout) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const tooLong = () => controller.abort(fault("download_failed", `${url}: nothing came for ${timeout / 1000} seconds: try again on a better connection`));
  let timer;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(tooLong, timeout);
  };
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  };
  signal?.addEventListener("abort", abort);
  alive();
  return { stop: controller.signal, alive, end };
}

/** Tells versions of a file apart (FNV-1a, and the length). */
function print(bytes) {
  const hash = bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5);
  return `${hash} ${bytes.byteLength}`;
}
