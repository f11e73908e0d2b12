// The geocoder in a separate thread, so that loading and searching never block the page.

import * as checked from "./arguments.js";
import { abortable, once } from "./attempts.js";
import { Calls } from "./calls.js";
import { core } from "./core.js";
import { fault, freed, unpacked } from "./fault.js";
import { Groups } from "./groups.js";
import { recalled } from "./pack.js";

/** The methods of `Geocoder`, as promises. Make one with `GeocoderWorker.load()`. */
export class GeocoderWorker {
  /**
   * A question may fetch pages: an index in pages waits for them, so that its thread is asked meanwhile, and told what nobody waits
   * for any more.
   */
  paged;
  /** Whether all places are there. Before, `autocomplete` answers from the first, and other methods wait. */
  isComplete = true;
  #thread;
  // Why the thread was stopped.
  #reason;
  #waiting = new Map();
  #next = 1;
  // A pack answers at once, so its thread is asked one at a time.
  #calls = new Calls((method, args) => this.#ask(method, args));
  #groups = new Groups();
  #completed = once(async () => {
    await this.#ask("complete", []);
    this.isComplete = true;
  });

  /** @private */
  constructor(thread, paged) {
    this.#thread = thread;
    this.paged = paged;
    thread.onmessage = ({ data }) => this.#hear(data);
    thread.onerror = (event) => this.#stop(fault("internal", event.message || "the worker cannot be started"));
  }

  /** Like `Geocoder.load()`. */
  static async load(options) {
    const { signal, onProgress, ...source } = checked.source(options);
    signal?.throwIfAborted();
    const isPaged = source.pages !== undefined;
    const geocoder = new GeocoderWorker(start(), isPaged);
    const abort = () => geocoder.#stop(signal.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      // Read while the thread starts. Reading does not block the page, and the bytes are transferred, not copied.
      const isOne = !source.bytes && !source.packs && !isPaged;
      const kept = isOne ? await recalled(source.url ? source : { ...core, url: core.url.href }) : null;
      geocoder.isComplete = await geocoder.#ask("load", [source, kept], { onProgress, transfer: kept ? [kept.buffer] : [] });
      // Who waits for it hears of its failure.
      geocoder.complete().catch(() => {});
      return geocoder;
    } catch (error) {
      geocoder.free();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Like `Geocoder.complete`. */
  async complete(options) {
    const { signal } = checked.ofThread(options);
    signal?.throwIfAborted();
    if (!this.#thread) throw this.#reason;
    if (!this.isComplete) await abortable(this.#completed(), signal);
  }

  /** Like `Geocoder.autocomplete`. A newer call of the same `group` supersedes an unanswered one. */
  async autocomplete(query, options) {
    const { signal, group, asked } = checked.ofThread(options);
    return this.#groups.ask({ signal, group }, (signal) => this.#send("autocomplete", [query, asked], signal));
  }

  /** Like `Geocoder.forward`. */
  async forward(query, options) {
    return this.#call("forward", [query], options);
  }

  /** Like `Geocoder.explain`. */
  async explain(query, options) {
    return this.#call("explain", [query], options);
  }

  /** Like `Geocoder.reverse`. */
  async reverse(lat, lon, options) {
    return this.#call("reverse", [lat, lon], options);
  }

  /** Like `Geocoder.batch`. */
  async batch(queries, options) {
    return this.#call("batch", [queries], options);
  }

  /** Like `Geocoder.place`. */
  async place(reference, options) {
    return this.#call("place", [reference], options);
  }

  /** Like `Geocoder.about`. */
  async about(options) {
    const { signal, asked } = checked.ofThread(options);
    return this.#send("about", [asked], signal);
  }

  /** Like `PagedGeocoder.prefetch`. */
  async prefetch(region) {
    if (!this.paged) throw fault("invalid_argument", "only an index in pages can be prefetched: use GeocoderWorker.load({ pages })");
    const { signal, onProgress, ...asked } = checked.region(region);
    return this.#ask("prefetch", [asked], { signal, onProgress });
  }

  /** Stops the thread and rejects the calls under way. */
  free() {
    this.#stop(freed());
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    this.free();
  }

  async #call(method, args, options) {
    const { signal, asked } = checked.ofThread(options);
    if (!this.isComplete) await this.complete({ signal });
    return this.#send(method, [...args, asked], signal);
  }

  #send(method, args, signal) {
    return this.paged ? this.#ask(method, args, { signal }) : this.#calls.add(method, args, { signal });
  }

  async #ask(method, args, { transfer = [], signal, onProgress } = {}) {
    signal?.throwIfAborted();
    if (!this.#thread) throw this.#reason;
    const id = this.#next++;
    const abort = () => this.#thread?.postMessage({ abort: id });
    signal?.addEventListener("abort", abort);
    try {
      return await abortable(this.#sent(id, { method, args, transfer, onProgress }), signal);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  #sent(id, { method, args, transfer, onProgress }) {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      try {
        this.#thread.postMessage({ id, method, args }, transfer);
      } catch (error) {
        this.#waiting.delete(id);
        reject(fault("invalid_argument", `arguments must be plain data: ${error.message}`, error));
      }
    });
  }

  #hear({ id, result, error, progress }) {
    const waiting = this.#waiting.get(id);
    if (progress) return waiting?.onProgress?.(progress);
    this.#waiting.delete(id);
    if (error) return waiting?.reject(unpacked(error));
    return waiting?.resolve(result);
  }

  #stop(reason) {
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#reason = reason;
    this.#calls.stop(reason);
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

function start() {
  if (!globalThis.Worker) throw fault("internal", "there are no Web Workers here: use Geocoder of \"toponym\"");
  const { href, protocol, origin } = new URL("./worker-thread.js", import.meta.url);
  // A page's thread may not start from another origin, such as a CDN: Chromium throws then, and Firefox tells the thread alone.
  if (globalThis.origin && protocol.startsWith("http") && origin !== globalThis.origin) return startImport(href);
  // Bundlers find the thread's script by exactly this expression.
  return new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" });
}

/** Starts a thread of this origin that imports a script of another one, which it may. */
function startImport(href) {
  const script = `import ${JSON.stringify(href)};`;
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const thread = new Worker(url, { type: "module" });
  // As soon as the thread answers, or cannot, it has read its script.
  for (const type of ["message", "error"]) thread.addEventListener(type, () => URL.revokeObjectURL(url), { once: true });
  return thread;
}
