// The question as Python for the wheel `toponym`.

import { packageOptions, sought } from "../question.mjs";
import { bracketed } from "./text.mjs";

/** `language` is the one for `auto`, which only browsers know. */
export function python(asked, { language }) {
  const call = bracketed(`geo.${asked.route}(`, [...about(asked), ...keywords(asked, language)], ")", { by: "    " });
  const lines = ["from toponym import Geocoder", "", "geo = Geocoder()", `found = ${call}`];
  if (asked.parameters.format === "geojson") lines.push(...geoJson(asked));
  return lines.join("\n");
}

function about(asked) {
  const { route, parameters } = asked;
  if (route === "reverse") return [literal(Number(parameters.lat)), literal(Number(parameters.lon))];
  if (route === "place") return [literal(parameters.ref ?? Number(parameters.place_id))];
  const what = sought(asked);
  return typeof what === "string" ? [literal(what)] : named(what);
}

function keywords(asked, language) {
  const { countries, focus, lang, ...options } = packageOptions(asked);
  return named({
    ...options,
    ...(countries && { countrycodes: countries }),
    ...(focus && { focus: [focus.lat, focus.lon] }),
    ...(lang && { lang: lang === "auto" ? language : lang }),
  });
}

const named = (values) => Object.entries(values).map(([name, value]) => `${name}=${name === "focus" || name === "bbox" ? tuple(value) : literal(value)}`);

const tuple = (values) => `(${values.map(literal).join(", ")})`;

/** Texts of JSON are texts of Python. */
const literal = (value) => (Array.isArray(value) ? `[${value.map(literal).join(", ")}]` : JSON.stringify(value));

/** The wheel has no GeoJSON of its own. */
function geoJson({ route, parameters }) {
  const isOne = route === "place" || (route === "reverse" && !parameters.limit);
  return [
    'point = lambda place: {"type": "Point", "coordinates": [place["lon"], place["lat"]]}',
    `features = [{"type": "Feature", "geometry": point(place), "properties": place} for place in ${isOne ? "([found] if found else [])" : "found"}]`,
    'collection = {"type": "FeatureCollection", "features": features}',
  ];
}
