// A client of the service with the methods of `GeocoderWorker`, so that a search field or a map takes either.

import { fault } from "./fault.js";

/** Codes of errors by status. Any other one means that the service is not available. */
const CODES = { 400: "invalid_argument", 401: "unauthorized", 403: "unauthorized", 429: "rate_limited" };

/** Geocodes over HTTP: `new HttpGeocoder("https://...", { token })`. */
export class HttpGeocoder {
  /** Every question is a request that is counted. */
  remote = true;
  #base;
  #token;
  #send;
  #typing;

  constructor(url, { token, fetch: send = (...given) => globalThis.fetch(...given) } = {}) {
    const isToken = typeof token === "string" || typeof token === "function";
    if (!isToken) throw fault("invalid_argument", "token must be a token, or a function that returns one");
    this.#base = base(url);
    this.#token = token;
    this.#send = send;
  }

  /** Suggestions for a text that is still being typed. A newer call cancels it: it is rejected with `superseded`. */
  async autocomplete(query, options = {}) {
    this.#typing?.abort(fault("superseded", "a newer autocomplete took the place of this one"));
    this.#typing = new AbortController();
    const signal = AbortSignal.any([this.#typing.signal, ...(options?.signal ? [options.signal] : [])]);
    return this.#ask("autocomplete", { q: query, ...parameters(options) }, signal);
  }

  /** Places for a text or fields. */
  async forward(query, options) {
    const text = typeof query === "string" ? { query } : query;
    return this.#ask("forward", { ...text, ...parameters(options) }, options?.signal);
  }

  /** The place at a point or `null`; with `limit` an array. */
  async reverse(lat, lon, options) {
    const { lat: _, lon: __, ...rest } = parameters(options);
    return this.#ask("reverse", { lat, lon, ...rest }, options?.signal);
  }

  /** The place with a `place_id` or a code, or `null`. */
  async place(reference, options) {
    return this.#ask("place", { ref: reference, ...parameters(options) }, options?.signal, typeof reference === "number");
  }

  async #ask(route, { ref, ...rest }, signal, isId = false) {
    const address = new URL(`v1/geocoding/${route}${isId ? `/${ref}` : ""}`, this.#base);
    if (ref !== undefined && !isId) rest.ref = ref;
    for (const [name, value] of Object.entries(rest)) {
      if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
    }
    let response = await this.#get(address, signal, false);
    // The token may have expired: a function gets to make a new one.
    if (response.status === 401 && typeof this.#token === "function") response = await this.#get(address, signal, true);
    if (response.status === 404) return null;
    if (!response.ok) throw await refused(response);
    return response.json();
  }

  async #get(address, signal, isExpired) {
    const token = typeof this.#token === "function" ? await this.#token({ isExpired }) : this.#token;
    signal?.throwIfAborted();
    try {
      return await this.#send(address, { headers: { authorization: `Bearer ${token}` }, signal });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw fault("unavailable", `${address.origin} cannot be reached`, error);
    }
  }
}

/** The address of the service, which may be below a path. */
function base(url) {
  try {
    const address = new URL(url, globalThis.location?.href);
    if (!address.pathname.endsWith("/")) address.pathname += "/";
    return address;
  } catch {
    throw fault("invalid_argument", `url must be the address of the service, but is ${url}`);
  }
}

/** Options of the package as parameters of the service. */
function parameters(options) {
  const { limit, lang, fields, countries, types, bbox, within, focus, radius } = options ?? {};
  return { limit, lang, fields, countrycodes: countries, types, bbox, within, lat: focus?.lat, lon: focus?.lon, radius };
}

async function refused(response) {
  const { message = response.statusText } = await response.json().catch(() => ({}));
  const error = fault(CODES[response.status] ?? "unavailable", `the service answered ${response.status}: ${message}`);
  error.status = response.status;
  const seconds = Number(response.headers.get("retry-after"));
  if (seconds) error.retryAfter = seconds;
  return error;
}
