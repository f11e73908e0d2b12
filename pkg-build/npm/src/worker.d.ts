// Types of `toponym/worker`: the geocoder in a separate thread.

import type { About, BatchResult, ExplainOptions, Explanation, LoadOptions, Place, SearchOptions, Suggestion } from "./index.js";

export type * from "./index.js";

/** The geocoder in a separate thread, with the methods of `Geocoder` as promises. Browsers only. */
export class GeocoderWorker {
  private constructor();

  /** Like `Geocoder.load`; starts the thread. */
  static load(options?: LoadOptions | null): Promise<GeocoderWorker>;

  /** Like `Geocoder.autocomplete`. A call that a newer one overtakes is rejected with the code `superseded`. */
  autocomplete(query: string, options?: SearchOptions | null): Promise<Suggestion[]>;

  /** Like `Geocoder.forward`. */
  forward(query: string, options?: SearchOptions | null): Promise<Place[]>;

  /** Like `Geocoder.explain`. */
  explain(query: string, options?: ExplainOptions | null): Promise<Explanation[]>;

  /** Like `Geocoder.reverse`. */
  reverse(lat: number, lon: number): Promise<Place | null>;

  /** Like `Geocoder.batch`. */
  batch(queries: readonly string[]): Promise<BatchResult[]>;

  /** Like `Geocoder.about`. */
  about(): Promise<About>;

  /** Stops the thread. Calls under way and later ones are rejected with the code `freed`. */
  free(): void;
}
