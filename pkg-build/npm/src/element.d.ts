// Types of `toponym/element`: the search field <toponym-autocomplete>.

import type { SearchOptions, Suggestion } from "./index.js";

export type * from "./index.js";

/**
 * A place that can be chosen. Each has the first three; the rest is there as far as its source has it: all of it from the pack, and
 * of the service no `place_id`, `country_code` and `kind`.
 */
export type Chosen = Pick<Suggestion, "display_name" | "lat" | "lon"> & Partial<Suggestion>;

/** A source of suggestions for the element. */
export interface Suggester {
  /**
   * `options` are those of the element, and a `signal` that is aborted when nobody waits for the answer any more. An error with
   * the code `superseded` is not shown.
   */
  autocomplete(query: string, options?: SearchOptions): readonly Chosen[] | Promise<readonly Chosen[]>;
}

/** The texts that users of the element see or hear. */
export interface Messages {
  /** Name of the field if the page sets none. */
  label: string;
  /** While places are loaded. */
  loading: string;
  /** When they cannot be loaded. */
  failed: string;
  /** When they cannot be loaded because there is no network. */
  offline: string;
  /** When nothing matches. */
  none: string;
  /** How many suggestions there are. */
  count: (count: number) => string;
  /** When a place is required and none is chosen. */
  required: string;
  /** Heading of the places that were chosen before. */
  recent: string;
  /** Button that forgets them. */
  clear: string;
}

/** Events beside those of every element. */
export interface ToponymAutocompleteEventMap extends Omit<HTMLElementEventMap, "change" | "error" | "search"> {
  /** The user chose a place (`detail`) or dropped the choice (`null`). */
  change: CustomEvent<Chosen | null>;
  /**
   * The user pressed Enter, or the search key of a phone, and no suggestion is active. `detail` is the text. Unless it is prevented, the
   * first suggestion is chosen.
   */
  search: CustomEvent<string>;
  /** The places are loaded. */
  ready: CustomEvent<null>;
  /** Places cannot be loaded or searched; `detail` is the reason. */
  error: CustomEvent<Error>;
}

/** Attributes of the element, for templates. Lists are separated by spaces or commas. */
export interface ToponymAutocompleteAttributes {
  name?: string;
  class?: string;
  value?: string;
  placeholder?: string;
  label?: string;
  required?: boolean | "";
  disabled?: boolean | "";
  preload?: boolean | "";
  src?: string;
  pages?: string;
  lang?: string;
  limit?: number | string;
  countries?: string;
  types?: string;
  /** west,south,east,north */
  bbox?: string;
  within?: number | string;
  /** lat,lon */
  "focus-at"?: string;
  /** Milliseconds after the last key before a search. */
  delay?: number | string;
  /** Offers the places that were chosen before; a value names a list of its own. */
  recent?: boolean | string;
}

/** `<toponym-autocomplete>`: a search field for places. */
export class ToponymAutocomplete extends HTMLElement {
  /**
   * The source of suggestions. By default the element loads the root of an index in pages at `pages`, the pack at `src`, or else the
   * core pack. Elements with the same one share a thread, which ends some time after the last of them is removed.
   */
  geocoder: Suggester | undefined;
  /** Search options, which take precedence over those of the attributes. */
  get options(): SearchOptions;
  set options(options: SearchOptions | null | undefined);
  /** The texts of the element. Texts that are not set keep their default. */
  get messages(): Messages;
  set messages(messages: Partial<Messages> | null | undefined);
  /** The chosen place. */
  place: Chosen | null;
  /** The text of the field. */
  value: string;
  name: string;
  placeholder: string;
  label: string;
  src: string;
  pages: string;
  required: boolean;
  disabled: boolean;
  preload: boolean;
  readonly type: string;
  /** The form it belongs to. */
  readonly form: HTMLFormElement | null;
  readonly labels: NodeList;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  readonly willValidate: boolean;
  checkValidity(): boolean;
  reportValidity(): boolean;
  /** Makes it invalid for a reason of the page. An empty text makes it valid again. */
  setCustomValidity(message: string): void;
  /** Forgets the places that were chosen before. */
  clearRecent(): void;

  addEventListener<K extends keyof ToponymAutocompleteEventMap>(
    type: K,
    listener: (this: ToponymAutocomplete, event: ToponymAutocompleteEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "toponym-autocomplete": ToponymAutocomplete;
  }
  // For JSX without a namespace of its own. `toponym-react` has the types for React.
  namespace JSX {
    interface IntrinsicElements {
      "toponym-autocomplete": ToponymAutocompleteAttributes & { [attribute: string]: unknown };
    }
  }
}
