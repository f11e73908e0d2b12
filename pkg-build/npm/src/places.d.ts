// Types of `toponym/places`.

import type { Chosen, Suggester } from "./element.js";
import type { SearchOptions } from "./index.js";

/** Options of a search, and where the places are. */
export interface PlacesOptions extends Omit<SearchOptions, "signal"> {
  /** The source of suggestions; by default a thread with the pack at `src`, the index in `pages`, or the core pack. */
  geocoder?: Suggester | undefined;
  src?: string | undefined;
  pages?: string | undefined;
  /** Milliseconds after the last change before a question. Default 200 for a geocoder with `remote`, else 0. */
  delay?: number | undefined;
  /** Characters before a question. Default 1. */
  minLength?: number | undefined;
}

/** What is known for a text. */
export interface PlacesState {
  /** The suggestions: while others are loading, those of the text before. */
  readonly items: readonly Chosen[];
  /** `idle`: the text is blank or too short; `failed`: see `error`. */
  readonly status: "idle" | "loading" | "ready" | "failed";
  readonly error: Error | undefined;
}

/** Before there is a text. */
export const IDLE: PlacesState;

/**
 * Suggestions for a text that changes, for search fields of one's own.
 * @example <caption>Show suggestions in a list of one's own</caption>
 * import { Places } from "toponym/places";
 *
 * const shown = await new Promise((resolve) => {
 *   const places = new Places(({ status, items }) => status === "ready" && resolve(items[0]?.display_name));
 *   places.search("reyk", { geocoder: geo, limit: 3 });
 * });
 * shown; // "Reykjavík, Capital Region, Iceland"
 */
export class Places {
  /** @param changed Hears of each change. */
  constructor(changed: (state: PlacesState) => void);
  /** Asks for a text. A newer one supersedes it. */
  search(text: string, options?: PlacesOptions): void;
  /** Gives up what is asked, and forgets the suggestions. */
  stop(): void;
  /** Stops, and gives back the thread. */
  end(): void;
}
