// The geocoder in a thread of its own: loading and searching never hold up the page.

import * as checked from "./arguments.js";
import { core } from "./core.js";
import { fault, unpacked } from "./fault.js";
import { recalled } from "./pack.js";

/** The same questions as `Geocoder`, as promises. Make one with `GeocoderWorker.load()`. */
export class GeocoderWorker {
  #thread;
  // Why there is no thread any more.
  #reason;
  #waiting = new Map();
  #next = 1;
  // Of autocomplete one call is with the thread and at most one waits: the newest.
  #asked;
  #held;

  /** @private */
  constructor(thread, onProgress) {
    this.#thread = thread;
    thread.onmessage = ({ data }) => (data.progress ? onProgress?.(data.progress) : this.#settle(data));
    thread.onerror = (event) => this.#stop(fault("internal", event.message || "the worker cannot be started"));
  }

  /** Like `Geocoder.load()`. */
  static async load(options) {
    const { signal, onProgress, ...source } = checked.source(options);
    signal?.throwIfAborted();
    const geocoder = new GeocoderWorker(start(), onProgress);
    const abort = () => geocoder.#stop(signal.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      // While the thread starts. Reading does not hold up the page, and the bytes are handed over, not copied.
      const kept = source.bytes ? null : await recalled(source.url ? source : { ...core, url: core.url.href });
      await geocoder.#ask("load", [source, kept], kept ? [kept.buffer] : []);
      return geocoder;
    } catch (error) {
      geocoder.free();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Like `Geocoder.autocomplete`. A call that a newer one overtakes is rejected with the code `superseded`. */
  async autocomplete(query, options) {
    this.#asked?.supersede();
    this.#held?.supersede();
    this.#held = undefined;
    return new Promise((resolve, reject) => {
      const call = {
        send: () => {
          this.#asked = call;
          const answered = this.#ask("autocomplete", [query, options]);
          answered.then(resolve, reject).finally(() => this.#sendHeld());
        },
        supersede: () => reject(fault("superseded", "a newer autocomplete took the place of this one")),
      };
      if (this.#asked) this.#held = call;
      else call.send();
    });
  }

  /** Like `Geocoder.forward`. */
  async forward(query, options) {
    return this.#ask("forward", [query, options]);
  }

  /** Like `Geocoder.explain`. */
  async explain(query, options) {
    return this.#ask("explain", [query, options]);
  }

  /** Like `Geocoder.reverse`. */
  async reverse(lat, lon) {
    return this.#ask("reverse", [lat, lon]);
  }

  /** Like `Geocoder.batch`. */
  async batch(queries) {
    return this.#ask("batch", [queries]);
  }

  /** Like `Geocoder.about`. */
  async about() {
    return this.#ask("about", []);
  }

  /** Ends the thread; calls under way are rejected. */
  free() {
    this.#stop(fault("freed", "this geocoder was freed"));
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  #sendHeld() {
    const held = this.#held;
    this.#asked = this.#held = undefined;
    held?.send();
  }

  #ask(method, args, handed = []) {
    if (!this.#thread) return Promise.reject(this.#reason);
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      try {
        this.#thread.postMessage({ id, method, args }, handed);
      } catch (error) {
        this.#waiting.delete(id);
        reject(fault("invalid_argument", `arguments must be plain data: ${error.message}`, error));
      }
    });
  }

  #settle({ id, result, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(unpacked(error));
    else waiting?.resolve(result);
  }

  #stop(reason) {
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#reason = reason;
    this.#held?.supersede();
    this.#held = undefined;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

function start() {
  if (!globalThis.Worker) throw fault("internal", "there are no Web Workers here: use Geocoder of \"toponym\"");
  try {
    // As bundlers know it: they find the thread's script by this very expression.
    return new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" });
  } catch (error) {
    if (error.name !== "SecurityError") throw error;
    // A script of another origin, such as a CDN, may be imported by a thread of this one.
    const script = `import ${JSON.stringify(new URL("./worker-thread.js", import.meta.url).href)};`;
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    return new Worker(url, { type: "module" });
  }
}
