// Runs the code for pages that the playground offers to copy: the element, its components for React and Vue, and the controls of
// MapLibre and Leaflet, each built by Vite with the packages as installed, and opened in Chromium. What is typed into them must
// suggest what the page's own engine suggests with the same options.
//
// Needs `cargo xtask build npm`, and the npm packages of tests/components and tests/packaging.

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

import { test } from "../browsers.mjs";
import { codeOf } from "../../edge-worker/site/playground/code/platforms.mjs";
import { chosenOptions, packageCall, packageOptions, sought, typedOptions } from "../../edge-worker/site/playground/question.mjs";
import { SOFTWARE_WEBGL } from "../chromium.mjs";
import { Project, ROOT, Site, launch, opened } from "../components/harness.mjs";
import { LANGUAGE, QUESTIONS } from "./questions.mjs";

const TOOLS = createRequire(join(ROOT, "tests/package.json"));

/** Of the questions about a text, those with other options. */
const TEXTS = ["text", "filters", "unfinished, with filters", "near", "within", "unfinished, within and near", "the user's language"];

/** A field is looked at so often, and every so many milliseconds: for 20 s. */
const [LOOKS, LOOK_MS] = [200, 100];

const POINTS = ["point", "points nearby", "point, as GeoJSON"];

const PLATFORMS = ["Element", "React", "Vue", "MapLibre", "Leaflet"];

/** The map that the code for a map takes as given, in the middle of which the question prefers places. */
const MAPS = {
  MapLibre: `
    import { Map, setWorkerUrl } from "maplibre-gl";
    import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
    setWorkerUrl(workerUrl);
    const style = { version: 8, sources: {}, layers: [] };
    export const map = new Map({ container: "map", style, center: CENTRE, zoom: 4 });`,
  Leaflet: `
    import { Icon, map as mapOf } from "leaflet";
    // It looks for its images beside its style sheet, which is not here.
    delete Icon.Default.prototype._getIconUrl;
    Icon.Default.mergeOptions({ iconUrl: "data:,", iconRetinaUrl: "data:,", shadowUrl: "data:," });
    export const map = mapOf("map", { zoomAnimation: false }).setView(CENTRE.toReversed(), 4);`,
};

let project, site, chromium, geo;
before(async () => {
  project = new Project();
  for (const name of [...TEXTS, ...POINTS]) writePages(name);
  await build();
  [site, chromium] = await Promise.all([Site.of(project.path("dist")), launch(SOFTWARE_WEBGL)]);
  const { Geocoder } = await import(pathToFileURL(project.path("node_modules/toponym/node.js")));
  geo = await Geocoder.load();
});
after(async () => {
  geo?.free();
  await chromium?.close();
  await site?.close();
  project?.remove();
});

/** The folder of a page. */
function slug(name, platform) {
  return `${name} ${platform}`.replaceAll(/\W+/g, "-").toLowerCase();
}

/** A page for the code of each platform that can ask the question. */
function writePages(name) {
  const asked = QUESTIONS[name];
  const code = codeOf(asked, { origin: "https://toponym.example", language: LANGUAGE });
  for (const platform of PLATFORMS) {
    if (code[platform]) writePage(slug(name, platform), platform, code[platform], packageOptions(asked).focus);
  }
}

function writePage(page, platform, code, { lat, lon } = { lat: 0, lon: 0 }) {
  mkdirSync(project.path(page));
  const script = {
    React: ["Where.jsx", 'import { createElement } from "react"; import { createRoot } from "react-dom/client"; import { Where } from "./Where.jsx"; createRoot(document.querySelector("#root")).render(createElement(Where));'],
    Vue: ["Where.vue", 'import { createApp } from "vue"; import Where from "./Where.vue"; createApp(Where).mount("#root");'],
    MapLibre: ["code.js", 'import "./code.js";'],
    Leaflet: ["code.js", 'import "./code.js";'],
  }[platform];
  const html = (body) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>${page}</title><link rel="icon" href="data:,"><style>#map { width: 700px; height: 500px }</style><body>${body}</body></html>`;
  if (!script) return project.write(`${page}/index.html`, html(code));
  const isMap = platform in MAPS;
  if (isMap) project.write(`${page}/map.js`, MAPS[platform].replace("CENTRE", JSON.stringify([lon, lat])));
  const given = isMap ? 'import { map } from "./map.js";\n' : "";
  // What is at a point has no control, so the page shows it.
  const shown = isMap && code.includes("const found") ? "\nglobalThis.found = found;" : "";
  project.write(`${page}/${script[0]}`, given + code + shown);
  project.write(`${page}/main.js`, script[1]);
  project.write(`${page}/index.html`, html('<div id="root"></div><div id="map"></div><script type="module" src="./main.js"></script>'));
}

/** Builds all pages at once, so that they share what they import. */
async function build() {
  const { build: vite } = await import(pathToFileURL(TOOLS.resolve("vite")));
  const pages = [...TEXTS, ...POINTS].flatMap((name) => PLATFORMS.map((platform) => slug(name, platform)));
  const input = pages.map((page) => project.path(`${page}/index.html`)).filter(existsSync);
  await vite({ root: project.folder, base: "./", logLevel: "error", plugins: [singleFileComponents()], worker: { format: "es" }, build: { target: "es2022", rollupOptions: { input } } });
}

/** Compiles components of Vue, by its own compiler. */
function singleFileComponents() {
  const { compileScript, parse } = TOOLS("vue/compiler-sfc");
  return {
    name: "single-file-components",
    transform(source, id) {
      if (!id.endsWith(".vue")) return null;
      const { descriptor } = parse(source, { filename: id });
      return { code: compileScript(descriptor, { id: "where", inlineTemplate: true }).content, map: null };
    },
  };
}

/** Opens the page of a question, and waits until `wait` holds there. */
const visit = (name, platform, wait, options) => opened(chromium, `${site.url}/${slug(name, platform)}/`, { wait, locale: LANGUAGE, ...options });

/** Reads what a field shows until it is what is expected, in any order: better suggestions come when all places are there. Returns the last. */
async function settled(expected, read) {
  let shown;
  for (let look = 0; look < LOOKS; look++) {
    shown = await read();
    if (isDeepStrictEqual(shown.toSorted(), expected.toSorted())) break;
    await wait(LOOK_MS);
  }
  return shown;
}

const names = (found) => found.map(({ display_name }) => display_name);

/** The engine in this Node is asked in the language that the browser has. */
const inLanguage = (options) => (options.lang === "auto" ? { ...options, lang: LANGUAGE } : options);

for (const name of TEXTS) {
  const asked = QUESTIONS[name];
  const typed = sought(asked);
  const options = inLanguage(typedOptions(asked));

  for (const platform of ["Element", "React", "Vue"]) {
    test(`${platform}: ${name}`, async () => {
      const { page, close } = await visit(name, platform, () => document.querySelector("toponym-autocomplete")?.matches(":defined"));
      await page.getByRole("combobox", { name: "Where to?" }).fill(typed);
      const suggested = names(geo.autocomplete(typed, { limit: 5, ...options }));
      const shown = await settled(suggested, () => page.getByRole("option").evaluateAll((items) => items.map((item) => item.querySelector("[part=name]").textContent + (item.querySelector("[part=areas]") ? `, ${item.querySelector("[part=areas]").textContent}` : ""))));
      // What the first places had suggested keeps its row.
      assert.deepEqual(shown.toSorted(), suggested.toSorted());
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      if (platform !== "Element") await page.locator("output").filter({ hasText: shown[0] }).waitFor();
      const place = await page.evaluate(() => document.querySelector("toponym-autocomplete").place);
      // The field asks for more facts, which its list shows.
      const [expected] = geo.autocomplete(typed, options);
      assert.deepEqual(Object.keys(expected).filter((fact) => !(fact in place)), []);
      assert.deepEqual(page.errors, []);
      await close();
    });
  }

  test(`MapLibre: ${name}`, async () => {
    const isTyped = asked.route === "autocomplete";
    const { page, close } = await visit(name, "MapLibre", () => document.querySelector(".maplibregl-ctrl-geocoder--input"));
    await page.locator(".maplibregl-ctrl-geocoder--input").pressSequentially(typed);
    if (!isTyped) await page.keyboard.press("Enter");
    const items = page.locator(".maplibregl-ctrl-geocoder .suggestions li");
    await items.first().waitFor();
    const shown = await items.evaluateAll((all) => all.map((item) => [".maplibregl-ctrl-geocoder--result-title", ".maplibregl-ctrl-geocoder--result-address"].map((part) => item.querySelector(part).textContent).filter(Boolean).join(", ")));
    // The control itself prefers the language of the browser.
    const given = { limit: 5, lang: LANGUAGE, ...(isTyped ? options : inLanguage(chosenOptions(asked))) };
    const expected = isTyped ? geo.autocomplete(typed, given) : geo.forward(typed, given);
    assert.deepEqual(shown, names(expected));
    assert.deepEqual(page.errors, []);
    await close();
  });

  test(`Leaflet: ${name}`, async () => {
    const { page, close } = await visit(name, "Leaflet", () => document.querySelector(".leaflet-control-geocoder"));
    await page.locator(".leaflet-control-geocoder-icon").click();
    await page.locator(".leaflet-control-geocoder-form input").pressSequentially(typed);
    await page.keyboard.press("Enter");
    const expected = names(geo.forward(typed, { limit: 5, ...options }));
    const items = page.locator(".leaflet-control-geocoder-alternatives li");
    await items.nth(expected.length - 1).waitFor();
    assert.deepEqual((await items.allTextContents()).slice(0, expected.length), expected);
    assert.deepEqual(page.errors, []);
    await close();
  });
}

for (const name of POINTS) {
  const asked = QUESTIONS[name];
  const expected = () => {
    const [, lat, lon] = packageCall(asked);
    return names(geo.reverse(lat, lon, { limit: 1, ...chosenOptions(asked) }));
  };

  test(`MapLibre: ${name}`, async () => {
    const { page, close } = await visit(name, "MapLibre", () => globalThis.found);
    assert.deepEqual(await page.evaluate(() => globalThis.found.features.map(({ place_name }) => place_name)), expected());
    await close();
  });

  test(`Leaflet: ${name}`, async () => {
    const { page, close } = await visit(name, "Leaflet", () => globalThis.found);
    assert.deepEqual(await page.evaluate(() => globalThis.found.map(({ name }) => name)), expected());
    await close();
  });
}
