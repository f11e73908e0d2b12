// The thread that `worker.js` starts: a geocoder that answers messages `{ id, method, args }`.

import { packed } from "./fault.js";
import { Geocoder } from "./index.js";
// The imports of `index.js`. Listing them here makes the browser request them at once, not level by level. Without a
// bundler that saves a fifth of the time until the thread answers.
import "./arguments.js";
import "./attempts.js";
import "./core.js";
import "./engine.js";
import "./geocoder.js";
import "./inflate.js";
import "./pack.js";

const METHODS = new Set(["autocomplete", "forward", "explain", "reverse", "batch", "place", "about"]);

let geocoder;

globalThis.onmessage = async ({ data: { id, method, args } }) => {
  try {
    postMessage({ id, result: await answer(method, args) });
  } catch (error) {
    postMessage({ id, error: packed(error) });
  }
};

async function answer(method, args) {
  if (method === "load") {
    const [source, kept] = args;
    geocoder = await Geocoder.loadKept({ ...source, onProgress: (progress) => postMessage({ progress }) }, kept);
    return undefined;
  }
  if (!METHODS.has(method)) throw new Error(`no method ${method}`);
  return geocoder[method](...args);
}
