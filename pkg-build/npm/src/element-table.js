// All that a page sets on <toponym-autocomplete>, in one table: its attributes and properties are made from it, and the props of
// toponym-react and toponym-vue. `Settings` of element.d.ts has the same rows; a test compares them.

import { fault } from "./fault.js";

const SEPARATOR = /[\s,]+/;

/** How values are written as attributes, where undefined is none, and read from them; and what the property is without one. */
const TEXT = { write: String, read: (text) => text, without: "" };
const FLAG = { write: (is) => (is || is === "" ? "" : undefined), read: () => true, without: false };
/** A flag that may have a text. */
const NAMED_FLAG = { write: FLAG.write, read: (text) => text || true, without: false };
const LIST = { write: (items) => [items].flat().join(" "), read: itemsOf };
const NUMBER = { write: String, read: (text) => numbersOf(text, 1)?.[0], shape: "a number" };
const BOX = { write: (sides) => sides.join(","), read: (text) => numbersOf(text, 4), shape: "west,south,east,north" };
const POINT = { write: ({ lat, lon }) => `${lat},${lon}`, read: pointOf, shape: "lat,lon" };
const FACTS = { write: LIST.write, read: (text) => (text.trim() === "all" ? "all" : itemsOf(text)) };

/** By the names of props. Attribute and property are called so, too, the attribute in small letters, unless they have other names. */
export const SETTINGS = {
  name: TEXT,
  placeholder: TEXT,
  label: TEXT,
  src: TEXT,
  pages: TEXT,
  required: FLAG,
  disabled: FLAG,
  readOnly: FLAG,
  preload: FLAG,
  autoselect: FLAG,
  locate: FLAG,
  icons: FLAG,
  recent: NAMED_FLAG,
  delay: NUMBER,
  minLength: NUMBER,
  limit: NUMBER,
  countries: LIST,
  types: LIST,
  bbox: BOX,
  within: NUMBER,
  // Elements have a method of this name.
  focus: { ...POINT, attribute: "focus-at", property: "focusAt" },
  fields: FACTS,
};

/** Which of them are options of a search. */
export const OPTIONS = ["limit", "countries", "types", "bbox", "within", "focus", "fields"];

/** Properties that no attribute can hold. `value` has an attribute, the text at the beginning. */
export const OBJECTS = ["geocoder", "messages", "options", "template", "value", "place"];

/** Events that the element fires. */
export const EVENTS = ["change", "ready", "error", "search", "suggestions", "highlight", "clear"];

/** Returns the attributes that say what the settings among some props say: texts, and `true` for a flag. */
export function attributesOf(props) {
  const attributes = {};
  for (const [name, { without }] of Object.entries(SETTINGS)) {
    const text = write(name, props[name]);
    if (text !== undefined) attributes[attributeOf(name)] = without === false && text === "" ? true : text;
  }
  return attributes;
}

export function attributeOf(name) {
  return SETTINGS[name].attribute ?? name.toLowerCase();
}

function propertyOf(name) {
  return SETTINGS[name].property ?? name;
}

/** Writes a value for an attribute; a text is written already. A flag has none. */
function write(name, value) {
  if (value === undefined || value === null) return undefined;
  const isWritten = typeof value === "string" && SETTINGS[name] !== FLAG;
  return isWritten ? value : SETTINGS[name].write(value);
}

/** Returns what an attribute says; undefined without it. Throws `invalid_argument` if it cannot be read. */
export function read(element, name) {
  const text = element.getAttribute(attributeOf(name));
  if (text === null) return undefined;
  const { read, shape } = SETTINGS[name];
  const value = read(text);
  if (value !== undefined || !text.trim()) return value;
  throw fault("invalid_argument", `the attribute ${attributeOf(name)} must be ${shape}, but is "${text}"`);
}

/** Gives a class of elements the properties, which reflect the attributes. */
export function defineProperties(prototype) {
  for (const [name, { without }] of Object.entries(SETTINGS)) {
    Object.defineProperty(prototype, propertyOf(name), {
      get() {
        try {
          return read(this, name) ?? without;
        } catch {
          return without;
        }
      },
      set(value) {
        const text = write(name, value);
        if (text === undefined) this.removeAttribute(attributeOf(name));
        else this.setAttribute(attributeOf(name), text);
      },
      configurable: true,
      enumerable: true,
    });
  }
}

/** Gives an element the properties that a page set before its class was there. */
export function takeProperties(element) {
  for (const name of [...Object.keys(SETTINGS).map(propertyOf), ...OBJECTS]) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

function itemsOf(text) {
  const items = text.split(SEPARATOR).filter(Boolean);
  return items.length ? items : undefined;
}

function numbersOf(text, count) {
  const numbers = itemsOf(text)?.map(Number);
  return numbers?.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}

function pointOf(text) {
  const [lat, lon] = numbersOf(text, 2) ?? [];
  return lat === undefined ? undefined : { lat, lon };
}
