// The engine in this page: loaded once, in a thread of its own, when the page is at leisure or the first question comes.

import { byId, element } from "./dom.mjs";

/** The package as published, beside this page. */
const WORKER = "/playground/toponym/worker.js";

let loading;

/** The geocoder. `way` shows what is being loaded. */
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
  const { GeocoderWorker } = await import(WORKER);
  const geocoder = await GeocoderWorker.load({ onProgress: (progress) => way.loading(progress) });
  const about = await geocoder.about();
  way.ready(performance.now() - start);
  byId("attribution").replaceChildren(...about.attribution.map((line) => element("li", {}, line)));
  return geocoder;
}
