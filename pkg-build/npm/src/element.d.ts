// Types of `toponym/element`: the search field <toponym-autocomplete>.

import type { SearchOptions, Suggestion } from "./index.js";

export type * from "./index.js";

/** A source of suggestions for the element. */
export interface Suggester {
  autocomplete(query: string, options?: SearchOptions): Suggestion[] | Promise<Suggestion[]>;
}

/** The texts that users of the element see or hear. */
export interface Messages {
  /** Name of the field if the page sets none. */
  label: string;
  /** While places are loaded. */
  loading: string;
  /** When they cannot be loaded. */
  failed: string;
  /** When nothing matches. */
  none: string;
  /** How many suggestions there are. */
  count: (count: number) => string;
  /** When a place is required and none is chosen. */
  required: string;
}

/** `change`: the user chose a place (`detail`) or dropped the choice (`null`). */
export interface ToponymAutocompleteEventMap extends HTMLElementEventMap {
  change: CustomEvent<Suggestion | null>;
}

/** `<toponym-autocomplete>`: a search field for places. */
export class ToponymAutocomplete extends HTMLElement {
  /** The source of suggestions. By default the element loads the pack at `src`, or else the core pack. */
  geocoder: Suggester | undefined;
  /** The texts of the element. Texts that are not set keep their default. */
  get messages(): Messages;
  set messages(messages: Partial<Messages>);
  /** The chosen place. */
  place: Suggestion | null;
  /** The text of the field. */
  value: string;
  /** The form it belongs to. */
  readonly form: HTMLFormElement | null;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  readonly willValidate: boolean;
  checkValidity(): boolean;
  reportValidity(): boolean;

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
}
