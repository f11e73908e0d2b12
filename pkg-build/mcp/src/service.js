// Answers from a Toponym service, by `HttpGeocoder` of the package: what it makes of limits, refusals and failures. tokens.js
// signs in.

import { HttpGeocoder } from "toponym/http";
import { Fault } from "./fault.js";
import { pause, send } from "./http.js";
import { Tokens } from "./tokens.js";

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
  #geocoder;
  #about;

  constructor({ url, apiKey, apiSecret }) {
    this.#url = url;
    this.#tokens = new Tokens(new URL("api-clients/token", url), { apiKey, apiSecret });
    this.#geocoder = new HttpGeocoder(url, { token: ({ refused }) => this.#tokens.token(refused), fetch: send });
  }

  /** Signs in. */
  async prepare() {
    await this.#tokens.token();
  }

  /** Returns what `question(geocoder)` finds. A limit that is soon free again and a failure are tried again. */
  async ask(question, signal) {
    for (let left = TRIES - 1; ; left--) {
      try {
        return await question(this.#geocoder);
      } catch (error) {
        signal?.throwIfAborted();
        await pause(secondsAfter(error, left), signal);
      }
    }
  }

  /**
   * Returns title, date and credits of the places. A service that does not say them now has said them before, or the credits are the
   * address at which they are.
   */
  async about(signal) {
    if (this.#about?.until > Date.now()) return this.#about;
    try {
      const about = await this.#geocoder.about({ signal });
      this.#about = { ...about, until: Date.now() + ABOUT_MS };
      return about;
    } catch {
      signal?.throwIfAborted();
      return this.#about ?? { title: this.#url.host, attribution: [`The sources are named at ${new URL("attribution", this.#url)}`] };
    }
  }
}

/** Returns the seconds until the next try. Throws where another try is in vain, or none is left. */
function secondsAfter(error, left) {
  if (error instanceof Fault) throw error;
  // The request got no answer, or no token.
  if (error.cause instanceof Fault) throw error.cause;
  const { code, status, retryAfter = RETRY_S } = error;
  const said = error.cause?.message ?? error.message;
  switch (code) {
    case "invalid_argument":
      throw new Fault(`${said}. Change that argument and ask again.`);
    case "unauthorized":
      if (status === 401) throw new Fault(`The service refuses the token (${said}). The user has to check TOPONYM_API_KEY and TOPONYM_API_SECRET of this server.`);
      throw new Fault(`The service refuses the key: ${said}. Asking again is in vain; tell the user, who can change the plan or the restrictions of the key.`);
    case "rate_limited":
      if (left > 0 && retryAfter <= PATIENCE_S) return retryAfter;
      throw new Fault(`The key has used up its limit of requests. Ask again in ${retryAfter} seconds, or ask less: one geocode call with a larger limit in place of several.`);
    case "unavailable":
      if (left > 0 && (status === undefined || status >= 500)) return retryAfter;
      throw new Fault(`The service failed (${said}). Ask again in a minute; if it stays so, the user has to check the option --url of this server.`);
    default:
      throw error;
  }
}
