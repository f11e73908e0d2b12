// What callers pass, made plain before it goes into the engine: values of the right kind and of bounded size. Ranges are
// the engine's to judge.

import { fault } from "./fault.js";

/** Longest query in UTF-16 units: the engine counts characters, of which each takes at most two. */
const MOST_UNITS = 2 * 500;

/** More than there are countries. */
const MOST_COUNTRIES = 300;

/** Longer than any language tag or country code that the engine knows. */
const LONGEST_TAG = 100;

const MOST_QUERIES = 100;

/** What `load` takes: a new object with what is set, addresses as text, bytes as a view. */
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

/** The text of a search. */
export function query(value) {
  if (typeof value !== "string") throw invalid("query must be a string");
  if (value.length > MOST_UNITS) throw invalid("query must be at most 500 characters");
  return value;
}

/** The options of a search: a new object with what is set. */
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

/** What `explain` takes beside the options of a search. */
export function unfinished(options) {
  const value = options?.unfinished;
  if (is(value) && typeof value !== "boolean") throw invalid("unfinished must be a boolean");
  return value === true;
}

/** A coordinate. */
export function number(value, name) {
  if (typeof value !== "number") throw invalid(`${name} must be a number`);
  return value;
}

/** The queries of a batch: those that are too long are cut just so far that the engine still finds them too long. */
export function queries(value) {
  if (!Array.isArray(value) || !(value.length <= MOST_QUERIES)) {
    throw invalid("queries must be an array of 1 to 100 strings");
  }
  return Array.from(value, (item) => {
    if (typeof item !== "string") throw invalid("queries must be an array of strings");
    return item.slice(0, MOST_UNITS + 1);
  });
}

function is(value) {
  return value !== undefined && value !== null;
}

function tag(value, name) {
  if (typeof value !== "string" || value.length > LONGEST_TAG) throw invalid(`${name} must be a short string`);
  return value;
}

function list(value) {
  if (!Array.isArray(value) || value.length > MOST_COUNTRIES) {
    throw invalid("countries must be an array of ISO 3166-1 alpha-2 codes");
  }
  return Array.from(value, (code) => tag(code, "countries"));
}

/** Against the page, whose threads would take it against their own script. */
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
  // Not by `instanceof`, which knows no buffers of other frames.
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
