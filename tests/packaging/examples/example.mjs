// One example: copied, with the packed packages installed beside it, built, and opened in Chromium. Those of pkg-build/examples
// show bundlers, and those of the packages around `toponym` show a framework or a map.
//
// Bundlers, frameworks and maps come from a folder with a lock file. Examples are built in its folder `work`, so that they find
// them above, and the packages, installed from their tarballs, next to them.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { freePort } from "../../servers.mjs";
import { ROOT, Site, install, packed } from "../harness.mjs";

export const EXAMPLES = join(ROOT, "pkg-build/examples");

/** Its examples. Next.js has tools of its own, larger than the others together. */
export const ALL = ["plain", "vite", "webpack", "rollup", "esbuild", "next"];

/** Those of the packages around `toponym`, by the folder of the package. */
export const AROUND = ["react", "vue", "maplibre", "leaflet"];

/** What a map shows when a place was chosen. The other pages say in `#chosen` what it is. */
const MARKERS = { maplibre: ".maplibregl-marker", leaflet: ".leaflet-marker-icon" };

/** Longest wait for a server of an example to answer, in milliseconds: Next.js starts in two seconds on a quiet machine. */
const START_MS = 60_000;

/** Longest wait for a page, in milliseconds: a hundred times what a quiet machine takes. */
const PATIENCE_MS = 60_000;

/** A pause between two looks at a server or a page, in milliseconds. */
const LOOK_MS = 100;

function toolsOf(name) {
  if (AROUND.includes(name)) return join(ROOT, "tests");
  return join(import.meta.dirname, name === "next" ? "next" : "bundlers");
}

const sourcesOf = (name) => (AROUND.includes(name) ? join(ROOT, "pkg-build", name, "example") : join(EXAMPLES, name));

/** Installs the packed package, and those around it that the examples `names` need, in empty folders. */
export function prepare(names, tarball) {
  for (const tools of new Set(names.map(toolsOf))) {
    if (!existsSync(join(tools, "node_modules"))) throw new Error(`${tools} has no packages: run \`cargo xtask bench examples\``);
    const work = join(tools, "work");
    rmSync(work, { recursive: true, force: true });
    const around = names.filter((name) => AROUND.includes(name) && toolsOf(name) === tools);
    install(work, tarball, ...around.map((name) => packed(join(ROOT, "build", `npm-${name}`), dirname(tarball)).tarball));
  }
}

/** Copies an example and builds it as its own scripts say. Returns its folder. */
export function build(name) {
  const tools = toolsOf(name);
  const folder = join(tools, "work", name);
  cpSync(sourcesOf(name), folder, { recursive: true });
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // Without a bundler, the browser asks the page's own server for the package.
  if (!scripts?.build) symlinkSync(join(tools, "work/node_modules"), join(folder, "node_modules"));
  else execFileSync("npm", ["run", "build"], { cwd: folder, env: environment(tools), encoding: "utf8", stdio: "pipe" });
  return folder;
}

function environment(tools) {
  const path = [join(tools, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
  return { ...process.env, PATH: path, NEXT_TELEMETRY_DISABLED: "1" };
}

/** Serves a built example. Returns `{ url, close }`. */
export async function serve(name, folder) {
  if (name === "next") return serveNext(folder);
  const site = await Site.of(existsSync(join(folder, "dist")) ? join(folder, "dist") : folder);
  return { url: site.url, close: () => site.close() };
}

async function serveNext(folder) {
  const port = await freePort();
  const next = join(toolsOf("next"), "node_modules/next/dist/bin/next");
  const server = spawn(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", String(port)], {
    cwd: folder,
    env: environment(toolsOf("next")),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  const close = () => new Promise((done) => (server.once("exit", done), server.kill()));
  const end = Date.now() + START_MS;
  while (!(await fetch(url).then(({ ok }) => ok, () => false))) {
    if (Date.now() > end || server.exitCode !== null) {
      server.kill();
      throw new Error("`next start` does not answer");
    }
    await new Promise((resume) => setTimeout(resume, LOOK_MS));
  }
  return { url, close };
}

/** Checks what the server of the Next.js example renders. */
export async function checkRendered(url) {
  const html = await (await fetch(`${url}/where?q=Paris,%20Texas`)).text();
  assert.match(html, /Paris, [^<]*Texas, United States/);
  const page = await (await fetch(url)).text();
  assert.match(page, /<toponym-autocomplete id="where"/);
}

/** In the page, before its scripts: types three letters as soon as there is a field, and notes when the first suggestion is there. */
export function typing() {
  const element = () => document.querySelector("toponym-autocomplete");
  const found = (own, others) => (element() ? element().shadowRoot?.querySelector(own) : document.querySelector(others));
  const option = () => found("li", "ol li, .maplibregl-ctrl-geocoder .suggestions li, .leaflet-control-geocoder-alternatives li");
  const field = () => found("input", "input");
  let isTyped = false;
  const look = () => {
    const input = field();
    // A component is the browser's own as soon as its frame has answered: before that, its field would be rendered anew.
    if (input && !isTyped) {
      isTyped = true;
      input.focus();
      input.value = "par";
      input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
      // The control for MapLibre looks at keys.
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "r", bubbles: true, composed: true }));
    }
    if (option()) window.firstSuggestion = performance.now();
    else setTimeout(look, 1);
  };
  look();
}

/** Waits for something of a page. Unlike `waitForFunction`, its error tells what the page itself complained of. */
async function until(page, isSo) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate(isSo))) {
    if (Date.now() > end) throw new Error(`the page never came to ${isSo}; it said: ${page.errors.join("; ") || "nothing"}`);
    await new Promise((resume) => setTimeout(resume, LOOK_MS));
  }
}

/** What a page says of its suggestions, as soon as it has some. It was opened with `typing`. */
export async function suggested(page) {
  await until(page, () => window.firstSuggestion > 0);
  return { suggestion: await options(page).first().textContent(), ms: await page.evaluate(() => window.firstSuggestion) };
}

/** Chooses what a page suggests first, and returns what it says of it: a map shows a marker and says nothing. */
export async function chosen(page, name) {
  await options(page).first().click();
  if (MARKERS[name]) return page.locator(MARKERS[name]).first().waitFor();
  await until(page, () => /\d/.test(document.querySelector("#chosen").textContent));
  return page.locator("#chosen").textContent();
}

function options(page) {
  return page.locator("toponym-autocomplete li, ol li button, .suggestions li, .leaflet-control-geocoder-alternatives li");
}
