// Runs the same queries wherever the package runs, and checks the results. `geo` may return values or promises.

import assert from "node:assert/strict";

/** The fields of a suggestion. */
const SUGGESTION = ["city", "country", "country_code", "display_name", "kind", "lat", "lon", "name", "place_id", "type"];

/** Runs all queries and returns the results, so that those of several platforms can be compared. */
export async function answers(geo) {
  return {
    autocomplete: await geo.autocomplete("par", { limit: 3 }),
    blank: await geo.autocomplete(" "),
    typo: await geo.autocomplete("amstredam", { limit: 1 }),
    focus: await geo.forward("Springfield", { limit: 1, focus: { lat: 39.8, lon: -89.6 } }),
    countries: await geo.forward("Paris", { limit: 1, countries: ["US"] }),
    forward: await geo.forward("Paris, Texas"),
    script: await geo.forward("東京", { limit: 1 }),
    airport: await geo.forward("CDG", { limit: 1 }),
    reverse: await geo.reverse(48.8584, 2.2945),
    sea: await geo.reverse(0, -30),
    batch: await geo.batch(["Rome", "xqzzvkj", " "]),
    types: await geo.autocomplete("par", { limit: 3, types: ["airport"] }),
    box: await geo.forward("Paris", { limit: 3, bbox: [-100, 30, -90, 40] }),
    within: await geo.forward("Paris", { limit: 3, within: 3017382, types: ["city"] }),
    fields: await geo.forward({ city: "Pariss", state: "TX" }),
    nowhere: await geo.forward({ city: "Paris", country: "Brazil" }),
    near: await geo.reverse(48.8584, 2.2945, { limit: 3, radius: 9000, types: ["landmark"] }),
    airport_near: await geo.reverse(48.8584, 2.2945, { types: ["airport"] }),
    mixed: await geo.batch([{ city: "Paris", state: "TX" }, { lat: 48.8584, lon: 2.2945 }, { lat: 91, lon: 0 }]),
    place: [await geo.place(2988507), await geo.place("iata:cdg"), await geo.place(1)],
    facts: [
      (await geo.forward("Deutschland", { limit: 1, lang: "fr", fields: "all", focus: { lat: 51, lon: 10 } }))[0],
      (await geo.autocomplete("par", { limit: 1, fields: ["name", "ancestors"] }))[0],
      await geo.reverse(48.8584, 2.2945, { fields: ["distance"] }),
      await geo.place("iata:cdg", { fields: ["name"] }),
      (await geo.batch(["Paris"], { fields: ["name"] }))[0],
    ],
    explain: await geo.explain("amstredam", { limit: 1 }),
    about: await geo.about(),
  };
}

/** Checks what must hold in any release of the data. */
export function check(found) {
  assert.equal(found.autocomplete.length, 3);
  assert.match(found.autocomplete[0].display_name, /^Paris, .*France$/);
  assert.deepEqual(Object.keys(found.autocomplete[0]).sort(), SUGGESTION);
  const { place_id, name, country_code, kind } = found.autocomplete[0];
  assert.deepEqual([place_id, name, country_code, kind], [2988507, "Paris", "fr", "city"]);
  assert.deepEqual(found.types.map(({ kind }) => kind), found.types.map(() => "airport"));
  assert.deepEqual(found.blank, []);
  assert.match(found.typo[0].display_name, /^Amsterdam, /);
  assert.match(found.focus[0].display_name, /Illinois/);
  assert.equal(found.countries[0].address.country_code, "us");
  const [paris] = found.forward;
  assert.deepEqual(
    Object.keys(paris).sort(),
    ["address", "bbox", "boundingbox", "category", "city", "confidence", "country", "display_name", "importance", "lat", "lon", "place_id", "type"],
  );
  assert.match(paris.display_name, /^Paris, .*Texas, United States$/);
  const [south, north, west, east] = paris.boundingbox;
  assert.ok(south < paris.lat && paris.lat < north && west < paris.lon && paris.lon < east, paris.boundingbox);
  for (const place of [paris, found.reverse, found.place[0]]) {
    const [south, north, west, east] = place.boundingbox;
    assert.deepEqual(place.bbox, [west, south, east, north], place.display_name);
  }
  assert.equal(paris.address.state, "Texas");
  assert.ok(Number.isSafeInteger(paris.place_id));
  assert.match(found.script[0].display_name, /^Tokyo/);
  assert.match(found.airport[0].display_name, /Charles de Gaulle/);
  assert.equal(found.reverse.address.country_code, "fr");
  assert.equal(found.sea, null);
  assert.deepEqual(found.batch.map(({ status }) => status), ["ok", "not_found", "error"]);
  assert.deepEqual(found.batch.map(({ query }) => query), ["Rome", "xqzzvkj", " "]);
  assert.ok(found.types.length > 0 && found.types.every(({ type }) => type === "aerodrome"), JSON.stringify(found.types));
  assert.deepEqual(found.box.map(({ address }) => address.state), ["Texas"]);
  assert.match(found.within[0].display_name, /^Paris, .*France$/);
  assert.match(found.fields[0].display_name, /Texas/);
  assert.deepEqual(found.nowhere, []);
  assert.ok(found.near.length === 3 && found.near.every(({ category }) => category === "tourism"), JSON.stringify(found.near));
  assert.equal(found.airport_near.category, "aeroway");
  assert.deepEqual(found.mixed.map(({ status }) => status), ["ok", "ok", "error"]);
  assert.deepEqual(found.mixed[0].query, { city: "Paris", state: "TX" });
  assert.deepEqual(found.place.map((place) => place?.city ?? null), ["Paris", "Paris", null]);
  const [germany, suggestion, here, airport, result] = found.facts;
  assert.deepEqual([germany.name, germany.matched.name, germany.codes.geonames], ["Allemagne", "Deutschland", 2921044]);
  assert.ok(germany.population > 7e7 && germany.distance < 500e3, JSON.stringify(germany));
  assert.equal(suggestion.name, "Paris");
  assert.equal(suggestion.ancestors.at(-1).name, "France");
  assert.ok(here.distance < 500);
  assert.match(airport.name, /^Charles de Gaulle/);
  assert.equal(result.name, "Paris");
  assert.ok(found.explain[0].edits > 0 && found.explain[0].cost > 0);
  assert.equal(found.about.title, "core");
  assert.ok(found.about.attribution.some((line) => line.includes("GeoNames")));
}
