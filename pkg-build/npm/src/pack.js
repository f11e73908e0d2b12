// Packs by URL: fetched with progress, checked, tried again where that may help, kept for the next visit.
//
// Of a pack whose hash is known the index in it is kept, so that a later visit has nothing to unpack: in the Cache API,
// under the pack's URL, which holds that hash and so never changes. Nothing is kept that has not been opened. What is kept
// is opened by the index's own checksum; if that fails it is removed and fetched again.

import { attempted } from "./attempts.js";
import { fault } from "./fault.js";
import { inflated, isCompressed } from "./inflate.js";

const CACHE = "toponym-packs";

/** Packs that are kept: the core and the full one, and their successors while pages of both versions are open. */
const KEPT = 4;

/** What a server says when the same request may succeed a moment later. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Opens the pack `{ url, sha256, size }` by `open(index, trusted)`. `read(url)` reads what `fetch` cannot; `kept` is what
 * `recalled(pack)` gave, where that was asked already.
 */
export async function fetched(pack, open, { signal, onProgress, read, kept }) {
  if (kept === undefined) kept = await recalled(pack);
  if (kept) {
    try {
      const opened = await open(kept);
      onProgress?.({ loaded: kept.byteLength, total: kept.byteLength, cached: true });
      return opened;
    } catch (error) {
      // Whatever else went wrong is no fault of what is kept.
      if (error?.code !== "invalid_index") throw error;
      await forget(pack);
    }
  }
  return attempted(async (attempt) => {
    const bytes = (await read?.(pack.url)) ?? (await download(pack, attempt, { signal, onProgress }));
    const [trusted, index] = await Promise.all([verified(pack, bytes), inflated(bytes)]);
    const opened = await open(index, trusted);
    await keep(pack, index);
    return opened;
  }, signal);
}

async function download({ url, size }, attempt, { signal, onProgress }) {
  // What the HTTP cache has may be the very thing that is damaged.
  const response = await request(url, attempt === 1 ? { signal } : { signal, cache: "reload" });
  if (!response.ok) {
    const error = fault("download_failed", `${url}: the server answered ${response.status}`);
    error.final = !PASSING.has(response.status);
    throw error;
  }
  // The declared length is that of what travels, which says nothing when it is encoded.
  const declared = response.headers.has("content-encoding") ? undefined : Number(response.headers.get("content-length"));
  return body(response, size ?? (declared || undefined), url, onProgress);
}

async function request(url, init) {
  try {
    return await fetch(url, init);
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

/** Whether the hash is that of the pack. It is not known where there is none, or where the page may compute none. */
async function verified({ url, sha256 }, bytes) {
  // Plain bytes are those of a server that unpacked them on the way; the index has a checksum of its own.
  if (!sha256 || !isCompressed(bytes) || !globalThis.crypto?.subtle) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== sha256) throw fault("invalid_index", `${url} is not the expected pack: its checksum differs`);
  return true;
}

/** The index that an earlier visit kept of a pack, or `null`. */
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
    await Promise.all(keys.slice(0, -KEPT).map((key) => cache.delete(key)));
  });
}

function forget({ url }) {
  return withCache((cache) => cache.delete(url));
}

/** Where there is no cache, or none that may be used, nothing is kept and all still works. */
async function withCache(work) {
  try {
    return globalThis.caches && (await work(await caches.open(CACHE)));
  } catch {
    return undefined;
  }
}
