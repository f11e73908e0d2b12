// Fetches packs by URL: reports progress, verifies the hash, retries failures, and caches the index for the next visit.
//
// If the hash of a pack is known, its unpacked index goes into the Cache API, so that a later visit need not unpack it.
// The key is the pack's URL, which contains the hash and so never changes. Only an index that was opened successfully is
// cached. Opening a cached index checks the index's own checksum. If that fails, the entry is removed and fetched again.

import { attempted } from "./attempts.js";
import { fault } from "./fault.js";
import { inflated, isCompressed } from "./inflate.js";

const CACHE = "toponym-packs";

/** Packs in the cache: the first, the core and the full one, and their successors while pages of both versions are open. */
const MAX_CACHED = 6;

/** Statuses of a server after which the same request may succeed a moment later. */
const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Opens the pack `{ url, sha256, size }` by `open(index, trusted)`. `read(url)` reads URLs that `fetch` cannot. `kept` is
 * the result of `recalled(pack)`, if the caller already has it.
 */
export async function fetched(pack, open, { signal, onProgress, read, kept }) {
  if (kept === undefined) kept = await recalled(pack);
  if (kept) {
    try {
      const opened = await open(kept);
      onProgress?.({ loaded: kept.byteLength, total: kept.byteLength, cached: true });
      return opened;
    } catch (error) {
      // Other errors do not come from the cached index.
      if (error?.code !== "invalid_index") throw error;
      await forget(pack);
    }
  }
  return attempted(async (attempt) => {
    const bytes = (await read?.(pack.url)) ?? (await download(pack, attempt, { signal, onProgress }));
    const [trusted, index] = await Promise.all([verified(pack, bytes), inflated(bytes)]);
    const opened = await open(index, trusted);
    // Nobody waits for it: storage may be slow, or hang.
    void keep(pack, index);
    return opened;
  }, signal);
}

async function download(pack, attempt, { signal, onProgress }) {
  // The damaged bytes may come from the HTTP cache.
  return requested(pack, attempt === 1 ? { signal } : { signal, cache: "reload" }, onProgress);
}

/** Requests the file `{ url, size }` by `send` and returns its bytes. */
export async function requested({ url, size }, init, onProgress, send = fetch) {
  const response = await request(url, init, send);
  if (!response.ok) {
    const { status } = response;
    const error = fault("download_failed", `${url}: the server answered ${status}`);
    throw Object.assign(error, { status, final: !RETRYABLE.has(status) });
  }
  // The declared length counts the bytes on the wire, so it is useless for an encoded body.
  const declared = response.headers.has("content-encoding") ? undefined : Number(response.headers.get("content-length"));
  return body(response, size ?? (declared || undefined), url, onProgress);
}

async function request(url, init, send) {
  try {
    return await send(url, init);
  } catch (error) {
    throw fault("download_failed", `${url} cannot be fetched: is there a connection?`, error);
  }
}

async function body(response, total, url, onProgress) {
  const chunks = [];
  let loaded = 0;
  onProgress?.({ loaded, total, cached: false });
  const reader = response.body.getReader();
  const next = () =>
    reader.read().catch((error) => {
      throw fault("download_failed", `${url}: the download was cut short after ${loaded} bytes`, error);
    });
  for (let { done, value } = await next(); !done; { done, value } = await next()) {
    chunks.push(value);
    loaded += value.byteLength;
    onProgress?.({ loaded, total, cached: false });
  }
  const bytes = new Uint8Array(loaded);
  chunks.reduce((at, chunk) => (bytes.set(chunk, at), at + chunk.byteLength), 0);
  return bytes;
}

/** Verifies the hash. Returns `false` if there is none to compare with, or if the page cannot compute one. */
async function verified({ url, sha256 }, bytes) {
  // A server may have decompressed the bytes. The index has its own checksum.
  if (!sha256 || !isCompressed(bytes) || !globalThis.crypto?.subtle) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== sha256) throw fault("invalid_index", `${url} is not the expected pack: its checksum differs`);
  return true;
}

/** Returns the index of a pack that an earlier visit cached, or `null`. */
export async function recalled({ url, sha256 }) {
  if (!sha256) return null;
  const index = await withCache(async (cache) => {
    const response = await cache.match(url);
    return response && new Uint8Array(await response.arrayBuffer());
  });
  return index ?? null;
}

async function keep({ url, sha256 }, index) {
  if (!sha256) return;
  await withCache(async (cache) => {
    await cache.put(url, new Response(index, { headers: { "content-type": "application/octet-stream" } }));
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, -MAX_CACHED).map((key) => cache.delete(key)));
  });
}

function forget({ url }) {
  return withCache((cache) => cache.delete(url));
}

/** Runs `work` with the cache. Without a usable cache, everything works uncached. */
async function withCache(work) {
  try {
    return globalThis.caches && (await work(await caches.open(CACHE)));
  } catch {
    return undefined;
  }
}
