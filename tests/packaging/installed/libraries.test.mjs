// Uses the packaged crate in a project of its own, with its example as the program; installs the wheel and the source distribution by
// pip into fresh environments, and upgrades one.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ANSWER, EARLIER, KNOWN, QUESTION, RELEASE, ROOT, VERSION, bytesOf, emptyFolder, measured, released, run } from "./harness.mjs";

test("the packaged crate builds in an empty project, and its example answers", async (context) => {
  const folder = emptyFolder(context);
  const file = released(/\.crate$/);
  await run("tar", ["-xzf", file, "-C", folder]);
  const crate = join(folder, `toponym-engine-${VERSION}`);
  for (const text of ["LICENSE-MIT", "LICENSE-APACHE", "README.md"]) assert.ok(existsSync(join(crate, text)), text);
  await run("cargo", ["new", "--quiet", "--name", "project", join(folder, "project")]);
  const cwd = join(folder, "project");
  cpSync(join(crate, "examples/answer.rs"), join(cwd, "src/main.rs"));
  await run("cargo", ["add", "--quiet", "--path", crate], { cwd });
  await run("cargo", ["add", "--quiet", "serde_json"], { cwd });
  const env = { CARGO_TARGET_DIR: join(folder, "target"), CARGO_INCREMENTAL: "0" };
  await measured("cargo add toponym-engine", "compiled", bytesOf(file), () => run("cargo", ["build", "--quiet"], { cwd, env }));
  const input = `${JSON.stringify({ id: 1, op: "forward", query: QUESTION, limit: 1 })}\n`;
  const { stdout, stderr } = await measured("cargo add toponym-engine", "first answer", 0, async () =>
    spawnSync(join(folder, "target/debug/project"), [join(ROOT, "build/core.toponym")], { input, encoding: "utf8" }),
  );
  assert.equal(JSON.parse(stdout || stderr).results[0].place_id, 2867714);
});

const wheel = () => released(/\.whl$/);

/** Writes the version before a wheel: Python's own library for zip files, and the names and texts that have the version. */
const EARLIER_WHEEL = `
import sys, zipfile
path, version, earlier, out = sys.argv[1:]
name = path.rsplit("/", 1)[-1].replace(version, earlier)
with zipfile.ZipFile(path) as old, zipfile.ZipFile(f"{out}/{name}", "w", zipfile.ZIP_DEFLATED) as new:
    for entry in old.namelist():
        content = old.read(entry)
        if entry.endswith(("/METADATA", "/RECORD")):
            content = content.decode().replace(version, earlier).encode()
        new.writestr(entry.replace(version, earlier), content)
print(f"{out}/{name}")
`;

/** Makes an environment, and returns what runs its programs. */
async function environment(context) {
  const folder = emptyFolder(context);
  await run("python3", ["-m", "venv", join(folder, "env")]);
  const program = (name) => (arguments_, options) => run(join(folder, "env/bin", name), arguments_, { cwd: folder, ...options });
  return { folder, pip: (...arguments_) => program("pip")(["--disable-pip-version-check", ...arguments_]), python: program("python"), toponym: program("toponym") };
}

const IDS = `from toponym import Geocoder; print([Geocoder().forward(name)[0]["place_id"] for name in ${JSON.stringify(KNOWN)}])`;

test("the wheel answers by its command, and an upgrade keeps the ids", async (context) => {
  const { folder, pip, python, toponym } = await environment(context);
  const earlier = (await python(["-c", EARLIER_WHEEL, wheel(), VERSION, EARLIER, folder])).trim();
  await pip("install", "--no-index", earlier);
  assert.equal(await python(["-c", "import toponym; print(toponym.__version__)"]), `${EARLIER}\n`);
  const before = await python(["-c", IDS]);
  await measured("pip install toponym", "installed", bytesOf(wheel()), () => pip("install", "--no-index", `--find-links=${RELEASE}`, "--only-binary=:all:", "--upgrade", "toponym"));
  assert.equal(await python(["-c", "import toponym; print(toponym.__version__)"]), `${VERSION}\n`);
  assert.equal(await python(["-c", IDS]), before);
  assert.equal(await measured("pip install toponym", "first answer", 0, () => toponym([QUESTION])), ANSWER);
  assert.equal(await python(["-m", "toponym", QUESTION]), ANSWER);
  const [place] = JSON.parse(await toponym([QUESTION, "--json", "--lang=de"]));
  assert.deepEqual([place.display_name, place.place_id], ["München, Bayern, Deutschland", 2867714]);
  assert.match(await toponym(["--credits"]), /GeoNames/);
  await toponym(["xyzzyqqq"], { code: 3 });
  await toponym(["--limit=99", "Rome"], { code: 2 });
  await toponym([], { code: 2 });
});

test("the source distribution builds, and has the core index", async (context) => {
  const { folder, pip, toponym } = await environment(context);
  const sdist = released(/^toponym-[^-]+\.tar\.gz$/);
  // With the profile, the target folder and the variables (.cargo/config.toml) of other tests, so that only our own crates are compiled.
  const env = { MATURIN_PEP517_ARGS: "--profile dev", CARGO_TARGET_DIR: join(ROOT, "target"), PYO3_BUILD_EXTENSION_MODULE: "1", PYO3_NO_PYTHON: "1" };
  await run(join(folder, "env/bin/pip"), ["--disable-pip-version-check", "install", sdist], { cwd: folder, env });
  assert.equal(await toponym([QUESTION]), ANSWER);
});
