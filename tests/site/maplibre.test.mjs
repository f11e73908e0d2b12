// Tests that MapLibre GL shows answers with `format=geojson`, and those of the npm package, in real Chromium: the page is
// of another origin than the service, and the map itself fetches the answers.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import { test } from "../browsers.mjs";
import { SOFTWARE_WEBGL } from "../chromium.mjs";
import { serveFiles } from "../servers.mjs";
import { ROOT, start } from "../live/harness.mjs";
import { launch, open, picture } from "./browser.mjs";

const FILES = {
  "/": join(import.meta.dirname, "map"),
  "/maplibre/": dirname(fileURLToPath(import.meta.resolve("maplibre-gl"))),
  "/toponym/": join(ROOT, "build/npm"),
};

let service, files, browser, token, visited;
before(async () => {
  [service, files, browser] = await Promise.all([start(), serveFiles(FILES), launch(SOFTWARE_WEBGL)]);
  token = await service.token("localdemo");
  visited = await open(browser, files.url);
  await visited.page.waitForFunction(() => window.ready);
  assert.ok(await visited.page.evaluate(() => window.ready));
  await visited.page.evaluate((given) => window.setToken(given), token);
});
after(async () => {
  await visited?.close();
  await browser?.close();
  await files?.stop();
  await service?.stop();
});

/** Shows `data` and checks that all places of `collection` are drawn with their properties, each also in its own box. */
async function check(what, data, collection) {
  const { page, complaints } = visited;
  const { all, inBoxes } = await page.evaluate((given) => window.showPlaces(given), data);
  const places = collection.features.filter(({ geometry }) => geometry);
  assert.ok(places.length > 0, what);
  for (const { id, properties } of places) {
    const same = all.find((drawn) => drawn.properties.display_name === properties.display_name && drawn.properties.lat === properties.lat);
    assert.ok(same, `${what} draws ${properties.display_name}`);
    assert.deepEqual(same.properties, properties, what);
    assert.equal(same.id, id, what);
  }
  assert.deepEqual(positions(all), positions(places), what);
  const boxed = collection.features.filter(({ bbox }) => bbox);
  assert.equal(inBoxes.length, boxed.length, what);
  boxed.forEach(({ properties }, at) => {
    assert.ok(inBoxes[at].some((drawn) => drawn.properties.display_name === properties.display_name), `${properties.display_name} lies in its box`);
  });
  assert.deepEqual(complaints, [], what);
}

/** Where features are, once each: a map that is wide enough draws some twice. */
function positions(features) {
  return [...new Set(features.map(({ properties: { lat, lon } }) => `${lat},${lon}`))].sort();
}

for (const [what, path] of Object.entries({
  forward: "forward?query=Paris&limit=10",
  "forward, one place over the date line": "forward?query=Fiji&limit=1",
  "forward in fields, in Japanese": "forward?city=Paris&country=France&lang=ja",
  autocomplete: "autocomplete?q=par&types=city&limit=10",
  reverse: "reverse?lat=48.8584&lon=2.2945",
  "reverse, several": "reverse?lat=48.8584&lon=2.2945&limit=10&types=station,landmark&radius=20000",
  "look-up": "place/2988507",
  "look-up by code": "place?ref=iata:CDG",
})) {
  test(`over HTTP: ${what}`, async () => {
    const address = `/v1/geocoding/${path}${path.includes("?") ? "&" : "?"}format=geojson`;
    const response = await service.sendAs(token, `GET ${address}`);
    assert.equal(response.status, 200);
    await check(what, new URL(address, service.url).href, await response.json());
    if (what === "forward") await picture(visited.page, "maplibre");
  });
}

test("over HTTP: batch, where some items find nothing", async () => {
  const body = JSON.stringify({ queries: ["Rome", "xqzzvkj", { city: "Paris", state: "TX" }, { lat: 48.86, lon: 2.29 }, " "] });
  const collection = await (await service.sendAs(token, "POST /v1/geocoding/batch?format=geojson", body)).json();
  assert.equal(collection.features.length, 5);
  await check("batch", collection, collection);
});

test("nothing found is an empty map", async () => {
  const address = "/v1/geocoding/forward?city=Paris&country=Japan&format=geojson";
  const { all, inBoxes } = await visited.page.evaluate((given) => window.showPlaces(given), new URL(address, service.url).href);
  assert.deepEqual([all, inBoxes], [[], []]);
});

for (const [method, ...args] of [
  ["forward", "Springfield", { limit: 10 }],
  ["autocomplete", "lon", { limit: 10 }],
  ["reverse", 48.8584, 2.2945],
  ["reverse", 35.68, 139.69, { limit: 5, types: ["station"] }],
  ["batch", ["Rome", "xqzzvkj", "Oslo"]],
  ["place", "iata:JFK"],
]) {
  test(`of the npm package: ${method}(${JSON.stringify(args).slice(1, -1)})`, async () => {
    const collection = await visited.page.evaluate(([name, given]) => window.packaged(name, ...given), [method, args]);
    await check(method, collection, collection);
  });
}
