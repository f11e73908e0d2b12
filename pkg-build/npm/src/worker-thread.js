// The thread of `worker.js`: a geocoder that answers messages `{ id, method, args }`.

import { packed } from "./fault.js";
import { Geocoder } from "./index.js";

const METHODS = new Set(["autocomplete", "forward", "reverse", "batch", "about"]);

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
    geocoder = await Geocoder.load({ ...args[0], onProgress: (progress) => postMessage({ progress }) });
    return undefined;
  }
  if (!METHODS.has(method)) throw new Error(`no method ${method}`);
  return geocoder[method](...args);
}
