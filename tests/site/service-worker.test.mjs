// Tests the service workers, the playground's and the one that the npm package's README shows, against caches that are full,
// parts of files, and files of earlier releases. A visit without a network is tested in Chromium: playground.test.mjs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const ROOT = join(import.meta.dirname, "../..");
const ORIGIN = "https://toponym.example";

const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** Each with the beginning of the names of its caches, and a file that it keeps. */
const WORKERS = {
  playground: { source: read("edge-worker/site/sw.js"), caches: "playground-", file: "/playground/page.js" },
  "the README": { source: read("pkg-build/npm/README.md").match(/\/\/ sw\.js\n[^]*?(?=```)/)[0], caches: "page-", file: "/app.js" },
};

/** Caches in memory. `put` fails as `fault` says. */
class Caches {
  stores = new Map();
  fault;

  async open(name) {
    if (!this.stores.has(name)) this.stores.set(name, new Map());
    const store = this.stores.get(name);
    return {
      put: async (request, response) => {
        // As the standard has it.
        if (response.status === 206) throw new TypeError("a part of a file");
        if (this.fault) throw this.fault;
        store.set(request.url, response);
      },
      keys: async () => [...store.keys()].map((url) => ({ url })),
      delete: async ({ url }) => store.delete(url),
    };
  }

  async match({ url }, { cacheName }) {
    return this.stores.get(cacheName)?.get(url)?.clone();
  }

  async keys() {
    return [...this.stores.keys()];
  }

  async delete(name) {
    return this.stores.delete(name);
  }

  /** The addresses of all that is kept. */
  get kept() {
    return [...this.stores.values()].flatMap((store) => [...store.keys()]).map((url) => url.replace(ORIGIN, ""));
  }
}

/** Runs a service worker. `get(path)` is its answer after all that it does beside, `undefined` if it leaves the request alone. */
function started({ source }, answer, { current = [] } = {}) {
  const listeners = {};
  const caches = new Caches();
  const self = { addEventListener: (type, listener) => (listeners[type] = listener), skipWaiting: () => {}, clients: { claim: async () => {} } };
  runInContext(source, createContext({ self, caches, location: { origin: ORIGIN }, URL, fetch: async (request) => answer(request), CURRENT: current }));
  const dispatched = async (type, event) => {
    const work = [];
    let given;
    listeners[type]({ ...event, waitUntil: (promise) => work.push(promise), respondWith: (promise) => (given = promise) });
    const response = await given;
    await Promise.all(work);
    return response;
  };
  return {
    caches,
    get: (path) => dispatched("fetch", { request: { method: "GET", url: ORIGIN + path } }),
    activate: () => dispatched("activate", {}),
  };
}

const isOffline = () => {
  throw new TypeError("Failed to fetch");
};

for (const [name, worker] of Object.entries(WORKERS)) {
  test(`${name}: a file is kept for a visit without a network`, async () => {
    let answer = () => new Response("online");
    const { get, caches } = started(worker, (request) => answer(request));
    assert.equal(await (await get(worker.file)).text(), "online");
    assert.deepEqual(caches.kept, [worker.file]);
    answer = isOffline;
    assert.equal(await (await get(worker.file)).text(), "online");
    await assert.rejects(get(`${worker.file}?never`), /Failed to fetch/);
  });

  test(`${name}: a full cache costs no good answer, and neither does an older one take its place`, async () => {
    let text = "old";
    const { get, caches } = started(worker, () => new Response(text));
    await get(worker.file);
    caches.fault = new DOMException("no room", "QuotaExceededError");
    text = "new";
    assert.equal(await (await get(worker.file)).text(), "new");
  });

  test(`${name}: no cache at all costs no good answer`, async () => {
    const { get, caches } = started(worker, () => new Response("good"));
    caches.open = async () => {
      throw new DOMException("not in a private window", "SecurityError");
    };
    assert.equal(await (await get(worker.file)).text(), "good");
  });

  test(`${name}: a part of a file is answered, and not kept`, async () => {
    const { get, caches } = started(worker, () => new Response("part", { status: 206 }));
    assert.equal((await get(worker.file)).status, 206);
    assert.deepEqual(caches.kept, []);
  });

  test(`${name}: an error is answered, and not kept`, async () => {
    const { get, caches } = started(worker, () => new Response("", { status: 503 }));
    assert.equal((await get(worker.file)).status, 503);
    assert.deepEqual(caches.kept, []);
  });

  test(`${name}: caches of earlier releases go, those of others stay`, async () => {
    const { activate, caches } = started(worker, () => new Response(""));
    for (const cache of [`${worker.caches}0`, "toponym-packs", "another"]) await caches.open(cache);
    await activate();
    assert.ok(!caches.stores.has(`${worker.caches}0`));
    assert.ok(caches.stores.has("toponym-packs") && caches.stores.has("another"));
  });
}

test("the playground: files of earlier builds that are named after their content go", async () => {
  const current = ["/playground/tiles/bbb/", "/playground/maplibre/6.17.0/", "/playground/map-NEWNEWNE.js"];
  const { get, activate, caches } = started(WORKERS.playground, () => new Response("file"), { current });
  const old = ["/playground/tiles/aaa/0/0/0.pbf", "/playground/maplibre/6.16.0/maplibre-gl.mjs", "/playground/map-OLDOLDOL.js"];
  const stay = ["/playground/tiles/bbb/0/0/0.pbf", "/playground/maplibre/6.17.0/maplibre-gl.mjs", "/playground/map-NEWNEWNE.js", "/playground/page.js", "/", "/playground/toponym/index.js"];
  for (const path of [...old, ...stay]) await get(path);
  assert.deepEqual(caches.kept, [...old, ...stay]);
  await activate();
  assert.deepEqual(caches.kept, stay);
});

test("the playground: what is named after its content comes from the cache; packs and other pages are left alone", async () => {
  let requests = 0;
  const { get } = started(WORKERS.playground, () => new Response(String(++requests)));
  const twice = async (path) => [await get(path), await get(path)].map((response) => response?.text());
  assert.deepEqual(await Promise.all(await twice("/playground/tiles/bbb/0/0/0.pbf")), ["1", "1"]);
  assert.deepEqual(await Promise.all(await twice("/playground/map-NEWNEWNE.js")), ["2", "2"]);
  assert.deepEqual(await Promise.all(await twice("/playground/page.js")), ["3", "4"]);
  for (const path of ["/playground/toponym/core.0123456789abcdef.bin", "/status", "/v1/geocoding/forward?query=rome"]) assert.equal(await get(path), undefined, path);
});
