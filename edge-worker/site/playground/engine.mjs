// The engine in this page: loaded once, in a thread of its own, when somebody first uses the page or asks a question.

import { unpacked } from "../../../build/npm/fault.js";
import { byId, element } from "./dom.mjs";

const THREAD = "/playground/thread.js";

let loading;

/** A function `call(method, ...args)` of the package's `Geocoder`: `{ found, took }`, in milliseconds. `way` shows what is being loaded. */
export function engine(way) {
  loading ??= load(way).catch((error) => {
    // The next question tries again.
    loading = undefined;
    way.failed(error);
    throw error;
  });
  return loading;
}

async function load(way) {
  const start = performance.now();
  const thread = new Worker(THREAD, { type: "module" });
  const call = callsOf(thread, (progress) => way.loading(progress));
  try {
    const { found } = await call("about");
    way.ready(performance.now() - start);
    byId("attribution").replaceChildren(...found.attribution.map((line) => element("li", {}, line)));
    return call;
  } catch (error) {
    thread.terminate();
    throw error;
  }
}

/** Asks a thread. Its answers come in the order of the calls. */
function callsOf(thread, progressed) {
  const waiting = new Map();
  let next = 1;
  thread.onmessage = ({ data: { id, progress, error, ...answer } }) => {
    if (progress) return progressed(progress);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(unpacked(error));
    else resolve(answer);
  };
  thread.onerror = ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message || "the thread of the engine cannot be started"));
    waiting.clear();
  };
  return (method, ...args) =>
    new Promise((resolve, reject) => {
      waiting.set(next, { resolve, reject });
      thread.postMessage({ id: next, method, args });
      next += 1;
    });
}
