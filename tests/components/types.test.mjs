// Compiles types.tsx against the packed packages, beside the types of the frameworks and maps.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Project, ROOT } from "./harness.mjs";

const OPTIONS = {
  target: "es2023",
  module: "esnext",
  moduleResolution: "bundler",
  jsx: "react-jsx",
  lib: ["es2023", "dom", "dom.iterable"],
  strict: true,
  noEmit: true,
  // The types of the frameworks and maps are theirs to check.
  skipLibCheck: true,
};

test("the types of the packages", () => {
  const project = new Project();
  cpSync(join(import.meta.dirname, "types.tsx"), project.path("types.tsx"));
  project.write("tsconfig.json", JSON.stringify({ compilerOptions: { ...OPTIONS, types: [] }, files: ["types.tsx"] }));
  const tsc = join(ROOT, "tests/node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "--project", project.folder], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
  for (const name of ["react", "vue", "maplibre", "leaflet"]) {
    const { version, peerDependencies } = JSON.parse(readFileSync(project.path(`node_modules/toponym-${name}/package.json`), "utf8"));
    assert.equal(peerDependencies.toponym, version, `toponym-${name} names the release that it belongs to`);
  }
  project.remove();
});
