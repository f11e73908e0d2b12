// The entry for workerd (Cloudflare Workers): wasm and the core pack are modules of the Worker.

import { initSync } from "./engine.js";
import module from "./engine_bg.wasm";
import { bytes } from "./core-module.js";
import { Geocoder as Base } from "./geocoder.js";

/** Geocodes from one pack of places. Make one with `Geocoder.load()`. */
export class Geocoder extends Base {
  static async start() {
    initSync({ module });
  }

  static core(open) {
    return open(new Uint8Array(bytes));
  }
}
