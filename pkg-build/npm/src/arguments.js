// Checks the arguments of callers before they go to the engine: values must have the right type and a bounded size. The
// engine checks ranges.

import { fault } from "./fault.js";

/** Longest query in UTF-16 units. The engine counts characters, and each takes at most two units. */
const MAX_UNITS = 2 * 500;

/** More than there are countries. */
const MAX_COUNTRIES = 300;

/** Longer than any language tag or country code that the engine knows. */
const MAX_TAG_LENGTH = 100;

const MAX_QUERIES = 100;

/** Checks the options of `load`. Returns a new object with those that are set: addresses as text, bytes as a view. */
export function source(value) {
  if (!is(value)) return {};
  if (typeof value !== "object") throw invalid("options of load() must be an object");
  const { url, bytes, sha256, size, signal, onProgress } = value;
  const plain = {};
  if (is(url)) plain.url = address(url);
  if (is(bytes)) plain.bytes = view(bytes);
  if (is(sha256)) plain.sha256 = hash(sha256);
  if (is(size)) plain.size = number(size, "size");
  if (is(signal)) plain.signal = having(signal, typeof signal.throwIfAborted, "signal must be an AbortSignal");
  if (is(onProgress)) plain.onProgress = having(onProgress, typeof onProgress, "onProgress must be a function");
  return plain;
}

/** Checks the text of a search. */
export function query(value) {
  if (typeof value !== "string") throw invalid("query must be a string");
  if (value.length > MAX_UNITS) throw invalid("query must be at most 500 characters");
  return value;
}

/** Checks the options of a search. Returns a new object with those that are set. */
export function options(value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value)) throw invalid("options must be an object");
  const { limit, lang, countries, focus } = value;
  const plain = {};
  if (is(limit)) plain.limit = number(limit, "limit");
  if (is(lang)) plain.lang = tag(lang, "lang");
  if (is(countries)) plain.countries = list(countries);
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
export function number(value, name) {
  if (typeof value !== "number") throw invalid(`${name} must be a number`);
  return value;
}

/** Checks the queries of a batch. Cuts a query that is too long to a length that the engine still rejects. */
export function queries(value) {
  if (!Array.isArray(value) || !(value.length <= MAX_QUERIES)) {
    throw invalid("queries must be an array of 1 to 100 strings");
  }
  return Array.from(value, (item) => {
    if (typeof item !== "string") throw invalid("queries must be an array of strings");
    return item.slice(0, MAX_UNITS + 1);
  });
}

function is(value) {
  return value !== undefined && value !== null;
}

function tag(value, name) {
  if (typeof value !== "string" || value.length > MAX_TAG_LENGTH) throw invalid(`${name} must be a short string`);
  return value;
}

function list(value) {
  if (!Array.isArray(value) || value.length > MAX_COUNTRIES) {
    throw invalid("countries must be an array of ISO 3166-1 alpha-2 codes");
  }
  return Array.from(value, (code) => tag(code, "countries"));
}

/** Resolves an address against the page. A thread would resolve it against its own script. */
function address(value) {
  if (typeof value !== "string" && !(value instanceof URL)) throw invalid("url must be a string or a URL");
  try {
    return new URL(value, globalThis.document?.baseURI ?? globalThis.location?.href).href;
  } catch (error) {
    throw invalid(`url is no address: ${value}`);
  }
}

function view(bytes) {
  const buffer = ArrayBuffer.isView(bytes) ? bytes.buffer : bytes;
  // `instanceof` does not recognise buffers of other frames.
  const isBuffer = Object.prototype.toString.call(buffer) === "[object ArrayBuffer]";
  if (!isBuffer || buffer.detached) throw invalid("bytes must be an ArrayBuffer or a view of one");
  return buffer === bytes ? new Uint8Array(bytes) : new Uint8Array(buffer, bytes.byteOffset, bytes.byteLength);
}

function hash(value) {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/i.test(value)) throw invalid("sha256 must be 64 hexadecimal digits");
  return value.toLowerCase();
}

function having(value, type, message) {
  if (type !== "function") throw invalid(message);
  return value;
}

function invalid(message) {
  return fault("invalid_argument", message);
}
