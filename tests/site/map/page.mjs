// A map of MapLibre GL with one layer of places, as a user of the service writes it.

import * as maplibre from "/maplibre/maplibre-gl.mjs";
import { Geocoder } from "/toponym/index.js";
import { featureCollection } from "/toponym/geojson.js";

/** Pixels around the places. */
const PADDING = 40;

/** Zoom at which a single place is shown. */
const CLOSEST = 10;

/** No tiles, fonts or images of anybody. */
const STYLE = { version: 8, sources: {}, layers: [{ id: "ground", type: "background", paint: { "background-color": "#eaf1f8" } }] };

let token;

const map = new maplibre.Map({
  container: "map",
  style: STYLE,
  fadeDuration: 0,
  transformRequest: (url) => ({ url, headers: token ? { authorization: `Bearer ${token}` } : {} }),
});
const broken = new Promise((_, fail) => map.on("error", ({ error }) => fail(error)));
broken.catch(() => {});

const idle = () => Promise.race([map.once("idle"), broken]);

window.ready = map.once("load").then(() => true);
window.setToken = (given) => (token = given);

/** Shows GeoJSON, or what is at an address. Returns what is drawn, in the boxes of the places, and in a box around them. */
window.showPlaces = async (data) => {
  if (map.getLayer("places")) map.removeLayer("places");
  if (map.getSource("places")) map.removeSource("places");
  map.addSource("places", { type: "geojson", data });
  map.addLayer({ id: "places", type: "circle", source: "places", paint: { "circle-radius": 8, "circle-color": "#b3261e" } });
  const collection = await map.getSource("places").getData();
  const inBoxes = [];
  for (const { bbox } of collection.features) {
    if (bbox) inBoxes.push(await drawn(around([bbox])));
  }
  const points = collection.features.filter(({ geometry }) => geometry).map(({ geometry }) => [...geometry.coordinates, ...geometry.coordinates]);
  return { all: points.length ? await drawn(around(points)) : [], inBoxes };
};

/** The answers of the npm package, as GeoJSON. */
window.packaged = async (method, ...args) => {
  window.geocoder ??= await Geocoder.load({ packs: ["core"] });
  return featureCollection(window.geocoder[method](...args));
};

/** The features that the map draws with all of `bounds` in view. */
async function drawn(bounds) {
  map.fitBounds(bounds, { padding: PADDING, maxZoom: CLOSEST, animate: false });
  await idle();
  return map.queryRenderedFeatures({ layers: ["places"] }).map(({ id, properties, geometry }) => ({ id, properties, geometry }));
}

/** The box around boxes in the order of RFC 7946. One that crosses the date line ends beyond 180 degrees. */
function around(boxes) {
  const bounds = new maplibre.LngLatBounds();
  for (const [west, south, east, north] of boxes) {
    bounds.extend([west, south]);
    bounds.extend([east < west ? east + 360 : east, north]);
  }
  return bounds;
}
