// Tests the package with an index in pages: in Node from files, in Chromium from a static host on another origin, in a thread,
// in the search field, and without a connection.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { test } from "../browsers.mjs";
import { Bench, NEWER, ask, hosted, isPage, kept, keptSoon, load, newerPages, ownPlaces } from "./paged-index.mjs";
import { answers, check } from "./questions.mjs";
import { soon } from "../soon.mjs";

let bench, Geocoder;

before(async () => {
  bench = await Bench.of();
  ({ Geocoder } = await import(pathToFileURL(bench.project.write("use.mjs", 'export * from "toponym";\n'))));
});

after(() => bench?.close());

const rootFile = () => pathToFileURL(join(bench.pages, "root"));

test("in Node, from files", async () => {
  const geo = await Geocoder.load({ pages: rootFile() });
  check(await answers(geo));
  geo.free();
  await assert.rejects(geo.forward("Paris"), { code: "freed" });
});

test("in Node, over HTTP, with a fetch of one's own", async () => {
  const host = await hosted(bench.pages);
  const asked = [];
  const send = (url, init) => (asked.push(url), fetch(url, { ...init, headers: { authorization: "Bearer x" } }));
  host.fail((request, response) => request.headers.authorization !== "Bearer x" && response.writeHead(401).end());
  const geo = await Geocoder.load({ pages: `${host.url}/root`, fetch: send });
  assert.match((await geo.forward("Timbuktu"))[0].display_name, /^Tombouctou|^Timbuktu/);
  assert.ok(asked.length > 1 && asked.every((url) => url.startsWith(host.url)));
  geo.free();
  await host.close();
});

for (const kind of ["Geocoder", "GeocoderWorker"]) {
  test(`places of one's own answer together with pages, also with those of a newer version: ${kind}`, async () => {
    const newer = newerPages();
    bench.project.write("own.bin", ownPlaces());
    await bench.visit(async ({ page, host, root }) => {
      await load(page, { pages: root, packs: [{ url: "/own.bin" }] }, kind);
      const all = () =>
        page.evaluate(async () => {
          const found = [await geo.forward("Our Shop, Paris"), await geo.autocomplete("our sho"), await geo.reverse(48.8534, 2.3488, { limit: 3 })];
          return [...found.flat().map(({ display_name }) => display_name), (await geo.forward("Timbuktu"))[0].display_name];
        });
      const found = await all();
      assert.ok(found.filter((name) => name.startsWith("Our Shop, Paris")).length >= 3, found.join("; "));
      assert.match(found.at(-1), /^Tombouctou|^Timbuktu/);
      const next = await hosted(newer);
      host.fail((request, response, path) => response.writeHead(307, { location: `${next.url}${path}` }).end());
      assert.match(await ask(page, NEWER.name), new RegExp(`^${NEWER.name}`));
      assert.deepEqual(await all(), found);
      await next.close();
    });
  });
}

test("in Chromium, in the page and in a thread", async () => {
  await bench.visit(async ({ page, root }) => {
    const [here, thread] = await page.evaluate(async (root) => {
      const geo = await Geocoder.load({ pages: root });
      const worker = await GeocoderWorker.load({ pages: root });
      return [await answers(geo), await answers(worker)];
    }, root);
    check(here);
    assert.deepEqual(thread, here);
    assert.deepEqual(page.errors, []);
  });
});

/** Has nothing in the cache of HTTP: what is there without the host was kept by the package. */
const uncached = (host) => host.fail((request, response) => void response.setHeader("cache-control", "no-store"));

test("a question fetches few pages, once", async () => {
  await bench.visit(async ({ page, host, root }) => {
    uncached(host);
    await load(page, { pages: root });
    assert.match(await ask(page, "Timbuktu"), /^Tombouctou|^Timbuktu/);
    const took = host.pages();
    assert.ok(took > 0 && took <= 8, `${took} pages`);
    await ask(page, "Timbuktu");
    assert.equal(host.pages(), took);
    // The next visit has them, too.
    await load(page, { pages: root });
    await ask(page, "Timbuktu");
    assert.equal(host.pages(), took);
    assert.deepEqual(page.errors, []);
  });
});

test("pages come from the cache of HTTP, however old, where nothing else is kept", async () => {
  await bench.visit(async ({ page, host, root }) => {
    // Old enough for a browser to ask the host again, and with nothing that tells whether they have changed. They were new for a
    // second, for WebKit keeps nothing that never was.
    host.fail((request, response) => void response.setHeader("cache-control", "max-age=1").setHeader("age", "86400"));
    await load(page, { pages: root, cache: 0 });
    await ask(page, "Timbuktu");
    const took = host.pages();
    await load(page, { pages: root, cache: 0 });
    await ask(page, "Timbuktu");
    assert.equal(host.pages(), took);
    assert.deepEqual((await kept(page)).files, []);
  });
});

test("a root is another one if it differs, even by one byte", async () => {
  const { Pages } = await import(pathToFileURL(join(bench.project.package, "pages.js")));
  let root = new Uint8Array([1, 2, 3]);
  const pages = new Pages("https://example.com/root", { fetch: async () => new Response(root) });
  const open = async (bytes) => [...bytes];
  assert.deepEqual((await pages.root(open, {})).opened, [1, 2, 3]);
  assert.equal(await pages.newRoot(open, {}), undefined);
  for (const other of [[1, 2, 4], [2, 1, 4], [2, 1], [2, 1, 0]]) {
    root = new Uint8Array(other);
    assert.deepEqual(await pages.newRoot(open, {}), other);
    assert.equal(await pages.newRoot(open, {}), undefined);
  }
});

test("whoever has the root asks for a newer one by its tag, which costs no bytes if there is none", async () => {
  await bench.visit(async ({ page, host, root }) => {
    const tags = [];
    host.fail((request, response, path) => {
      if (path !== "/root") return;
      response.setHeader("etag", '"first"');
      tags.push(request.headers["if-none-match"]);
    });
    await load(page, { pages: root });
    await load(page, { pages: root });
    await soon(() => tags, (tags) => tags.length === 2);
    assert.deepEqual(tags, [undefined, '"first"']);
  });
});

for (const kind of ["Geocoder", "GeocoderWorker"]) {
  test(`a region that was prefetched is there without a connection: ${kind}`, async () => {
    await bench.visit(async ({ page, host, root }) => {
      uncached(host);
      await load(page, { pages: root }, kind);
      const [seen, found] = await page.evaluate(async () => {
        const seen = [];
        const found = await geo.prefetch({ countries: ["LU"], onProgress: (progress) => seen.push(progress) });
        return [seen, found];
      });
      assert.ok(found.of > 0 && found.pages === found.of && found.kept === found.of, JSON.stringify(found));
      assert.deepEqual(seen[0], { pages: 0, of: found.of, bytes: 0, kept: 0 });
      assert.deepEqual(seen.at(-1), found);
      assert.deepEqual(seen.map(({ pages }) => pages), Array.from({ length: found.of + 1 }, (_, at) => at));
      assert.ok(seen.every(({ bytes }, at) => at === 0 || bytes > seen[at - 1].bytes));
      host.fail((request, response) => response.destroy());
      const [forward, reverse] = await page.evaluate(async ([root, kind]) => {
        const again = await window[kind].load({ pages: root });
        return [(await again.forward("Esch-sur-Alzette"))[0].display_name, (await again.reverse(49.61, 6.13)).city];
      }, [root, kind]);
      assert.match(forward, /^Esch-sur-Alzette/);
      assert.equal(reverse, "Luxembourg");
    });
  });
}

test("a region that is given up, or larger than what is kept, ends; none at all is a mistake", async () => {
  await bench.visit(async ({ page, host, root }) => {
    await load(page, { pages: root });
    assert.equal(await page.evaluate(() => geo.prefetch({}).catch(({ code }) => code)), "invalid_argument");
    assert.equal(host.pages(), 0);
    const outcome = await page.evaluate(async () => {
      const controller = new AbortController();
      const onProgress = ({ pages }) => pages === 3 && controller.abort();
      return geo.prefetch({ countries: ["FR"], signal: controller.signal, onProgress }).catch(({ name }) => name);
    });
    assert.equal(outcome, "AbortError");
    await load(page, { pages: root, cache: 100_000 });
    const [code, message] = await page.evaluate(() => geo.prefetch({ countries: ["FR"] }).catch(({ code, message }) => [code, message]));
    assert.equal(code, "invalid_argument");
    assert.match(message, /100000 bytes .*greater cache/);
  });
});

test("of what is kept, what was not used for longest goes, but never the root", async () => {
  await bench.visit(async ({ page, root }) => {
    const cache = 500_000;
    await load(page, { pages: root, cache });
    await page.evaluate(() => geo.forward("Timbuktu"));
    const first = await keptSoon(page, ({ list }) => Object.keys(list).length > 1);
    for (const name of ["Ouagadougou", "Esch-sur-Alzette", "Yakutsk", "Ushuaia", "Hobart", "Kigali", "Nuuk", "Tashkent", "Zanzibar", "Cuzco"]) {
      await page.evaluate((name) => geo.forward(name), name);
      await page.evaluate(() => geo.reverse(Math.random() * 120 - 60, Math.random() * 300 - 150));
    }
    const { files, list } = await keptSoon(page, ({ files, list }) => {
      const bytes = Object.values(list).reduce((sum, [size]) => sum + size, 0);
      return bytes <= cache && files.length === Object.keys(list).length && !first.files.filter((url) => url !== root).every((url) => files.includes(url));
    });
    assert.ok(files.includes(root), "the root stays");
    assert.deepEqual(Object.keys(list).sort(), files.sort());
  });
});

test("two tabs keep one list", async () => {
  await bench.visit(async ({ page, root, open }) => {
    const other = await open();
    await Promise.all([page, other].map((tab) => load(tab, { pages: root })));
    const found = await Promise.all([ask(page, "Timbuktu"), ask(other, "Ouagadougou"), ask(page, "Yakutsk"), ask(other, "Ushuaia")]);
    assert.ok(found.every((name) => /^[A-ZÂ].*, /.test(name)), found.join("; "));
    const { files, list } = await keptSoon(page, ({ files, list }) => files.length > 1 && Object.keys(list).length === files.length);
    assert.deepEqual(Object.keys(list).sort(), files.sort());
    // A tab that is closed before it wrote leaves files that the next visit lists.
    await page.evaluate(async () => {
      const cache = await caches.open("toponym-pages");
      await cache.put("https://toponym.invalid/kept", new Response("{}"));
    });
    const third = await open();
    await load(third, { pages: root });
    await ask(third, "Hobart");
    const after = await keptSoon(third, ({ list }) => Object.keys(list).length >= files.length);
    assert.ok(files.every((url) => after.list[url]?.[0] > 0));
  });
});

test("a newer version takes over, and what it lacks is forgotten", async () => {
  const newer = newerPages();
  await bench.visit(async ({ page, host, root, open }) => {
    await load(page, { pages: root });
    assert.equal(await page.evaluate((name) => geo.forward(name).then(([place]) => place?.display_name.startsWith(name) ?? false), NEWER.name), false);
    await page.evaluate((bbox) => geo.prefetch({ bbox }), NEWER.bbox);
    const old = await keptSoon(page, ({ list }) => Object.keys(list).length > 5);
    const next = await hosted(newer);
    // The host has the files of the newer version alone.
    host.fail((request, response, path) => response.writeHead(307, { location: `${next.url}${path}` }).end());
    const again = await open();
    await load(again, { pages: root });
    await soon(() => ask(again, NEWER.name), (found) => found.startsWith(NEWER.name));
    const { files } = await keptSoon(again, ({ files }) => !old.files.every((url) => files.includes(url)));
    const gone = old.files.filter((url) => !files.includes(url));
    assert.ok(gone.length > 0 && gone.length < old.files.length / 2, `${gone.length} of ${old.files.length} are forgotten`);
    await next.close();
  });
});

test("who has the page open while the host gets a newer version has answers from that", async () => {
  const newer = newerPages();
  await bench.visit(async ({ page, host, root }) => {
    await load(page, { pages: root });
    const next = await hosted(newer);
    host.fail((request, response, path) => response.writeHead(307, { location: `${next.url}${path}` }).end());
    assert.match(await ask(page, NEWER.name), new RegExp(`^${NEWER.name}`));
    const { pages, of } = await page.evaluate((bbox) => geo.prefetch({ bbox }), NEWER.bbox);
    assert.ok(of > 0 && pages === of);
    await next.close();
  });
});

test("questions at once while the host gets a newer version all have answers from that", async () => {
  const [older, newer] = await Promise.all([bench.pages, newerPages()].map(hosted));
  let host = older;
  let roots = 0;
  const { promise: answered, resolve: answer } = Promise.withResolvers();
  const send = async (url, init) => {
    // One question takes over the newer root, before the others have it.
    if (host === newer && url.endsWith("/root") && (roots += 1) > 1) await answered;
    return fetch(url.replace(older.url, host.url), init);
  };
  const geo = await Geocoder.load({ pages: `${older.url}/root`, fetch: send });
  host = newer;
  const asked = [NEWER.name, `${NEWER.name}, Denmark`, NEWER.name.toLowerCase()].map((text) => geo.forward(text));
  void Promise.any(asked).then(answer, answer);
  for (const [place] of await Promise.all(asked)) assert.ok(place.display_name.startsWith(NEWER.name));
  assert.ok(roots > 1, "several questions asked for the newer root");
  geo.free();
  await Promise.all([older.close(), newer.close()]);
});

test("the search field", async () => {
  await bench.visit(async ({ page, host, root, site }) => {
    await page.evaluate((root) => {
      document.body.innerHTML = `<toponym-autocomplete label="Where to?" pages="${root}"></toponym-autocomplete>`;
    }, root);
    const field = page.locator("toponym-autocomplete");
    await field.locator("input").focus();
    await page.keyboard.type("esch-sur-al");
    await field.locator("[role=option]").first().filter({ hasText: "Esch-sur-Alzette" }).waitFor();
    assert.ok(host.pages() > 0);
    assert.equal(site.count(".bin"), 0, "the core pack is not fetched");
    assert.equal(await field.evaluate((it) => it.pages), root);
    // Without the attribute the places are those of the core pack.
    await field.evaluate((it) => it.removeAttribute("pages"));
    await soon(() => site.count(".bin"), (count) => count > 0);
    assert.deepEqual(page.errors, []);
  });
});

test("options that make no sense are refused", async () => {
  const refused = async (options, message) => assert.rejects(Geocoder.load(options), { code: "invalid_argument", message });
  await refused({ pages: 5 }, /^pages must be a string or a URL/);
  await refused({ pages: "root" }, /^pages must be an address, but is root/);
  await refused({ pages: rootFile(), url: rootFile() }, /pages, packs, both, or one pack/);
  await refused({ pages: rootFile(), packs: [] }, /^packs must be an array of 1 to 16 packs/);
  for (const name of ["memory", "cache", "timeout"]) {
    await refused({ pages: rootFile(), [name]: -1 }, new RegExp(`^${name} must not be negative`));
    await refused({ pages: rootFile(), [name]: NaN }, new RegExp(`^${name} must not be negative`));
    await refused({ pages: rootFile(), [name]: "1" }, new RegExp(`^${name} must be a number`));
  }
  await refused({ pages: rootFile(), fetch: "no" }, /^fetch must be a function/);
});

test("questions at once that have no room for their pages are answered all the same", async () => {
  const geo = await Geocoder.load({ pages: rootFile(), memory: 0 });
  const names = ["Timbuktu", "Ouagadougou", "Yakutsk", "Ushuaia", "Hobart", "Kigali", "Nuuk", "Tashkent", "Zanzibar", "Cuzco"];
  const asked = [...names, ...names.map((name) => `${name}x`)].map((name) => geo.forward(name));
  assert.ok((await Promise.all(asked)).every((places) => places.length > 0));
  const unbounded = await Geocoder.load({ pages: rootFile(), memory: Infinity, timeout: Infinity });
  assert.ok((await unbounded.forward("Timbuktu")).length > 0);
  for (const one of [geo, unbounded]) one.free();
});

test("a batch answers what was asked, even if the array changes meanwhile", async () => {
  const geo = await Geocoder.load({ pages: rootFile() });
  const queries = ["Timbuktu", "Ouagadougou"];
  const asked = geo.batch(queries);
  queries.reverse();
  assert.deepEqual((await asked).map(({ query }) => query), ["Timbuktu", "Ouagadougou"]);
  geo.free();
});
