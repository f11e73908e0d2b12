// The map of the playground: MapLibre GL with the page's own tiles. It is imported when the page has the time for it.

import { cityFilter, countryNames, mapStyle } from "./map-style.mjs";
import { splitLabel } from "../../../build/npm/label.js";
import { CAMERA, SHARE, START, radiusOf } from "./view.mjs";

/** Zoom at which a place without an area is shown, and the closest for one with it. */
const CLOSEST = 6.5;

/** The farthest zoom at which a suggestion is shown while the user types. */
const GLANCE = 3.6;

/** Pixels around an area. */
const MARGIN = 48;

/** The radius of the globe at zoom 0 in pixels: 512 are the way around. */
const RADIUS_AT_0 = 512 / (2 * Math.PI);

const DARK = matchMedia("(prefers-color-scheme: dark)");

/**
 * Shows the map in `container`. `free()` gives the pixels that the panel covers on each side. Calls `asked({ lat, lon })` with a
 * picked point, `named(id)` with the id of a city whose name was clicked, and `moved()` after the user has moved the map.
 */
export async function showMap(container, addresses, { free, asked, named, moved, language }) {
  const maplibre = await import(`${addresses.maplibre}/maplibre-gl.mjs`);
  await styleSheet(`${addresses.maplibre}/maplibre-gl.css`);
  const map = new maplibre.Map({
    container,
    style: mapStyle(DARK.matches ? "dark" : "light", addresses),
    center: START,
    zoom: startZoom(container, free()),
    attributionControl: false,
    maxZoom: 13,
    minZoom: 0.3,
    dragRotate: false,
    pitchWithRotate: false,
    rollEnabled: false,
  });
  map.setPadding(free());
  map.touchZoomRotate.disableRotation();
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), "bottom-right");
  const canvas = map.getCanvas();
  canvas.setAttribute("aria-label", "Map of the world");
  canvas.setAttribute("aria-describedby", "map-help");

  const shown = { places: [], chosen: null, language };
  const pin = new maplibre.Marker({ element: pinElement(), anchor: "bottom" });
  const ready = new Promise((done, failed) => {
    map.once("load", done);
    map.on("error", ({ error }) => failed(error));
  });
  const draw = () => drawAnswers(map, shown);
  map.on("style.load", () => {
    map.setLayoutProperty("countries", "text-field", countryNames(shown.language()));
    draw();
  });
  DARK.addEventListener("change", () => map.setStyle(mapStyle(DARK.matches ? "dark" : "light", addresses)));

  map.on("click", ({ point, lngLat }) => {
    const around = [[point.x - 4, point.y - 4], [point.x + 4, point.y + 4]];
    const [city] = map.queryRenderedFeatures(around, { layers: ["cities"] });
    if (city) named(city.properties.id);
    else asked(coordinate(lngLat));
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Enter") asked(coordinate(map.getCenter()));
  });
  map.on("moveend", ({ originalEvent }) => originalEvent && moved());
  await ready;

  return {
    /** Marks places, the first above the others, and `point` where one was picked. */
    mark(places, point) {
      Object.assign(shown, { places, chosen: places[0] ?? null });
      draw();
      if (point) pin.setLngLat([point.lon, point.lat]).addTo(map);
      else pin.remove();
    },
    /** Flies to a place, near enough to see all of it. */
    show(place) {
      const { boundingbox: box, lat, lon } = place;
      map.setPadding(free());
      if (!box || !fits(box)) return map.flyTo({ center: [lon, lat], zoom: box ? GLANCE : CLOSEST });
      const [south, north, west, east] = box;
      map.fitBounds([[west, south], [east < west ? east + 360 : east, north]], { padding: MARGIN, maxZoom: CLOSEST });
    },
    /** Turns to a suggestion without coming close. */
    glance({ lat, lon }) {
      map.setPadding(free());
      map.flyTo({ center: [lon, lat], zoom: Math.min(Math.max(map.getZoom(), 2.2), GLANCE), duration: 900 });
    },
    centre: () => coordinate(map.getCenter()),
    /** West, south, east and north of the view. */
    box() {
      const { _sw: sw, _ne: ne } = map.getBounds();
      return [wrapped(sw.lng), clamped(sw.lat), wrapped(ne.lng), clamped(ne.lat)];
    },
    jump: ({ lat, lon }, zoom) => map.jumpTo({ center: [lon, lat], zoom: zoom ?? map.getZoom() }),
    relabel: () => map.getLayer("countries") && map.setLayoutProperty("countries", "text-field", countryNames(shown.language())),
    // What follows is for tests.
    layout: (layer, property) => map.getLayoutProperty(layer, property),
    drawn: (layer, at) => map.queryRenderedFeatures(at && map.project([at.lon, at.lat]), { layers: [layer] }).map(({ properties }) => properties),
    pixel: ({ lat, lon }) => map.project([lon, lat]),
    idle: () => (map.loaded() && !map.isMoving() ? undefined : map.once("idle").then(() => {})),
  };
}

/** The zoom at which the globe is as large as its picture. */
function startZoom({ clientWidth, clientHeight }, { left, right, top, bottom }) {
  const seen = SHARE * Math.min(clientWidth - left - right, clientHeight - top - bottom);
  const radius = radiusOf(seen, CAMERA * clientHeight);
  const [, lat] = START;
  return Math.log2((radius * Math.cos((lat * Math.PI) / 180)) / RADIUS_AT_0);
}

function drawAnswers(map, { places, chosen }) {
  // So that no name is written twice.
  if (map.getLayer("cities")) map.setFilter("cities", cityFilter(chosen?.place_id));
  map.getSource("answers")?.setData(collection(places.map(marked).reverse()));
  map.getSource("area")?.setData(collection(chosen?.boundingbox ? [feature(rectangle(chosen.boundingbox), {})] : []));
}

function marked(place, rank) {
  const { lat, lon, display_name } = place;
  return feature({ type: "Point", coordinates: [lon, lat] }, { rank, display_name, name: splitLabel(place).name });
}

const collection = (features) => ({ type: "FeatureCollection", features });

const feature = (geometry, properties) => ({ type: "Feature", geometry, properties });

/** The outline of a box, with points between, so that it follows the parallels of the globe. */
function rectangle([south, north, west, east]) {
  const width = east < west ? east + 360 - west : east - west;
  const steps = Math.max(1, Math.ceil(width / 5));
  const along = (lat) => Array.from({ length: steps + 1 }, (_, at) => [west + (width * at) / steps, lat]);
  const ring = [...along(south), ...along(north).reverse()];
  return { type: "Polygon", coordinates: [[...ring, ring[0]]] };
}

/** Half the world or less: more cannot be seen at once on a globe. */
const fits = ([south, north, west, east]) => (east < west ? east + 360 : east) - west < 150 && north - south < 120;

const wrapped = (lng) => Number(((((lng + 180) % 360) + 360) % 360 - 180).toFixed(3));

const clamped = (lat) => Number(Math.min(90, Math.max(-90, lat)).toFixed(3));

const coordinate = ({ lng, lat }) => ({ lat, lon: wrapped7(lng) });

const wrapped7 = (lng) => ((((lng + 180) % 360) + 360) % 360) - 180;

function pinElement() {
  const element = document.createElement("div");
  element.className = "pin";
  element.innerHTML = '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M16 2a10 10 0 0 0-10 10c0 7 10 18 10 18s10-11 10-18A10 10 0 0 0 16 2Z"/><circle cx="16" cy="12" r="4"/></svg>';
  return element;
}

function styleSheet(href) {
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done, onerror: () => failed(new Error(`${href} cannot be loaded`)) });
    document.head.prepend(link);
  });
}
