// Judges the packed packages as their publisher would: publint and are-the-types-wrong find nothing, and package.json says what
// npm needs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { manifest as completed, pageOf } from "../../pkg-build/npm/make/manifest.mjs";
import { EXPORTS, ROOT, Project, packed } from "./harness.mjs";
import { BUILT, PROGRAMS, linted, wrong } from "./judges.mjs";

/** The full package is built by `cargo xtask build npm` alone. */
const FULL = join(ROOT, "pkg-build/npm/full.package.json");

/** The packages around the one with the engine. */
const AROUND = Object.entries(BUILT).filter(([name]) => name !== "toponym" && name !== "toponym-full");

/** Node before 20.3 has no `AbortSignal.any`, which the server for assistants needs. */
const NODE = { "toponym-mcp": ">=20.3" };

let project;

before(() => {
  project = new Project();
});

after(() => project?.remove());

test("publint finds nothing", async () => {
  assert.deepEqual(await linted(project.package), []);
});

test("are-the-types-wrong finds nothing", async () => {
  assert.deepEqual(await wrong(project.tarball), []);
});

for (const [name, folder] of AROUND) {
  test(`publint and are-the-types-wrong find nothing in ${name}`, async () => {
    assert.deepEqual(await linted(folder), []);
    if (!PROGRAMS.includes(name)) assert.deepEqual(await wrong(packed(folder, project.folder).tarball), []);
  });
}

test("both notice what is wrong", async () => {
  const manifest = join(project.package, "package.json");
  const right = readFileSync(manifest, "utf8");
  try {
    writeFileSync(manifest, right.replace('"default": "./worker.js"', '"default": "./no-such.js"'));
    assert.notDeepEqual(await linted(project.package), []);
  } finally {
    writeFileSync(manifest, right);
  }
  assert.deepEqual(
    (await wrong(project.tarball, "worker.d.ts")).map(({ kind, entrypoint }) => [kind, entrypoint])[0],
    ["UntypedResolution", "./worker"],
  );
});

test("package.json has what npm publishes with", () => {
  const manifest = JSON.parse(readFileSync(join(project.package, "package.json"), "utf8"));
  const full = JSON.parse(readFileSync(FULL, "utf8"));
  const around = AROUND.map(([, folder]) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  for (const { name, license, engines, publishConfig, sideEffects, description } of [manifest, full, ...around]) {
    assert.match(name, /^toponym(-(full|react|vue|maplibre|leaflet|mcp))?$/);
    assert.deepEqual([license, engines.node, publishConfig], ["MIT OR Apache-2.0", NODE[name] ?? ">=20", { access: "public" }]);
    assert.ok(sideEffects !== undefined && description.length > 30);
  }
  for (const file of manifest.sideEffects) assert.ok(project.packed.includes(file.replace("./", "")), file);
});

/** Returns how many places an index of `build` has, in all and of each kind, as READMEs write numbers. */
function placesOf(name) {
  const said = execFileSync(join(ROOT, "target/debug/toponym"), ["inspect", "--index", join(ROOT, `build/${name}.toponym`)], { encoding: "utf8" });
  const kinds = {};
  for (const [, kind, count] of said.matchAll(/^│ (\w+) +\w+ +\w+ +([\d,]+) │$/gm)) kinds[kind] = (kinds[kind] ?? 0) + Number(count.replaceAll(",", ""));
  return { all: said.match(/: ([\d,]+) places/)[1], kinds: Object.values(kinds).map((count) => count.toLocaleString("en")).sort() };
}

/** Returns the numbers of thousands in the rows of tables of a README that come after a heading, or the first heading. */
function numbersIn(path, heading = "# ") {
  const text = readFileSync(join(ROOT, path), "utf8");
  const [section] = text.slice(text.indexOf(heading)).split(/\n## (?!Coverage)/);
  return section.split("\n").filter((line) => line.startsWith("|")).join().match(/\b\d{1,3}(,\d{3})+\b|\b\d{3}\b(?= \|)/g);
}

test("READMEs say how many places there are", () => {
  const [first, core, { all, kinds }] = [placesOf("first").all, placesOf("core").all, placesOf("index")];
  const counts = { "": [first, core, all], npm: [first, core, all], react: [first, core, all], vue: [first, core, all], maplibre: [core, all], leaflet: [core, all], mcp: [core, all] };
  for (const [name, expected] of Object.entries(counts)) {
    const said = numbersIn(name ? `pkg-build/${name}/README.md` : "README.md");
    assert.deepEqual([...new Set(said)].slice(0, expected.length), expected, name);
  }
  assert.deepEqual(numbersIn("README.md", "## Coverage").sort(), kinds);
});

test("the tests import every entry", () => {
  const { exports } = JSON.parse(readFileSync(join(project.package, "package.json"), "utf8"));
  const entries = Object.keys(exports).filter((entry) => entry !== "./package.json");
  assert.deepEqual(entries.map((entry) => entry.replace(".", "toponym")), Object.keys(EXPORTS));
});

// In the packages that were built they depend on the clone.
test("every package names the public repository", () => {
  const around = AROUND.map(([name]) => [name.replace("toponym-", "pkg-build/"), "package.json"]);
  for (const [directory, file] of [["pkg-build/npm", "package.json"], ["pkg-build/npm", "full.package.json"], ...around]) {
    const of = (page) => JSON.parse(completed(directory, file, "1.2.3", page));
    const { version, repository, homepage, bugs } = of("https://code.example/owner/name");
    assert.equal(version, "1.2.3");
    assert.deepEqual(repository, { type: "git", url: "git+https://code.example/owner/name.git", directory });
    assert.deepEqual([homepage, bugs.url], ["https://code.example/owner/name#readme", "https://code.example/owner/name/issues"]);
    assert.equal(of(undefined).repository, undefined);
  }
});

test("addresses of git lead to a page, if everybody can open it", () => {
  const page = "https://code.example/owner/name";
  const pages = {
    "https://code.example/owner/name": page,
    "https://code.example/owner/name.git": page,
    "https://user:secret@code.example:8443/owner/name/": page,
    "ssh://git@code.example:2222/owner/name.git": page,
    "git@code.example:owner/name.git": page,
    "git://code.example/owner/name": page,
    "git@code.example:group/part/name": "https://code.example/group/part/name",
  };
  for (const [address, expected] of Object.entries(pages)) assert.equal(pageOf(address), expected, address);
  const others = [
    "",
    "/srv/git/name",
    "../name",
    "file:///srv/git/name.git",
    "C:\\code\\name",
    "https://localhost/owner/name",
    "https://192.0.2.1/owner/name",
    "http://code.local/owner/name",
    "https://code.example/name",
    "https://code.example/../..",
    "ftp://code.example/owner/name",
  ];
  for (const address of others) assert.equal(pageOf(address), undefined, address);
});

const { build } = createRequire(createRequire(join(ROOT, "edge-worker/package.json")).resolve("wrangler"))("esbuild");

/** Scripts that measure run by hand, and would break unseen. */
test("every script finds what it imports", async () => {
  const exclude = (path) => path.includes("node_modules") || path.split("/").some((name) => name.startsWith("."));
  const entryPoints = globSync("tests/bench/**/*.mjs", { cwd: ROOT, exclude }).map((path) => join(ROOT, path));
  assert.ok(entryPoints.length > 30, `${entryPoints.length} scripts`);
  const options = { bundle: true, format: "esm", loader: { ".toponym": "empty", ".wasm": "empty" }, logLevel: "silent", packages: "external", platform: "node", write: false, outdir: ROOT };
  const { errors } = await build({ entryPoints, ...options }).catch((failed) => failed);
  assert.deepEqual(errors.map(({ text, location }) => `${location?.file}: ${text}`), []);
});
