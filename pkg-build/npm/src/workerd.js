// The entry for workerd (Cloudflare Workers), where wasm and the core pack are modules of the Worker.

import { initSync } from "./engine.js";
import module from "./engine_bg.wasm";
import { bytes } from "./core-module.js";
import { Geocoder as Base } from "./geocoder.js";
import { inflated } from "./inflate.js";

/** Geocodes from one pack of places. Make one with `Geocoder.load()`. */
export class Geocoder extends Base {
  /** A request may not wait for what another one fetches. */
  static isPerRequest = true;

  static async start() {
    initSync({ module });
  }

  static async startPages() {
    const [{ initSync }, { default: module }] = await Promise.all([import("./engine-pages.js"), import("./engine-pages_bg.wasm")]);
    initSync({ module });
  }

  static async core(open) {
    // Trusted: a deployment is never incomplete.
    return open(await inflated(new Uint8Array(bytes)), true);
  }
}
