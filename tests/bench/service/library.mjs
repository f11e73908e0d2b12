// The module around the Worker that crosses by the worker crate (edge-worker/src/library): the index beside it, and the
// objects under the names of those that are deployed. crossing.mjs measures it.

globalThis.toponymIndexes = async () => [new Uint8Array((await import("../../../build/index.toponym")).default)];

export {
  default,
  LibraryBoard as MetricsBoard,
  LibraryDirectory as Directory,
  LibraryKey as ApiKey,
} from "../../build/library/index.js";
