// The entry for browsers, with a bundler or without one, and for everything that is neither Node nor workerd.

import init from "./engine.js";
import { core } from "./core.js";
import { Geocoder as Base } from "./geocoder.js";
import { fault } from "./fault.js";
import { fetched } from "./pack.js";

let starting;

/** Geocodes from one pack of places. Make one with `Geocoder.load()`. */
export class Geocoder extends Base {
  static start() {
    // A failed start is forgotten, so that the next load may succeed.
    starting ??= init().catch((error) => {
      starting = undefined;
      throw fault("download_failed", "the engine (engine_bg.wasm) cannot be loaded", error);
    });
    return starting;
  }

  static core(open, options) {
    return fetched({ ...core, url: core.url.href }, open, options);
  }
}
