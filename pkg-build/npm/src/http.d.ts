// Types of `toponym/http`: a client of the service.

import type { Fields, NameOptions, Place, ReverseOptions, SearchOptions, Suggestion } from "./index.js";

/** Where tokens come from: a token, or a function that is asked before each request. It is asked again after a 401. */
export type Token = string | ((state: { isExpired: boolean }) => string | Promise<string>);

/** Cancels a request. The promise is rejected with the signal's reason. */
export interface Cancellable {
  signal?: AbortSignal | null;
}

/**
 * Errors of `HttpGeocoder`. `invalid_argument`: the service refused the question, the message says why; `unauthorized`: the
 * token or its key; `rate_limited`: ask again after `retryAfter` seconds; `unavailable`: no answer, or a 5xx; `superseded`: a
 * newer `autocomplete` took its place.
 */
export interface HttpError extends Error {
  code: "invalid_argument" | "unauthorized" | "rate_limited" | "unavailable" | "superseded";
  /** The status of the answer, if there was one. */
  status?: number;
  /** Seconds. */
  retryAfter?: number;
}

/** A source of places: a `Geocoder`, a `GeocoderWorker` or an `HttpGeocoder`. Search fields and maps take any of them. */
export interface Source {
  /** Every question is a request that is counted. */
  readonly remote?: boolean;
  autocomplete(query: string, options?: SearchOptions): Suggestion[] | Promise<Suggestion[]>;
  forward(query: string | Fields, options?: SearchOptions): Place[] | Promise<Place[]>;
  reverse(lat: number, lon: number, options: ReverseOptions & { limit: number }): Place[] | Promise<Place[]>;
  place(reference: number | string, options?: NameOptions): Place | null | Promise<Place | null>;
}

/** Geocodes by the service at an address. */
export class HttpGeocoder implements Source {
  /** @param url Address of the service, such as `https://api.example.com`. */
  constructor(url: string | URL, options: { token: Token; fetch?: typeof globalThis.fetch });
  readonly remote: true;
  autocomplete(query: string, options?: (SearchOptions & Cancellable) | null): Promise<Suggestion[]>;
  forward(query: string | Fields, options?: (SearchOptions & Cancellable) | null): Promise<Place[]>;
  reverse(lat: number, lon: number, options?: (ReverseOptions & Cancellable & { limit?: null }) | null): Promise<Place | null>;
  reverse(lat: number, lon: number, options: ReverseOptions & Cancellable & { limit: number }): Promise<Place[]>;
  place(reference: number | string, options?: (NameOptions & Cancellable) | null): Promise<Place | null>;
}
