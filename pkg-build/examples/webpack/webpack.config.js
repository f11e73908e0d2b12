// webpack finds the engine, the pack and the thread by itself. This only names the page's script and copies the page.

import { readFileSync } from "node:fs";

const page = {
  apply(compiler) {
    const { RawSource } = compiler.webpack.sources;
    compiler.hooks.thisCompilation.tap("page", (compilation) => {
      compilation.hooks.processAssets.tap("page", () => {
        compilation.emitAsset("index.html", new RawSource(readFileSync("index.html")));
      });
    });
  },
};

export default {
  mode: "production",
  entry: { main: "./main.js" },
  output: { clean: true, publicPath: "auto" },
  // The pack is one file of 3 MB, which is fetched when the field is first used.
  performance: { hints: false },
  plugins: [page],
};
