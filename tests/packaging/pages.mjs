// A project that has the package, and a browser that shows its pages: the tests of a file that imports this share both.

import { after, before } from "node:test";

import { Project, launch, watched } from "./harness.mjs";

/** The script of the pages. */
export const MAIN = `
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

/** Returns the text of a page with a script. */
export const html = (script) => `<!doctype html><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">${script}
<toponym-autocomplete></toponym-autocomplete>`;

/** The import map of the pages. */
export const IMPORTS = {
  imports: {
    toponym: "/node_modules/toponym/index.js",
    "toponym/worker": "/node_modules/toponym/worker.js",
    "toponym/element": "/node_modules/toponym/element.js",
  },
};

export let project, chromium;

before(async () => {
  project = new Project();
  // The questions are the same file as elsewhere, but for its assertions.
  const { answers } = await import("./questions.mjs");
  project.write("answers.js", `export ${answers}\n`);
  project.write("main.js", MAIN);
  project.write("index.html", html('<script type="module" src="/main.js"></script>'));
  const map = `<script type="importmap">${JSON.stringify(IMPORTS)}</script>`;
  project.write("plain.html", html(`${map}<script type="module" src="/main.js"></script>`));
  chromium = await launch();
});

after(async () => {
  await chromium?.close();
  project?.remove();
});

/** Runs `work` in a page of the site, in a context with `options`; the package is imported as `toponym`. */
export async function inPage(site, work, argument, options = {}) {
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
