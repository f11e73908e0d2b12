// Types of `toponym-vue/use-places`.

import type { ComputedRef, MaybeRefOrGetter } from "vue";
import type { PlacesOptions, PlacesState } from "toponym/places";

export type { PlacesOptions, PlacesState };

/** Returns the suggestions for a text, and how the search stands. A server renders none. */
export function usePlaces(
  text: MaybeRefOrGetter<string>,
  options?: MaybeRefOrGetter<PlacesOptions>,
): { [Name in keyof PlacesState]: ComputedRef<PlacesState[Name]> };
