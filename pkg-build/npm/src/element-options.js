// The search options that the attributes of <toponym-autocomplete> say, and its property `options`.

import { fault } from "./fault.js";

/** What the list shows, and by which name a place was found. */
const SHOWN = ["name", "matched"];

/** The options for `autocomplete`. Throws `invalid_argument` for an attribute that cannot be read. */
export function optionsOf(element, given) {
  const options = {
    limit: number(element, "limit"),
    lang: element.lang || undefined,
    countries: list(element, "countries"),
    types: list(element, "types"),
    bbox: numbers(element, "bbox", 4, "west,south,east,north"),
    within: number(element, "within"),
    focus: point(element),
    ...given,
  };
  if (options.fields !== "all") options.fields = [...new Set([...SHOWN, ...(options.fields ?? [])])];
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null));
}

/** A number of milliseconds, 0 without the attribute. */
export function delayOf(element) {
  return number(element, "delay") ?? 0;
}

function point(element) {
  const numbersOf = numbers(element, "focus-at", 2, "lat,lon");
  return numbersOf && { lat: numbersOf[0], lon: numbersOf[1] };
}

function list(element, name) {
  const items = element.getAttribute(name)?.split(/[\s,]+/).filter(Boolean);
  return items?.length ? items : undefined;
}

function number(element, name) {
  return numbers(element, name, 1, "a number")?.[0];
}

function numbers(element, name, count, shape) {
  const text = element.getAttribute(name)?.trim();
  if (!text) return undefined;
  const values = text.split(/[\s,]+/).map(Number);
  if (values.length === count && values.every(Number.isFinite)) return values;
  throw fault("invalid_argument", `the attribute ${name} must be ${shape}, but is "${text}"`);
}
