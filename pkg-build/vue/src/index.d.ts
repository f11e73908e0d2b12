// Types of `toponym-vue`.

import type { DefineComponent } from "vue";
import type { Chosen, Objects, Settings, ToponymAutocomplete as ToponymAutocompleteElement, ToponymAutocompleteEventMap } from "toponym/element";

export type { Chosen, ToponymAutocompleteElement };

/** Settings and objects of the element. Its other attributes pass through. */
export interface ToponymAutocompleteProps extends Settings, Omit<Objects, "place"> {
  /** The chosen place: `v-model`. `null` takes a choice back and empties the field; a text without a choice stays. */
  modelValue?: Chosen | null;
}

/** The events of the element, with their detail and the event. */
type Emits = {
  [Type in "change" | "ready" | "error" | "search" | "suggestions" | "highlight" | "clear"]: (
    detail: ToponymAutocompleteEventMap[Type]["detail"],
    event: ToponymAutocompleteEventMap[Type],
  ) => void;
};

/** `<toponym-autocomplete>` as a component. A template ref has it as `element`. */
export const ToponymAutocomplete: DefineComponent<
  ToponymAutocompleteProps,
  { element: ToponymAutocompleteElement | null },
  {},
  {},
  {},
  {},
  {},
  Emits & { "update:modelValue": (place: Chosen | null) => void }
>;
