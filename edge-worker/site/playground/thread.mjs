// The thread of the engine: the npm package as published. It answers `{ id, method, args }` with what was found and how long
// the engine took, in milliseconds. What the page does meanwhile, such as drawing the map, is not in that time.

import { packed } from "/playground/toponym/fault.js";
import { Geocoder } from "/playground/toponym/index.js";

const loading = Geocoder.load({ packs: ["core"], onProgress: (progress) => postMessage({ progress }) });

globalThis.onmessage = async ({ data: { id, method, args } }) => {
  try {
    const geocoder = await loading;
    const start = performance.now();
    const found = geocoder[method](...args);
    postMessage({ id, found, took: performance.now() - start });
  } catch (error) {
    postMessage({ id, error: packed(error) });
  }
};
