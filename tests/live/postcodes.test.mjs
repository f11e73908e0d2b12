// Tests the service with two indexes, the default one and that of postal codes: they answer as one, and both are credited.
// Needs `cargo toponym index --postcodes` as well.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";

let service, token;
before(async () => {
  service = await start({ indexes: ["build/index.toponym", "build/postcodes.toponym"] });
  token = await service.token("localdemo");
});
after(() => service?.stop());

const get = async (path) => (await service.sendAs(token, `GET /v1/geocoding/${path}`)).json();
const forward = (query) => get(`forward?query=${encodeURIComponent(query)}&limit=1`);

test("postal codes and places", async () => {
  const check = async (query, type, name, country) => {
    const [place] = await forward(query);
    assert.deepEqual([place?.type, place?.display_name.split(", ")[0], place?.address.country_code], [type, name, country], query);
    if (type === "postal_code") assert.equal(place.address.postcode, name, query);
  };
  await check("75001", "postal_code", "75001", "fr");
  await check("75001 Paris", "postal_code", "75001", "fr");
  await check("D-50667 Köln", "postal_code", "50667", "de");
  // Of Great Britain the index has the areas.
  await check("SW1A", "postal_code", "SW", "gb");
  await check("90210", "postal_code", "90210", "us");
  await check("10115 Berlin", "postal_code", "10115", "de");
  await check("Paris", "city", "Paris", "fr");
  await check("Paris, Texas", "town", "Paris", "us");
});

test("a number that is not a code", async () => {
  assert.deepEqual(await forward("00000000"), []);
  const [[right], [wrong]] = [await forward("Berlin"), await forward("00000000 Berlin")];
  assert.equal(wrong.place_id, right.place_id);
  assert.ok(wrong.confidence < right.confidence, `${wrong.confidence} ${right.confidence}`);
});

test("every operation", async () => {
  const suggestions = await get("autocomplete?q=75001&limit=5");
  assert.equal(suggestions[0].display_name, "75001, Paris, Île-de-France, France");
  const body = JSON.stringify({ queries: ["75001 Paris", "Rome"] });
  const { results } = await (await service.sendAs(token, "POST /v1/geocoding/batch", body)).json();
  assert.deepEqual(results.map(({ status, display_name: name }) => [status, name?.split(", ")[0]]), [["ok", "75001"], ["ok", "Rome"]]);
  const place = await get("reverse?lat=48.8627&lon=2.3363");
  assert.notEqual(place.type, "postal_code");
  assert.equal(place.address.city, "Paris");
});

test("the sources of both are credited", async () => {
  const { title, sources, madeOf } = await (await service.send("GET /attribution")).json();
  assert.equal(title, "default");
  assert.ok(sources.some((line) => line.includes("GeoNames")), sources.join("\n"));
  const credit = sources.find((line) => line.startsWith("Postal codes: ©"));
  assert.match(credit, /Open Database License 1\.0 \(https:.*share-alike/);
  assert.equal(new Set(sources).size, sources.length, "each once");
  assert.ok(madeOf.some(({ title }) => title.startsWith("Postal codes")));
});
