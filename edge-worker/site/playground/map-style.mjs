// The style of the map: its colours in light and dark, its layers, and nothing from another host. Without an address of
// glyphs MapLibre GL writes labels with the fonts of the system.

const FONTS = ["system-ui", "sans-serif"];

const COLOURS = {
  light: {
    sea: "#bcd8ea", shallow: "#d3e7f3", land: "#f6f3ea", border: "#b9ac97", coast: "#8fb4cc", country: "#6b5f4c", city: "#39424c", halo: "#fbf9f3",
    dot: "#6d7a86", sky: "#d6e8f6", horizon: "#eef6fc", accent: "#c2321f", other: "#2457c5", area: "#2457c5",
  },
  dark: {
    sea: "#0a1a2c", shallow: "#10263d", land: "#1c2b39", border: "#41566a", coast: "#335673", country: "#93a6b8", city: "#d5dfe9", halo: "#101b26",
    dot: "#ffd27a", sky: "#16355a", horizon: "#2b5a8a", accent: "#ff8a75", other: "#8ab0ff", area: "#8ab0ff",
  },
};

/** People that a city must have to be named at a zoom. */
const NAMED = [12e6, 3, 5e6, 4, 2e6, 5, 4e5, 6, 1e5, 7, 4e4, 8, 15e3];

/** The style for `light` or `dark`; `addresses` tells where the tiles are. */
export function mapStyle(scheme, { tiles, deepest }) {
  const colour = COLOURS[scheme];
  return {
    version: 8,
    projection: { type: "globe" },
    sky: {
      "sky-color": colour.sky, "horizon-color": colour.horizon, "fog-color": colour.horizon,
      "atmosphere-blend": scheme === "dark" ? byZoom(0, 0.5, 4, 0.4, 6, 0) : 0,
    },
    sources: {
      world: { type: "vector", tiles: [`${location.origin}${tiles}/{z}/{x}/{y}.pbf`], maxzoom: deepest },
      area: empty(),
      answers: empty(),
    },
    layers: [...ground(colour), ...names(colour, scheme), ...found(colour)],
  };
}

const empty = () => ({ type: "geojson", data: { type: "FeatureCollection", features: [] } });

const byZoom = (...stops) => ["interpolate", ["linear"], ["zoom"], ...stops];

function ground(colour) {
  return [
    { id: "sea", type: "background", paint: { "background-color": colour.sea } },
    line("shallows", "coast", { "line-color": colour.shallow, "line-width": byZoom(0, 5, 5, 14), "line-blur": byZoom(0, 4, 5, 10) }),
    { id: "land", type: "fill", source: "world", "source-layer": "land", paint: { "fill-color": colour.land } },
    line("coast", "coast", { "line-color": colour.coast, "line-width": byZoom(0, 0.4, 8, 1.2) }),
    line("borders", "borders", { "line-color": colour.border, "line-width": byZoom(0, 0.5, 6, 1.2, 10, 2) }),
  ];
}

const line = (id, layer, paint) => ({ id, type: "line", source: "world", "source-layer": layer, layout: { "line-join": "round" }, paint });

function names(colour, scheme) {
  const halo = { "text-halo-color": colour.halo, "text-halo-width": 1.4 };
  return [
    {
      id: "lights", type: "circle", source: "world", "source-layer": "cities",
      paint: {
        "circle-color": colour.dot,
        "circle-radius": byZoom(0, 1, 3, 1.6, 6, 2.2, 9, 3),
        "circle-opacity": scheme === "dark" ? 0.85 : byZoom(2, 0, 3, 0.7),
        "circle-blur": scheme === "dark" ? 0.4 : 0,
      },
      filter: scheme === "dark" ? ["has", "people"] : [">=", ["get", "people"], ["step", ["zoom"], ...NAMED]],
    },
    {
      id: "countries", type: "symbol", source: "world", "source-layer": "countries", maxzoom: 7,
      filter: [">=", ["get", "size"], ["step", ["zoom"], 350, 2, 150, 3, 20, 4, 0]],
      layout: {
        "text-field": ["get", "code"], "text-font": FONTS, "text-size": byZoom(1, 10, 5, 15),
        "text-letter-spacing": 0.08, "text-max-width": 7, "symbol-sort-key": ["-", 0, ["get", "size"]], "text-padding": 6,
      },
      paint: { "text-color": colour.country, ...halo },
    },
    {
      id: "cities", type: "symbol", source: "world", "source-layer": "cities", minzoom: 2.5,
      filter: cityFilter(),
      layout: {
        "text-field": ["get", "name"], "text-font": FONTS, "text-size": byZoom(3, 10.5, 8, 14), "text-anchor": "left", "text-offset": [0.5, 0],
        "text-variable-anchor": ["left", "right", "top", "bottom"], "text-radial-offset": 0.5, "symbol-sort-key": ["-", 0, ["get", "people"]], "text-padding": 3,
      },
      paint: { "text-color": colour.city, ...halo },
    },
  ];
}

/** The cities that have room for their names, except the one with an id, which is an answer. */
export function cityFilter(id) {
  const large = [">=", ["get", "people"], ["step", ["zoom"], ...NAMED]];
  return id === undefined ? large : ["all", large, ["!=", ["get", "id"], id]];
}

function found(colour) {
  const rank = ["case", ["==", ["get", "rank"], 0], colour.accent, colour.other];
  return [
    { id: "area", type: "fill", source: "area", paint: { "fill-color": colour.area, "fill-opacity": 0.08 } },
    { id: "area-edge", type: "line", source: "area", paint: { "line-color": colour.area, "line-width": 1.5, "line-dasharray": [2, 2] } },
    {
      id: "answers", type: "circle", source: "answers",
      paint: {
        "circle-color": rank, "circle-stroke-color": colour.halo, "circle-stroke-width": 2,
        "circle-radius": ["case", ["==", ["get", "rank"], 0], 8, 5.5],
      },
    },
    {
      id: "answer", type: "symbol", source: "answers", filter: ["==", ["get", "rank"], 0],
      // The padding keeps other names off the point above.
      layout: { "text-field": ["get", "name"], "text-font": FONTS, "text-size": 15, "text-anchor": "top", "text-offset": [0, 0.8], "text-allow-overlap": true, "text-padding": 24 },
      paint: { "text-color": colour.accent, "text-halo-color": colour.halo, "text-halo-width": 2 },
    },
  ];
}

/** The names of countries in a language, as an expression of their codes. */
export function countryNames(language) {
  const names = regionsIn(language);
  const codes = Array.from({ length: 26 * 26 }, (_, at) => String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)));
  const named = codes.map((code) => [code, names.of(code)]).filter(([code, name]) => name !== code);
  return ["match", ["get", "code"], ...named.flat(), ["get", "code"]];
}

/** The names of regions in a language, or in English if it is none: a link may name anything. */
function regionsIn(language) {
  try {
    return new Intl.DisplayNames([language, "en"], { type: "region" });
  } catch {
    return regionsIn("en");
  }
}
