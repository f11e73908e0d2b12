// Types of `toponym-vue`.

import type { DefineComponent } from "vue";
import type { SearchOptions } from "toponym";
import type { Chosen, Messages, Suggester, ToponymAutocomplete as ToponymAutocompleteElement } from "toponym/element";

export type { Chosen, ToponymAutocompleteElement };

/** Search options as for `autocomplete`, and properties of the element. Its attributes pass through. */
export interface ToponymAutocompleteProps extends Omit<SearchOptions, "lang"> {
  /** The chosen place: `v-model`. `null` takes a choice back and empties the field; a text without a choice stays. */
  modelValue?: Chosen | null;
  /** A text for the field; no place is chosen by it. */
  value?: string;
  name?: string;
  placeholder?: string;
  /** Its name for screen readers, if there is no `<label>`. */
  label?: string;
  required?: boolean;
  disabled?: boolean;
  /** Loads at once instead of on first focus. */
  preload?: boolean;
  /** Address of another pack. */
  src?: string;
  /** Address of the root of an index in pages, in place of a pack. */
  pages?: string;
  /** Language of names, or `auto`. */
  lang?: string;
  /** Milliseconds after the last key before a search. */
  delay?: number;
  /** Offers the places that were chosen before; a text names a list of its own. */
  recent?: boolean | string;
  /** Where suggestions come from, if not from a pack: any object with `autocomplete`. */
  geocoder?: Suggester;
  /** Texts that differ from the default ones. */
  messages?: Partial<Messages>;
}

/** `<toponym-autocomplete>` as a component. A template ref has it as `element`. */
export const ToponymAutocomplete: DefineComponent<
  ToponymAutocompleteProps,
  { element: ToponymAutocompleteElement | null },
  {},
  {},
  {},
  {},
  {},
  {
    "update:modelValue": (place: Chosen | null) => void;
    change: (place: Chosen | null) => void;
    ready: () => void;
    error: (error: Error) => void;
  }
>;
