// The files of an index in pages, which never change: from the assets of the deployment, or from a bucket of R2 behind the Cache API.

import { waitUntil } from "cloudflare:workers";
import { inflated } from "../../pkg-build/npm/src/inflate.js";

/** How long one attempt may take, milliseconds. A page takes some of them. */
const PATIENCE_MS = 2_000;

const ATTEMPTS = 2;

/** Pages that a request fetches at once. The platform opens so many connections that wait for an answer; further ones would wait for
 * those, with their time running. */
const AT_ONCE = 6;

/** How long a request begins to fetch pages, milliseconds. Whoever waits longer than `STALLED_MS` of under_way.rs is given up. */
const BEGINS_MS = 10_000;

/** What the platform says when a request has made as many subrequests as the account allows: 50 on a free one. */
const REFUSED = /too many (subrequests|api requests)/i;

/** Where pages lie among the assets. The binding does not look at the host. */
const ASSETS = "https://assets.invalid/places/";

/** Under which address they are cached: below the host of the service, as the platform wants it. Nothing until a request has come. */
let cacheAddress;

/** Takes the address of a request. On workers.dev the platform caches nothing. */
export function noteAddress(url) {
  cacheAddress ??= new URL("/places/", url).href;
}

/** How a page is cached: a name never gets other bytes. */
const CACHED = { "cache-control": "public, max-age=31536000, immutable", "content-type": "application/octet-stream" };

/** The pages that are on their way, by name. Questions that come meanwhile wait for the same one. */
const coming = new Map();

/** Whether the platform refused a request of this isolate. */
let isLimited = false;

/**
 * Fetches pages. Returns `pages`, the bytes of each that came and null for the others, and `failure`: nothing if all came, "limit" if
 * this request may fetch no more and another one can fetch the rest, "upstream" if a page cannot be had.
 */
export async function pagesOf(env, files) {
  // A look into the cache counts as much as a page. Where requests are limited, many pages come from the bucket alone.
  const fetching = { env, usesCache: cacheAddress !== undefined && (!isLimited || files.length <= AT_ONCE), toCache: [] };
  const pages = files.map(() => null);
  const rest = files.entries();
  const until = Date.now() + BEGINS_MS;
  let failure;
  const fetchSome = async () => {
    for (const [at, file] of rest) {
      if (Date.now() > until) failure ??= "limit";
      if (failure) return;
      try {
        pages[at] = await pageOf(fetching, file);
      } catch (error) {
        const isRefused = REFUSED.test(error.message);
        isLimited ||= isRefused;
        failure ??= isRefused ? "limit" : "upstream";
        console.error(`a page cannot be fetched: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchSome));
  if (fetching.toCache.length > 0) waitUntil(inTurn(fetching.toCache));
  return { pages, failure };
}

async function pageOf(fetching, file) {
  for (let attempt = 1; ; attempt += 1) {
    const page = coming.get(file) ?? begin(fetching, file);
    try {
      return await inTime(page);
    } catch (error) {
      // It may never end: the platform gives up what a request waits for when its client has gone.
      forget(file, page);
      if (attempt === ATTEMPTS) throw new Error(`${file}: ${error.message}`);
    }
  }
}

function begin(fetching, file) {
  const page = fetching.env.PLACES ? ofBucket(fetching, file) : ofAssets(fetching.env.PAGES, file);
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
  const response = await assets.fetch(ASSETS + file);
  if (!response.ok) throw new Error(`the assets answer ${response.status}`);
  return unpacked(file, await bytesOf(response));
}

async function ofBucket({ env, usesCache, toCache }, file) {
  const cached = usesCache && (await caches.default.match(cacheAddress + file));
  if (cached) return unpacked(file, await bytesOf(cached));
  const found = await env.PLACES.get(file);
  if (!found) throw new Error("the bucket lacks it");
  const bytes = await bytesOf(found);
  const page = await unpacked(file, bytes);
  // Only the right page is cached. Without it, another request finds it in the bucket.
  if (usesCache) toCache.push(() => caches.default.put(cacheAddress + file, new Response(bytes, { headers: CACHED })));
  return page;
}

// One after the other, so that they leave connections to what a request waits for. What fails is not cached.
async function inTurn(puts) {
  for (const put of puts) await put().catch(() => {});
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
