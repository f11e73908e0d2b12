// Tests every status and message that a caller can cause, on workerd. Cases that need a fault are tested natively:
// `edge-worker/tests/service/contract.rs`. GeoJSON over HTTP must be what the npm package makes of the JSON answer; a validator checks
// that of the package in tests/packaging/node.test.mjs.

import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { featureCollection } from "../../pkg-build/npm/src/geojson.js";
import { start } from "./harness.mjs";

let service, token;
before(async () => {
  service = await start();
  token = await service.token("localdemo");
});
after(() => service.stop());

const FORWARD = "GET /v1/geocoding/forward";
const AUTOCOMPLETE = "GET /v1/geocoding/autocomplete";
const SUGGEST = "POST /v1/geocoding/suggest";
const REVERSE = "GET /v1/geocoding/reverse";
const BATCH = "POST /v1/geocoding/batch";
const TOKEN = "POST /api-clients/token";
const GOOD = [
  [`${FORWARD}?query=Paris`],
  [`${AUTOCOMPLETE}?q=Par`],
  [SUGGEST, '{"q":"Par"}'],
  [`${REVERSE}?lat=48.8566&lon=2.3522`],
  [BATCH, '{"queries":["Paris"]}'],
];
const NAMES = { 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests" };

async function check(response, expect) {
  const body = response.status === 204 ? null : await response.json();
  const message = response.status < 400 ? "" : ` ${body.message}`;
  assert.equal(`${response.status}${message}`, expect);
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.ok(response.headers.get("x-request-id"));
  if (response.status >= 400) {
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(body.statusCode, response.status);
    assert.equal(body.error, NAMES[response.status]);
    assert.equal(response.headers.has("www-authenticate"), response.status === 401);
  }
  return body;
}

test("each route answers, with the rate limit in its headers", async () => {
  for (const [line, body] of GOOD) {
    const response = await service.sendAs(token, line, body);
    await check(response, "200");
    assert.equal(response.headers.get("x-ratelimit-limit"), "100000");
    assert.ok(Number(response.headers.get("x-ratelimit-remaining")) < 100_000);
    const wait = Number(response.headers.get("x-ratelimit-reset")) - Date.now() / 1000;
    assert.ok(wait > 0 && wait < 62, `the reset is ${wait} s away`);
    assert.equal(response.headers.get("cache-control"), "no-store");
  }
});

test("each route refuses a request without a good token", async () => {
  const [head, claims, signature] = token.split(".");
  const none = Buffer.from('{"alg":"none","kid":"k1"}').toString("base64url");
  const headers = [
    ["", "401 Missing Authorization header"],
    ["Basic eDp5", "401 Invalid token"],
    [token, "401 Invalid token"],
    ["Bearer", "401 Invalid token"],
    [`Bearer ${head}.${claims}.${signature.slice(0, -2)}AA`, "401 Invalid token"],
    [`Bearer ${none}.${claims}.`, "401 Invalid token"],
    [`Bearer ${token}, Bearer ${token}`, "401 Invalid token"],
    [`Bearer ${"x".repeat(2000)}`, "401 Invalid token"],
  ];
  for (const [line, body] of GOOD) {
    await check(await service.send(line, { body }), "401 Missing Authorization header");
    for (const [authorization, expect] of headers) {
      await check(await service.send(line, { headers: { authorization }, body }), expect);
    }
    await check(await service.send(line, { headers: { authorization: `bEARER ${token}` }, body }), "200");
  }
});

test("two Authorization headers count as none", async () => {
  const authorization = [`Bearer ${token}`, `Bearer ${token}`];
  const sent = request(new URL("/v1/geocoding/forward?query=Paris", service.url), { headers: { authorization } });
  const [response] = await Promise.all([once(sent, "response").then(([response]) => response), sent.end()]);
  const body = JSON.parse((await response.toArray()).join(""));
  assert.deepEqual([response.statusCode, body.message], [401, "Invalid token"]);
});

test("a body that stalls is a broken one, and costs one", async () => {
  const line = { method: "POST", headers: { authorization: `Bearer ${token}`, "content-length": 100 } };
  const before = Number((await service.sendAs(token, `${FORWARD}?query=Paris`)).headers.get("x-ratelimit-remaining"));
  const sent = request(new URL("/v1/geocoding/batch", service.url), line);
  sent.write('{"queries":[');
  const [response] = await once(sent, "response");
  const body = JSON.parse((await response.toArray()).join(""));
  sent.destroy();
  assert.deepEqual([response.statusCode, body.message], [400, "request body could not be read"]);
  assert.equal(Number(response.headers["x-ratelimit-remaining"]), before - 1);
});

const BAD = [
  [FORWARD, "query parameter is required"],
  [`${FORWARD}?query=`, "query parameter is required"],
  [`${FORWARD}?query=%20%20`, "query parameter is required"],
  [`${FORWARD}?query=${"a".repeat(501)}`, "query parameter must be between 1 and 500 characters"],
  [`${FORWARD}?query=Paris&limit=0`, "limit must be an integer between 1 and 50"],
  [`${FORWARD}?query=Paris&limit=51`, "limit must be an integer between 1 and 50"],
  [`${FORWARD}?query=Paris&limit=2.5`, "limit must be an integer between 1 and 50"],
  [`${FORWARD}?query=%FF`, "query string must be percent-encoded UTF-8"],
  [`${FORWARD}?query=%zz`, "query string must be percent-encoded UTF-8"],
  [`${FORWARD}?query=a&query=b`, "query parameter must be given once"],
  [`${FORWARD}?${"x".repeat(9000)}`, "query string must be at most 8192 bytes"],
  [AUTOCOMPLETE, "q parameter is required"],
  [`${AUTOCOMPLETE}?query=Par`, "q parameter is required"],
  [`${AUTOCOMPLETE}?q=Par&limit=11`, "limit must be an integer between 1 and 10"],
  [SUGGEST, "q parameter is required"],
  [SUGGEST, "q parameter is required", "not JSON"],
  [SUGGEST, "q parameter is required", '["Par"]'],
  [SUGGEST, "limit must be an integer between 1 and 10", '{"q":"Par","limit":11}'],
  [SUGGEST, "request body must be at most 8192 bytes", "x".repeat(8193)],
  [REVERSE, "lat and lon parameters are required"],
  [`${REVERSE}?lat=1&lon=`, "lat and lon parameters are required"],
  [`${REVERSE}?lat=90.5&lon=0`, "lat must be between -90 and 90"],
  [`${REVERSE}?lat=NaN&lon=0`, "lat must be between -90 and 90"],
  [`${REVERSE}?lat=0&lon=0x10`, "lon must be between -180 and 180"],
  [BATCH, "queries must be an array of strings"],
  [BATCH, "queries must be an array of strings", "not JSON"],
  [BATCH, "queries must be an array of strings", '{"queries":["a",1]}'],
  [BATCH, "queries array cannot be empty", '{"queries":[]}'],
  [BATCH, "queries array must contain between 1 and 100 items", JSON.stringify({ queries: Array(101).fill("a") })],
  [BATCH, "request body must be at most 1048576 bytes", "x".repeat(1024 * 1024 + 1)],
];

for (const [line, message, body] of BAD) {
  test(`400 ${line.slice(0, 60)} ${body?.slice(0, 20) ?? ""}: ${message}`, async () => {
    const response = await service.sendAs(token, line, body);
    await check(response, `400 ${message}`);
    assert.ok(response.headers.has("x-ratelimit-remaining"), "its key was looked up");
  });
}

test("no place in the middle of an ocean", async () => {
  const response = await service.sendAs(token, `${REVERSE}?lat=-48.8767&lon=-123.3933`);
  await check(response, "404 No location found at these coordinates");
});

test("near=auto is the place of the request as the runtime states it", async () => {
  // What workerd states on a developer's machine.
  const AUSTIN = "lat=30.2713&lon=-97.7426";
  const places = async (rest) => (await service.sendAs(token, `${FORWARD}?query=Springfield&fields=distance${rest}`)).json();
  const here = await places("&near=auto");
  assert.ok(here[0].distance > 0);
  assert.deepEqual(here, await places(`&${AUSTIN}`));
  assert.equal((await places(""))[0].distance, undefined);
});

test("a batch is answered item by item", async () => {
  const queries = ["Paris", "qzxqzxqzx wvkwvkwvk", " ", "é".repeat(501)];
  const response = await service.sendAs(token, BATCH, JSON.stringify({ queries }));
  const { results, total, successful, failed } = await check(response, "200");
  assert.deepEqual(results.map((item) => item.status), ["ok", "not_found", "error", "error"]);
  assert.deepEqual(results.map((item) => item.query), queries);
  assert.deepEqual([total, successful, failed], [4, 1, 3]);
  assert.equal(results[0].country, "France");
  assert.ok(results[2].error && results[3].error);
});

test("text beyond ASCII, in both spellings of a space", async () => {
  for (const query of ["Paris%20France", "Paris+France", "P%61ris"]) {
    const [place] = await (await service.sendAs(token, `${FORWARD}?query=${query}&limit=1`)).json();
    assert.equal(place.country, "France", query);
  }
});

const CREDENTIALS = [
  ["", "400 apiKey is required"],
  ["{}", "400 apiKey is required"],
  ['{"apiKey":7,"apiSecret":"gcs_x"}', "400 apiKey is required"],
  ['{"apiKey":"gck_localdemo"}', "400 apiSecret is required"],
  ['{"apiKey":"gck_nobody","apiSecret":"gcs_localdemo"}', "401 Invalid API key"],
  ['{"apiKey":"localdemo","apiSecret":"gcs_localdemo"}', "401 Invalid API key"],
  ['{"apiKey":"gck_localdemo","apiSecret":"gcs_localfree"}', "401 Invalid API secret"],
  ['{"apiKey":"gck_localdemo","apiSecret":"x"}', "401 Invalid API secret"],
  ["x".repeat(5000), "400 request body must be at most 4096 bytes"],
];

for (const [body, expect] of CREDENTIALS) {
  test(`token ${body.slice(0, 50)}: ${expect}`, async () => {
    await check(await service.send(TOKEN, { body }), expect);
  });
}

test("a token lives as long as asked", async () => {
  for (const [expiresIn, seconds] of [["1m", 60], ["30m", 1800], ["24h", 86400], ["30d", 2592000]]) {
    const { token, expiresAt, clientId } = await check(await service.exchange("localdemo", { expiresIn }), "200");
    assert.ok(token.length <= 300, `${token.length} characters`);
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - seconds * 1000) < 5000, expiresAt);
    assert.equal(clientId, "app_localdemo");
  }
  for (const expiresIn of ["0m", "31d", "1w", "60", "", 60]) {
    const message = "expiresIn must be a whole number of minutes, hours or days between 1m and 30d, such as 1h";
    await check(await service.exchange("localdemo", { expiresIn }), `400 ${message}`);
  }
});

test("health", async () => {
  const response = await service.send("GET /health");
  assert.deepEqual(await check(response, "200"), { ok: true });
});

test("unknown routes and methods", async () => {
  const lines = ["GET /v1", "GET /v2/geocoding/forward?query=Paris", "POST /v1/geocoding/forward", "GET /v1/geocoding/batch"];
  for (const line of [...lines, "DELETE /health", "GET /V1/geocoding/forward", "OPTIONS /nope", "GET /api-clients/token"]) {
    await check(await service.send(line), `404 Cannot ${line.split("?")[0]}`);
  }
});

test("trailing slash, HEAD, preflight", async () => {
  await check(await service.sendAs(token, `${FORWARD}/?query=Paris`), "200");
  const head = await service.sendAs(token, `${FORWARD}?query=Paris`.replace("GET", "HEAD"));
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  assert.ok(head.headers.has("x-ratelimit-remaining"));
  const preflight = await service.send("OPTIONS /v1/geocoding/batch", { headers: { origin: "https://page.test" } });
  await check(preflight, "204");
  assert.equal(preflight.headers.get("access-control-allow-methods"), "POST, OPTIONS");
  assert.match(preflight.headers.get("access-control-allow-headers"), /Authorization/);
});

/** Requests whose GeoJSON is compared with what the npm package makes of their JSON. */
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

test("GeoJSON is what the npm package makes of the answers", async () => {
  for (const [line, body] of REQUESTS) {
    const plain = await service.sendAs(token, line, body);
    const response = await service.sendAs(token, `${line}${line.includes("?") ? "&" : "?"}format=geojson`, body);
    assert.deepEqual([plain.status, response.status], [200, 200], line);
    assert.equal(response.headers.get("content-type"), "application/geo+json", line);
    const answers = await plain.json();
    assert.deepEqual(await response.json(), featureCollection(body ? answers.results : answers), line);
  }
});
