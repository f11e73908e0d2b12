// Types of `toponym/element`: the search field <toponym-autocomplete>.

import type { Abortable, Coordinate, Fact, Kind, Place, ReverseOptions, SearchOptions, Suggestion } from "./index.js";

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
  /** The place for coordinates that are typed, and for the button of `locate`. Without it, that is the point itself. */
  reverse?(lat: number, lon: number, options?: Omit<ReverseOptions, "limit">): Place | null | Promise<Place | null>;
  /** Every question is a request that is counted: the element waits until nobody has typed for a moment. */
  readonly remote?: boolean;
  /** False while there are only some of its places: the element asks once more when `complete()` says that all are there. */
  readonly isComplete?: boolean;
  complete?(options?: Abortable): Promise<void>;
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
  /** Button that empties the field. */
  reset: string;
  /** Button that chooses the place where the user is. */
  locate: string;
  /** When that place is not known. */
  unlocated: string;
}

/** Events beside those of every element. */
export interface ToponymAutocompleteEventMap extends Omit<HTMLElementEventMap, "change" | "error" | "search" | "clear"> {
  /** The user chose a place (`detail`) or dropped the choice (`null`). */
  change: CustomEvent<Chosen | null>;
  /**
   * The user pressed Enter, or the search key of a phone, and no suggestion is active. `detail` is the text. Unless it is prevented, the
   * first suggestion is chosen.
   */
  search: CustomEvent<string>;
  /** There are suggestions for the text, or none. */
  suggestions: CustomEvent<readonly Chosen[]>;
  /** Another suggestion is active, or none. */
  highlight: CustomEvent<Chosen | null>;
  /** The user has emptied the field, by its button or Escape. */
  clear: CustomEvent<null>;
  /** The places are loaded. */
  ready: CustomEvent<null>;
  /** Places cannot be loaded or searched; `detail` is the reason. */
  error: CustomEvent<Error>;
}

/** What pages set on the element: as attributes, as properties, and as props of `toponym-react` and `toponym-vue`. */
export interface Settings {
  name?: string;
  placeholder?: string;
  /** Its name for screen readers, if there is no `<label>`. */
  label?: string;
  /** Address of another pack. */
  src?: string;
  /** Address of the root of an index in pages, in place of a pack. */
  pages?: string;
  /** A place must be chosen; a text is none. */
  required?: boolean;
  disabled?: boolean;
  /** Its place can be read and sent, not changed. */
  readOnly?: boolean;
  /** Loads at once instead of on first use, by a key or a pointer. */
  preload?: boolean;
  /** The first suggestion is active as soon as it is there. */
  autoselect?: boolean;
  /** A button in the empty field chooses the place where the user is. */
  locate?: boolean;
  /** A sign for its kind before each place. */
  icons?: boolean;
  /** Offers the places that were chosen before; a text names a list of its own. */
  recent?: boolean | string;
  /** Milliseconds after the last key before a search. Default 200 for a geocoder with `remote`, else 0. */
  delay?: number;
  /** Characters before a search. Default 1. */
  minLength?: number;
  /** Maximum number of suggestions: 1 to 10. Default 5. */
  limit?: number;
  /** Only these countries, as ISO 3166-1 alpha-2 codes. */
  countries?: readonly string[];
  /** Only these kinds of places. */
  types?: readonly Kind[];
  /** Only places with their centre in this box, in degrees. `west > east` crosses the date line. */
  bbox?: readonly [west: number, south: number, east: number, north: number];
  /** Only places in the country, state, county, city or region with this `place_id`. */
  within?: number;
  /** Among places of one name, prefer those near this point: the attribute `focus-at`, the property `focusAt`. */
  focus?: Coordinate;
  /** Facts that each suggestion has as well. */
  fields?: readonly Fact[] | "all";
}

/** What pages set as properties, and as props of `toponym-react` and `toponym-vue`. */
export interface Objects {
  /**
   * The source of suggestions. By default the element loads the root of an index in pages at `pages`, the pack at `src`, or else the
   * core pack, behind a small first one. Elements with the same one share a thread, which ends some time after the last of them is removed.
   */
  geocoder?: Suggester;
  /** Texts that differ from the default ones. */
  messages?: Partial<Messages>;
  /** Search options, which take precedence over the settings. */
  options?: SearchOptions;
  /** Makes what the list shows of a place, a node or a text; nothing stands for the usual label. */
  template?: (place: Chosen, text: string) => Node | string | null | undefined;
  /** A text for the field; no place is chosen by it. */
  value?: string;
  /** The chosen place. `null` takes a choice back and empties the field. */
  place?: Chosen | null;
}

type AttributeName<Name extends string> = Name extends "focus" ? "focus-at" : Lowercase<Name>;

type PropertyName<Name extends string> = Name extends "focus" ? "focusAt" : Name;

type Written<Value> = Value extends string ? Value : Value extends boolean ? boolean | "" : Value extends number ? number | string : string;

/** Attributes of the element, for templates. Lists are separated by spaces or commas. */
export type ToponymAutocompleteAttributes = {
  [Name in keyof Settings as AttributeName<Name>]?: Written<NonNullable<Settings[Name]>>;
} & { class?: string; value?: string; lang?: string };

/** The settings as properties: of those that are not set, flags are false, texts are empty, others are undefined. */
type Properties = {
  [Name in keyof Settings as PropertyName<Name>]-?: NonNullable<Settings[Name]> extends string | boolean ? NonNullable<Settings[Name]> : Settings[Name];
};

export interface ToponymAutocomplete extends Properties {}

/** The table behind `Settings`, `Objects` and the events, for wrappers. */
export const SETTINGS: { readonly [Name in keyof Settings]-?: object };
export const OBJECTS: readonly (keyof Objects)[];
export const EVENTS: readonly ("change" | "ready" | "error" | "search" | "suggestions" | "highlight" | "clear")[];

/**
 * Returns the attributes that say what the settings among some props say: texts, and `true` for a flag.
 * @example <caption>Write the attributes of a search field</caption>
 * import { attributesOf } from "toponym/element";
 *
 * attributesOf({ countries: ["FR", "BE"], required: true }); // { countries: "FR BE", required: true }
 */
export function attributesOf(props: Settings): Record<string, string | true>;

/** `<toponym-autocomplete>`: a search field for places. */
export class ToponymAutocomplete extends HTMLElement {
  /** As in `Objects`; what is loaded, if the page has set none. */
  geocoder: Suggester | undefined;
  template: Objects["template"];
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
  /** Focuses the field, and opens the list for its text, or that of recent places. */
  open(): void;
  /** Closes the list, and gives up the question for it. */
  close(): void;
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
