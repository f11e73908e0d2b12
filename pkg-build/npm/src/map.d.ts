// Types of `toponym/map`.

import type { Chosen } from "./element.js";
import type { BasicSuggestion, Source } from "./http.js";
import type { Place, SearchOptions } from "./index.js";

/**
 * What a map should show of a place, in degrees: its own box, or one around its centre that fits its kind. Where it crosses
 * the date line, `east` is above 180.
 * @example <caption>Show a place at a scale that fits it</caption>
 * import { view } from "toponym/map";
 *
 * const [west, south, east, north] = view({ display_name: "Suva, Fiji", lat: -18.14, lon: 178.44, kind: "city" });
 * west < 178.44 && 178.44 < east && south < -18.14 && -18.14 < north; // true
 */
export function view(place: Place | Chosen): [west: number, south: number, east: number, north: number];

/**
 * Returns a function that suggests places for a text, as complete places where that fetches nothing. It is for one field: a
 * question that a newer one supersedes gets the answer of the newer one.
 * @example <caption>Suggest places in a field of one's own</caption>
 * import { suggester } from "toponym/map";
 *
 * const suggest = suggester(geo);
 * (await suggest("reyk", { limit: 1 }))[0]?.display_name; // "Reykjavík, Capital Region, Iceland"
 */
export function suggester(source: Source): (text: string, options?: SearchOptions) => Promise<(Place | BasicSuggestion)[]>;

/**
 * Splits the label of a place into its name, which may contain commas, and the areas that it lies in.
 * @example <caption>Show the name and the areas on two lines</caption>
 * import { splitLabel } from "toponym/map";
 *
 * splitLabel({ display_name: "Munich, Bavaria, Germany" }); // { name: "Munich", areas: "Bavaria, Germany" }
 */
export function splitLabel(place: { name?: string; display_name: string }): { name: string; areas: string };

/**
 * Writes a text as HTML, for an element or for an attribute between double quotation marks.
 * @example <caption>Write a name into the text of a popup</caption>
 * import { escapeHtml } from "toponym/map";
 *
 * escapeHtml("Trinidad & Tobago"); // "Trinidad &amp; Tobago"
 */
export function escapeHtml(text: string): string;
