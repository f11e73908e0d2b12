// The same question as code, for each way to use Toponym.

import { javascript } from "./javascript.mjs";
import { leaflet, maplibre } from "./map-controls.mjs";
import { python } from "./python.mjs";
import { rust } from "./rust.mjs";
import { element, react, vue } from "./search-field.mjs";
import { curl, terminal } from "./terminal.mjs";

/** By name, in the order of the tabs. */
const PLATFORMS = { curl, JavaScript: javascript, Element: element, React: react, Vue: vue, MapLibre: maplibre, Leaflet: leaflet, Python: python, Rust: rust, Terminal: terminal };

/**
 * Code by the names of its platforms, of those that can ask the question. `origin` is that of the service, `language` the user's,
 * for `lang=auto` where there is no browser to ask.
 */
export function codeOf(asked, { origin, language }) {
  const written = Object.entries(PLATFORMS).map(([name, write]) => [name, write(asked, { origin, language })]);
  return Object.fromEntries(written.filter(([, code]) => code !== undefined));
}
