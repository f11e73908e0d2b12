// Tests the service over an index in pages, which lie among the assets or in a bucket of R2: answers are those of the index in one
// file, each page is fetched once, and a store that fails costs nobody anything. faults.mjs makes the stores fail.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { start } from "./harness.mjs";
import { TwoVersions, pagesOf, startOver } from "./small-index.mjs";

/** Annecy, which the later version lacks. */
const ANNECY = 3037543;

const UPSTREAM = { statusCode: 502, error: "Bad Gateway", message: "Upstream service error" };

const QUESTIONS = [
  "GET /v1/geocoding/forward?query=Lyon",
  "GET /v1/geocoding/forward?query=lion,%20france&limit=10&fields=all",
  "GET /v1/geocoding/forward?query=Florenz&lang=de",
  "GET /v1/geocoding/forward?query=%E4%BA%AC%E9%83%BD",
  "GET /v1/geocoding/forward?query=%CE%91%CE%B8%CE%AE%CE%BD%CE%B1&lang=fr&format=geojson",
  "GET /v1/geocoding/forward?query=Sain&types=city&countrycodes=fr&limit=50",
  "GET /v1/geocoding/forward?city=Nice&country=France",
  "GET /v1/geocoding/forward?query=xqzzvkj",
  "GET /v1/geocoding/autocomplete?q=m",
  "GET /v1/geocoding/autocomplete?q=mar",
  "GET /v1/geocoding/autocomplete?q=marseile&limit=3",
  "GET /v1/geocoding/autocomplete?q=osak&lang=ja",
  "GET /v1/geocoding/reverse?lat=45.76&lon=4.84",
  "GET /v1/geocoding/reverse?lat=34.69&lon=135.5&lang=ja&fields=all",
  "GET /v1/geocoding/reverse?lat=41.9&lon=12.5&limit=5&radius=50000",
  "GET /v1/geocoding/reverse?lat=0&lon=-150",
  "GET /v1/geocoding/place/2988507",
  "GET /v1/geocoding/place?ref=iata:CDG&lang=it",
  "GET /v1/geocoding/place/1",
  `GET /v1/geocoding/place/${ANNECY}`,
];

/** The place of the other index: `small_paged`. */
const SHOP = 2 ** 50;

const OF_OWN = [
  "GET /v1/geocoding/forward?query=our%20shop",
  "GET /v1/geocoding/forward?query=Our%20Shop,%20Paris",
  "GET /v1/geocoding/autocomplete?q=our%20s",
  "GET /v1/geocoding/reverse?lat=48.8534&lon=2.3488&limit=3",
  `GET /v1/geocoding/place/${SHOP}`,
  "GET /attribution",
];

const BATCH = JSON.stringify({
  queries: ["Toulouse", "Milano", { city: "Kobe", country: "Japan" }, { lat: 37.98, lon: 23.73 }, "xqzzvkj", ""],
});

let versions, whole, ofWhole;
before(async () => {
  versions = new TwoVersions(ANNECY);
  whole = await start({ indexes: [versions.later.whole] });
  ofWhole = await whole.token("localdemo");
});
after(async () => {
  await whole?.stop();
  versions?.remove();
});

test("places of one's own answer together with pages", async () => {
  const both = await start({ indexes: [versions.later.whole, versions.later.own] });
  const service = await startOver(versions.later.pages, "assets", [versions.later.own]);
  try {
    const [ofBoth, token] = [await both.token("localdemo"), await service.token("localdemo")];
    for (const line of [...OF_OWN, ...QUESTIONS]) {
      const [got, expect] = [await service.sendAs(token, line), await both.sendAs(ofBoth, line)];
      assert.deepEqual([got.status, await got.json()], [expect.status, await expect.json()], line);
    }
    const [shop] = await (await service.sendAs(token, OF_OWN[0])).json();
    assert.equal(shop.place_id, SHOP);
  } finally {
    await service.stop();
    await both.stop();
  }
});

test("who publishes the pages shows them to everybody, for as long as they are the same", async () => {
  const index = versions.later.pages;
  const service = await startOver(index, "assets", [], { PUBLISH_PLACES: "true" });
  try {
    for (const path of ["/places/root", `/places/${pagesOf(index)[0]}`]) {
      const response = await service.send(`GET ${path}`);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get("access-control-allow-origin"), "*", path);
      assert.ok((await response.arrayBuffer()).byteLength > 0, path);
    }
    const [page] = pagesOf(index);
    const cached = async (file) => (await service.send(`HEAD /places/${file}`)).headers.get("cache-control");
    assert.equal(await cached(page), "public, max-age=31536000, immutable");
    assert.equal(await cached("root"), "no-cache");
    const missing = await service.send("GET /places/0123456789abcdef");
    assert.deepEqual([missing.status, (await missing.json()).message], [404, "Cannot GET /places/0123456789abcdef"]);
  } finally {
    await service.stop();
  }
});

for (const store of ["assets", "r2"]) {
  describe(store, () => {
    let service, token;
    before(async () => {
      service = await startOver(versions.later.pages, store);
      // A key that does not lease: its object is asked about every request.
      token = await service.token("", await service.create("growth", { overrides: { perMinute: 100_000 } }));
    });
    beforeEach(() => faults({ pages: null, "pages.after": null, client: null }));
    after(() => service?.stop());

    const ask = (line, body) => service.sendAs(token, line, body);
    const faults = async (armed) => (await service.send(`${armed ? "POST" : "GET"} /faults`, { body: armed && JSON.stringify(armed) })).json();
    const find = (name) => ask(`GET /v1/geocoding/forward?query=${name}&limit=1`);
    const remaining = (response) => Number(response.headers.get("x-ratelimit-remaining"));

    // Calls `act`, and returns how often the store was asked for each page meanwhile.
    async function fetchesOf(act) {
      const { fetched: earlier } = await faults();
      await act();
      const { fetched } = await faults();
      return Object.entries(fetched).map(([file, count]) => count - (earlier[file] ?? 0)).filter((count) => count > 0);
    }

    // Names of different pages: each test has one that no other test fetched.
    const FAILING = { missing: "Brest", torn: "Strasbourg", another: "Nice", silent: "Sapporo" };

    for (const [fault, name] of Object.entries(FAILING)) {
      test(`a page is ${fault}: 502, for nothing, and the next one finds it`, async () => {
        const before = remaining(await ask("GET /v1/geocoding/place/1"));
        await faults({ pages: fault });
        let response;
        const counts = await fetchesOf(async () => (response = await find(name)));
        assert.deepEqual([response.status, await response.json()], [502, UPSTREAM]);
        assert.equal(response.headers.get("x-ratelimit-remaining"), null, "no key was asked");
        assert.ok(counts.length > 0 && counts.every((count) => count === 2), `${counts}`);
        if (fault !== "silent") {
          const batch = await ask("POST /v1/geocoding/batch", JSON.stringify({ queries: ["Paris", name] }));
          assert.equal(batch.status, 502);
        }
        await faults({ pages: null });
        const found = await find(name);
        assert.equal(found.status, 200);
        assert.equal(remaining(found), before - 1);
      });
    }

    test("nobody but the Worker gets a page of the index", async () => {
      // Forms of a path that the assets may read as one.
      const forms = (file) => [`/places/${file}`, `/%70laces/${file}`, `/places%2F${file}`, `//places//${file}`];
      const paths = ["root", "pages.json", pagesOf(versions.later.pages)[0], ""].flatMap(forms);
      const asking = ["GET", "HEAD"].flatMap((method) => paths.map((path) => [method, path]));
      const counts = await fetchesOf(async () => {
        for (const [method, path] of asking) {
          const url = `${new URL(service.url).origin}${path}`;
          const headers = { authorization: `Bearer ${token}`, range: "bytes=0-9" };
          const response = await fetch(url, { method, headers, redirect: "manual" });
          assert.equal(response.status, 404, `${method} ${path}`);
          if (method === "HEAD") continue;
          const { pathname } = new URL(url);
          const ordinary = { statusCode: 404, error: "Not Found", message: `Cannot GET ${pathname}` };
          assert.deepEqual(await response.json(), ordinary, path);
        }
      });
      assert.deepEqual(counts, [], "the store was not even asked");
      // The platform itself answers below a folder of files: see run_worker_first in wrangler.toml.
      for (const path of ["/playground/..%2fplaces/root", "/status/..%2fplaces/root", "/status/x.js/..%2f..%2fplaces/root"]) {
        assert.equal((await fetch(`${new URL(service.url).origin}${path}`)).status, 404, path);
      }
      assert.equal((await find("Lyon")).status, 200, "the Worker finds them");
    });

    test("a store that is silent once is asked again", async () => {
      await faults({ pages: { fault: "silent", times: 1 } });
      let response;
      const counts = await fetchesOf(async () => (response = await find("Naples")));
      assert.equal(response.status, 200);
      assert.deepEqual(counts, [2]);
    });

    test("many questions at once fetch each page once, the next one none", async () => {
      await faults({ "pages.after": 100 });
      const questions = () => Promise.all(Array.from({ length: 40 }, () => find("Fukuoka")));
      let responses;
      const counts = await fetchesOf(async () => (responses = await questions()));
      assert.ok(responses.every(({ status }) => status === 200));
      assert.ok(counts.length > 0 && counts.every((count) => count === 1), `${counts}`);
      assert.deepEqual(await fetchesOf(() => find("Fukuoka")), []);
    });

    test("a client that goes away takes the page from nobody", async () => {
      await faults({ "pages.after": 300, client: { fault: true, times: 1 } });
      const responses = await Promise.all([find("Zakynthos"), find("Zakynthos"), find("Zakynthos")]);
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 200, 499]);
    });

    test("answers are those of the index in one file", async () => {
      for (const line of [...QUESTIONS, "POST /v1/geocoding/batch", "GET /health", "GET /coverage/countries"]) {
        const body = line.startsWith("POST") ? BATCH : undefined;
        const [got, expect] = [await ask(line, body), await whole.sendAs(ofWhole, line, body)];
        const [found, wanted] = [await got.json(), await expect.json()];
        // When it was counted.
        delete found.lastUpdated, delete wanted.lastUpdated;
        assert.deepEqual([got.status, found], [expect.status, wanted], line);
      }
    });

    test("a new instance finds pages again", async () => {
      await faults({ engine: { fault: "memory", times: 1 } });
      assert.equal((await find("Lyon")).status, 500);
      const counts = await fetchesOf(async () => assert.equal((await find("Lyon")).status, 200));
      // Those of a bucket are in the cache.
      if (store === "r2") assert.deepEqual(counts, []);
      else assert.ok(counts.length > 0);
      // The platform caches only below the host of the service.
      assert.deepEqual((await faults()).cacheHosts, store === "r2" ? [new URL(service.url).host] : []);
    });

    test("the version before finds its pages in the same store", async () => {
      const earlier = await startOver(versions.earlier.pages, store);
      try {
        const ofEarlier = await earlier.token("localdemo");
        for (const line of [`GET /v1/geocoding/place/${ANNECY}`, "GET /v1/geocoding/reverse?lat=45.9&lon=6.12"]) {
          assert.equal((await (await earlier.sendAs(ofEarlier, line)).json()).place_id, ANNECY, line);
          assert.notEqual((await (await ask(line)).json()).place_id, ANNECY, line);
        }
      } finally {
        await earlier.stop();
      }
    });
  });
}
