// A map of Leaflet with a search control. A click shows what is there.

import L from "leaflet";
import "leaflet/dist/leaflet.css";
import iconUrl from "leaflet/dist/images/marker-icon.png";
import iconRetinaUrl from "leaflet/dist/images/marker-icon-2x.png";
import shadowUrl from "leaflet/dist/images/marker-shadow.png";
import { Geocoder } from "leaflet-control-geocoder";
import "leaflet-control-geocoder/style.css";
import { toponymGeocoder } from "toponym-leaflet";
import { source } from "./source.js";

// Leaflet looks for its images beside its style sheet, which a bundler moves.
delete L.Icon.Default.prototype._getIconUrl;
L.Icon.Default.mergeOptions({ iconUrl, iconRetinaUrl, shadowUrl });

// Your layer of tiles here, with its attribution.
const map = L.map("map", { zoomAnimation: false, worldCopyJump: true }).setView([20, 0], 2);
map.attributionControl.addAttribution("Places: GeoNames and others");

const geocoder = toponymGeocoder(await source());
const search = new Geocoder({ geocoder, collapsed: false, position: "topleft" }).addTo(map);

map.on("click", async ({ latlng }) => {
  const scale = map.options.crs.scale(map.getZoom());
  const [found] = await geocoder.reverse(latlng, scale);
  L.popup().setLatLng(latlng).setContent(found?.html ?? "Nothing here").openOn(map);
});

// For the test of this example.
window.example = { map, search };
