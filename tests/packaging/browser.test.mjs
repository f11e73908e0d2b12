// Tests the package in Chromium: without a bundler, built by Vite, in Vite's development server; in the page and in a
// thread.

import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { build, createServer } from "vite";

import { BROWSER, test } from "../browsers.mjs";
import { Project, ROOT, Site, launch, bytesOf, watched } from "./harness.mjs";
import { check } from "./questions.mjs";
import { soon } from "../soon.mjs";

const MAIN = `
import { Geocoder } from "toponym";
import { GeocoderWorker } from "toponym/worker";
import "toponym/element";
import { answers } from "./answers.js";
window.run = async () => {
  const geo = await Geocoder.load();
  await geo.complete();
  const page = await answers(geo);
  geo.free();
  const worker = await GeocoderWorker.load();
  await worker.complete();
  const thread = await answers(worker);
  worker.free();
  return { page, thread };
};
window.Geocoder = Geocoder;
window.GeocoderWorker = GeocoderWorker;
// The core pack that is kept, as soon as it is there and \`isWhole\`: it is stored behind the answers.
window.keptPack = async (isWhole = () => true) => {
  const cache = await caches.open("toponym-packs");
  for (;;) {
    const key = (await cache.keys()).find(({ url }) => url.includes("core"));
    const bytes = key && new Uint8Array(await (await cache.match(key)).arrayBuffer());
    if (bytes && isWhole(bytes)) return { cache, key, bytes };
    await new Promise((resume) => setTimeout(resume, 20));
  }
};
`;

const HTML = (script) => `<!doctype html><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">${script}
<toponym-autocomplete></toponym-autocomplete>`;

const IMPORTS = {
  imports: {
    toponym: "/node_modules/toponym/index.js",
    "toponym/worker": "/node_modules/toponym/worker.js",
    "toponym/element": "/node_modules/toponym/element.js",
  },
};

let project, chromium;

before(async () => {
  project = new Project();
  // The questions are the same file as elsewhere, but for its assertions.
  const { answers } = await import("./questions.mjs");
  project.write("answers.js", `export ${answers}\n`);
  project.write("main.js", MAIN);
  project.write("index.html", HTML('<script type="module" src="/main.js"></script>'));
  const map = `<script type="importmap">${JSON.stringify(IMPORTS)}</script>`;
  project.write("plain.html", HTML(`${map}<script type="module" src="/main.js"></script>`));
  chromium = await launch();
});

after(async () => {
  await chromium?.close();
  project?.remove();
});

async function answered(url) {
  const context = await chromium.newContext();
  const page = await watched(context);
  await page.goto(url);
  await page.waitForFunction(() => window.run);
  const { page: inPage, thread } = await page.evaluate(() => window.run());
  check(inPage);
  assert.deepEqual(thread, inPage);
  assert.deepEqual(page.errors, []);
  await context.close();
  return inPage;
}

test("without a bundler", async () => {
  const site = await Site.of(project.folder);
  await answered(`${site.url}/plain.html`);
  await site.close();
});

test("built by Vite", async () => {
  await build({ root: project.folder, logLevel: "warn", build: { outDir: "dist" } });
  const site = await Site.of(project.path("dist"));
  await answered(`${site.url}/index.html`);
  assert.ok(site.requests.some((path) => /core\..*\.bin$/.test(path)), "the pack is an asset of its own");
  await site.close();
});

test("in Vite's development server", async () => {
  const server = await createServer({
    root: project.folder,
    logLevel: "error",
    server: { host: "127.0.0.1", port: 0 },
    optimizeDeps: { exclude: ["toponym"] },
  });
  await server.listen();
  await answered(server.resolvedUrls.local[0]);
  await server.close();
});

/** Runs `work` in a page of the site, in a context with `options`; the package is imported as `toponym`. */
async function inPage(site, work, argument, options = {}) {
  const context = await chromium.newContext(options);
  const page = await watched(context);
  await page.goto(`${site.url}/plain.html`);
  await page.waitForFunction(() => window.Geocoder);
  try {
    return await page.evaluate(work, argument);
  } finally {
    await context.close();
  }
}

test("in a thread each autocomplete has its own answer, and of one group the newest is answered", async () => {
  const site = await Site.of(project.folder);
  const settled = await inPage(site, async () => {
    const geo = await GeocoderWorker.load();
    const name = (suggestions) => suggestions.map(({ name }) => name).join();
    const ask = (texts, options) => Promise.all(
      texts.map((text) => geo.autocomplete(text, { limit: 1, ...options }).then(name, ({ code }) => code)),
    );
    const fields = ["from", "to"].map((group) => ask(group === "from" ? ["rom", "rome"] : ["os", "oslo"], { group }));
    const found = {
      own: await ask(["berlin", "tokyo", "berlin"]),
      typed: await ask(["p", "pa", "par", "pari", "paris"], { group: "from" }),
      groups: await Promise.all(fields),
      failed: await ask(["par", "pari", "a".repeat(501)], { group: "from" }),
      cleared: await ask(["par", "pari", ""], { group: "from" }),
    };
    // Calls of other methods do not supersede each other.
    found.together = (await Promise.all([geo.forward("rome"), geo.forward("paris"), geo.autocomplete("oslo")])).map(([place]) => place.display_name.split(",")[0]);
    const left = [geo.autocomplete("par"), geo.autocomplete("pari"), geo.forward("rome")];
    geo.free();
    found.freed = (await Promise.allSettled([...left, geo.forward("rome")])).map(({ reason }) => reason?.code);
    return found;
  });
  assert.deepEqual(settled.own, ["Berlin", "Tokyo", "Berlin"]);
  assert.deepEqual(settled.typed, [...Array(4).fill("superseded"), "Paris"]);
  assert.deepEqual(settled.groups, [["superseded", "Rome"], ["superseded", "Oslo"]]);
  assert.deepEqual(settled.failed, ["superseded", "superseded", "invalid_argument"]);
  assert.deepEqual(settled.cleared, ["superseded", "superseded", ""]);
  assert.deepEqual(settled.together, ["Rome", "Paris", "Oslo"]);
  assert.deepEqual(settled.freed, Array(4).fill("freed"));
  await site.close();
});

test("in a thread a call can be given up, and what waits is never asked", async () => {
  const site = await Site.of(project.folder);
  const found = await inPage(site, async () => {
    const asked = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      asked.push(`${message.method} ${message.args[0]}`);
      return post.call(this, message, ...rest);
    };
    const geo = await GeocoderWorker.load();
    await geo.complete();
    asked.length = 0;
    const reason = (promise) => promise.then(() => "answered", (reason) => reason?.name ?? reason);
    const methods = { autocomplete: ["par"], forward: ["par"], explain: ["par"], reverse: [48, 2], batch: [["par"]], place: [4], about: [] };
    const gone = await Promise.all(Object.entries(methods).map(([method, args]) => reason(geo[method](...args, { signal: AbortSignal.abort("gone") }))));
    const atOnce = asked.splice(0);
    const abort = new AbortController();
    const { signal } = abort;
    // The thread works on the first, and the others wait.
    const calls = [geo.forward("rome"), geo.forward("oslo", { signal }), geo.autocomplete("par", { signal }), geo.forward("paris")].map(reason);
    abort.abort("enough");
    const left = await Promise.all(calls);
    const running = new AbortController();
    const first = reason(geo.batch(Array(100).fill("amstredam"), { signal: running.signal }));
    running.abort();
    return { gone, atOnce, left, asked: asked.slice(0, 2), running: await first, still: (await geo.forward("rome"))[0].country };
  });
  assert.deepEqual(found.gone, Array(7).fill("gone"));
  assert.deepEqual(found.atOnce, []);
  assert.deepEqual(found.left, ["answered", "enough", "enough", "answered"]);
  assert.deepEqual(found.asked, ["forward rome", "forward paris"]);
  assert.equal(found.running, "AbortError");
  assert.equal(found.still, "Italy");
  await site.close();
});

test("lang: auto is the language of the browser, in the page and in a thread", async () => {
  const site = await Site.of(project.folder);
  site.intercept = (_, response, path) => {
    if (path !== "/index.toponym") return false;
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(readFileSync(join(ROOT, "build/index.toponym")));
    return true;
  };
  for (const [locale, expected] of [["fr-CA", "Allemagne"], ["ja-JP", "ドイツ"]]) {
    const named = await inPage(site, async () => {
      const names = [];
      for (const Class of [Geocoder, GeocoderWorker]) {
        const geo = await Class.load({ url: "/index.toponym" });
        names.push((await geo.place("iso:DE", { lang: "auto" })).display_name);
        geo.free();
      }
      return names;
    }, undefined, { locale });
    assert.deepEqual(named, [expected, expected], locale);
  }
  await site.close();
});

test("in a thread errors have their codes, and the next call answers", async () => {
  const site = await Site.of(project.folder);
  const found = await inPage(site, async () => {
    const geo = await GeocoderWorker.load();
    const code = (promise) => promise.then(() => "nothing", (error) => (error instanceof Error ? error.code : "no error"));
    const codes = [
      await code(geo.forward("")),
      await code(geo.autocomplete(5)),
      await code(geo.reverse(100, 0)),
      await code(geo.forward("a", { lang: () => 1 })),
      await code(geo.batch([])),
      await code(GeocoderWorker.load({ bytes: new Uint8Array(100) })),
      await code(GeocoderWorker.load({ url: "/nowhere.bin" })),
      await code(GeocoderWorker.load({ url: "https://" })),
      await code(GeocoderWorker.load({ onProgress: 1 })),
    ];
    const seen = [];
    await GeocoderWorker.load({ onProgress: (progress) => seen.push(progress) });
    const abort = new AbortController();
    const given = GeocoderWorker.load({ signal: abort.signal }).catch((error) => error.name);
    abort.abort();
    return { codes, seen: seen.at(-1), given: await given, still: (await geo.forward("rome"))[0].country };
  });
  assert.deepEqual(found.codes, [...Array(5).fill("invalid_argument"), "invalid_index", "download_failed", "invalid_argument", "invalid_argument"]);
  assert.equal(found.seen.loaded, found.seen.total);
  assert.equal(found.seen.cached, true);
  assert.equal(found.given, "AbortError");
  assert.equal(found.still, "Italy");
  await site.close();
});

/** The strictest policy under which the package works, as the README gives it; the icon is this page's own. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'";

/** Loads everything under a policy. Returns the countries that are found, and the directives that were violated. */
async function underPolicy(policy) {
  const site = await Site.of(project.folder);
  const violations = [];
  site.intercept = (request, response, path) => {
    response.setHeader("content-security-policy", `${policy}; img-src data:; report-uri /violations`);
    if (path !== "/violations") return false;
    let text = "";
    request.on("data", (part) => (text += part));
    request.on("end", () => (violations.push(JSON.parse(text)["csp-report"]["effective-directive"]), response.end()));
    return true;
  };
  project.write("strict.js", MAIN.replaceAll(/"(toponym[^"]*)"/g, (_, name) => JSON.stringify(IMPORTS.imports[name])));
  project.write("strict.html", HTML('<script type="module" src="/strict.js"></script>'));
  const context = await chromium.newContext();
  const page = await watched(context);
  await page.goto(`${site.url}/strict.html`);
  await page.waitForFunction(() => window.Geocoder);
  const countries = await page.evaluate(async () => {
    const country = async (Class) => {
      const geo = await Class.load();
      await geo.complete();
      return (await geo.forward("rome"))[0].country;
    };
    return Promise.all([Geocoder, GeocoderWorker].map((Class) => country(Class).catch(({ code }) => code)));
  });
  const field = page.locator("toponym-autocomplete input");
  await field.focus();
  await field.fill("par");
  if (countries[1] === "Italy") {
    await page.locator("toponym-autocomplete li").first().waitFor();
    const { height } = await field.boundingBox();
    assert.ok(height >= 44, `the style sheet of the element applies: the field is ${height} pixels high`);
  }
  const { errors } = page;
  await context.close();
  await site.close();
  return { countries, violations, errors };
}

test("a strict Content-Security-Policy is never violated", async () => {
  assert.deepEqual(await underPolicy(POLICY), { countries: ["Italy", "Italy"], violations: [], errors: [] });
});

test("without 'wasm-unsafe-eval' the policy is violated, and loading says so", async () => {
  const { countries, violations } = await underPolicy(POLICY.replace(" 'wasm-unsafe-eval'", ""));
  assert.deepEqual(countries, ["download_failed", "download_failed"]);
  // WebKit refuses, and reports nothing.
  assert.ok(BROWSER === "webkit" || violations.includes("script-src"), violations.join());
});

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

test("from another origin a thread starts too, and keeps no address", async () => {
  const [site, other] = [await Site.of(project.folder), await Site.of(project.package)];
  other.intercept = (_, response) => (response.setHeader("access-control-allow-origin", "*"), false);
  const found = await inPage(site, async (url) => {
    const { createObjectURL, revokeObjectURL } = URL;
    const [made, revoked] = [[], []];
    URL.createObjectURL = (blob) => (made.push(createObjectURL(blob)), made.at(-1));
    URL.revokeObjectURL = (address) => (revoked.push(address), revokeObjectURL(address));
    const { GeocoderWorker } = await import(`${url}/worker.js`);
    const geo = await GeocoderWorker.load();
    const [{ country }] = await geo.forward("rome");
    return { country, made, revoked: [...new Set(revoked)] };
  }, other.url);
  assert.equal(found.country, "Italy");
  assert.equal(found.made.length, 1);
  assert.deepEqual(found.revoked, found.made);
  await Promise.all([site.close(), other.close()]);
});

test("a thread that cannot be started is an error, now and later", async () => {
  const site = await Site.of(project.folder);
  site.intercept = (_, response, path) => path.endsWith("worker-thread.js") && (response.writeHead(404).end(), true);
  const code = await inPage(site, () => GeocoderWorker.load().catch((error) => error.code));
  assert.equal(code, "internal");
  await site.close();
});

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

test("a page with a service worker works without a network from the second visit on", async () => {
  const readme = readFileSync(join(project.package, "README.md"), "utf8");
  const worker = readme.match(/\/\/ sw\.js\n[^]*?(?=```)/)[0];
  project.write("offline/sw.js", worker);
  cpSync(project.package, project.path("offline/toponym"), { recursive: true });
  const script = `import { Geocoder } from "./toponym/index.js"; import { GeocoderWorker } from "./toponym/worker.js";
    window.registered = navigator.serviceWorker.register("./sw.js").then(() => navigator.serviceWorker.ready);
    window.ask = async (Class) => { const geo = await Class.load(); await geo.complete(); const found = await geo.forward("rome"); geo.free(); return found[0].country; };
    window.both = async () => [await ask(Geocoder), await ask(GeocoderWorker)];`;
  project.write("offline/index.html", HTML(`<script type="module">${script}</script>`));
  const site = await Site.of(project.path("offline"));
  const context = await chromium.newContext();
  const page = await context.newPage();
  const visit = async () => {
    await page.goto(`${site.url}/`);
    await page.waitForFunction(() => window.registered && window.registered.then(() => true));
    return page.evaluate(() => window.both());
  };
  // The first visit ends before the service worker has seen the page; the second is seen whole.
  assert.deepEqual(await visit(), ["Italy", "Italy"]);
  assert.deepEqual(await visit(), ["Italy", "Italy"]);
  await context.setOffline(true);
  await site.close();
  assert.deepEqual(await visit(), ["Italy", "Italy"]);
  await context.close();
});
