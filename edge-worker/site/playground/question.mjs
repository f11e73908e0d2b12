// A question as the HTTP API takes it: a route and its parameters, all of them texts. Its address, and the same question to
// the engine in this page.

import { featureCollection } from "./toponym/geojson.js";

const BASE = "/v1/geocoding/";

/** Options by route, in the order of the address. */
const FILTERS = ["types", "countrycodes", "bbox", "within"];
const OPTIONS = {
  autocomplete: [...FILTERS, "lang", "fields", "limit", "format"],
  forward: [...FILTERS, "lang", "fields", "limit", "format"],
  reverse: [...FILTERS, "lang", "fields", "limit", "radius", "format"],
  place: ["lang", "fields", "format"],
};

/** Limits of the page where the user sets none. `reverse` without one gives a place, not an array. */
const LIMITS = { autocomplete: "6", forward: "1" };

/** The question with `own` parameters, such as a text, and with those of `options` that its route takes. */
export function question(route, own, options) {
  const parameters = { ...own };
  for (const name of OPTIONS[route]) {
    const value = options[name] || (name === "limit" && LIMITS[route]);
    if (value) parameters[name] = value;
  }
  return { route, parameters };
}

/** Its path and query string. */
export function address({ route, parameters }) {
  const { place_id: id, ...others } = parameters;
  const query = new URLSearchParams(others).toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return BASE + route + (id ? `/${id}` : "") + (query && `?${query}`);
}

/** The question with an address: its route, `own` parameters and `options` apart. `null` if it is none. */
export function readAddress(text) {
  const [path, query] = text.split(/\?(.*)/s);
  const [route, id] = path.startsWith(BASE) ? path.slice(BASE.length).split("/") : [];
  if (!Object.hasOwn(OPTIONS, route)) return null;
  const own = id ? { place_id: id } : {};
  const options = {};
  for (const [name, value] of new URLSearchParams(query)) (OPTIONS[route].includes(name) ? options : own)[name] = value;
  if (options.limit === LIMITS[route]) delete options.limit;
  return { route, own, options };
}

/** How the package reads an option. */
const list = (text) => text.split(",");
const READ = {
  types: (text) => ({ types: list(text) }),
  countrycodes: (text) => ({ countries: list(text) }),
  bbox: (text) => ({ bbox: list(text).map(Number) }),
  within: (text) => ({ within: Number(text) }),
  lang: (lang) => ({ lang }),
  fields: (text) => ({ fields: text === "all" ? text : list(text) }),
  limit: (text) => ({ limit: Number(text) }),
  radius: (text) => ({ radius: Number(text) }),
};

/** The options of a question as the package takes them. */
export function packageOptions({ parameters }) {
  return Object.assign({}, ...Object.entries(parameters).map(([name, value]) => READ[name]?.(value)));
}

/** What the question is about: a text, or fields. */
export function sought({ parameters }) {
  return parameters.q ?? parameters.query ?? parameters;
}

/** Asks a geocoder of the package. Returns places, or one, or `null`. */
export function askPackage(geocoder, asked) {
  const { route, parameters } = asked;
  const options = packageOptions(asked);
  if (route === "reverse") return geocoder.reverse(Number(parameters.lat), Number(parameters.lon), options);
  if (route === "place") return geocoder.place(parameters.ref ?? Number(parameters.place_id), options);
  return geocoder[route](sought(asked), options);
}

/** An answer of the package in the format that the question asks for. */
export function formatted({ parameters }, found) {
  return parameters.format === "geojson" ? featureCollection(found) : found;
}
