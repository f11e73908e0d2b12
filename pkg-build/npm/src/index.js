// The entry for browsers, with or without a bundler, and for all other platforms except Node and workerd.

import init from "./engine.js";
import { attempted, once } from "./attempts.js";
import { core } from "./core.js";
import { Geocoder as Base } from "./geocoder.js";
import { fault } from "./fault.js";
import { first } from "./first.js";
import { fetched, recalled } from "./pack.js";

/** Geocodes from one pack of places. Make one with `Geocoder.load()`. */
export class Geocoder extends Base {
  static start = once(() => attempted(() => instance(init)));

  static startPages = once(() => attempted(async () => instance((await import("./engine-pages.js")).default)));

  static core(open, options) {
    return fetched(addressed(core), open, options);
  }

  static keptCore() {
    return recalled(addressed(core));
  }

  static first() {
    return addressed(first);
  }
}

/** Names a pack of this package by its address, as a text. */
function addressed(pack) {
  return { ...pack, url: pack.url.href };
}

/** Loads the wasm, which is compiled while it arrives. */
async function instance(init) {
  try {
    await init();
  } catch (error) {
    throw fault("download_failed", "the engine (wasm) cannot be loaded", error);
  }
}
