// The thread that `worker.js` starts: a geocoder that answers messages `{ id, method, args }`.

import { packed } from "./fault.js";
import { Geocoder } from "./index.js";
// The imports of `index.js`. Listing them here makes the browser request them at once, not level by level. Without a
// bundler that saves a fifth of the time until the thread answers.
import "./about.js";
import "./arguments.js";
import "./attempts.js";
import "./box.js";
import "./core.js";
import "./engine.js";
import "./first.js";
import "./geocoder.js";
import "./inflate.js";
import "./languages.js";
import "./pack.js";

const METHODS = new Set(["complete", "autocomplete", "forward", "explain", "reverse", "batch", "place", "about", "prefetch"]);

let geocoder;
let isPaged = false;

// What gives up the questions to an index in pages that are not answered yet.
const stops = new Map();

globalThis.onmessage = async ({ data: { id, method, args, abort } }) => {
  if (abort !== undefined) return stops.get(abort)?.abort();
  try {
    postMessage({ id, result: await answer(id, method, args) });
  } catch (error) {
    postMessage({ id, error: packed(error) });
  } finally {
    stops.delete(id);
  }
};

async function answer(id, method, args) {
  const onProgress = (progress) => postMessage({ id, progress });
  if (method === "load") {
    const [source, kept] = args;
    isPaged = source.pages !== undefined;
    geocoder = await Geocoder.loadKept({ ...source, onProgress }, kept);
    return isPaged || geocoder.isComplete;
  }
  if (!METHODS.has(method)) throw new Error(`no method ${method}`);
  return geocoder[method](...(isPaged ? stoppable(id, args, method === "prefetch" ? { onProgress } : {}) : args));
}

/** The arguments with a signal, and others, among the options, which are the last of them. */
function stoppable(id, args, others) {
  const options = args.at(-1) ?? {};
  // It is refused.
  if (typeof options !== "object" || Array.isArray(options)) return args;
  const stop = new AbortController();
  stops.set(id, stop);
  return [...args.slice(0, -1), { ...options, ...others, signal: stop.signal }];
}
