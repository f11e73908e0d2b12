// Lints the workflows of the host, and checks that they call the tasks that everybody calls.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, emptyFolder, run } from "./harness.mjs";

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
