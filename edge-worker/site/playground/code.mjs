// The same question as code, for each way to use Toponym.

import { element, copyButton } from "./dom.mjs";
import { address, packageOptions, sought } from "./question.mjs";

/** Platforms by their name: each makes code of a question. */
const PLATFORMS = {
  curl: (asked, origin) => `curl -H "Authorization: Bearer $TOKEN" \\\n  '${origin}${address(asked).replaceAll("'", "%27")}'`,
  JavaScript: (asked) => `import { Geocoder } from "toponym";\n\nconst geo = await Geocoder.load();\nconst found = ${call("geo", asked)};`,
  Element: (asked) => elementCode(asked),
  Python: (asked) => `from toponym import Geocoder\n\ngeo = Geocoder()\nfound = ${python(asked)}`,
  Rust: (asked) => rust(asked),
};

/** Tabs with an answer as JSON and the question as code. `answers` are texts by the name of their tab. */
export function codeTabs(asked, origin, answers) {
  const texts = { ...answers, ...Object.fromEntries(Object.entries(PLATFORMS).map(([name, code]) => [name, code(asked, origin)])) };
  const names = Object.keys(texts);
  let chosen = 0;
  const shown = element("pre", { id: "code", tabindex: "0", role: "tabpanel", dir: "ltr" });
  const list = element("div", { role: "tablist", "aria-label": "Answer and code" });
  const tabs = names.map((name, at) => {
    const tab = element("button", { type: "button", role: "tab", id: `tab-${at}`, "aria-controls": "code" }, name);
    tab.addEventListener("click", () => choose(at));
    return tab;
  });
  list.append(...tabs);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose((chosen + step + names.length) % names.length);
    tabs[chosen].focus();
  });
  function choose(at) {
    chosen = at;
    tabs.forEach((tab, number) => {
      tab.setAttribute("aria-selected", String(number === at));
      tab.tabIndex = number === at ? 0 : -1;
    });
    shown.textContent = texts[names[at]];
    shown.setAttribute("aria-labelledby", `tab-${at}`);
  }
  choose(0);
  return element("div", { class: "code" }, list, shown, copyButton("Copy this", () => shown.textContent));
}

function call(name, asked) {
  return `${name}.${asked.route}(${positional(asked).concat(literal(packageOptions(asked))).filter(Boolean).join(", ")})`;
}

/** Arguments before the options, as JSON. */
function positional(asked) {
  const { route, parameters } = asked;
  if (route === "reverse") return [parameters.lat, parameters.lon].map((degrees) => String(Number(degrees)));
  if (route === "place") return [JSON.stringify(parameters.ref ?? Number(parameters.place_id))];
  const about = sought(asked);
  return [typeof about === "string" ? JSON.stringify(about) : literal(about)];
}

/** An object as JavaScript is written by hand. */
function literal(object) {
  const parts = Object.entries(object).map(([key, value]) => `${key}: ${value?.lat === undefined ? JSON.stringify(value).replaceAll(",", ", ") : literal(value)}`);
  return parts.length ? `{ ${parts.join(", ")} }` : "";
}

function elementCode(asked) {
  const { lang, countries, focus } = packageOptions(asked);
  const attributes = { lang, countries: countries?.join(" "), "focus-at": focus && `${focus.lat},${focus.lon}` };
  const written = Object.entries(attributes).filter(([, value]) => value).map(([key, value]) => ` ${key}="${value}"`);
  return `<script type="module">import "toponym/element";</script>\n\n<label for="where">Where to?</label>\n<toponym-autocomplete id="where" name="where"${written.join("")}></toponym-autocomplete>`;
}

function python(asked) {
  const about = positional(asked);
  const fields = typeof sought(asked) === "object" && asked.route === "forward";
  return `geo.${asked.route}(${fields ? Object.entries(sought(asked)).map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(", ") : about.join(", ")})`;
}

function rust(asked) {
  const { limit = 5 } = packageOptions(asked);
  const open = 'use toponym_engine::{Engine, Search, geo::Coordinate};\n\nlet engine = Engine::open(std::fs::read("index.toponym")?)?;\n';
  if (asked.route === "reverse") return `${open}let point = Coordinate::new(${positional(asked).join(", ")}).unwrap();\nlet found = engine.reverse(point, None);`;
  if (asked.route === "place") return `${open}let reference = ${JSON.stringify(String(asked.parameters.ref ?? asked.parameters.place_id))}.parse()?;\nlet found = engine.place(&reference, None);`;
  const text = typeof sought(asked) === "string" ? sought(asked) : Object.values(sought(asked)).join(", ");
  return `${open}let found = engine.${asked.route}(&Search::new(${JSON.stringify(text)}, ${limit}));`;
}
