// A question as the HTTP API takes it: a route and its parameters, all of them texts. Its address, and the same question to
// the engine in this page.

import { featureCollection } from "../../../build/npm/geojson.js";

const BASE = "/v1/geocoding/";

/** Options by route, in the order of the address. */
const FILTERS = ["types", "countrycodes", "bbox", "within"];
const FOCUS = ["lat", "lon"];
const OPTIONS = {
  autocomplete: [...FILTERS, ...FOCUS, "lang", "fields", "limit", "format"],
  forward: [...FILTERS, ...FOCUS, "lang", "fields", "limit", "format"],
  reverse: [...FILTERS, "lang", "fields", "limit", "radius", "format"],
  place: ["lang", "fields", "format"],
};

/** What the page asks for where the user sets nothing. `reverse` without a limit gives a place, not an array. */
const DEFAULTS = {
  autocomplete: { limit: "6" },
  forward: { limit: "5", fields: "all" },
  reverse: { fields: "all" },
  place: { fields: "all" },
};

/** The question with `own` parameters, such as a text, and with those of `options` that its route takes. */
export function question(route, own, options) {
  const parameters = { ...own };
  for (const name of OPTIONS[route]) {
    const value = options[name] || DEFAULTS[route][name];
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
  for (const [name, value] of Object.entries(DEFAULTS[route])) if (options[name] === value) delete options[name];
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
export function packageOptions({ route, parameters }) {
  const { lat, lon, ...others } = parameters;
  const focus = lat !== undefined && route !== "reverse" ? { focus: { lat: Number(lat), lon: Number(lon) } } : {};
  return Object.assign(focus, ...Object.entries(others).map(([name, value]) => READ[name]?.(value)));
}

/** The largest limit of `autocomplete`. */
const MOST_SUGGESTIONS = 10;

/** The options that the user has set, without what the page asks for by itself. */
export function chosenOptions({ route, parameters }) {
  const set = Object.entries(parameters).filter(([name, value]) => DEFAULTS[route][name] !== value);
  return packageOptions({ route, parameters: Object.fromEntries(set) });
}

/** The same as a field that suggests takes them. */
export function typedOptions(asked) {
  const { limit, ...options } = chosenOptions(asked);
  return { ...options, ...(limit !== undefined && { limit: Math.min(limit, MOST_SUGGESTIONS) }) };
}

const FIELDS = ["name", "city", "county", "state", "country"];

/** Whether the question is about a name, and not about a point or a place. */
export const isAboutName = ({ route }) => route === "forward" || route === "autocomplete";

/** Whether this name is a text, and not fields. */
export const isText = (asked) => isAboutName(asked) && typeof sought(asked) === "string";

/** What the question is about: a text, or fields. */
export function sought({ parameters }) {
  const text = parameters.q ?? parameters.query;
  return text ?? Object.fromEntries(FIELDS.filter((name) => parameters[name]).map((name) => [name, parameters[name]]));
}

/** The method of the package's geocoder that answers the question, and its arguments. */
export function packageCall(asked) {
  const { route, parameters } = asked;
  const options = packageOptions(asked);
  if (route === "reverse") return ["reverse", Number(parameters.lat), Number(parameters.lon), options];
  if (route === "place") return ["place", parameters.ref ?? Number(parameters.place_id), options];
  return [route, sought(asked), options];
}

/** An answer of the package in the format that the question asks for. */
export function formatted({ parameters }, found) {
  return parameters.format === "geojson" ? featureCollection(found) : found;
}
