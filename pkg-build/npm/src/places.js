// Suggestions for a text that changes, for search fields of one's own: what `usePlaces` of toponym-react and toponym-vue keeps.

import { Source } from "./element-source.js";
import { Groups } from "./groups.js";

/** The group of the questions of one field. */
const TYPED = "typed";

/** Before there is a text. */
export const IDLE = Object.freeze({ items: Object.freeze([]), status: "idle", error: undefined });

export class Places {
  #changed;
  #source = new Source({ slow() {}, ready() {}, failed() {} });
  #questions = new Groups();
  #state = IDLE;
  #geocoder;
  #loads = "{}";

  /** `changed(state)` hears of each change: `{ items, status, error }`. */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Asks for a text. Suggestions of the one before stay until there are others. */
  search(text, { geocoder, pages, src: url, delay, minLength = 1, ...options } = {}) {
    const places = pages ? { pages } : url ? { url } : {};
    this.#use(geocoder, JSON.stringify(places));
    if ([...text.trim()].length < Math.max(minLength, 1)) return this.stop();
    this.#set({ ...this.#state, status: "loading", error: undefined });
    const ask = async (signal) => {
      try {
        const items = await this.#source.ask(places, (geocoder) => geocoder.autocomplete(text, { ...options, signal }), signal, delay);
        if (!signal.aborted) this.#set({ items, status: "ready", error: undefined });
      } catch (error) {
        if (!signal.aborted && error?.code !== "superseded") this.#set({ items: [], status: "failed", error });
      }
    };
    // It rejects only if it is superseded or given up.
    this.#questions.ask({ group: TYPED }, ask).catch(() => {});
  }

  /** Gives up what is asked, and forgets the suggestions. */
  stop() {
    this.#questions.giveUp(TYPED);
    this.#set(IDLE);
  }

  /** Stops, and gives back the thread. */
  end() {
    this.#changed = () => {};
    this.stop();
    this.#source.release();
  }

  #use(geocoder, loads) {
    if (geocoder === this.#geocoder && loads === this.#loads) return;
    this.#geocoder = geocoder;
    this.#loads = loads;
    this.#source.give(geocoder);
  }

  #set(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed(state);
  }
}
