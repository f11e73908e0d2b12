// esbuild leaves `new URL("./file", import.meta.url)` as it is. So what the package finds beside its own script goes beside the
// bundle, under the same name: the script of the thread, the engine and the pack.

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const toponym = dirname(fileURLToPath(import.meta.resolve("toponym/package.json")));
const files = readdirSync(toponym).filter((name) => name === "worker-thread.js" || /\.(wasm|bin)$/.test(name));

await build({
  entryPoints: ["main.js", "index.html", ...files.map((name) => join(toponym, name))],
  entryNames: "[name]",
  loader: { ".html": "copy", ".wasm": "copy", ".bin": "copy" },
  outdir: "dist",
  bundle: true,
  minify: true,
  splitting: true,
  format: "esm",
  target: "es2022",
});
