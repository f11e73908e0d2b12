// Types of `toponym-react`.

import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from "react";
import type { SearchOptions } from "toponym";
import type {
  Chosen,
  Messages,
  Suggester,
  ToponymAutocomplete as ToponymAutocompleteElement,
  ToponymAutocompleteAttributes,
} from "toponym/element";

export type { Chosen, ToponymAutocompleteElement };

type Attributes = Omit<HTMLAttributes<ToponymAutocompleteElement>, "onChange" | "onError" | "lang">;

/** Search options as for `autocomplete`, attributes of the element, and attributes of every element. */
export interface ToponymAutocompleteProps extends Attributes, Omit<SearchOptions, "lang"> {
  name?: string;
  /**
   * The chosen place. `null` takes a choice back and empties the field; a text without a choice stays. `undefined` leaves the choice
   * to the user.
   */
  place?: Chosen | null;
  /** A text for the field; no place is chosen by it. */
  value?: string;
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
  /** The user chose a place, or dropped the choice. */
  onChange?: (place: Chosen | null) => void;
  /** The places are loaded. */
  onReady?: () => void;
  /** Places cannot be loaded or searched. */
  onError?: (error: Error) => void;
}

/** `<toponym-autocomplete>` as a component. `ref` is the element. */
export const ToponymAutocomplete: ForwardRefExoticComponent<
  ToponymAutocompleteProps & RefAttributes<ToponymAutocompleteElement>
>;

// For those who write the element itself in JSX.
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "toponym-autocomplete": Omit<HTMLAttributes<ToponymAutocompleteElement>, keyof ToponymAutocompleteAttributes> &
        RefAttributes<ToponymAutocompleteElement> &
        ToponymAutocompleteAttributes;
    }
  }
}
