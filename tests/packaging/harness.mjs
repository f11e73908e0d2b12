// Shared by the tests of the npm package: the package packed and installed as users install it, a file server that can
// misbehave, and Chromium.
//
// Needs `cargo xtask build npm` (build/npm) and the npm packages of tests and of edge-worker. Run with the latter's Node:
//
//     edge-worker/node_modules/.bin/node --test 'tests/packaging/*.test.mjs'

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { serveFiles } from "../servers.mjs";

export const ROOT = resolve(import.meta.dirname, "../..");

/** The built package: TOPONYM_PACKAGE names another one, which was changed to see whether the tests notice. */
export const PACKAGE = process.env.TOPONYM_PACKAGE ?? join(ROOT, "build/npm");

/** What the entries of the package export. Each can be imported everywhere, also where there are no threads and no pages. */
export const EXPORTS = {
  toponym: ["Geocoder"],
  "toponym/worker": ["GeocoderWorker"],
  "toponym/element": ["EVENTS", "OBJECTS", "SETTINGS", "ToponymAutocomplete", "attributesOf"],
  "toponym/geojson": ["featureCollection"],
  "toponym/http": ["HttpGeocoder"],
  "toponym/map": ["escapeHtml", "splitLabel", "suggester", "view"],
  "toponym/places": ["IDLE", "Places"],
};

/** The text of a module that imports every entry. What it finds is `exported`, in the form of `EXPORTS`. */
export const IMPORTS = `
${Object.keys(EXPORTS).map((name, at) => `import * as entry${at} from "${name}";`).join("\n")}
const exported = { ${Object.keys(EXPORTS).map((name, at) => `"${name}": Object.keys(entry${at})`).join(", ")} };
`;

/** A project in a temporary folder that has installed the package from its tarball. */
export class Project {
  constructor(built = PACKAGE) {
    if (!existsSync(built)) throw new Error(`${built} is missing: run \`cargo xtask build npm\` first`);
    this.folder = mkdtempSync(join(tmpdir(), "toponym-package-"));
    const { tarball, files } = packed(built, this.folder);
    /** Paths in the tarball. */
    this.packed = files;
    this.tarball = tarball;
    install(this.folder, this.tarball);
    this.package = join(this.folder, "node_modules/toponym");
    const pack = (title) => readdirSync(this.package).find((name) => new RegExp(`^${title}\\.[0-9a-f]{16}\\.bin$`).test(name));
    [this.core, this.first] = ["core", "first"].map(pack);
  }

  path(name) {
    return join(this.folder, name);
  }

  write(name, text) {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Packs a built package into `folder`. Returns the path of the tarball, and the paths in it. */
export function packed(built, folder) {
  const [{ filename, files }] = JSON.parse(npm(["pack", "--json", "--pack-destination", folder], built));
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}

/** Makes `folder` a project that has installed tarballs, as users install them. Frameworks and maps are found above it. */
export function install(folder, ...tarballs) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  npm(["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", ...tarballs], folder);
}

function npm(args, cwd) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Serves the files of a folder, and counts the requests. `intercept(request, response, path)` may answer first, by returning true. */
export class Site {
  requests = [];
  intercept = () => false;

  static async of(folder) {
    const site = new Site();
    const seen = (request, response, path) => {
      site.requests.push(path);
      return site.intercept(request, response, path);
    };
    const { url, stop } = await serveFiles({ "/": folder }, seen);
    return Object.assign(site, { url, close: stop });
  }

  /** Number of requests for paths with this suffix. */
  count(end) {
    return this.requests.filter((path) => path.endsWith(end)).length;
  }
}

/** Starts the browser under test. */
export { launch } from "../browsers.mjs";

/** A page that collects errors. `noErrors` fails the test if there are any. */
export async function watched(context) {
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return Object.assign(page, { errors });
}

/**
 * Waits until a search field, as a locator, has all its places, and shows what they answer: before that the first places answer, and the
 * answer of all comes behind.
 */
export function answered(field) {
  return field.evaluate(async (element) => {
    while (!element.geocoder) await new Promise(requestAnimationFrame);
    await element.geocoder.complete?.();
    // A thread answers in order. The question that the field may be waiting for is the first, and that for all places the second.
    for (let round = 0; round < 2; round += 1) {
      await new Promise((resume) => setTimeout(resume));
      await element.geocoder.autocomplete("rome");
    }
    await new Promise(requestAnimationFrame);
  });
}

export function bytesOf(project, pack = project.core) {
  return readFileSync(join(project.package, pack));
}
