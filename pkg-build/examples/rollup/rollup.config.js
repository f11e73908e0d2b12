// Rollup leaves `new URL("./file", import.meta.url)` as it is. So what the package finds beside its own script goes beside the
// bundle, under the same name: the script of the thread, the engine and the pack.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeResolve } from "@rollup/plugin-node-resolve";

const toponym = dirname(fileURLToPath(import.meta.resolve("toponym/package.json")));

const files = {
  name: "files",
  buildStart() {
    for (const name of readdirSync(toponym).filter((name) => /\.(wasm|bin)$/.test(name))) {
      this.emitFile({ type: "asset", fileName: name, source: readFileSync(join(toponym, name)) });
    }
    this.emitFile({ type: "asset", fileName: "index.html", source: readFileSync("index.html") });
  },
};

export default {
  input: { main: "main.js", "worker-thread": join(toponym, "worker-thread.js") },
  output: { dir: "dist", format: "es" },
  plugins: [nodeResolve({ browser: true }), files],
};
