// The files of an index in pages, which never change: from the assets of the deployment, or from a bucket of R2 behind the Cache API.

import { inflated } from "../../pkg-build/npm/src/inflate.js";

/** How long one attempt may take. A page takes some milliseconds. */
const PATIENCE_MS = 2_000;

const ATTEMPTS = 2;

/** Where pages lie among the assets, and under which address they are cached. */
const ADDRESS = "https://toponym.invalid/places/";

/** Returns the bytes of a page. */
export async function pageOf(env, file) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inflated(await inTime(env.PLACES ? ofBucket(env.PLACES, file) : ofAssets(env.PAGES, file)));
    } catch (error) {
      if (attempt === ATTEMPTS) throw new Error(`${file}: ${error.message}`);
    }
  }
}

async function ofAssets(assets, file) {
  const response = await assets.fetch(ADDRESS + file);
  if (!response.ok) throw new Error(`the assets answer ${response.status}`);
  return bytesOf(response);
}

async function ofBucket(bucket, file) {
  const cached = await caches.default.match(ADDRESS + file);
  if (cached) return bytesOf(cached);
  const found = await bucket.get(file);
  if (!found) throw new Error("the bucket lacks it");
  const bytes = new Uint8Array(await found.arrayBuffer());
  const headers = { "cache-control": "public, max-age=31536000, immutable", "content-type": "application/octet-stream" };
  // Another request would find it in the bucket.
  await caches.default.put(ADDRESS + file, new Response(bytes, { headers })).catch(() => {});
  return bytes;
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
