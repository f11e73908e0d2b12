// Tests that GeoJSON over HTTP is what the npm package makes of the JSON answer. That of the package is checked by a
// validator: tests/packaging/node.test.mjs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { featureCollection } from "../../pkg-build/npm/src/geojson.js";
import { start } from "./harness.mjs";

let service, token;
before(async () => {
  service = await start();
  token = await service.token("localdemo");
});
after(() => service.stop());

const REQUESTS = [
  ["GET /v1/geocoding/forward?query=Paris&limit=50"],
  ["GET /v1/geocoding/forward?query=Fiji"],
  ["GET /v1/geocoding/forward?city=Paris&country=Brazil"],
  ["GET /v1/geocoding/autocomplete?q=par"],
  ["GET /v1/geocoding/forward?query=Deutschland&lang=fr&fields=all&lat=51&lon=10"],
  ["GET /v1/geocoding/reverse?lat=48.8584&lon=2.2945&limit=2&fields=timezone,distance"],
  ["GET /v1/geocoding/reverse?lat=48.8584&lon=2.2945"],
  ["GET /v1/geocoding/reverse?lat=48.8584&lon=2.2945&limit=3&types=station"],
  ["GET /v1/geocoding/place/2988507?lang=ja"],
  ["POST /v1/geocoding/batch?lang=fr", '{"queries":["Rome","xqzzvkj"," ",{"city":"Paris","state":"TX"},{"lat":48.86,"lon":2.29},{"lat":91,"lon":0}]}'],
];

test("GeoJSON has the answers of JSON", async () => {
  for (const [line, body] of REQUESTS) {
    const plain = await service.sendAs(token, line, body);
    const response = await service.sendAs(token, `${line}${line.includes("?") ? "&" : "?"}format=geojson`, body);
    assert.deepEqual([plain.status, response.status], [200, 200], line);
    assert.equal(response.headers.get("content-type"), "application/geo+json", line);
    const answers = await plain.json();
    assert.deepEqual(await response.json(), featureCollection(body ? answers.results : answers), line);
  }
});
