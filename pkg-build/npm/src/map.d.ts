// Types of `toponym/map`.

import type { Chosen } from "./element.js";
import type { BasicSuggestion, Source } from "./http.js";
import type { Place, SearchOptions } from "./index.js";

/**
 * What a map should show of a place, in degrees: its own box, or one around its centre that fits its kind. Where it crosses
 * the date line, `east` is above 180.
 */
export function view(place: Place | Chosen): [west: number, south: number, east: number, north: number];

/**
 * Returns a function that suggests places for a text, as complete places where that fetches nothing. It is for one field: a
 * question that a newer one supersedes gets the answer of the newer one.
 */
export function suggester(source: Source): (text: string, options?: SearchOptions) => Promise<(Place | BasicSuggestion)[]>;

/** Splits the label of a place into its name, which may contain commas, and the areas that it lies in. */
export function splitLabel(place: { name?: string; display_name: string }): { name: string; areas: string };

/** Writes a text as HTML, for an element or for an attribute between double quotation marks. */
export function escapeHtml(text: string): string;
