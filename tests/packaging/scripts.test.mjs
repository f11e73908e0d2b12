// Tests that every script that measures finds what it imports. Such scripts run by hand, and would break unseen.

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT } from "./harness.mjs";

const { build } = createRequire(createRequire(join(ROOT, "edge-worker/package.json")).resolve("wrangler"))("esbuild");

test("every script finds what it imports", async () => {
  const exclude = (path) => path.includes("node_modules") || path.split("/").some((name) => name.startsWith("."));
  const entryPoints = globSync("tests/{bench,load}/**/*.mjs", { cwd: ROOT, exclude }).map((path) => join(ROOT, path));
  assert.ok(entryPoints.length > 30, `${entryPoints.length} scripts`);
  const options = { bundle: true, format: "esm", loader: { ".toponym": "empty", ".wasm": "empty" }, logLevel: "silent", packages: "external", platform: "node", write: false, outdir: ROOT };
  const { errors } = await build({ entryPoints, ...options }).catch((failed) => failed);
  assert.deepEqual(errors.map(({ text, location }) => `${location?.file}: ${text}`), []);
});
