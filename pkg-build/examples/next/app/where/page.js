// A page that the server renders for each request: the places for `/where?q=...`. The server loads them once.

import { Geocoder } from "toponym";

let geocoder;

export default async function Where({ searchParams }) {
  const query = String((await searchParams).q ?? "");
  geocoder ??= Geocoder.load();
  const places = query.trim() ? (await geocoder).forward(query) : [];
  return (
    <ol>
      {places.map((place) => (
        <li key={place.place_id}>{place.display_name}</li>
      ))}
    </ol>
  );
}
