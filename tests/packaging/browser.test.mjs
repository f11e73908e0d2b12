// Tests the package in Chromium: without a bundler, built by Vite, in Vite's development server; in the page and in a
// thread.

import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, createServer } from "vite";

import { BROWSER, test } from "../browsers.mjs";
import { ROOT, Site, watched } from "./harness.mjs";
import { IMPORTS, MAIN, chromium, html, inPage, project } from "./pages.mjs";
import { check } from "./questions.mjs";

async function checkAnswers(url) {
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
  await checkAnswers(`${site.url}/plain.html`);
  await site.close();
});

test("built by Vite", async () => {
  await build({ root: project.folder, logLevel: "warn", build: { outDir: "dist" } });
  const site = await Site.of(project.path("dist"));
  await checkAnswers(`${site.url}/index.html`);
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
  await checkAnswers(server.resolvedUrls.local[0]);
  await server.close();
});

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
  project.write("strict.html", html('<script type="module" src="/strict.js"></script>'));
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

test("a page with a service worker works without a network from the second visit on", async () => {
  const readme = readFileSync(join(project.package, "README.md"), "utf8");
  const worker = readme.match(/\/\/ sw\.js\n[^]*?(?=```)/)[0];
  project.write("offline/sw.js", worker);
  cpSync(project.package, project.path("offline/toponym"), { recursive: true });
  const script = `import { Geocoder } from "./toponym/index.js"; import { GeocoderWorker } from "./toponym/worker.js";
    window.registered = navigator.serviceWorker.register("./sw.js").then(() => navigator.serviceWorker.ready);
    window.ask = async (Class) => { const geo = await Class.load(); await geo.complete(); const found = await geo.forward("rome"); geo.free(); return found[0].country; };
    window.both = async () => [await ask(Geocoder), await ask(GeocoderWorker)];`;
  project.write("offline/index.html", html(`<script type="module">${script}</script>`));
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
