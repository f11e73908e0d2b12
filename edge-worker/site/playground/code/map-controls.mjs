// The question's options on the search controls of maps, and a point as what is at a click.

import { chosenOptions, isText, typedOptions } from "../question.mjs";
import { literal } from "./javascript.mjs";
import { bracketed } from "./text.mjs";

/** `undefined` for a question that no control asks. */
export function maplibre(asked) {
  if (asked.route === "reverse") return maplibreReverse(asked);
  if (!isText(asked)) return undefined;
  const isTyped = asked.route === "autocomplete";
  const { fields, within, lang, countries, types, focus, ...options } = isTyped ? typedOptions(asked) : chosenOptions(asked);
  const control = {
    ...options,
    ...(lang && { language: lang }),
    ...(countries && { countries: countries.join(",") }),
    ...(types && { types: types.join(",") }),
    // The control would take the middle of the map in its place.
    ...(focus && { proximity: { latitude: focus.lat, longitude: focus.lon }, trackProximity: false }),
    ...(isTyped && { showResultsWhileTyping: true }),
  };
  const given = ["maplibregl", "...display", ...Object.entries(control).map(([name, value]) => `${name}: ${literal(value)}`)];
  return `import MaplibreGeocoder from "@maplibre/maplibre-gl-geocoder";
import * as maplibregl from "maplibre-gl";
import { display, geocoderApi } from "toponym-maplibre";
import { GeocoderWorker } from "toponym/worker";

${source({ fields, within }, isTyped ? ["autocomplete", "place"] : ["forward"])}
const api = geocoderApi(source${isTyped ? ", { typing: true }" : ""});
map.addControl(new MaplibreGeocoder(api, ${bracketed("{", given, "}", { space: " " })}));`;
}

function maplibreReverse(asked) {
  const { lat, lon } = asked.parameters;
  const { lang, limit = 1, fields, within, radius, ...options } = chosenOptions(asked);
  const about = { query: [Number(lon), Number(lat)], limit, ...options, ...(lang && { language: lang }) };
  return `import { geocoderApi } from "toponym-maplibre";
import { GeocoderWorker } from "toponym/worker";

${source({ fields, within, radius }, ["reverse"])}
const api = geocoderApi(source);
const found = await api.reverseGeocode(${literal(about)});`;
}

/** What the methods of a source take before the options. */
const TAKEN = { forward: "text", autocomplete: "text", place: "id", reverse: "lat, lon" };

/** The source of the control, with `options` that it does not know. */
function source(options, methods) {
  const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  if (Object.keys(set).length === 0) return 'const source = await GeocoderWorker.load({ packs: ["core"] });';
  const wrapped = methods.map((method) => `${method}: (${TAKEN[method]}, options) => geo.${method}(${TAKEN[method]}, { ...options, ...more })`);
  return `const geo = await GeocoderWorker.load({ packs: ["core"] });
// Options that the control does not know.
const more = ${literal(set)};
const source = ${bracketed("{", wrapped, "}", { space: " " })};`;
}

/** `undefined` for a question that no control asks. */
export function leaflet(asked) {
  if (asked.route === "reverse") return leafletReverse(asked);
  if (!isText(asked)) return undefined;
  // Near the middle of the map.
  const { focus, ...options } = typedOptions(asked);
  const given = { ...options, ...(focus && { nearby: true }) };
  return `import { Geocoder } from "leaflet-control-geocoder";
import { toponymGeocoder } from "toponym-leaflet";
import { GeocoderWorker } from "toponym/worker";

const source = await GeocoderWorker.load({ packs: ["core"] });
const geocoder = toponymGeocoder(${["source", ...optionsIfAny(given)].join(", ")});
new Geocoder({ geocoder }).addTo(map);`;
}

function leafletReverse(asked) {
  const { lat, lon } = asked.parameters;
  const options = chosenOptions(asked);
  return `import { toponymGeocoder } from "toponym-leaflet";
import { GeocoderWorker } from "toponym/worker";

const source = await GeocoderWorker.load({ packs: ["core"] });
const geocoder = toponymGeocoder(${["source", ...optionsIfAny(options)].join(", ")});
const found = await geocoder.reverse({ lat: ${Number(lat)}, lng: ${Number(lon)} }, map.options.crs.scale(map.getZoom()));`;
}

const optionsIfAny = (options) => (Object.keys(options).length ? [literal(options)] : []);
