// Types of `toponym/worker`: the geocoder in a separate thread.

import type {
  About,
  BatchQuery,
  BatchResult,
  ExplainOptions,
  Explanation,
  Fields,
  LoadOptions,
  NameOptions,
  Place,
  ReverseOptions,
  SearchOptions,
  Suggestion,
} from "./index.js";

export type * from "./index.js";

/** The geocoder in a separate thread, with the methods of `Geocoder` as promises. Browsers only. */
export class GeocoderWorker {
  private constructor();

  /** Like `Geocoder.load`; starts the thread. */
  static load(options?: LoadOptions | null): Promise<GeocoderWorker>;

  /** Like `Geocoder.autocomplete`. A call that a newer one overtakes is rejected with the code `superseded`. */
  autocomplete(query: string, options?: SearchOptions | null): Promise<Suggestion[]>;

  /** Like `Geocoder.forward`. */
  forward(query: string | Fields, options?: SearchOptions | null): Promise<Place[]>;

  /** Like `Geocoder.explain`. */
  explain(query: string | Fields, options?: ExplainOptions | null): Promise<Explanation[]>;

  /** Like `Geocoder.reverse`. */
  reverse(lat: number, lon: number, options?: (ReverseOptions & { limit?: null }) | null): Promise<Place | null>;

  /** Like `Geocoder.reverse` with a limit. */
  reverse(lat: number, lon: number, options: ReverseOptions & { limit: number }): Promise<Place[]>;

  /** Like `Geocoder.batch`. */
  batch(queries: readonly BatchQuery[], options?: NameOptions | null): Promise<BatchResult[]>;

  /** Like `Geocoder.place`. */
  place(reference: number | string, options?: NameOptions | null): Promise<Place | null>;

  /** Like `Geocoder.about`. */
  about(): Promise<About>;

  /** Stops the thread. Calls under way and later ones are rejected with the code `freed`. */
  free(): void;
}
