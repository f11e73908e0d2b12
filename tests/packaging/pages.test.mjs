// Tests the package with an index in pages: in Node from files, in Chromium from a static host, in a thread, without a
// connection, and with a host that fails.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { Project, ROOT, Site, browser, watched } from "./harness.mjs";
import { answers, check } from "./questions.mjs";

const MAIN = `
import { Geocoder } from "toponym";
import { GeocoderWorker } from "toponym/worker";
import { answers } from "./answers.js";
Object.assign(window, { Geocoder, GeocoderWorker, answers });
`;

const HTML = `<!doctype html><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "toponym": "/node_modules/toponym/index.js", "toponym/worker": "/node_modules/toponym/worker.js" } }</script>
<script type="module" src="/main.js"></script>`;

let project, folder, pages, chromium, Geocoder;

before(async () => {
  project = new Project();
  project.write("answers.js", `export ${answers}\n`);
  project.write("main.js", MAIN);
  project.write("index.html", HTML);
  folder = mkdtempSync(join(tmpdir(), "toponym-pages-"));
  // The places of the core, which is divided in seconds.
  const toponym = join(ROOT, "target/xtask/toponym");
  execFileSync(toponym, ["index", "--core", "--paged", "--out", join(folder, "core.toponym")], { cwd: ROOT, stdio: "pipe" });
  pages = join(folder, "core.pages");
  ({ Geocoder } = await import(pathToFileURL(project.write("use.mjs", 'export * from "toponym";\n'))));
  chromium = await browser();
});

after(async () => {
  await chromium?.close();
  project?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Makes a host of another origin, which admits all pages, do something first; it is done if that returns true. */
function fail(host, intercept) {
  host.intercept = (request, response, path) => {
    response.setHeader("access-control-allow-origin", "*");
    return intercept(request, response, path);
  };
}

/** A site with the package and the pages, and a page of it in Chromium. */
async function visit(context) {
  const site = await Site.of(project.folder);
  const host = await Site.of(pages);
  fail(host, () => false);
  context ??= await chromium.newContext();
  const page = await watched(context);
  await page.goto(`${site.url}/index.html`);
  await page.waitForFunction(() => window.Geocoder);
  const close = async () => {
    await page.close();
    await Promise.all([site.close(), host.close()]);
  };
  return { page, host, root: `${host.url}/root`, close };
}

test("in Node, from files", async () => {
  const geo = await Geocoder.load({ pages: pathToFileURL(join(pages, "root")) });
  check(await answers(geo));
  const whole = await Geocoder.load({ bytes: new Uint8Array(0) }).catch((error) => error.code);
  assert.equal(whole, "invalid_index");
  geo.free();
  await assert.rejects(geo.forward("Paris"), { code: "freed" });
});

test("in Chromium, in the page and in a thread", async () => {
  const { page, root, close } = await visit();
  const [here, thread] = await page.evaluate(async (root) => {
    const geo = await Geocoder.load({ pages: root });
    const worker = await GeocoderWorker.load({ pages: root });
    return [await answers(geo), await answers(worker)];
  }, root);
  check(here);
  assert.deepEqual(thread, here);
  assert.deepEqual(page.errors, []);
  await close();
});

test("a question fetches few pages, once", async () => {
  const { page, host, root, close } = await visit();
  const load = (root) => page.evaluate(async (root) => (window.geo = await Geocoder.load({ pages: root })) && true, root);
  const ask = (text) => page.evaluate(async (text) => (await geo.forward(text))[0]?.display_name, text);
  await load(root);
  const before = host.requests.length;
  assert.match(await ask("Timbuktu"), /^Tombouctou|^Timbuktu/);
  const took = host.requests.length - before;
  assert.ok(took > 0 && took <= 8, `${took} pages`);
  await ask("Timbuktu");
  assert.equal(host.requests.length - before, took);
  // The next visit has them, too.
  await load(root);
  const visited = host.requests.length;
  await ask("Timbuktu");
  assert.equal(host.requests.length, visited);
  await close();
});

test("a region that was prefetched is there without a connection", async () => {
  const { page, host, root, close } = await visit();
  const [progress, pages] = await page.evaluate(async (root) => {
    window.geo = await Geocoder.load({ pages: root });
    const seen = [];
    const found = await geo.prefetch({ countries: ["LU"], onProgress: ({ pages, of }) => seen.push([pages, of]) });
    return [seen, found];
  }, root);
  assert.ok(pages.of > 0 && pages.pages === pages.of, JSON.stringify(pages));
  assert.deepEqual(progress.at(-1), [pages.of, pages.of]);
  fail(host, (request, response) => response.destroy() || true);
  const found = await page.evaluate(async (root) => {
    const again = await Geocoder.load({ pages: root });
    return [(await again.forward("Esch-sur-Alzette"))[0].display_name, (await again.reverse(49.61, 6.13)).city];
  }, root);
  assert.match(found[0], /^Esch-sur-Alzette/);
  assert.equal(found[1], "Luxembourg");
  await close();
});

test("what is given up fetches no further, and what fails can be asked again", async () => {
  const { page, host, root, close } = await visit();
  await page.evaluate(async (root) => (window.geo = await Geocoder.load({ pages: root })) && true, root);
  const held = [];
  fail(host, (request, response) => held.push(response) > 0);
  const outcome = await page.evaluate(async () => {
    const controller = new AbortController();
    const asked = geo.forward("Ouagadougou", { signal: controller.signal });
    await new Promise((resume) => setTimeout(resume, 200));
    controller.abort();
    return asked.catch((error) => error.name);
  });
  assert.equal(outcome, "AbortError");
  await page.waitForTimeout(200);
  assert.ok(held.length > 0 && held.every((response) => response.destroyed || response.closed), "the connections are closed");
  fail(host, (request, response) => response.writeHead(404).end() || true);
  const code = await page.evaluate(() => geo.forward("Ouagadougou").catch((error) => error.code));
  assert.equal(code, "download_failed");
  fail(host, () => false);
  assert.match(await page.evaluate(async () => (await geo.forward("Ouagadougou"))[0].display_name), /^Ouagadougou/);
  await close();
});

test("a page that is not the one of the index is refused", async () => {
  const { page, host, root, close } = await visit();
  await page.evaluate(async (root) => (window.geo = await Geocoder.load({ pages: root })) && true, root);
  const other = readdirSync(pages).find((name) => /^[0-9a-f]{16}$/.test(name));
  fail(host, (request, response, path) => path !== `/${other}` && response.writeHead(302, { location: `/${other}` }).end() && true);
  const code = await page.evaluate(() => geo.forward("Ouagadougou").catch((error) => error.code));
  assert.equal(code, "invalid_index");
  await close();
});
