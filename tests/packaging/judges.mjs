// What publint and are-the-types-wrong say of the packages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

import { ROOT } from "./harness.mjs";

/** The built packages, by their names. The full one is built by `cargo xtask build npm` alone. */
export const BUILT = Object.fromEntries(
  ["toponym", "toponym-full", "toponym-react", "toponym-vue", "toponym-maplibre", "toponym-leaflet", "toponym-mcp"].map((name) => [
    name,
    join(ROOT, "build", name.replace("toponym", "npm")),
  ]),
);

/** Programs, which nobody imports: they have no types. */
export const PROGRAMS = ["toponym-mcp"];

/**
 * What are-the-types-wrong says of every package without CommonJS. `require` of it works from Node 20.19 on, and
 * `node.test.mjs` does it.
 */
const ESM_ONLY = "CJSResolvesToESM";

/** The messages of publint on a folder. */
export async function linted(folder) {
  const { messages, pkg } = await publint({ pkgDir: folder, level: "suggestion", strict: true, pack: false });
  return messages.map((message) => formatMessage(message, pkg, { color: false }));
}

/** The problems that are-the-types-wrong finds in a tarball, of which one file may be missing. */
export async function wrong(tarball, missing) {
  const whole = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
  const files = whole.listFiles().filter((path) => !missing || !path.endsWith(`/${missing}`));
  const Package = whole.constructor;
  const part = new Package(Object.fromEntries(files.map((path) => [path, whole.readFile(path)])), whole.packageName, whole.packageVersion);
  const { types, problems } = await checkPackage(part);
  assert.deepEqual(types, { kind: "included" });
  return problems.filter(({ kind }) => kind !== ESM_ONLY);
}
