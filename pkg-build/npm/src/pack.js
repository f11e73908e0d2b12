// Packs by URL: fetched with progress, checked, tried again where that may help, kept for the next visit.
//
// A pack whose hash is known is kept in the Cache API under its URL, which holds that hash: it never changes. Nothing is
// kept that has not been opened, and what is kept but does not open is removed and fetched again.

import { fault } from "./fault.js";
import { isCompressed } from "./inflate.js";

/** Attempts in all, and the pause before the second one; each further one is twice as long. */
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;

const CACHE = "toponym-packs";

/** Packs that are kept: the core and the full one, and their successors while pages of both versions are open. */
const KEPT = 4;

/** What a server says when the same request may succeed a moment later. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Opens the pack `{ url, sha256, size }` by `open(bytes)`. `read(url)` reads what `fetch` cannot.
 */
export async function fetched(pack, open, { signal, onProgress, read }) {
  const kept = await recalled(pack);
  if (kept) {
    try {
      const opened = await open(kept);
      onProgress?.({ loaded: kept.byteLength, total: kept.byteLength, cached: true });
      return opened;
    } catch (error) {
      signal?.throwIfAborted();
      await forget(pack);
    }
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      const bytes = (await read?.(pack.url)) ?? (await download(pack, attempt, { signal, onProgress }));
      await verify(pack, bytes);
      const opened = await open(bytes);
      await keep(pack, bytes);
      return opened;
    } catch (error) {
      signal?.throwIfAborted();
      if (error.final || attempt === ATTEMPTS) throw error;
      await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1), signal);
    }
  }
}

async function download({ url, size }, attempt, { signal, onProgress }) {
  // What the HTTP cache has may be the very thing that is damaged.
  const response = await request(url, { signal, cache: attempt === 1 ? "default" : "reload" });
  if (!response.ok) {
    const error = fault("download_failed", `${url}: the server answered ${response.status}`);
    if (!PASSING.has(response.status)) error.final = true;
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
  try {
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      loaded += value.byteLength;
      onProgress?.({ loaded, total, cached: false });
    }
  } catch (error) {
    throw fault("download_failed", `${url}: the download was cut short after ${loaded} bytes`, error);
  }
  const bytes = new Uint8Array(loaded);
  chunks.reduce((at, chunk) => (bytes.set(chunk, at), at + chunk.byteLength), 0);
  return bytes;
}

/** Compares with the hash, where there is one and the page may compute hashes (in secure contexts). */
async function verify({ url, sha256 }, bytes) {
  // Plain bytes are those of a server that unpacked them on the way; the index has a checksum of its own.
  if (!sha256 || !isCompressed(bytes) || !globalThis.crypto?.subtle) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== sha256) throw fault("invalid_index", `${url} is not the expected pack: its checksum differs`);
}

async function recalled({ url, sha256 }) {
  const response = sha256 && (await withCache((cache) => cache.match(url)));
  return response && new Uint8Array(await response.arrayBuffer());
}

async function keep({ url, sha256 }, bytes) {
  if (!sha256) return;
  await withCache(async (cache) => {
    await cache.put(url, new Response(bytes, { headers: { "content-type": "application/octet-stream" } }));
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

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
