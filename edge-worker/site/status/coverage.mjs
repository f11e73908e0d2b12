// The coverage section of the status page: overall figures, a map by country, tables by region and by country.

import { ask } from "./ask.mjs";
import { asCount, asInstant, asPercent, byId, clearFailure, element, fillFigures, fillTable, showFailure } from "./dom.mjs";

const REGIONS = {
  europe: "Europe",
  northAmerica: "North America",
  southAmerica: "South America",
  asia: "Asia",
  africa: "Africa",
  oceania: "Oceania",
};

// The kinds of places, each with the heading of its column.
const KINDS = [
  ["city", "Cities, towns, villages"],
  ["quarter", "Quarters"],
  ["airport", "Airports"],
  ["station", "Stations"],
  ["landmark", "Landmarks"],
  ["region", "Regions"],
];

// Lower ends of the map's steps in percent.
const STEPS = [0, 20, 40, 60, 80];

const SVG = "http://www.w3.org/2000/svg";

/** Loads and shows figures and map. If one fails, the other is still shown. */
export async function showCoverage() {
  const section = byId("coverage");
  const failed = (what) => (failure) => showFailure(section, what, failure);
  clearFailure(section);
  await Promise.all([
    ask("/coverage").then(showFigures).catch((failure) => {
      byId("global").replaceChildren();
      failed("Coverage")(failure);
    }),
    Promise.all([ask("/coverage/countries"), ask("/status/map.json")])
      .then(([coverage, map]) => showCountries(coverage, map))
      .catch(failed("The map of coverage")),
  ]);
  section.setAttribute("aria-busy", "false");
}

function showFigures({ lastUpdated, totalCountries, regions, global }) {
  fillFigures(byId("global"), [
    ["Countries and territories", asCount(totalCountries)],
    ["People in known places", asPercent(global.addressCoverage)],
    ["Cities with points of interest", asPercent(global.poiCoverage)],
    ["Roads", asPercent(global.roadCoverage)],
  ]);
  const columns = [
    { heading: "Region", of: ([key]) => REGIONS[key] ?? key },
    { heading: "Countries", of: ([, region]) => asCount(region.countries), number: true },
    { heading: "Coverage", of: ([, region]) => asPercent(region.coverage), number: true },
    { heading: "Best covered", of: ([, region]) => region.topCountries.join(", ") },
  ];
  fillTable(byId("regions"), "Coverage by region", columns, Object.entries(regions));
  byId("updated").textContent = `Computed on ${asInstant(lastUpdated)}.`;
}

function showCountries({ countries }, map) {
  const known = new Map(countries.map((country) => [country.code, country]));
  drawMap(map, known);
  const details = byId("countries-details");
  // Its three thousand cells are most of the page, so they are made when somebody opens it.
  details.addEventListener("toggle", () => fillCountries(countries), { once: true });
  details.hidden = false;
}

function fillCountries(countries) {
  const columns = [
    { heading: "Country", of: ({ name }) => name },
    { heading: "Region", of: ({ region }) => REGIONS[region] ?? region },
    { heading: "Coverage", of: ({ coverage }) => asPercent(coverage), number: true },
    { heading: "People", of: ({ population }) => asCount(population), number: true },
    { heading: "Cities of 50,000 people", of: ({ cities }) => asCount(cities), number: true },
    { heading: "Cities with points of interest", of: ({ poiCoverage }) => asPercent(poiCoverage), number: true },
    ...KINDS.map(([kind, heading]) => ({ heading, of: ({ placesByKind }) => asCount(placesByKind[kind]), number: true })),
  ];
  const byName = countries.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  fillTable(byId("countries"), "Coverage by country", columns, byName);
}

const step = (country) => (country ? STEPS.findLastIndex((low) => country.coverage >= low) + 1 : 0);

function drawMap({ width, height, shapes }, known) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `World map of coverage by country; the table of countries has the same figures of all ${known.size}`);
  for (const { code, path } of shapes) {
    const shape = document.createElementNS(SVG, "path");
    shape.setAttribute("d", path);
    shape.dataset.code = code;
    shape.dataset.step = step(known.get(code));
    svg.append(shape);
  }
  byId("map").replaceChildren(svg);
  byId("legend").replaceChildren(...STEPS.map(legend), element("span", {}, swatch(0), "no data"));
  for (const event of ["pointerover", "click"]) svg.addEventListener(event, ({ target }) => describe(svg, target, known));
}

function legend(low, at) {
  const high = STEPS[at + 1] ?? 100;
  return element("span", {}, swatch(at + 1), at + 1 < STEPS.length ? `${low} to ${high} %` : `${low} % and more`);
}

const swatch = (number) => element("i", { "data-step": number, "aria-hidden": "true" });

function describe(svg, shape, known) {
  const country = known.get(shape.dataset?.code);
  svg.querySelector(".on")?.classList.remove("on");
  if (!country) return;
  shape.classList.add("on");
  // Draws it last, so that no neighbour covers its outline.
  if (shape !== svg.lastChild) svg.append(shape);
  const { name, coverage, places, sites } = country;
  byId("country").textContent = `${name}: ${asPercent(coverage)}, ${asCount(places)} places, ${asCount(sites)} points of interest`;
}
