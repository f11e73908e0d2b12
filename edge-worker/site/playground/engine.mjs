// The engine in this page: loaded once, in a thread of its own, when somebody first uses the page or asks a question. A thread
// that fails is given up, and the next question starts another.

import { unpacked } from "../../../build/npm/fault.js";

const THREAD = "/playground/thread.js";

/** The code of errors that say that there is no engine; others are about the question. */
export const NOT_LOADED = "not_loaded";

/**
 * A function `load()` that gives `call(method, ...args)` of the package's `Geocoder`: `{ found, took }`, in milliseconds. `way`
 * shows what is being loaded, and `ready(about)` is called when it is.
 */
export function engineOf({ way, ready, start = () => new Worker(THREAD, { type: "module" }) }) {
  let loading;

  async function load() {
    const began = performance.now();
    way.loading();
    const thread = threadOf(start(), { progressed: way.loading, failed: () => (loading = undefined) });
    try {
      const { found } = await thread.call("about");
      way.ready(performance.now() - began);
      ready(found);
      return thread.call;
    } catch (error) {
      thread.stop(error);
      throw notLoaded(`The places cannot be loaded: ${error.code === "download_failed" ? "is there a connection?" : error.message}`);
    }
  }

  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      way.failed(error.message);
      throw error;
    });
    return loading;
  };
}

const notLoaded = (message) => Object.assign(new Error(message), { code: NOT_LOADED });

/** Asks a thread. When it fails, so do all calls that wait for it, and `failed()` is called. */
function threadOf(thread, { progressed, failed }) {
  const waiting = new Map();
  let next = 1;
  let reason;
  function stop(error) {
    reason = error;
    thread.terminate();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    failed();
  }
  thread.onmessage = ({ data: { id, progress, error, ...answer } }) => {
    if (progress) return progressed(progress);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(unpacked(error));
    else resolve?.(answer);
  };
  thread.onerror = ({ message }) => stop(notLoaded(`The engine of this page has stopped${message ? `: ${message}` : ""}`));
  const call = (method, ...args) =>
    new Promise((resolve, reject) => {
      if (reason) return reject(reason);
      waiting.set(next, { resolve, reject });
      thread.postMessage({ id: next, method, args });
      next += 1;
    });
  return { call, stop };
}
