// Types of `toponym-react/use-places`.

import type { PlacesOptions, PlacesState } from "toponym/places";

export type { PlacesOptions, PlacesState };

/** Returns the suggestions for a text, and how the search stands. A server renders none. */
export function usePlaces(text: string, options?: PlacesOptions): PlacesState;
