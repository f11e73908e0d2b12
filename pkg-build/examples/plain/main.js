// The page: a search field of its own, which asks a thread. Serve this folder with the package in node_modules.

import { GeocoderWorker } from "./node_modules/toponym/worker.js";

const [field, list, chosen] = ["#where", "#suggestions", "#chosen"].map((id) => document.querySelector(id));
const geocoder = await GeocoderWorker.load();

// A newer text supersedes the one before, which then has no answer. A blank text has no suggestions.
async function suggest() {
  try {
    const suggestions = await geocoder.autocomplete(field.value, { limit: 5, group: "where" });
    list.replaceChildren(...suggestions.map(item));
  } catch (error) {
    if (error.code !== "superseded") throw error;
  }
}

function item(place) {
  const button = document.createElement("button");
  button.textContent = place.display_name;
  button.addEventListener("click", () => choose(place));
  const item = document.createElement("li");
  item.append(button);
  return item;
}

// A suggestion has the id of its place, and the place all the rest.
async function choose({ place_id }) {
  const place = await geocoder.place(place_id);
  chosen.textContent = `${place.display_name} is place ${place_id}, at ${place.lat}, ${place.lon}.`;
  field.value = place.display_name;
  list.replaceChildren();
}

field.addEventListener("input", suggest);
// What was typed while the places were loading.
suggest();
