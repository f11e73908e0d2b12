// Types of `toponym/worker`: the geocoder in a separate thread.

import type {
  Abortable,
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

/** Options of `GeocoderWorker.autocomplete`. */
export interface SuggestOptions extends SearchOptions {
  /**
   * What becomes of this call if a newer one overtakes it. `newest`, the default: it has the answer of the newest call, or
   * `[]` if that one fails, so that a page may show every answer that comes. `reject`: it is rejected with the code
   * `superseded`.
   */
  superseded?: "newest" | "reject" | null;
  /** Calls overtake only those of the same group. Give each search field its own if several share a geocoder. */
  group?: PropertyKey | object | null;
}

/** The geocoder in a separate thread, with the methods of `Geocoder` as promises. Browsers only. */
export class GeocoderWorker {
  private constructor();

  /** Like `Geocoder.load`; starts the thread. */
  static load(options?: LoadOptions | null): Promise<GeocoderWorker>;

  /** Like `Geocoder.autocomplete`. Of calls that overlap only the newest is asked, and all have its answer. */
  autocomplete(query: string, options?: SuggestOptions | null): Promise<Suggestion[]>;

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
  about(options?: Abortable | null): Promise<About>;

  /** Stops the thread. Calls under way and later ones are rejected with the code `freed`. */
  free(): void;

  /** Like `free()`, for `using`. */
  [Symbol.dispose](): void;

  /** Like `free()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
