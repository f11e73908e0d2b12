// Checks the arguments of callers before they go to the engine: values must have the right type and a bounded size. The
// engine checks ranges.

import { fault } from "./fault.js";

/** Longest query in UTF-16 units. The engine counts characters, and each takes at most two units. */
const MAX_UNITS = 2 * 500;

/** More than there are countries, or types of places. */
const MAX_LIST = 300;

/** The fields of a question, the smallest first. */
const FIELDS = ["name", "city", "county", "state", "country"];

const BBOX = "bbox must be an array of four numbers: west, south, east, north";

const CODES = "countries must be an array of ISO 3166-1 alpha-2 codes";

const FACTS = 'fields must be "all", or an array of strings';

/** Longer than any language tag or country code that the engine knows. */
const MAX_TAG_LENGTH = 100;

const MAX_QUERIES = 100;

const BYTES = "bytes must be an ArrayBuffer or a view of one";

/** More packs than anybody needs at once. */
const MAX_PACKS = 16;

/** More than wasm can address. */
const MAX_MEMORY = 2 ** 32 - 1;

/** The longest that a timer takes. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Checks the options of `load`. Returns a new object with those that are set: addresses as text, bytes as a view. */
export function source(value) {
  if (!is(value)) return {};
  if (typeof value !== "object") throw invalid("options of load() must be an object");
  const { signal, onProgress, packs, pages } = value;
  const plain = pack(value);
  if (is(pages)) {
    if (Object.keys(plain).length > 0) throw invalid("load() takes pages, packs, both, or one pack: url or bytes");
    Object.assign(plain, pagesOf(value));
  }
  if (is(packs)) {
    if (!is(pages) && Object.keys(plain).length > 0) throw invalid("load() takes packs, or one pack: url or bytes");
    plain.packs = list(packs, MAX_PACKS, pack, "packs must be an array of 1 to 16 packs");
    if (plain.packs.length === 0) throw invalid("packs must be an array of 1 to 16 packs");
  }
  if (is(signal)) plain.signal = abortSignal(signal);
  if (is(onProgress)) plain.onProgress = having(onProgress, typeof onProgress, "onProgress must be a function");
  return plain;
}

/** Checks what says where an index in pages is, and how it is fetched and kept. */
function pagesOf({ pages, memory, cache, timeout, fetch }) {
  const plain = { pages: address(pages, "pages") };
  if (is(memory)) plain.memory = Math.min(amount(memory, "memory"), MAX_MEMORY);
  if (is(cache)) plain.cache = amount(cache, "cache");
  if (is(timeout)) plain.timeout = Math.min(amount(timeout, "timeout"), MAX_TIMEOUT_MS);
  if (is(fetch)) plain.fetch = having(fetch, typeof fetch, "fetch must be a function");
  return plain;
}

/** Checks what says where one pack is: nothing for the core pack of this package. */
function pack(value) {
  if (value === "core") return {};
  if (typeof value !== "object" || value === null) throw invalid('a pack must be "core", or an object with url or bytes');
  const { url, bytes, sha256, size } = value;
  const plain = {};
  if (is(url)) plain.url = address(url);
  if (is(bytes)) plain.bytes = view(bytes);
  if (is(sha256)) plain.sha256 = hash(sha256);
  if (is(size)) plain.size = number(size, "size");
  return plain;
}

/** Checks a search: a text or fields, and options. Returns a new object with all that is set. */
export function search(query, options) {
  return { ...optionsOf(options), ...(typeof query === "object" && query !== null ? fields(query) : { text: text(query) }) };
}

/** Checks what `autocomplete` takes: a text, and options. */
export function unfinishedSearch(query, options) {
  return { ...optionsOf(options), text: text(query) };
}

/** Checks a point, and options. */
export function point(lat, lon, options) {
  return { ...optionsOf(options), lat: number(lat, "lat"), lon: number(lon, "lon") };
}

/** Checks a `place_id` or a reference such as `iata:CDG`, and options. */
export function reference(value, options) {
  return { ...shown(options), ...(typeof value === "number" ? { id: value } : { ref: tag(value, "a reference") }) };
}

/** Checks a region to prefetch. Returns its signal and progress too. */
export function region(value) {
  const { countries, bbox, lang } = optionsOf(value);
  const { signal, onProgress } = value ?? {};
  const plain = { countries, bbox, lang };
  if (is(signal)) plain.signal = abortSignal(signal);
  if (is(onProgress)) plain.onProgress = having(onProgress, typeof onProgress, "onProgress must be a function");
  return plain;
}

/** Checks the options of a batch: how its answers are shown. */
export function shown(options) {
  const { lang, fields } = optionsOf(options);
  return { lang, fields };
}

/**
 * Takes from the options of a call to a thread what the page itself needs: the signal, and the group of `autocomplete`. `asked`
 * is what the thread is to check, without the two, which cannot cross threads.
 */
export function ofThread(options) {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return { asked: options };
  const { signal, group, ...asked } = options;
  return { signal: is(signal) ? abortSignal(signal) : undefined, group: group ?? undefined, asked };
}

/** Checks the options of `about`, which has a signal alone. */
export function aborted(options) {
  optionsOf(options);
}

function text(value) {
  if (typeof value !== "string") throw invalid("query must be a string");
  return bounded(value, "query");
}

function bounded(value, name) {
  if (value.length > MAX_UNITS) throw invalid(`${name} must be at most 500 characters`);
  return value;
}

/** The fields that are set, of a question in fields. */
function fields(value) {
  const plain = {};
  for (const name of FIELDS) {
    if (!is(value[name])) continue;
    if (typeof value[name] !== "string") throw invalid(`${name} must be a string`);
    plain[name] = bounded(value[name], name);
  }
  return plain;
}

function optionsOf(value) {
  if (!is(value)) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw invalid("options must be an object");
  const { limit, lang, fields, countries, focus, types, bbox, within, radius, signal } = value;
  const plain = {};
  // The answer comes at once: a signal matters only if it is aborted already.
  if (is(signal)) abortSignal(signal).throwIfAborted();
  if (is(limit)) plain.limit = number(limit, "limit");
  if (is(radius)) plain.radius = number(radius, "radius");
  if (is(within)) plain.within = number(within, "within");
  if (is(lang)) plain.lang = tag(lang, "lang");
  if (is(fields)) plain.fields = fields === "all" ? fields : list(fields, MAX_LIST, (field) => tag(field, "fields"), FACTS);
  if (is(countries)) plain.countries = list(countries, MAX_LIST, (code) => tag(code, "countries"), CODES);
  if (is(types)) plain.types = list(types, MAX_LIST, (type) => tag(type, "types"), "types must be an array of strings");
  if (is(bbox)) plain.bbox = list(bbox, 4, (side) => number(side, "bbox"), BBOX);
  if (plain.bbox && plain.bbox.length !== 4) throw invalid(BBOX);
  if (is(focus)) plain.focus = { lat: number(focus.lat, "focus.lat"), lon: number(focus.lon, "focus.lon") };
  return plain;
}

/** Checks the option that only `explain` takes. */
export function unfinished(options) {
  const value = options?.unfinished;
  if (is(value) && typeof value !== "boolean") throw invalid("unfinished must be a boolean");
  return value === true;
}

/** Checks a number, such as a coordinate. */
function number(value, name) {
  if (typeof value !== "number") throw invalid(`${name} must be a number`);
  return value;
}

/** Checks a number that says how much of something. */
function amount(value, name) {
  if (!(number(value, name) >= 0)) throw invalid(`${name} must not be negative`);
  return value;
}

/** Checks the queries of a batch. Cuts a text that is too long to a length that the engine still rejects. */
export function queries(value) {
  if (!Array.isArray(value) || !(value.length <= MAX_QUERIES)) {
    throw invalid("queries must be an array of 1 to 100 strings");
  }
  return Array.from(value, (item) => {
    if (typeof item === "string") return { text: item.slice(0, MAX_UNITS + 1) };
    if (typeof item !== "object" || item === null) throw invalid("queries must be an array of strings");
    if (is(item.lat) || is(item.lon)) return point(item.lat, item.lon);
    const plain = fields(item);
    if (Object.keys(plain).length === 0) throw invalid("queries must be an array of strings");
    return plain;
  });
}

function is(value) {
  return value !== undefined && value !== null;
}

function tag(value, name) {
  if (typeof value !== "string" || value.length > MAX_TAG_LENGTH) throw invalid(`${name} must be a short string`);
  return value;
}

function list(value, most, checked, message) {
  if (!Array.isArray(value) || value.length > most) throw invalid(message);
  return Array.from(value, checked);
}

/** Resolves an address against the page. A thread would resolve it against its own script. */
function address(value, name = "url") {
  if (typeof value !== "string" && !(value instanceof URL)) throw invalid(`${name} must be a string or a URL`);
  try {
    return new URL(value, globalThis.document?.baseURI ?? globalThis.location?.href).href;
  } catch (error) {
    throw invalid(`${name} must be an address, but is ${value}`);
  }
}

function view(bytes) {
  const buffer = ArrayBuffer.isView(bytes) ? bytes.buffer : bytes;
  // `instanceof` does not recognise buffers of other frames.
  const isBuffer = Object.prototype.toString.call(buffer) === "[object ArrayBuffer]";
  if (!isBuffer) throw invalid(BYTES);
  try {
    return buffer === bytes ? new Uint8Array(bytes) : new Uint8Array(buffer, bytes.byteOffset, bytes.byteLength);
  } catch {
    // A buffer that was transferred. Its property `detached` is younger than the platforms that the package runs on.
    throw invalid(BYTES);
  }
}

function hash(value) {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/i.test(value)) throw invalid("sha256 must be 64 hexadecimal digits");
  return value.toLowerCase();
}

function abortSignal(value) {
  return having(value, typeof value.throwIfAborted, "signal must be an AbortSignal");
}

function having(value, type, message) {
  if (type !== "function") throw invalid(message);
  return value;
}

function invalid(message) {
  return fault("invalid_argument", message);
}
