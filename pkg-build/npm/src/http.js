// A client of the service with the methods of `GeocoderWorker` but `explain`, so that a search field or a map takes either.

import { ofThread } from "./arguments.js";
import { abortable } from "./attempts.js";
import { boxed } from "./box.js";
import { fault } from "./fault.js";
import { Groups } from "./groups.js";

/** Codes of errors by status. Any other one means that the service is not available. */
const CODES = { 400: "invalid_argument", 401: "unauthorized", 403: "unauthorized", 429: "rate_limited" };

/** What the service says with a 404 if it was asked well and has nothing. Any other 404 comes from somewhere else. */
const NOTHING = { reverse: "No location found at these coordinates", place: "No such place" };

/** The name is not among what the service suggests unasked. */
const NAME = "name";

/** Geocodes over HTTP: `new HttpGeocoder("https://...", { token })`. */
export class HttpGeocoder {
  /** Every question is a request that is counted. */
  remote = true;
  #base;
  #token;
  #send;
  #groups = new Groups();

  constructor(url, { token, fetch: send = (...given) => globalThis.fetch(...given) } = {}) {
    const isToken = typeof token === "string" || typeof token === "function";
    if (!isToken) throw fault("invalid_argument", "token must be a token, or a function that returns one");
    this.#base = base(url);
    this.#token = token;
    this.#send = send;
  }

  /** Suggests places for an unfinished text; none for a blank one. A newer call of the same `group` supersedes an unanswered one. */
  async autocomplete(query, options) {
    const { signal, group, asked } = ofThread(options);
    if (typeof query !== "string") throw fault("invalid_argument", "query must be a string");
    return this.#groups.ask({ signal, group }, (signal) => this.#suggest(query, asked, signal));
  }

  /** Places for a text or fields. */
  async forward(query, options) {
    const text = typeof query === "string" ? { query } : query;
    return boxed(await this.#ask("v1/geocoding/forward", { ...text, ...parameters(options) }, options));
  }

  /** The place at a point or `null`; with `limit` an array. */
  async reverse(lat, lon, options) {
    const { lat: _, lon: __, ...rest } = parameters(options);
    return boxed(await this.#ask("v1/geocoding/reverse", { lat, lon, ...rest }, options, { nothing: NOTHING.reverse }));
  }

  /** The place with a `place_id` or a code, or `null`. */
  async place(reference, options) {
    const isId = typeof reference === "number";
    const route = `v1/geocoding/place${isId ? `/${reference}` : ""}`;
    const asked = { ref: isId ? undefined : reference, ...parameters(options) };
    return boxed(await this.#ask(route, asked, options, { nothing: NOTHING.place }));
  }

  /** The best place for each of 1 to 100 texts, fields or points, in order. Each counts. */
  async batch(queries, options) {
    const { results } = await this.#ask("v1/geocoding/batch", parameters(options), options, { body: { queries } });
    return results;
  }

  /** What the service answers from, and the credits. */
  async about(options) {
    const { title, dataDate: data_date, sources: attribution } = await this.#ask("attribution", {}, options, { isPublic: true });
    return { title, data_date, attribution };
  }

  async #suggest(q, options, signal) {
    if (!q.trim()) return [];
    const { fields, ...rest } = parameters(options);
    const named = fields === "all" ? fields : [...new Set([NAME].concat(fields ?? []))];
    // One address for all texts, so that a browser asks once whether it may send to it.
    return this.#ask("v1/geocoding/suggest", {}, { signal }, { body: { q, fields: named, ...rest } });
  }

  /** Asks the service. The answer is `null` if it says that there is `nothing`. */
  async #ask(route, parameters, options, how) {
    const signal = options?.signal;
    signal?.throwIfAborted();
    const address = new URL(route, this.#base);
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
    }
    return abortable(this.#answer(address, signal, how), signal);
  }

  async #answer(address, signal, { body, nothing, isPublic = false } = {}) {
    const init = body === undefined ? { signal } : { signal, method: "POST", body: JSON.stringify(body) };
    const response = isPublic ? await this.#get(address, init) : await this.#getSigned(address, init);
    if (response.ok) return read(response, address);
    const said = await response.json().catch(() => undefined);
    if (nothing && said?.statusCode === 404 && said.message === nothing) return null;
    throw refused(response, said);
  }

  /** Sends a request with a token. One that was refused may have expired: a function gets to make a new one. */
  async #getSigned(address, init) {
    const send = (token) => this.#get(address, { ...init, headers: { authorization: `Bearer ${token}` } });
    const isAsked = typeof this.#token === "function";
    const token = await (isAsked ? this.#token({ isExpired: false }) : this.#token);
    const response = await send(token);
    const isExpired = isAsked && response.status === 401;
    return isExpired ? send(await this.#token({ isExpired, refused: token })) : response;
  }

  async #get(address, init) {
    init.signal?.throwIfAborted();
    try {
      return await this.#send(address, init);
    } catch (error) {
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
  return { limit, lang, fields, countrycodes: countries, types, bbox, within, ...focusOf(focus), radius };
}

/** A point, or `"auto"` for where the service takes the caller to be. */
function focusOf(focus) {
  return focus === "auto" ? { near: focus } : { lat: focus?.lat, lon: focus?.lon };
}

/** A body may be cut short, or that of a page in the service's place. */
async function read(response, address) {
  try {
    return await response.json();
  } catch (error) {
    throw fault("unavailable", `the answer of ${address.origin} cannot be read`, error);
  }
}

function refused(response, said) {
  const message = `the service answered ${response.status}: ${said?.message ?? response.statusText}`;
  const error = fault(CODES[response.status] ?? "unavailable", message, said);
  error.status = response.status;
  const seconds = Number(response.headers.get("retry-after"));
  if (seconds) error.retryAfter = seconds;
  return error;
}
