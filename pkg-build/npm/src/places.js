// Suggestions for a text that changes, for search fields of one's own: what `usePlaces` of toponym-react and toponym-vue keeps.

import { isWritten } from "./element-highlight.js";
import { Source } from "./element-source.js";
import { Groups } from "./groups.js";
import { inPlace } from "./in-place.js";

/** The group of the questions of one field. */
const TYPED = "typed";

/** Before there is a text. */
export const IDLE = Object.freeze({ items: Object.freeze([]), status: "idle", error: undefined });

export class Places {
  #changed;
  #source = new Source({
    slow() {},
    ready() {},
    failed() {},
    completed: () => this.#completed(),
    incomplete: (error) => this.#question && this.#state.status === "loading" && this.#fail(error),
  });
  #questions = new Groups();
  #state = IDLE;
  // Asks for the text, among what the first places answered.
  #question;
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
    let isOfFirst = false;
    const question = (geocoder, signal) => {
      isOfFirst = geocoder.isComplete === false;
      return geocoder.autocomplete(text, { ...options, signal });
    };
    this.#question = async (first, signal) => {
      try {
        const found = await this.#source.ask(places, (geocoder) => question(geocoder, signal), signal, delay);
        if (signal.aborted) return;
        const sure = isOfFirst ? found.filter((place) => isWritten(place, text)) : found;
        const items = inPlace(first, sure, () => false, options.limit);
        // Among all places there may be some.
        const status = isOfFirst && items.length === 0 ? "loading" : "ready";
        this.#set({ items, status, error: undefined });
        // They came meanwhile.
        if (isOfFirst && this.#source.isComplete) this.#ask(items);
      } catch (error) {
        if (!signal.aborted && error?.code !== "superseded") this.#fail(error);
      }
    };
    this.#ask([]);
  }

  /** Gives up what is asked, and forgets the suggestions. */
  stop() {
    this.#questions.giveUp(TYPED);
    this.#question = undefined;
    this.#set(IDLE);
  }

  /** Stops, and gives back the thread. */
  end() {
    this.#changed = () => {};
    this.stop();
    this.#source.release();
  }

  /** Asks all places, once they are there, what the first ones have answered. */
  #completed() {
    if (this.#question && !this.#questions.isAsking(TYPED)) this.#ask(this.#state.items);
  }

  #ask(first) {
    // It rejects only if it is superseded or given up.
    this.#questions.ask({ group: TYPED }, (signal) => this.#question(first, signal)).catch(() => {});
  }

  #fail(error) {
    this.#set({ items: [], status: "failed", error });
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
