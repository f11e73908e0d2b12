// Tests the package with an index in pages where something is wrong: hosts that hang, lack files or send others, what is kept
// is damaged or cannot be kept, and questions that nobody waits for any more.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";

import { test } from "../browsers.mjs";
import { Bench, ask, isPage, keptSoon, load } from "./paged-index.mjs";
import { soon } from "../soon.mjs";

let bench;

before(async () => {
  bench = await Bench.of();
});

after(() => bench?.close());

/** What an error says, and its code. */
const failure = (page, text) => page.evaluate((text) => geo.forward(text).then(() => [], ({ code, message }) => [code, message]), text);

const loadFailure = (page, options) => page.evaluate((options) => Geocoder.load(options).then(() => [], ({ code, message }) => [code, message]), options);

const GARBAGE = "<!doctype html><title>Welcome</title>";

/** Answers with a page of the host's own, as some do for files that they lack. */
const welcome = (response) => response.writeHead(200, { "content-type": "text/html" }).end(GARBAGE);

test("a host that lacks files, and how to mend that", async () => {
  await bench.visit(async ({ page, host, root }) => {
    host.fail((request, response) => response.writeHead(404).end());
    const [code, message] = await loadFailure(page, { pages: root });
    assert.equal(code, "download_failed");
    assert.match(message, /root: the server answered 404: the option pages must be the address of the file "root"/);
    host.heal();
    await load(page, { pages: root });
    host.fail((request, response, path) => isPage(path) && response.writeHead(404).end());
    const [missing, why] = await failure(page, "Ouagadougou");
    assert.equal(missing, "download_failed");
    assert.match(why, /[0-9a-f]{16}: the server answered 404: upload all files/);
    host.heal();
    assert.match(await ask(page, "Ouagadougou"), /^Ouagadougou/);
  });
});

test("a host that sends something else, which is not kept", async () => {
  await bench.visit(async ({ page, host, root }) => {
    host.fail((request, response) => welcome(response));
    const [code, message] = await loadFailure(page, { pages: root });
    assert.equal(code, "invalid_index");
    assert.match(message, /root is not a root that this version of toponym reads: /);
    host.heal();
    await load(page, { pages: root });
    host.fail((request, response, path) => isPage(path) && welcome(response));
    const [other, why] = await failure(page, "Ouagadougou");
    assert.equal(other, "invalid_index");
    assert.match(why, /is damaged, or not a page of this index: upload all files .* answer 404/);
    host.heal();
    assert.match(await ask(page, "Ouagadougou"), /^Ouagadougou/);
    // The network's own page, in place of the root: the kept one goes on.
    host.fail((request, response) => welcome(response));
    await load(page, { pages: root });
    assert.match(await ask(page, "Ouagadougou"), /^Ouagadougou/);
    await load(page, { pages: root });
  });
});

test("a host that other origins may not read", async () => {
  await bench.visit(async ({ page, host, root }) => {
    host.intercept = () => false;
    const [code, message] = await loadFailure(page, { pages: root });
    assert.equal(code, "download_failed");
    assert.match(message, /root cannot be fetched: .*access-control-allow-origin/);
  });
});

test("a page that came damaged into the cache of HTTP is fetched past it", async () => {
  await bench.visit(async ({ page, host, root }) => {
    await load(page, { pages: root });
    const asked = new Map();
    host.fail((request, response, path) => {
      if (!isPage(path)) return false;
      response.setHeader("cache-control", "max-age=31536000, immutable");
      asked.set(path, (asked.get(path) ?? 0) + 1);
      return asked.get(path) === 1 && welcome(response);
    });
    assert.match(await ask(page, "Ouagadougou"), /^Ouagadougou/);
    assert.ok(asked.size > 0 && [...asked.values()].every((count) => count === 2));
  });
});

test("what is kept damaged is fetched again", async () => {
  await bench.visit(async ({ page, root }) => {
    await load(page, { pages: root });
    await ask(page, "Ouagadougou");
    const { files } = await keptSoon(page, ({ files }) => files.length > 1);
    await page.evaluate(async ([files, garbage]) => {
      const cache = await caches.open("toponym-pages");
      for (const url of files) await cache.put(url, new Response(garbage));
    }, [files, GARBAGE]);
    await load(page, { pages: root });
    assert.match(await ask(page, "Ouagadougou"), /^Ouagadougou/);
    const sizes = () => page.evaluate(async (files) => {
      const cache = await caches.open("toponym-pages");
      return Promise.all(files.map(async (url) => (await (await cache.match(url))?.arrayBuffer())?.byteLength ?? 0));
    }, files);
    await soon(sizes, (sizes) => sizes.every((size) => size > GARBAGE.length));
  });
});

test("a host that hangs is asked once more, and not waited for if there is a kept root", async () => {
  await bench.visit(async ({ page, host, root }) => {
    const timeout = 300;
    host.fail(() => true);
    const [code, message] = await loadFailure(page, { pages: root, timeout });
    assert.equal(code, "download_failed");
    assert.match(message, /root: nothing came for 0.3 seconds/);
    assert.equal(host.requests.length, 2);
    host.heal();
    await load(page, { pages: root, timeout });
    const asked = new Map();
    // The headers come, and the rest does not.
    host.fail((request, response, path) => {
      if (!isPage(path)) return false;
      asked.set(path, (asked.get(path) ?? 0) + 1);
      response.writeHead(200, { "content-length": 5000 }).write("x");
      return true;
    });
    assert.equal((await failure(page, "Ouagadougou"))[0], "download_failed");
    assert.ok(asked.size > 0 && [...asked.values()].every((count) => count <= 2));
    assert.ok([...asked.values()].includes(2));
    host.fail(() => true);
    await load(page, { pages: root, timeout: 1e9 });
    assert.ok((await page.evaluate(() => geo.about())).title);
  });
});

test("without Cache Storage, and where it refuses", async () => {
  for (const broken of ["Object.defineProperty(window, 'caches', { value: undefined })", "caches.open = () => Promise.reject(new DOMException('no', 'SecurityError'))", "Object.defineProperty(window, 'caches', { get: () => { throw new DOMException('no', 'SecurityError'); } })"]) {
    await bench.visit(async ({ page, root }) => {
      await page.evaluate(broken);
      await load(page, { pages: root });
      assert.match(await ask(page, "Ouagadougou"), /^Ouagadougou/);
      const { pages, of, kept } = await page.evaluate(() => geo.prefetch({ countries: ["LU"] }));
      assert.deepEqual([pages > 0, pages === of, kept], [true, true, 0]);
      assert.match(await ask(page, "Esch-sur-Alzette"), /^Esch-sur-Alzette/);
      assert.deepEqual(page.errors, []);
    });
  }
});

test("in a frame without an origin, which may keep nothing", async () => {
  await bench.visit(async ({ page, root, site }) => {
    // Its scripts are those of another origin for it.
    site.intercept = (request, response) => void response.setHeader("access-control-allow-origin", "*");
    await page.evaluate(() => {
      window.told = new Promise((resume) => window.addEventListener("message", ({ data }) => resume(data)));
    });
    await page.evaluate(([url, root]) => {
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-scripts";
      frame.srcdoc = `<script type="module">
        const failed = [];
        addEventListener("unhandledrejection", ({ reason }) => failed.push(String(reason)));
        const { setTimeout: start, clearTimeout: stop } = window;
        const running = new Set();
        window.setTimeout = (work, ms) => {
          const timer = start(() => (running.delete(timer), work()), ms);
          running.add(timer);
          return timer;
        };
        window.clearTimeout = (timer) => (running.delete(timer), stop(timer));
        const { Geocoder } = await import("${url}/node_modules/toponym/index.js");
        const geo = await Geocoder.load({ pages: "${root}" });
        const [place] = await geo.forward("Ouagadougou");
        const { kept } = await geo.prefetch({ countries: ["LU"] });
        // What the package does later, such as writing its list, is done.
        do await new Promise((resume) => start(resume)); while (running.size > 0);
        await navigator.locks?.query().catch(() => {});
        parent.postMessage([place.display_name, kept, failed], "*");
      </script>`;
      document.body.append(frame);
    }, [site.url, root]);
    const [name, kept, failed] = await page.evaluate(() => window.told);
    assert.match(name, /^Ouagadougou/);
    assert.deepEqual([kept, failed], [0, []]);
  });
});

test("where the browser has no more room, the answer comes, and old files go", async () => {
  await bench.visit(async ({ page, root, context, site }) => {
    await load(page, { pages: root });
    await page.evaluate(() => geo.prefetch({ countries: ["LU"] }));
    const before = await keptSoon(page, ({ files, list }) => files.length > 10 && Object.keys(list).length === files.length);
    const session = await context.newCDPSession(page);
    await session.send("Storage.overrideQuotaForOrigin", { origin: site.url, quotaSize: 1 });
    assert.match(await ask(page, "Ouagadougou"), /^Ouagadougou/);
    await keptSoon(page, ({ files }) => files.length < before.files.length && files.includes(root));
    await session.send("Storage.overrideQuotaForOrigin", { origin: site.url });
    assert.match(await ask(page, "Ushuaia"), /^Ushuaia/);
  });
});

/** Has the host keep back its pages. Returns what it was asked for: `{ path, response }`. */
function hold(host) {
  const held = [];
  host.fail((request, response, path) => isPage(path) && held.push({ path, response }));
  return held;
}

/** Sends what was kept back. */
function release(host, held) {
  host.heal();
  for (const { path, response } of held) if (!isGivenUp({ response })) response.end(readFileSync(join(bench.pages, path)));
}

const isGivenUp = ({ response }) => response.destroyed || response.closed;

/** A download that nobody gives up goes on: by itself it would end while the tests wait for its end. */
const FOR_EVER_MS = 600_000;

for (const kind of ["Geocoder", "GeocoderWorker"]) {
  test(`a superseded question aborts its fetches, and those of other groups go on: ${kind}`, async () => {
    await bench.visit(async ({ page, host, root }) => {
      await load(page, { pages: root, timeout: FOR_EVER_MS }, kind);
      const held = hold(host);
      const type = async (text, group) => {
        const before = held.length;
        await page.evaluate(([text, group]) => {
          const asked = geo.autocomplete(text, { group }).then(([place]) => place.name, ({ code }) => code);
          (window.typed ??= []).push(asked);
        }, [text, group]);
        await soon(() => held.length, (count) => count > before);
        return held.slice(before);
      };
      const superseded = await type("ouagadou", "from");
      const others = [...(await type("ushu", "to")), ...(await type("hobart"))];
      await type("esch-sur-alz", "from");
      await soon(() => superseded.every(isGivenUp), Boolean);
      assert.ok(!others.some(isGivenUp));
      release(host, held);
      const answers = await page.evaluate(() => Promise.all(window.typed));
      assert.deepEqual(answers, ["superseded", "Ushuaia", "Hobart", "Esch-sur-Alzette"]);
    });
  });

  test(`a page that the next letter needs, too, is fetched once: ${kind}`, async () => {
    await bench.visit(async ({ page, host, root }) => {
      await load(page, { pages: root, timeout: FOR_EVER_MS }, kind);
      const held = hold(host);
      await page.evaluate(() => {
        window.stop = new AbortController();
        window.first = geo.autocomplete("ouagadougo", { signal: stop.signal }).catch(({ name }) => name);
      });
      const ofFirst = await soon(() => held.length, (count) => count > 0);
      await page.evaluate(() => void geo.autocomplete("ushu", { signal: stop.signal }).catch(() => {}));
      await soon(() => held.length, (count) => count > ofFirst);
      // As a search field does: gives up the earlier question, and asks the next one.
      await page.evaluate(() => {
        stop.abort();
        window.second = geo.autocomplete("ouagadougou").then(([place]) => place.name);
      });
      assert.equal(await page.evaluate(() => window.first), "AbortError");
      // What nobody waits for any more has ended.
      await soon(() => held.slice(ofFirst).some(isGivenUp), Boolean);
      release(host, held);
      assert.equal(await page.evaluate(() => window.second), "Ouagadougou");
      const [{ path }] = held;
      assert.equal(host.requests.filter((it) => it === path).length, 1);
    });
  });

  test(`what is given up fetches no further, while who else waits has an answer: ${kind}`, async () => {
    await bench.visit(async ({ page, host, root }) => {
      await load(page, { pages: root, timeout: FOR_EVER_MS }, kind);
      const held = hold(host);
      await page.evaluate(() => {
        window.stop = new AbortController();
        window.gone = geo.forward("Ouagadougou", { signal: stop.signal }).catch(({ name }) => name);
        window.other = geo.forward("Ouagadougou").then(([place]) => place.display_name);
      });
      await soon(() => held.length, (count) => count > 0);
      await page.evaluate(() => stop.abort());
      assert.equal(await page.evaluate(() => window.gone), "AbortError");
      release(host, held);
      assert.match(await page.evaluate(() => window.other), /^Ouagadougou/);
      // Now nobody waits.
      const later = hold(host);
      await page.evaluate(() => {
        window.stop = new AbortController();
        window.gone = geo.forward("Ushuaia", { signal: stop.signal }).catch(({ name }) => name);
      });
      await soon(() => later.length, (count) => count > 0);
      await page.evaluate(() => stop.abort());
      await soon(() => later.filter(isGivenUp).length, (count) => count === later.length);
    });
  });

  test(`freeing ends the downloads, and rejects what waits for them: ${kind}`, async () => {
    await bench.visit(async ({ page, host, root }) => {
      await load(page, { pages: root, timeout: FOR_EVER_MS }, kind);
      const held = hold(host);
      await page.evaluate(() => void (window.asked = geo.forward("Ouagadougou").catch(({ code }) => code)));
      await soon(() => held.length, (count) => count > 0);
      await page.evaluate(() => geo.free());
      assert.equal(await page.evaluate(() => window.asked), "freed");
      assert.equal(await page.evaluate(() => geo.forward("Ouagadougou").catch(({ code }) => code)), "freed");
      await soon(() => held.filter(isGivenUp).length, (count) => count === held.length);
    });
  });
}

test("a thread refuses what cannot cross, and a pack has no pages to prefetch", async () => {
  await bench.visit(async ({ page, root }) => {
    const codes = await page.evaluate(async (root) => {
      const code = (promise) => promise.then(() => "none", ({ code }) => code);
      const pack = await GeocoderWorker.load();
      const inPages = await GeocoderWorker.load({ pages: root });
      return Promise.all([
        code(GeocoderWorker.load({ pages: root, fetch: () => {} })),
        code(pack.prefetch({ countries: ["LU"] })),
        code(inPages.forward("Paris", { limit: "x" })),
        code(inPages.forward("Paris", [])),
        code(inPages.prefetch({ countries: "LU" })),
        code(inPages.forward("Paris", { signal: 5 })),
      ]);
    }, root);
    assert.deepEqual(codes, Array(6).fill("invalid_argument"));
  });
});
