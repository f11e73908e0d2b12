// Types of `toponym/http`: a client of the service.

import type {
  Abortable,
  About,
  BatchQuery,
  BatchResult,
  Coordinate,
  Fields,
  NameOptions,
  Place,
  ReverseOptions,
  SearchOptions,
  Suggestion,
} from "./index.js";
import type { SuggestOptions } from "./worker.js";

/**
 * Where tokens come from: a token, or a function that is asked before each request. It is asked again after a 401, with the token
 * that was refused, which may be older than the one that it has.
 */
export type Token = string | ((state: { isExpired: boolean; refused?: string }) => string | Promise<string>);

/** What every source has of a suggestion. Those of the package have `place_id`, `country_code` and `kind` as well. */
export interface BasicSuggestion extends Omit<Suggestion, "place_id" | "country_code" | "kind"> {}

/**
 * Errors of `HttpGeocoder`. `invalid_argument`: the service refused the question, the message says why; `unauthorized`: the
 * token or its key; `rate_limited`: ask again after `retryAfter` seconds; `unavailable`: no answer, one that is cut short or
 * not the service's, or a 5xx; `superseded`: a newer `autocomplete` of the same `group` superseded this one.
 */
export interface HttpError extends Error {
  code: "invalid_argument" | "unauthorized" | "rate_limited" | "unavailable" | "superseded";
  /** The status of the answer, if there was one. */
  status?: number;
  /** What the service said, or what `fetch` threw. */
  cause?: unknown;
  /** Seconds. */
  retryAfter?: number;
}

/** Options of a search that the service answers: `"auto"` prefers places near the caller, wherever its address seems to be. */
export type Near<Options> = Omit<Options, "focus"> & { focus?: Coordinate | "auto" | null };

/** A source of places: a `Geocoder`, a `GeocoderWorker` or an `HttpGeocoder`. Search fields and maps take any of them. */
export interface Source {
  /** Every question is a request that is counted. */
  readonly remote?: boolean;
  /** A question may fetch pages. */
  readonly paged?: boolean;
  autocomplete(query: string, options?: SuggestOptions): BasicSuggestion[] | Promise<BasicSuggestion[]>;
  forward(query: string | Fields, options?: SearchOptions): Place[] | Promise<Place[]>;
  reverse(lat: number, lon: number, options: ReverseOptions & { limit: number }): Place[] | Promise<Place[]>;
  place(reference: number | string, options?: NameOptions): Place | null | Promise<Place | null>;
}

/**
 * Geocodes by the service at an address, with the methods of `GeocoderWorker` but `explain`.
 * @example <caption>Ask a service, with a token that is fetched when the last one has expired</caption>
 * import { HttpGeocoder } from "toponym/http";
 *
 * let token = "";
 * const service = new HttpGeocoder("https://api.example.com", {
 *   token: async ({ isExpired }) => (isExpired ? (token = "a new one") : token),
 *   fetch: async () => Response.json([{ display_name: "Rome, Lazio, Italy", lat: 41.9, lon: 12.5, country: "Italy", type: "city" }]),
 * });
 * (await service.autocomplete("rom"))[0]?.display_name; // "Rome, Lazio, Italy"
 */
export class HttpGeocoder implements Source {
  /** @param url Address of the service, such as `https://api.example.com`. */
  constructor(url: string | URL, options: { token: Token; fetch?: typeof globalThis.fetch });
  readonly remote: true;

  /** Suggestions; none for a blank text. A newer call of the same `group` supersedes an unanswered one, whose request is aborted. */
  autocomplete(query: string, options?: Near<SuggestOptions> | null): Promise<BasicSuggestion[]>;

  /** Places for a text or fields. */
  forward(query: string | Fields, options?: Near<SearchOptions> | null): Promise<Place[]>;

  /** The place at a point, or `null` at sea and far from everything. */
  reverse(lat: number, lon: number, options?: (ReverseOptions & { limit?: null }) | null): Promise<Place | null>;

  /** The nearest places to a point that pass the filters. */
  reverse(lat: number, lon: number, options: ReverseOptions & { limit: number }): Promise<Place[]>;

  /** The place with a `place_id` or a code, or `null`. */
  place(reference: number | string, options?: NameOptions | null): Promise<Place | null>;

  /** The best place for each of 1 to 100 texts, fields or points, in order. Each counts. */
  batch(queries: readonly BatchQuery[], options?: NameOptions | null): Promise<BatchResult[]>;

  /** What the service answers from. It is not counted. */
  about(options?: Abortable | null): Promise<About>;
}
