// Judges the packed package as its publisher would: publint and are-the-types-wrong find nothing, and package.json says what
// npm needs.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

import { Project, ROOT } from "./harness.mjs";

/** The two packages. The full one is built by `cargo xtask npm` alone. */
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
  for (const { name, license, engines, publishConfig, sideEffects, description } of [manifest, full]) {
    assert.match(name, /^toponym(-full)?$/);
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
