// A source of places as a geocoder of Leaflet Control Geocoder: `new Geocoder({ geocoder: toponymGeocoder(source) })`.

import { escapeHtml, splitLabel, suggester, view } from "toponym/map";

/** How many places the control shows. */
const LIMIT = 5;

/** As many places as `autocomplete` and `reverse` give. `forward` gives more. */
const MOST = 10;

/** Metres to each side within which `reverse` looks at the closest zoom, and at most. */
const NEAREST_METRES = 1_000;
const FARTHEST_METRES = 75_000;

/** Pixels around the pointer within which a place may lie. */
const PIXELS = 100;

const METRES_AROUND_EARTH = 40_075_017;

/**
 * The interface of the control over a `Geocoder`, a `GeocoderWorker` or an `HttpGeocoder`. `options` are those of a search:
 * `lang`, `countries`, `types`, `limit`. With `nearby` places near the middle of the map are preferred.
 */
export function toponymGeocoder(source, { nearby = false, ...options } = {}) {
  const shown = { fields: ["name"], ...options, limit: options.limit ?? LIMIT };
  const near = (context) => (nearby && context?.map ? { ...shown, focus: centre(context.map) } : shown);
  const suggest = suggester(source);
  return {
    async geocode(query, context) {
      return query.trim() ? results(await source.forward(query, near(context))) : [];
    },
    async suggest(query, context) {
      return query.trim() ? results(await suggest(query, few(near(context)))) : [];
    },
    async reverse({ lat, lng }, scale) {
      const { LatLng } = await leaflet();
      const point = new LatLng(lat, lng).wrap();
      const { focus, ...rest } = few({ ...shown, limit: options.limit ?? 1 });
      return results(await source.reverse(point.lat, point.lng, { radius: radius(scale), ...rest }));
    },
  };
}

function few({ limit, ...rest }) {
  return { limit: Math.min(limit, MOST), ...rest };
}

/** Only when it is needed: Leaflet looks for a window, so a server that renders pages cannot import it. */
async function leaflet() {
  const { default: whole, ...names } = await import("leaflet");
  return names.LatLng ? names : whole;
}

function centre(map) {
  const { lat, lng } = map.getCenter().wrap();
  return { lat, lon: lng };
}

/** How far a click at a scale, the pixels around the equator, may be from the place that is meant. */
function radius(scale) {
  const metres = (PIXELS * METRES_AROUND_EARTH) / scale;
  return Math.round(Math.min(Math.max(metres, NEAREST_METRES), FARTHEST_METRES));
}

async function results(places) {
  const { LatLng, LatLngBounds } = await leaflet();
  return (places ?? []).map((place) => {
    const [west, south, east, north] = view(place);
    return {
      name: place.display_name,
      center: new LatLng(place.lat, place.lon),
      bbox: new LatLngBounds([south, west], [north, east]),
      properties: place,
      html: html(place),
    };
  });
}

/** Writes the name in bold, and the areas behind it. */
function html(place) {
  const { name, areas } = splitLabel(place);
  return `<strong>${escapeHtml(name)}</strong>${areas && escapeHtml(`, ${areas}`)}`;
}
