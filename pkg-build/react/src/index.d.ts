// Types of `toponym-react`.

import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from "react";
import type {
  Chosen,
  Objects,
  Settings,
  ToponymAutocomplete as ToponymAutocompleteElement,
  ToponymAutocompleteAttributes,
  ToponymAutocompleteEventMap,
} from "toponym/element";

export type { Chosen, ToponymAutocompleteElement };

/** `onChange` for `change`, with the event's detail and the event. */
type Callbacks = {
  [Type in "change" | "ready" | "error" | "search" | "suggestions" | "highlight" | "clear" as `on${Capitalize<Type>}`]?: (
    detail: ToponymAutocompleteEventMap[Type]["detail"],
    event: ToponymAutocompleteEventMap[Type],
  ) => void;
};

type Attributes = Omit<HTMLAttributes<ToponymAutocompleteElement>, keyof Callbacks | keyof Settings | keyof Objects>;

/**
 * Settings and objects of the element, its events, and attributes of every element. `place` is the chosen place: `null` takes a choice
 * back and empties the field, a text without a choice stays; `undefined` leaves the choice to the user.
 */
export interface ToponymAutocompleteProps extends Attributes, Settings, Objects, Callbacks {}

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
