// The search options that the attributes of <toponym-autocomplete> say, and its property `options`.

import { isEnglish, languageAround, languagesOf } from "./element-messages.js";
import { OPTIONS, read } from "./element-table.js";

/** What the list shows, and by which name a place was found. */
const SHOWN = ["name", "matched"];

/** The options for `autocomplete`. Throws `invalid_argument` for an attribute that cannot be read. */
export function optionsOf(element, given) {
  const options = { lang: element.lang || languageOfNames(element) };
  for (const name of OPTIONS) options[name] = read(element, name);
  Object.assign(options, given);
  if (options.fields !== "all") options.fields = [...new Set([...SHOWN, ...(options.fields ?? [])])];
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null));
}

/** Returns the language of the page, or else that of the browser; the usual names are English. */
function languageOfNames(element) {
  return isEnglish(languagesOf(element)) ? undefined : languageAround(element) || "auto";
}
