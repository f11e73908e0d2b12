// Shared by the tests of the package with an index in pages: the index, a site with the package, and a host of the pages on
// another origin that can misbehave. Run by itself it makes the indexes: `cargo xtask test` does so before the tests, so that no two
// files make the same one at the same time.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeSmall } from "../live/small-index.mjs";
import { Project, ROOT, Site, launch, watched } from "./harness.mjs";
import { answers } from "./questions.mjs";
import { soon } from "../soon.mjs";

const MAIN = `
import { Geocoder } from "toponym";
import { GeocoderWorker } from "toponym/worker";
import "toponym/element";
import { answers } from "./answers.js";
Object.assign(window, { Geocoder, GeocoderWorker, answers });
`;

const ENTRIES = { toponym: "index.js", "toponym/worker": "worker.js", "toponym/element": "element.js" };

const IMPORTS = Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, `/node_modules/toponym/${file}`]));

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module" src="/main.js"></script>`;

const BUILT = join(ROOT, "target/debug/pages");
mkdirSync(BUILT, { recursive: true });

/** Whether a path is that of a page. */
export const isPage = (path) => /\/[0-9a-f]{16}$/.test(path);

/** The folder of the places of the core in pages. They are divided again, which takes a minute, when the data have changed. */
export function pagesOfCore() {
  return built("core", "--core");
}

/** A place of the newer version alone. */
export const NEWER = { name: "Qvistelby", bbox: [12.3, 55.6, 12.5, 55.8] };

/** The folder of a newer version, which has one city more: most pages are the same. */
export function newerPages() {
  const city = join(BUILT, "newer.csv");
  writeFileSync(city, `id,name,country,lat,lon,type\n1,${NEWER.name},DK,55.7,12.4,city\n`);
  return built("newer", "--core", "--add", city);
}

/** The bytes of an index of a shop in Paris and what contains it. */
export function ownPlaces() {
  return readFileSync(makeSmall(join(BUILT, "small")).own);
}

function built(name, ...options) {
  const pages = join(BUILT, `${name}.pages`);
  // What is built already knows its options.
  toponym(...(existsSync(pages) ? ["--if-stale"] : options), "--paged", "--out", join(BUILT, `${name}.toponym`));
  return pages;
}

function toponym(...options) {
  execFileSync(join(ROOT, "target/debug/toponym"), ["index", ...options], { cwd: ROOT, stdio: "pipe" });
}

/** The package installed, a browser, and the pages. */
export class Bench {
  static async of() {
    const bench = new Bench();
    bench.pages = pagesOfCore();
    bench.project = new Project();
    bench.project.write("answers.js", `export ${answers}\n`);
    bench.project.write("main.js", MAIN);
    bench.project.write("index.html", HTML);
    bench.chromium = await launch();
    return bench;
  }

  async close() {
    await this.chromium?.close();
    this.project?.remove();
  }

  /** Calls `work` with a page in Chromium, in a context of its own, and a host of the pages; and closes them. */
  async visit(work, { folder = this.pages } = {}) {
    const site = await Site.of(this.project.folder);
    const host = await hosted(folder);
    const context = await this.chromium.newContext();
    const open = () => opened(context, site);
    try {
      await work({ page: await open(), host, root: `${host.url}/root`, open, context, site });
    } finally {
      await context.close();
      await Promise.all([site.close(), host.close()]);
    }
  }
}

/** A host of a folder. `host.fail(intercept)` has `intercept(request, response, path)` answer first, by returning true. */
export async function hosted(folder) {
  const host = await Site.of(folder);
  const fail = (intercept) => {
    host.intercept = (request, response, path) => {
      response.setHeader("access-control-allow-origin", "*");
      return Boolean(intercept(request, response, path));
    };
  };
  fail(() => false);
  /** Number of requests for pages so far. */
  const pages = () => host.requests.filter(isPage).length;
  return Object.assign(host, { fail, heal: () => fail(() => false), pages });
}

async function opened(context, site) {
  const page = await watched(context);
  await page.goto(`${site.url}/index.html`);
  await page.waitForFunction(() => window.Geocoder);
  return page;
}

/** Loads a geocoder into the window of a page. */
export async function load(page, options, kind = "Geocoder") {
  await page.evaluate(async ([options, kind]) => {
    window.geo = await window[kind].load(options);
  }, [options, kind]);
}

/** The first answer of `forward`, or the code of the error. */
export function ask(page, text) {
  return page.evaluate((text) => geo.forward(text).then((places) => places[0]?.display_name ?? "none", (error) => error.code), text);
}

/** The addresses of what is kept, with their sizes: from the list of the package. */
export function kept(page) {
  return page.evaluate(async () => {
    const cache = await caches.open("toponym-pages");
    const list = await cache.match("https://toponym.invalid/kept");
    return { files: (await cache.keys()).map(({ url }) => url).filter((url) => !url.endsWith("/kept")), list: list ? await list.json() : {} };
  });
}

/** Waits until `check` of what is kept holds. */
export async function keptSoon(page, check) {
  return soon(() => kept(page), check);
}

if (process.argv[1] === import.meta.filename) {
  pagesOfCore();
  newerPages();
}
