// The page: shows what the user chooses in the search field.

import "toponym/element";

const chosen = document.querySelector("#chosen");

document.querySelector("#where").addEventListener("change", ({ detail: place }) => {
  chosen.textContent = place
    ? `${place.name} (${place.kind}, ${place.country_code}) is place ${place.place_id}, at ${place.lat}, ${place.lon}.`
    : "Type a few letters of a place.";
});
