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
  PagesOptions,
  Place,
  Prefetched,
  Region,
  ReverseOptions,
  SearchOptions,
  SuggestOptions,
  Suggestion,
} from "./index.js";

export type * from "./index.js";

/** The geocoder in a separate thread, with the methods of `Geocoder` as promises. Browsers only. */
export class GeocoderWorker {
  private constructor();

  /** Whether a question may fetch pages. */
  readonly paged: boolean;

  /**
   * Whether all places are there. Before, `autocomplete` answers from the first, `about` credits those, and the other methods wait.
   */
  readonly isComplete: boolean;

  /** Like `Geocoder.complete`. */
  complete(options?: Abortable | null): Promise<void>;

  /** Like `Geocoder.load`; starts the thread. */
  static load(options?: LoadOptions | PagesOptions | null): Promise<GeocoderWorker>;

  /** Like `Geocoder.autocomplete`. A newer call of the same `group` supersedes an unanswered one. */
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

  /** Like `PagedGeocoder.prefetch`. Only for a geocoder of `load({ pages })`. */
  prefetch(region: Region): Promise<Prefetched>;

  /** Stops the thread. Calls under way and later ones are rejected with the code `freed`. */
  free(): void;

  /** Like `free()`, for `using`. */
  [Symbol.dispose](): void;

  /** Like `free()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
