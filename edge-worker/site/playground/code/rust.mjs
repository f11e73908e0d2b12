// The question as Rust for the crate `toponym_engine`.

import { packageOptions, sought } from "../question.mjs";
import { bracketed } from "./text.mjs";

/** `language` is the one for `auto`, which only browsers know. */
export function rust(asked, { language }) {
  const { lang, ...options } = packageOptions(asked);
  const given = { ...options, ...(lang && { lang: lang === "auto" ? language : lang }) };
  const { used, lines } = { reverse, place }[asked.route]?.(asked, given) ?? search(asked, given);
  if (asked.parameters.format === "geojson") lines.push(...geoJson(asked, used));
  return `${imports(used)}\n\nlet engine = Engine::open(std::fs::read("index.toponym")?)?;\n${lines.join("\n")}`;
}

function search(asked, { limit = 5, ...options }) {
  const what = sought(asked);
  const isText = typeof what === "string";
  const filter = filterOf(options);
  const parts = [...shown(options), ...(options.focus ? [`focus: ${coordinate(options.focus)}`] : [])];
  const start = isText ? `Search::new(${text(what)}, ${limit})` : `fields.search(${limit}).expect("a field is set")`;
  const made = parts.length ? struct("Search", [...parts, `..${start}`]) : start;
  const fields = Object.entries(isText ? {} : what).map(([name, value]) => `${name}: Some(${text(value)})`);
  return {
    used: ["Engine", ...(isText || parts.length ? ["Search"] : []), ...(isText ? [] : ["Structured"]), ...filter.used, ...facts(options).used, ...(options.focus ? ["geo::Coordinate"] : [])],
    lines: [
      ...(isText ? [] : [`let fields = ${struct("Structured", [...fields, "..Structured::default()"])};`]),
      `let search = ${made};`,
      `let found = engine.${asked.route}(&search${filter.made ? `.filtered(${filter.made})` : ""});`,
    ],
  };
}

function reverse({ parameters: { lat, lon } }, { limit, radius, ...options }) {
  const point = `let point = ${coordinate({ lat, lon })}.expect("degrees");`;
  const filter = filterOf(options);
  if (limit === undefined && radius === undefined && !filter.made) {
    return {
      used: ["Engine", "geo::Coordinate", ...shownUsed(options)],
      lines: [point, `let found = engine.reverse(point, ${shownStruct(options)});`],
    };
  }
  const parts = [
    ...(radius === undefined ? [] : [`radius_m: ${float(radius)}`]),
    ...(filter.made ? [`filter: ${filter.made}`] : []),
    ...shown(options),
  ];
  const start = `Nearby::new(point, ${limit ?? 1})`;
  const near = parts.length ? struct("Nearby", [...parts, `..${start}`]) : start;
  return { used: ["Engine", "Nearby", "geo::Coordinate", ...filter.used, ...facts(options).used], lines: [point, `let found = engine.nearby(&${near});`] };
}

function place({ parameters: { ref, place_id: id } }, options) {
  const reference = ref === undefined ? `let reference = Reference::Id(${Number(id)});` : `let reference: Reference = ${text(ref)}.parse().expect("a reference");`;
  return { used: ["Engine", "Reference", ...shownUsed(options)], lines: [reference, `let found = engine.place(&reference, ${shownStruct(options)});`] };
}

/** Language and facts, as fields of a struct. */
function shown(options) {
  const { made } = facts(options);
  return [...(options.lang ? [`lang: Some(${text(options.lang)})`] : []), ...(made ? [`facts: ${made}`] : [])];
}

/** The same as what `reverse` and `place` take: a language alone is short for all of it. */
function shownStruct(options) {
  const parts = shown(options);
  if (!options.fields) return options.lang ? `Some(${text(options.lang)})` : "None";
  return struct("Shown", options.lang ? parts : [...parts, "..Shown::default()"]);
}

const shownUsed = (options) => (options.fields ? ["Shown", ...facts(options).used] : []);

function facts({ fields }) {
  if (!fields) return { used: [], made: "" };
  if (fields === "all") return { used: ["FactSet"], made: "FactSet::ALL" };
  return { used: ["FactSet", "Fact"], made: `FactSet::default()${fields.map((name) => `.with(Fact::${variant(name)})`).join("")}` };
}

/** `iso_3166_2` is `Iso31662`. */
const variant = (name) => name.split("_").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");

function filterOf({ countries, types, bbox, within }) {
  const parts = [];
  if (types) parts.push(`types: &[${types.map(text).join(", ")}]`);
  if (bbox) parts.push(`bounds: Some(Bounds { west: ${float(bbox[0])}, south: ${float(bbox[1])}, east: ${float(bbox[2])}, north: ${float(bbox[3])} })`);
  if (within !== undefined) parts.push(`within: Some(${within})`);
  const start = countries ? `Filter::in_countries(&[${countries.map((code) => `*b${text(code.toUpperCase())}`).join(", ")}])` : "Filter::default()";
  if (!parts.length) return countries ? { used: ["Filter"], made: start } : { used: [], made: "" };
  return { used: ["Filter", ...(bbox ? ["geo::Bounds"] : [])], made: struct("Filter", [...parts, `..${start}`]) };
}

function geoJson({ route, parameters }, used) {
  used.push("geojson::FeatureCollection");
  // `nearby` also gives the distances.
  const isNear = used.includes("Nearby");
  const isOne = route === "place" || (route === "reverse" && !isNear);
  const places = isNear ? ["let found: Vec<_> = found.into_iter().map(|(place, _)| place).collect();"] : isOne ? ["let found: Vec<_> = found.into_iter().collect();"] : [];
  return [...places, "let json = serde_json::to_string(&FeatureCollection(&found))?;"];
}

function imports(used) {
  const names = [...new Set(used)];
  const own = names.filter((name) => !name.includes("::")).sort();
  const geo = names.filter((name) => name.startsWith("geo::")).map((name) => name.slice(5)).sort();
  const others = names.filter((name) => name.startsWith("geojson::"));
  const modules = geo.length > 1 ? [`geo::{${geo.join(", ")}}`] : geo.map((name) => `geo::${name}`);
  return `use toponym_engine::{${[...own, ...modules, ...others].join(", ")}};`;
}

/** A struct whose last part, the rest, has no comma after it. */
function struct(name, parts) {
  const text = bracketed(`${name} {`, parts, "}", { space: " ", by: "    " });
  return text.includes("\n") && parts.at(-1).startsWith("..") ? text.replace(/,\n}$/, "\n}") : text;
}

const coordinate = ({ lat, lon }) => `Coordinate::new(${float(lat)}, ${float(lon)})`;

const float = (value) => (Number.isInteger(Number(value)) ? `${Number(value)}.0` : String(Number(value)));

/** A text of Rust: its escapes of letters by number have braces. */
const text = (value) => JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\u([0-9a-f]{4})/gi, "$1\\u{$2}").replace(/(?<!\\)((?:\\\\)*)\\([bf])/g, (_, before, letter) => `${before}\\u{${letter === "b" ? "8" : "c"}}`);
