// A source of places as the geocoder that maplibre-gl-geocoder asks: `new MaplibreGeocoder(geocoderApi(source), ...)`.

import { escapeHtml, splitLabel, suggester, view } from "toponym/map";

/** How many places the control shows. */
const LIMIT = 5;

/** As many places as `autocomplete` and `reverse` give. `forward` gives more. */
const MOST = 10;

/**
 * The interface of the control over a `Geocoder`, a `GeocoderWorker` or an `HttpGeocoder`. With `typing` a text may be
 * unfinished, for a control with `showResultsWhileTyping`.
 */
export function geocoderApi(source, { typing = false } = {}) {
  const suggest = suggester(source);
  const search = (text, options) => (typing ? suggest(text, few(options)) : source.forward(text, options));
  return {
    async forwardGeocode(config) {
      // White space at the end of a text that is being typed says that a word is finished.
      const text = String(config.query ?? "");
      if (!text.trim()) return collection([]);
      return collection(await search(text, searchOptions(config)));
    },
    async reverseGeocode(config) {
      const [lon, lat] = config.query;
      const { focus, ...options } = few(searchOptions(config));
      return collection(await source.reverse(lat, lon, options));
    },
  };
}

/** Options of the control that show places without markup of their own, and with commas in names. */
export const display = {
  getItemValue: ({ place_name }) => place_name,
  render: (feature) => markup("maplibregl-ctrl-geocoder--result", feature),
  popupRender: (feature) => markup("maplibregl-ctrl-geocoder--suggestion popup-suggestion", feature),
};

/** The control's names of options as those of this package. */
function searchOptions({ bbox, countries, language, limit = LIMIT, proximity, types }) {
  return {
    limit,
    fields: ["name"],
    lang: list(language)?.[0],
    bbox: bbox ?? undefined,
    countries: list(countries),
    types: list(types),
    focus: proximity && { lat: proximity[1], lon: proximity[0] },
  };
}

function few({ limit, ...rest }) {
  return { limit: Math.min(limit, MOST), ...rest };
}

/** The types of the control say that lists are texts with commas; it passes arrays. */
function list(given) {
  const items = String(given ?? "").split(/[\s,]+/).filter(Boolean);
  return items.length ? items : undefined;
}

function collection(places) {
  return { type: "FeatureCollection", features: (places ?? []).map(feature) };
}

/** A place as the control takes it, in the form of Carmen GeoJSON. */
function feature(place) {
  const { place_id: id, display_name, lon, lat, kind, type } = place;
  return {
    type: "Feature",
    ...(id === undefined ? {} : { id }),
    geometry: { type: "Point", coordinates: [lon, lat] },
    bbox: view(place),
    center: [lon, lat],
    text: splitLabel(place).name,
    place_name: display_name,
    place_type: [kind ?? type],
    properties: place,
  };
}

/** Writes the name and the areas of a feature, in the control's own classes. It takes texts as HTML. */
function markup(block, { text, place_name }) {
  const { name, areas } = splitLabel({ name: text, display_name: place_name });
  const classes = (part) => block.split(" ").map((name) => `${name}-${part}`).join(" ");
  const part = (name, text) => `<div class="${classes(name)}">${escapeHtml(text)}</div>`;
  return `<div class="${block}"><div>${part("title", name)}${part("address", areas)}</div></div>`;
}
