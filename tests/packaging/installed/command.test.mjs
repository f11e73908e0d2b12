// Installs the command from its tar and from the Debian package, downloads an index with it, and upgrades it.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { serveFiles } from "../../servers.mjs";
import { EARLIER, QUESTION, RELEASE, VERSION, bytesOf, emptyFolder, measured, released, run, within } from "./harness.mjs";

/** The end of its answer as a table of CSV. */
const FOUND = /2867714,"Munich, Bavaria, Germany",48\.13743,11\.57549/;

const deb = () => released(/\.deb$/);

let site;

before(async () => {
  site = await serveFiles({ "/": RELEASE });
});

/** The variables of somebody who has no clone of the repository. */
const stranger = (home) => ({ TOPONYM_HOME: home, CARGO_MANIFEST_DIR: home, TOPONYM_INDEX: "" });

/** Downloads the index with a program, and asks it. */
async function fetched(program, home, way) {
  const env = stranger(home);
  const { size } = JSON.parse(readFileSync(join(RELEASE, "indexes.json"))).indexes.default;
  await measured(way, "index downloaded", size, () => run(program, ["fetch-index", "--mirror", site.url], { cwd: home, env }));
  assert.match(await measured(way, "first answer", 0, () => run(program, ["forward", QUESTION, "--limit=1", "--format=csv"], { cwd: home, env })), FOUND);
}

test("the tar has a command that runs where it is unpacked", async (context) => {
  const folder = emptyFolder(context);
  const archive = released(/^toponym-.*-linux-gnu\.tar\.gz$/);
  await measured("tar of the command", "installed", bytesOf(archive), () => run("tar", ["-xzf", archive, "-C", folder]));
  const at = join(folder, `toponym-${VERSION}`);
  const program = join(at, "bin/toponym");
  assert.equal(await run(program, ["--version"]), `toponym ${VERSION}\n`);
  await fetched(program, within(folder, "home"), "tar of the command");
  for (const path of ["share/man/man1/toponym.1", "share/man/man1/toponym-fetch-index.1", "share/bash-completion/completions/toponym", "share/doc/toponym/NOTICES.txt"]) assert.ok(existsSync(join(at, path)), path);
  await run("bash", ["-n", join(at, "share/bash-completion/completions/toponym")]);
});

test("apt installs, upgrades and removes the command, and the index stays", async (context) => {
  const isDebian = existsSync("/etc/debian_version") && process.getuid() === 0 && !existsSync("/usr/bin/toponym");
  if (!isDebian) return context.skip("it needs Debian, to be root, and no other toponym");
  const folder = emptyFolder(context);
  const apt = (...arguments_) => run("apt-get", ["--yes", "--no-install-recommends", ...arguments_], { env: { DEBIAN_FRONTEND: "noninteractive" } });
  const tree = join(folder, "tree");
  await run("dpkg-deb", ["--raw-extract", deb(), tree]);
  const control = join(tree, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: .*$/m, `Version: ${EARLIER}`));
  const earlier = join(folder, "earlier.deb");
  await run("dpkg-deb", ["--root-owner-group", "-Znone", "--build", tree, earlier]);
  const installed = () => run("dpkg-query", ["--show", "--showformat=${Version}", "toponym"]);
  try {
    await apt("install", earlier);
    assert.equal(await installed(), EARLIER);
    const home = within(folder, "home");
    await fetched("/usr/bin/toponym", home, "apt install ./toponym.deb");
    await measured("apt install ./toponym.deb", "installed", bytesOf(deb()), () => apt("install", deb()));
    assert.equal(await installed(), VERSION.replace("-", "~"));
    // Nobody has to serve it: the same index is not downloaded again.
    await run("/usr/bin/toponym", ["fetch-index", "--mirror", "http://127.0.0.1:1"], { cwd: home, env: stranger(home) });
    assert.match(await run("/usr/bin/toponym", ["forward", QUESTION, "--limit=1", "--format=csv"], { cwd: home, env: stranger(home) }), FOUND);
  } finally {
    await apt("remove", "toponym");
  }
  assert.ok(!existsSync("/usr/bin/toponym"));
});
