// The entry for Node (and what acts like it): wasm and packs are files of the package.

import { readFile } from "node:fs/promises";
import init from "./engine.js";
import { core } from "./core.js";
import { Geocoder as Base } from "./geocoder.js";

let starting;

/** Geocodes from one pack of places. Make one with `Geocoder.load()`. */
export class Geocoder extends Base {
  static start() {
    starting ??= readFile(new URL("./engine_bg.wasm", import.meta.url)).then((bytes) => init({ module_or_path: bytes }));
    return starting;
  }

  static async core(open, { signal, onProgress }) {
    const bytes = await readFile(core.url, { signal });
    onProgress?.({ loaded: bytes.byteLength, total: bytes.byteLength, cached: true });
    return open(bytes);
  }

  /** `fetch` of Node takes no file URLs. */
  static async read(url) {
    return url.startsWith("file:") ? readFile(new URL(url)) : undefined;
  }
}
