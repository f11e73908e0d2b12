// Compiles types.tsx against the packed packages, beside the types of the frameworks and maps.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { EVENTS, OBJECTS, SETTINGS } from "../../pkg-build/npm/src/element-table.js";
import { Project, ROOT } from "./harness.mjs";

const TSC = join(ROOT, "tests/node_modules/typescript/bin/tsc");

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

/** Compiles a program that is right only if the types have the settings, objects and events of the table, and no other. */
test("the types have what the table of the element has", () => {
  const project = new Project();
  const keys = (names) => JSON.stringify(Object.fromEntries(names.map((name) => [name, true])));
  const on = (type) => `on${type[0].toUpperCase()}${type.slice(1)}`;
  const program = `
import type { Objects, Settings, ToponymAutocomplete, ToponymAutocompleteAttributes } from "toponym/element";
import { EVENTS } from "toponym/element";
import type { ToponymAutocompleteProps as React } from "toponym-react";
import type { ToponymAutocompleteProps as Vue } from "toponym-vue";
const settings: Record<keyof Settings, true> = ${keys(Object.keys(SETTINGS))};
const objects: Record<keyof Objects, true> = ${keys(OBJECTS)};
const events: Record<(typeof EVENTS)[number], true> = ${keys(EVENTS)};
type All = keyof Settings | keyof Objects;
const react: Record<All | \`on\${Capitalize<(typeof EVENTS)[number]>}\`, true> = ${keys([...Object.keys(SETTINGS), ...OBJECTS, ...EVENTS.map(on)])} satisfies { [Name in keyof React]?: true };
const vue: Record<Exclude<All, "place">, true> = ${keys([...Object.keys(SETTINGS), ...OBJECTS.filter((name) => name !== "place")])} satisfies { [Name in keyof Vue]?: true };
const attributes: { [Name in keyof ToponymAutocompleteAttributes]?: true } = ${keys(Object.keys(SETTINGS).map((name) => SETTINGS[name].attribute ?? name.toLowerCase()))};
const properties: { [Name in keyof ToponymAutocomplete]?: true } = ${keys([...Object.keys(SETTINGS).map((name) => SETTINGS[name].property ?? name), ...OBJECTS])};
export { attributes, events, objects, properties, react, settings, vue };
`;
  project.write("table.ts", program);
  project.write("tsconfig.json", JSON.stringify({ compilerOptions: { ...OPTIONS, types: [] }, files: ["table.ts"] }));
  const { status, stdout } = spawnSync(process.execPath, [TSC, "--project", project.folder], { encoding: "utf8" });
  project.remove();
  assert.equal(status, 0, stdout);
});

test("the types of the packages", () => {
  const project = new Project();
  cpSync(join(import.meta.dirname, "types.tsx"), project.path("types.tsx"));
  project.write("tsconfig.json", JSON.stringify({ compilerOptions: { ...OPTIONS, types: [] }, files: ["types.tsx"] }));
  const { status, stdout } = spawnSync(process.execPath, [TSC, "--project", project.folder], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
  for (const name of ["react", "vue", "maplibre", "leaflet"]) {
    const { version, peerDependencies } = JSON.parse(readFileSync(project.path(`node_modules/toponym-${name}/package.json`), "utf8"));
    assert.equal(peerDependencies.toponym, version, `toponym-${name} names the release that it belongs to`);
  }
  project.remove();
});
