// Judges the packed packages as their publisher would: publint and are-the-types-wrong find nothing, and package.json says what
// npm needs.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { EXPORTS, Project, ROOT, packed } from "./harness.mjs";
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
  // `repository`, `homepage` and `bugs` depend on the clone: unit tests of `cargo xtask build npm` look at them.
  for (const file of manifest.sideEffects) assert.ok(project.packed.includes(file.replace("./", "")), file);
});

test("the tests import every entry", () => {
  const { exports } = JSON.parse(readFileSync(join(project.package, "package.json"), "utf8"));
  const entries = Object.keys(exports).filter((entry) => entry !== "./package.json");
  assert.deepEqual(entries.map((entry) => entry.replace(".", "toponym")), Object.keys(EXPORTS));
});
