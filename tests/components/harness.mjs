// Shared by the tests of the search field, its wrappers and the map adapters: the packages, packed and installed as users
// install them, beside the frameworks and maps of tests; their examples, built by Vite; and Chromium.
//
// Needs `cargo xtask build npm` (build/npm and build/npm-*), the Worker, and the npm packages of tests and of edge-worker. Run with the latter's Node:
//
//     edge-worker/node_modules/.bin/node --test 'tests/components/*.test.mjs'

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

import { PACKAGE, ROOT, Site, answered, launch, watched } from "../packaging/harness.mjs";

export { PACKAGE, ROOT, Site, answered, launch, watched };

/** The packages of this repository, by the folder of `build`. */
const PACKAGES = ["npm", "npm-react", "npm-vue", "npm-maplibre", "npm-leaflet"];

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<body><main></main><script type="module" src="/main.js"></script></body></html>`;

/** A folder with the packages from their tarballs, below this one, so that frameworks and maps are found above it. */
export class Project {
  constructor(packages = PACKAGES) {
    this.folder = mkdtempSync(join(import.meta.dirname, ".project-"));
    const tarballs = packages.map((name) => pack(name === "npm" ? PACKAGE : join(ROOT, "build", name), this.folder));
    this.write("package.json", JSON.stringify({ name: "project", private: true, type: "module" }));
    const quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
    // Without the frameworks and maps, which npm would look up.
    npm(["install", ...quiet, "--legacy-peer-deps", ...tarballs.map((file) => `./${file}`)], this.folder);
  }

  path(name) {
    return join(this.folder, name);
  }

  write(name, text) {
    writeFileSync(this.path(name), text);
  }

  /** Builds the example of a package, and serves it. */
  async example(name) {
    const root = this.path(name);
    cpSync(join(ROOT, "pkg-build", name, "example"), root, { recursive: true });
    await build({ root, logLevel: "error" });
    return Site.of(join(root, "dist"));
  }

  /** Builds a page of one script, and serves it. */
  async page(name, script) {
    const root = this.path(name);
    mkdirSync(root);
    writeFileSync(join(root, "main.js"), script);
    writeFileSync(join(root, "index.html"), PAGE);
    await build({ root, logLevel: "error", build: { target: "es2022" } });
    return Site.of(join(root, "dist"));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function pack(folder, destination) {
  if (!existsSync(folder)) throw new Error(`${folder} is missing: run \`cargo xtask build npm\` first`);
  const [{ filename }] = JSON.parse(npm(["pack", "--json", "--pack-destination", destination], folder));
  return filename;
}

function npm(args, cwd) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Opens a page that collects its errors. `wait` says when it is ready. */
export async function opened(chromium, url, { wait = () => true, ...options } = {}) {
  const context = await chromium.newContext(options);
  const page = await watched(context);
  await page.goto(url);
  await page.waitForFunction(wait);
  return { page, close: () => context.close() };
}

/** Saves a screenshot if SCREENSHOTS names a folder. */
export async function picture(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
