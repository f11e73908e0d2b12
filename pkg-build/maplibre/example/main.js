// A map of MapLibre GL with a search control. A click shows what is there.

import MaplibreGeocoder from "@maplibre/maplibre-gl-geocoder";
import "@maplibre/maplibre-gl-geocoder/dist/maplibre-gl-geocoder.css";
import * as maplibregl from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import { display, geocoderApi } from "toponym-maplibre";
import { source } from "./source.js";

// Its thread is a file of its own, which a bundler moves.
maplibregl.setWorkerUrl(workerUrl);

// Your style here.
const STYLE = { version: 8, sources: {}, layers: [{ id: "ground", type: "background", paint: { "background-color": "#eaf1f8" } }] };

const map = new maplibregl.Map({
  container: "map",
  style: STYLE,
  attributionControl: { customAttribution: "Places: GeoNames and others" },
});
const geo = await source();
const api = geocoderApi(geo, { typing: true });
const search = new MaplibreGeocoder(api, { maplibregl, ...display, showResultsWhileTyping: true });
map.addControl(search, "top-left");

map.on("click", async ({ lngLat }) => {
  const { lng, lat } = lngLat.wrap();
  const { features } = await api.reverseGeocode({ query: [lng, lat], limit: 1 });
  const popup = new maplibregl.Popup().setLngLat(lngLat);
  popup.setText(features[0]?.place_name ?? "Nothing here").addTo(map);
});

// For the test of this example.
window.example = { map, search };
