// The files of an index in pages, which never change: from the assets of the deployment, or from a bucket of R2 behind the Cache API.

import { waitUntil } from "cloudflare:workers";
import { inflated } from "../../pkg-build/npm/src/inflate.js";

/** How long one attempt may take, milliseconds. A page takes some of them. */
const PATIENCE_MS = 2_000;

const ATTEMPTS = 2;

/** Where pages lie among the assets, and under which address they are cached. */
const ADDRESS = "https://toponym.invalid/places/";

/** How a page is cached: a name never gets other bytes. */
const CACHED = { "cache-control": "public, max-age=31536000, immutable", "content-type": "application/octet-stream" };

/** The pages that are on their way, by name. Questions that come meanwhile wait for the same one. */
const coming = new Map();

/** Returns the bytes of a page. */
export async function pageOf(env, file) {
  for (let attempt = 1; ; attempt += 1) {
    const page = coming.get(file) ?? begin(env, file);
    try {
      return await inTime(page);
    } catch (error) {
      // It may never end: the platform gives up what a request waits for when its client has gone.
      forget(file, page);
      if (attempt === ATTEMPTS) throw new Error(`${file}: ${error.message}`);
    }
  }
}

function begin(env, file) {
  const page = env.PLACES ? ofBucket(env.PLACES, file) : ofAssets(env.PAGES, file);
  coming.set(file, page);
  const over = () => forget(file, page);
  // Others wait for it too, whoever asked first.
  waitUntil(page.then(over, over));
  return page;
}

function forget(file, page) {
  if (coming.get(file) === page) coming.delete(file);
}

async function ofAssets(assets, file) {
  const response = await assets.fetch(ADDRESS + file);
  if (!response.ok) throw new Error(`the assets answer ${response.status}`);
  return unpacked(file, await bytesOf(response));
}

async function ofBucket(bucket, file) {
  const cached = await caches.default.match(ADDRESS + file);
  if (cached) return unpacked(file, await bytesOf(cached));
  const found = await bucket.get(file);
  if (!found) throw new Error("the bucket lacks it");
  const bytes = await bytesOf(found);
  const page = await unpacked(file, bytes);
  // Only the right page is cached. Without it, another request finds it in the bucket.
  waitUntil(caches.default.put(ADDRESS + file, new Response(bytes, { headers: CACHED })).catch(() => {}));
  return page;
}

/** Where a page has its checksum, which is its name: engine/FORMAT.md. */
const CHECKSUM = 24;

async function unpacked(file, bytes) {
  const page = await inflated(bytes);
  const isPage = page.length >= CHECKSUM + 8;
  const name = isPage && new DataView(page.buffer, page.byteOffset).getBigUint64(CHECKSUM, true).toString(16).padStart(16, "0");
  if (name !== file) throw new Error("it is not this page");
  return page;
}

async function bytesOf(response) {
  return new Uint8Array(await response.arrayBuffer());
}

async function inTime(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
