// Files of indexes in pages that stay in Cache Storage, for later visits and for times without a connection.
//
// One list says of each file its size and when it was last used, for the indexes of all addresses together. What was used
// goes into it a moment later, because questions come in bursts, and in each tab in turn. Where nothing can be kept, as in a
// private window, every method does nothing.

const CACHE = "toponym-pages";

/** Under this address the list lies among the files. Nothing is ever fetched from it. */
const LIST = "https://toponym.invalid/kept";

const WRITE_AFTER_MS = 1_000;

/** What stays of the files when the browser has no more room. */
const SHARE_WHEN_FULL = 0.75;

export class Kept {
  #limit;
  #root;
  // What was used and is not in the list yet: by address the size, and when.
  #used = new Map();
  #writing;
  #isFull = false;
  #isCounted = false;

  /** Of the index whose root is at an address: at most `limit` bytes of it and of all others, and its root in any case. */
  constructor(root, limit) {
    this.#root = root;
    this.#limit = limit;
  }

  /** The bytes of a file, or `undefined`. */
  async get(url) {
    const bytes = await this.#withCache((cache) => bytesIn(cache, url));
    if (bytes) this.#use(url, bytes.byteLength);
    return bytes;
  }

  /** Keeps a file. Returns whether that was possible. */
  async put(url, bytes) {
    const headers = { "content-type": "application/octet-stream", "content-length": String(bytes.byteLength) };
    const put = async (cache) => {
      try {
        await cache.put(url, new Response(bytes, { headers }));
        return true;
      } catch (error) {
        this.#isFull ||= error.name === "QuotaExceededError";
        throw error;
      }
    };
    const isKept = (await this.#withCache(put)) === true;
    if (isKept) this.#use(url, bytes.byteLength);
    else if (this.#isFull) this.#writeSoon();
    return isKept;
  }

  /** Forgets a file. */
  async remove(url) {
    this.#used.delete(url);
    await this.#withCache((cache) => cache.delete(url));
  }

  /** Forgets the pages beside the root that are not in a set of addresses. */
  async removeOthers(urls) {
    const folder = new URL(".", this.#root).href;
    const isOld = (url) => url !== this.#root && url.startsWith(folder) && !urls.has(url);
    for (const url of this.#used.keys()) if (isOld(url)) this.#used.delete(url);
    await this.#changeList(async (cache, list) => {
      for (const { url } of await cache.keys()) {
        if (!isOld(url)) continue;
        await cache.delete(url);
        delete list[url];
      }
    });
  }

  #use(url, size) {
    this.#used.set(url, [size, Date.now()]);
    this.#writeSoon();
  }

  #writeSoon() {
    this.#writing ??= setTimeout(() => this.#write(), WRITE_AFTER_MS);
    // Node and Deno do not wait for it.
    this.#writing.unref?.();
  }

  #write() {
    this.#writing = undefined;
    return this.#changeList(async (cache, list) => {
      if (!this.#isCounted) await count(cache, list);
      this.#isCounted = true;
      Object.assign(list, Object.fromEntries(this.#used));
      this.#used.clear();
      await this.#trim(cache, list);
    });
  }

  /** Those that were not used for longest make room. */
  async #trim(cache, list) {
    let bytes = Object.values(list).reduce((sum, [size]) => sum + size, 0);
    const most = this.#isFull ? Math.min(this.#limit, bytes * SHARE_WHEN_FULL) : this.#limit;
    this.#isFull = false;
    const byUse = Object.entries(list).sort(([, [, a]], [, [, b]]) => a - b);
    for (const [url, [size]] of byUse) {
      if (bytes <= most) break;
      if (url === this.#root) continue;
      await cache.delete(url);
      delete list[url];
      bytes -= size;
    }
  }

  /** Changes the list by `change(cache, list)`, while no other tab does. */
  async #changeList(change) {
    const changed = () =>
      this.#withCache(async (cache) => {
        const list = await listIn(cache);
        await change(cache, list);
        await cache.put(LIST, new Response(JSON.stringify(list)));
      });
    const locks = globalThis.navigator?.locks;
    // A frame without an origin of its own may have neither locks nor caches.
    return locks ? locks.request(CACHE, changed).catch(() => {}) : changed();
  }

  /** Runs `work` with the cache. Without a usable one there is nothing. */
  async #withCache(work) {
    try {
      return this.#limit > 0 && globalThis.caches ? await work(await caches.open(CACHE)) : undefined;
    } catch {
      return undefined;
    }
  }
}

async function bytesIn(cache, url) {
  const response = await cache.match(url);
  return response && new Uint8Array(await response.arrayBuffer());
}

async function listIn(cache) {
  try {
    const response = await cache.match(LIST);
    return response ? await response.json() : {};
  } catch {
    return {};
  }
}

/** Lists what is there, and nothing else: a tab may have been closed before it wrote. */
async function count(cache, list) {
  const there = new Set((await cache.keys()).map(({ url }) => url));
  for (const url of Object.keys(list)) if (!there.has(url)) delete list[url];
  for (const url of there) {
    if (url === LIST || list[url]) continue;
    const { headers } = await cache.match(url);
    list[url] = [Number(headers.get("content-length")), Date.now()];
  }
}
