// Types of `toponym-maplibre`.

import type { MaplibreGeocoderApi, MaplibreGeocoderOptions } from "@maplibre/maplibre-gl-geocoder";
import type { Source } from "toponym/http";

/**
 * The interface of the control over a source of places. Countries and types of the control are ISO 3166-1 alpha-2 codes and
 * kinds of places such as `city,airport`. Features have the place in `properties`.
 */
export function geocoderApi(
  source: Source,
  options?: {
    /** A text may be unfinished: for a control with `showResultsWhileTyping`. */
    typing?: boolean;
  },
): Required<Pick<MaplibreGeocoderApi, "forwardGeocode" | "reverseGeocode">>;

/** Options of the control that show places without markup of their own, and with commas in names. */
export const display: Required<Pick<MaplibreGeocoderOptions, "getItemValue" | "render" | "popupRender">>;
