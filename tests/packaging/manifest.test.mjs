// Judges the packed packages as their publisher would: publint and are-the-types-wrong find nothing, and package.json says what
// npm needs.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

import { Project, ROOT, packed } from "./harness.mjs";

/** The full package is built by `cargo xtask npm` alone. */
const FULL = join(ROOT, "pkg-build/npm/full.package.json");

/**
 * What are-the-types-wrong says of every package without CommonJS. `require` of it works from Node 20.19 on, and
 * `node.test.mjs` does it.
 */
const ESM_ONLY = "CJSResolvesToESM";

let project;

before(() => {
  project = new Project();
});

after(() => project?.remove());

/** The packages around the one with the engine. The server for assistants is a program: it has no types. */
const AROUND = ["react", "vue", "maplibre", "leaflet", "mcp"].map((name) => [name, join(ROOT, "build", `npm-${name}`)]);

/** The messages of publint on a folder. */
async function linted(folder) {
  const { messages, pkg } = await publint({ pkgDir: folder, level: "suggestion", strict: true, pack: false });
  return messages.map((message) => formatMessage(message, pkg, { color: false }));
}

/** The problems that are-the-types-wrong finds in a tarball, of which one file may be missing. */
async function wrong(tarball, missing) {
  const whole = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
  const files = whole.listFiles().filter((path) => !missing || !path.endsWith(`/${missing}`));
  const Package = whole.constructor;
  const part = new Package(Object.fromEntries(files.map((path) => [path, whole.readFile(path)])), whole.packageName, whole.packageVersion);
  const { types, problems } = await checkPackage(part);
  assert.deepEqual(types, { kind: "included" });
  return problems.filter(({ kind }) => kind !== ESM_ONLY);
}

test("publint finds nothing", async () => {
  assert.deepEqual(await linted(project.package), []);
});

test("are-the-types-wrong finds nothing", async () => {
  assert.deepEqual(await wrong(project.tarball), []);
});

for (const [name, folder] of AROUND) {
  test(`publint and are-the-types-wrong find nothing in toponym-${name}`, async () => {
    assert.deepEqual(await linted(folder), []);
    if (name !== "mcp") assert.deepEqual(await wrong(packed(folder, project.folder).tarball), []);
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
    assert.deepEqual([license, engines.node, publishConfig], ["MIT OR Apache-2.0", ">=20", { access: "public" }]);
    assert.ok(sideEffects !== undefined && description.length > 30);
  }
  // Where the clone has a public remote, `cargo xtask npm` adds what provenance is compared with.
  if (manifest.repository) {
    assert.match(manifest.repository.url, /^git\+https:\/\/.+\.git$/);
    assert.equal(manifest.repository.directory, "pkg-build/npm");
    assert.ok(manifest.homepage.startsWith("https://"));
  }
  for (const file of manifest.sideEffects) assert.ok(project.packed.includes(file.replace("./", "")), file);
});
