// Tests how the package loads its packs in Chromium: what it keeps, what it asks for again, and what it does about faults.

import assert from "node:assert/strict";

import { test } from "../browsers.mjs";
import { Site, bytesOf, watched } from "./harness.mjs";
import { chromium, inPage, project } from "./pages.mjs";
import { soon } from "../soon.mjs";

test("a second visit asks for no pack", async () => {
  const site = await Site.of(project.folder);
  const loads = await inPage(site, async () => {
    const load = async () => {
      const seen = [];
      const geo = await Geocoder.load({ onProgress: (progress) => seen.push(progress.cached) });
      await geo.complete();
      geo.free();
      return seen.at(-1);
    };
    const first = await load();
    await keptPack();
    return [first, await load()];
  });
  assert.deepEqual(loads, [false, true]);
  assert.deepEqual([site.count(project.first), site.count(project.core)], [1, 1]);
  await site.close();
});

test("what is kept is the index, with nothing to unpack", async () => {
  const site = await Site.of(project.folder);
  const start = await inPage(site, async () => {
    await (await Geocoder.load()).complete();
    return new TextDecoder().decode((await keptPack()).bytes.slice(0, 7));
  });
  assert.equal(start, "TOPONYM");
  await site.close();
});

test("an engine that cannot be fetched costs no kept pack", async () => {
  const site = await Site.of(project.folder);
  const context = await chromium.newContext();
  const load = async () => {
    const page = await context.newPage();
    await page.goto(`${site.url}/plain.html`);
    await page.waitForFunction(() => window.Geocoder);
    const outcome = await page.evaluate(() => Geocoder.load().then(async (geo) => (await geo.complete(), await keptPack(), geo.forward("rome")[0].country), ({ code }) => code));
    await page.close();
    return outcome;
  };
  const outcomes = [await load()];
  let left = 100;
  site.intercept = (_, response, path) => path.endsWith(".wasm") && left-- > 0 && (response.writeHead(503).end(), true);
  outcomes.push(await load());
  left = 1;
  outcomes.push(await load());
  assert.deepEqual(outcomes, ["Italy", "download_failed", "Italy"]);
  assert.equal(site.count(project.core), 1);
  await context.close();
  await site.close();
});

for (const kind of ["Geocoder", "GeocoderWorker"]) {
  test(`loading that is given up ends at once, while it waits for the engine and the pack: ${kind}`, async () => {
    const site = await Site.of(project.folder);
    const isHeld = (path) => path.endsWith(".wasm") || path.endsWith(".bin");
    site.intercept = (_, __, path) => isHeld(path);
    const context = await chromium.newContext();
    const page = await watched(context);
    await page.goto(`${site.url}/plain.html`);
    await page.waitForFunction(() => window.Geocoder);
    await page.evaluate((kind) => {
      window.stop = new AbortController();
      window.given = window[kind].load({ signal: stop.signal }).catch((error) => error);
    }, kind);
    await soon(() => site.requests.filter(isHeld).length, (count) => count === 2);
    assert.equal(await page.evaluate(() => (stop.abort("enough"), given)), "enough");
    await context.close();
    await site.close();
  });
}

for (const kind of ["Geocoder", "GeocoderWorker"]) {
  test(`the first places answer while the others load: ${kind}`, async () => {
    const site = await Site.of(project.folder);
    const { promise: asked, resolve: ask } = Promise.withResolvers();
    let isHeld = true;
    site.intercept = (_, response, path) => path.endsWith(project.core) && isHeld && (ask(response), true);
    const context = await chromium.newContext();
    const page = await watched(context);
    await page.goto(`${site.url}/plain.html`);
    await page.waitForFunction(() => window.Geocoder);
    const found = await page.evaluate(async (kind) => {
      window.geo = await window[kind].load();
      const names = async (text) => (await geo.autocomplete(text)).map(({ display_name: name }) => name.split(",")[0]);
      const code = async (call) => {
        try {
          return (await call()) && "answered";
        } catch (error) {
          return error.code;
        }
      };
      // A thread waits, where a call in the page cannot.
      const calls = { forward: ["rome"], reverse: [48.86, 2.29], place: ["iso:FR"], batch: [["rome"]], explain: ["rome"] };
      window.all = Promise.all(Object.entries(calls).map(([method, args]) => code(() => geo[method](...args))));
      return { isComplete: geo.isComplete, great: (await names("paris"))[0], small: await names("zwickau"), title: (await geo.about()).title };
    }, kind);
    assert.deepEqual(found, { isComplete: false, great: "Paris", small: [], title: "first" });
    const response = await asked;
    isHeld = false;
    response.destroy();
    const later = await page.evaluate(async () => {
      await geo.complete();
      const [{ display_name: small }] = await geo.autocomplete("zwickau");
      return { all: await all, isComplete: geo.isComplete, small, title: (await geo.about()).title, country: (await geo.forward("rome"))[0].country };
    });
    const waited = Array(5).fill(kind === "Geocoder" ? "incomplete" : "answered");
    assert.deepEqual(later, { all: waited, isComplete: true, small: "Zwickau, Saxony, Germany", title: "core", country: "Italy" });
    assert.deepEqual([site.count(project.first), site.count(project.core)], [1, 2], "a download that is cut is tried again");
    await context.close();
    await site.close();
  });

  test(`the core pack cannot be loaded: the first places stay, and the next call tries again: ${kind}`, async () => {
    const site = await Site.of(project.folder);
    let isGone = true;
    site.intercept = (_, response, path) => path.endsWith(project.core) && isGone && (response.writeHead(404).end(), true);
    const context = await chromium.newContext();
    const page = await context.newPage();
    await page.goto(`${site.url}/plain.html`);
    await page.waitForFunction(() => window.Geocoder);
    const codes = await page.evaluate(async (kind) => {
      window.geo = await window[kind].load();
      const code = (promise) => promise.then(() => "complete", (error) => error.code);
      const stop = new AbortController();
      const given = geo.complete({ signal: stop.signal }).catch((reason) => reason);
      stop.abort("enough");
      return [await given, await code(geo.complete()), geo.isComplete, (await geo.autocomplete("rome")).length > 0];
    }, kind);
    assert.deepEqual(codes, ["enough", "download_failed", false, true]);
    isGone = false;
    assert.equal(await page.evaluate(async () => (await geo.complete(), (await geo.forward("rome"))[0].country)), "Italy");
    await context.close();
    await site.close();
  });

  test(`a geocoder that is freed loads no more: ${kind}`, async () => {
    const site = await Site.of(project.folder);
    const { promise: closed, resolve: close } = Promise.withResolvers();
    site.intercept = (request, response, path) => path.endsWith(project.core) && (response.on("close", close), true);
    const context = await chromium.newContext();
    const page = await watched(context);
    await page.goto(`${site.url}/plain.html`);
    await page.waitForFunction(() => window.Geocoder);
    await page.evaluate(async (kind) => (window.geo = await window[kind].load()) && undefined, kind);
    await soon(() => site.count(project.core), (count) => count === 1);
    assert.deepEqual(await page.evaluate(async () => {
      const waiting = geo.complete().catch((error) => error.code);
      geo.free();
      return [await waiting, await geo.complete().catch((error) => error.code)];
    }), ["freed", "freed"]);
    await closed;
    await context.close();
    await site.close();
  });
}

test("a fault of the caller's onProgress is the caller's, and no second attempt", async () => {
  const site = await Site.of(project.folder);
  const message = await inPage(site, async () => {
    const onProgress = ({ loaded }) => {
      if (loaded) throw new RangeError("the caller's own");
    };
    return Geocoder.load({ onProgress }).catch((error) => error.message);
  });
  assert.equal(message, "the caller's own");
  assert.equal(site.count(project.first), 1);
  await site.close();
});

test("a pack that came damaged into the cache of HTTP is fetched past it", async () => {
  const site = await Site.of(project.folder);
  let left = 1;
  site.intercept = (_, response, path) => {
    if (!path.endsWith(".bin")) return false;
    response.setHeader("cache-control", "max-age=31536000, immutable");
    return left-- > 0 && (response.writeHead(200).end("<!doctype html>"), true);
  };
  const country = () => Geocoder.load().then(async (geo) => (await geo.complete(), geo.forward("rome")[0].country), ({ code }) => code);
  assert.equal(await inPage(site, country), "Italy");
  assert.deepEqual([site.count(project.first), site.count(project.core)], [2, 1]);
  await site.close();
});

// Network faults, how often each occurs, and whether loading recovers.
const FAULTS = {
  "a download that is cut": (bytes) => (response) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  },
  "a body that ends early": (bytes) => (response) => response.writeHead(200).end(bytes.subarray(0, 100_000)),
  "a byte that changed": (bytes) => (response) => {
    const changed = Buffer.from(bytes);
    changed[bytes.length >> 1] ^= 1;
    response.writeHead(200).end(changed);
  },
  "another pack": () => (response) => response.writeHead(200).end(Buffer.from([0x1f, 0x8b, 8, 0])),
  "a page in its place": () => (response) => response.writeHead(200).end("<!doctype html>"),
  "a server that is busy": () => (response) => response.writeHead(503).end(),
  "no answer": () => (response) => response.destroy(),
};

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`${name}: tried again, then an error, and nothing of it is kept`, async () => {
    const site = await Site.of(project.folder);
    const answer = fault(bytesOf(project));
    let left = 1;
    site.intercept = (_, response, path) => path.endsWith(".bin") && left-- > 0 && (answer(response), true);
    const work = async () => {
      try {
        const geo = await Geocoder.load();
        await geo.complete();
        return geo.forward("rome")[0].country;
      } catch (error) {
        return error.code;
      }
    };
    assert.equal(await inPage(site, work), "Italy", "one fault");
    left = 100;
    const kept = async () => {
      const code = await Geocoder.load().then(() => "loaded", (error) => error.code);
      const cache = await caches.open("toponym-packs");
      return { code, kept: (await cache.keys()).length };
    };
    const { code, kept: entries } = await inPage(site, kept);
    assert.ok(["download_failed", "invalid_index"].includes(code), code);
    assert.equal(entries, 0);
    // Chromium itself retries each request on a connection without an answer.
    assert.ok(name === "no answer" ? left < 97 : left === 97, `three attempts: ${left} of 100 are left`);
    await site.close();
  });
}

test("what is not there is not asked for again", async () => {
  const site = await Site.of(project.folder);
  const code = await inPage(site, () => Geocoder.load({ url: "/nowhere.bin" }).catch((error) => error.code));
  assert.equal(code, "download_failed");
  assert.equal(site.count("nowhere.bin"), 1);
  await site.close();
});

test("a kept pack that is damaged is fetched again", async () => {
  const site = await Site.of(project.folder);
  const countries = await inPage(site, async () => {
    const found = [];
    let whole;
    const isWhole = (bytes) => bytes.length === (whole ??= bytes).length && bytes.every((byte, at) => byte === whole[at]);
    const damages = [
      (bytes) => bytes.slice(0, 1000),
      (bytes) => ((bytes[5000] ^= 1), bytes),
      (bytes) => ((bytes[bytes.length >> 1] ^= 1), bytes),
      () => new Uint8Array(0),
      // As cached by an earlier version of the package.
      () => new Uint8Array([0x1f, 0x8b, 8, 0]),
    ];
    for (const Class of [Geocoder, GeocoderWorker]) for (const damage of damages) {
      await (await Geocoder.load()).complete();
      const { cache, key, bytes } = await keptPack(isWhole);
      await cache.put(key, new Response(damage(bytes.slice())));
      const geo = await Class.load();
      found.push((await geo.forward("rome"))[0].country);
      await keptPack(isWhole);
      geo.free();
    }
    return found;
  });
  assert.deepEqual(countries, Array(10).fill("Italy"));
  assert.equal(site.count(project.core), 11);
  await site.close();
});
