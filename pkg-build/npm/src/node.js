// The entry for Node and compatible platforms. It reads wasm and packs from the files of the package.

import { readFile } from "node:fs/promises";
import init from "./engine.js";
import { once } from "./attempts.js";
import { core } from "./core.js";
import { fault } from "./fault.js";
import { Geocoder as Base } from "./geocoder.js";
import { inflated } from "./inflate.js";

/** Geocodes from one pack of places. Make one with `Geocoder.load()`. */
export class Geocoder extends Base {
  static start = once(async () => init({ module_or_path: await file(new URL("./engine_bg.wasm", import.meta.url)) }));

  static startPages = once(async () => {
    const { default: init } = await import("./engine-pages.js");
    return init({ module_or_path: await file(new URL("./engine-pages_bg.wasm", import.meta.url)) });
  });

  static async core(open, { onProgress }) {
    const bytes = await file(core.url);
    onProgress?.({ loaded: bytes.byteLength, total: bytes.byteLength, cached: true });
    return open(await inflated(bytes));
  }

  /** Reads file URLs, which Node's `fetch` rejects. */
  static async read(url) {
    return url.startsWith("file:") ? file(new URL(url)) : undefined;
  }
}

async function file(url) {
  try {
    return await readFile(url);
  } catch (error) {
    // Another attempt would not find it either.
    throw Object.assign(fault("download_failed", `${url} cannot be read: ${error.message}`, error), { final: true });
  }
}
