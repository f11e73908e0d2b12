// Exchanges key and secret for a token, and keeps it until shortly before it ends. Key and secret are sent to the token
// route alone, and are in no message.

import { Fault } from "./fault.js";
import { send } from "./http.js";

/** A token is renewed so long before it ends, milliseconds: more than a request takes, and clocks differ. */
const MARGIN_MS = 60_000;

/** Characters of a message that is shown, should a proxy answer with a page. */
const MOST_SHOWN = 200;

/** A token is used for this share of its life at least, should it live shorter than the margin. */
const SHORTEST_SHARE = 0.5;

/** The tokens of one key. */
export class Tokens {
  #url;
  #credentials;
  #current;
  #asking;

  constructor(url, credentials) {
    this.#url = url;
    this.#credentials = credentials;
  }

  /** Returns a token that is good for now, and is not the one that was `refused`. Calls at the same time share one exchange. */
  async token(refused) {
    const { token, until } = this.#current ?? {};
    if (token !== refused && Date.now() < until) return token;
    this.#asking ??= this.#exchange().finally(() => (this.#asking = undefined));
    return (await this.#asking).token;
  }

  async #exchange() {
    const asked = Date.now();
    const response = await send(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(this.#credentials),
    });
    if (!response.ok) throw await refusal(response);
    const { token, expiresAt } = await response.json();
    const life = Date.parse(expiresAt) - asked;
    this.#current = { token, until: asked + Math.max(life - MARGIN_MS, life * SHORTEST_SHARE) };
    return this.#current;
  }
}

async function refusal(response) {
  const message = await messageOf(response);
  const seconds = response.headers.get("retry-after");
  if (response.status === 429) return new Fault(`Too many sign-ins with this key. Ask again in ${seconds ?? "60"} seconds.`);
  if (response.status >= 500) return new Fault(`The service cannot sign in now (${response.status} ${message}). Ask again in a minute.`);
  return new Fault(`The service refuses key and secret: ${message}. The user has to check --url, TOPONYM_API_KEY and TOPONYM_API_SECRET of this server.`);
}

/** The message of an answer that is not a success. */
async function messageOf(response) {
  const text = await response.text().catch(() => "");
  try {
    return JSON.parse(text).message ?? response.statusText;
  } catch {
    return text.slice(0, MOST_SHOWN).trim() || response.statusText;
  }
}
