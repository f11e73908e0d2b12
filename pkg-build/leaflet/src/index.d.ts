// Types of `toponym-leaflet`.

import type { geocoders } from "leaflet-control-geocoder";
import type { SearchOptions } from "toponym";
import type { Source } from "toponym/http";

export interface ToponymGeocoderOptions extends Omit<SearchOptions, "focus"> {
  /** Among places of one name, prefers those near the middle of the map. */
  nearby?: boolean;
}

/** The interface of the control over a source of places. Results have the place in `properties`. */
export function toponymGeocoder(source: Source, options?: ToponymGeocoderOptions): Required<geocoders.IGeocoder>;
