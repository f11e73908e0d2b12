// Uses the packaged crate in a project of its own, with its example as the program.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { QUESTION, ROOT, VERSION, bytesOf, emptyFolder, measured, released, run } from "./harness.mjs";

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
