// Answers from a Toponym service over HTTPS: its parameters, its statuses, its limits. tokens.js signs in.

import { Fault } from "./fault.js";
import { Tokens } from "./tokens.js";
import { ask, messageOf, pause } from "./http.js";

/** Tries of one question. */
const TRIES = 3;

/** Longest wait for a limit of the service, seconds: a model that waits longer seems to hang. */
const PATIENCE_S = 10;

/** Wait after a failure of the service, seconds, as its description asks. */
const RETRY_S = 1;

/** How long what the service says of its data is kept, milliseconds. */
const ABOUT_MS = 3_600_000;

/** Answers like `Offline`. */
export class Service {
  /** The operator of the service may change its places. */
  isOpenWorld = true;
  #url;
  #tokens;
  #about;

  constructor({ url, apiKey, apiSecret }) {
    this.#url = url;
    this.#tokens = new Tokens(new URL("api-clients/token", url), { apiKey, apiSecret });
  }

  /** Signs in. */
  async prepare() {
    await this.#tokens.token();
  }

  forward(query, options, signal) {
    return this.#ask("forward", { ...parameters(options), ...(typeof query === "string" ? { query } : query) }, signal);
  }

  autocomplete(text, options, signal) {
    return this.#ask("autocomplete", { ...parameters(options), q: text }, signal);
  }

  async reverse({ lat, lon }, options, signal) {
    return [(await this.#ask("reverse", { ...parameters(options), lat, lon }, signal)) ?? []].flat();
  }

  async place(reference, options, signal) {
    const parameter = typeof reference === "number" ? {} : { ref: reference };
    const path = typeof reference === "number" ? `place/${reference}` : "place";
    return [(await this.#ask(path, { ...parameters(options), ...parameter }, signal)) ?? []].flat();
  }

  async about(signal) {
    if (!this.#about || this.#about.at < Date.now() - ABOUT_MS) {
      const response = await ask(new URL("attribution", this.#url), { signal });
      if (!response.ok) throw new Fault(`The service does not name its sources (${response.status}). Ask again in a minute.`);
      const { title, dataDate, sources } = await response.json();
      this.#about = { at: Date.now(), title, date: dataDate, credits: sources };
    }
    const { at, ...about } = this.#about;
    return about;
  }

  /** The answer to a question, or `null` where there is none. */
  async #ask(path, query, signal) {
    const url = new URL(`v1/geocoding/${path}`, this.#url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    for (let left = TRIES - 1; ; left--) {
      const token = await this.#tokens.token(signal);
      const response = await ask(url, { headers: { authorization: `Bearer ${token}` }, signal });
      if (response.ok) return response.json();
      const wait = await this.#waitAfter(response, token, left);
      if (wait === undefined) return null;
      await pause(wait, signal);
    }
  }

  /** Seconds until the next try; nothing where nothing was found; an error where another try is in vain. */
  async #waitAfter(response, token, left) {
    const message = await messageOf(response);
    switch (response.status) {
      case 404:
        return undefined;
      case 400:
        throw new Fault(`${message}. Change that argument and ask again.`);
      case 401:
        this.#tokens.forget(token);
        if (left > 0) return 0;
        throw new Fault(`The service refuses the token (${message}). The user has to check TOPONYM_API_KEY and TOPONYM_API_SECRET of this server.`);
      case 403:
        throw new Fault(`The service refuses the key: ${message}. Asking again is in vain; tell the user, who can change the plan or the restrictions of the key.`);
      case 429:
        return this.#waitForLimit(Number(response.headers.get("retry-after")) || RETRY_S, left);
      default:
        if (response.status >= 500 && left > 0) return Number(response.headers.get("retry-after")) || RETRY_S;
        throw new Fault(`The service failed (${response.status} ${message}). Ask again in a minute.`);
    }
  }

  #waitForLimit(seconds, left) {
    if (left > 0 && seconds <= PATIENCE_S) return seconds;
    throw new Fault(`The key has used up its limit of requests. Ask again in ${seconds} seconds, or ask less: one geocode call with a larger limit in place of several.`);
  }
}

/** Options of the package `toponym` as parameters of the service. */
function parameters({ limit, radius, lang, types, countries, bbox, within, focus, fields }) {
  const all = { limit, radius, lang, types, countrycodes: countries, bbox, within, lat: focus?.lat, lon: focus?.lon, fields };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}
