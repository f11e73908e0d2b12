// Tests the contract with a table, a row for each status and message of each route, on workerd. Statuses that only a
// defect causes (500) are in the native table, edge-worker/tests/service/contract.rs.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { deployed, start } from "./harness.mjs";

/** Valid requests of the geocoding routes. */
const GEOCODING = {
  forward: ["GET /v1/geocoding/forward?query=Paris"],
  autocomplete: ["GET /v1/geocoding/autocomplete?q=Par"],
  reverse: ["GET /v1/geocoding/reverse?lat=48.8566&lon=2.3522"],
  batch: ["POST /v1/geocoding/batch", '{"queries":["Paris"]}'],
  place: ["GET /v1/geocoding/place/2988507"],
};

/** Answers of each geocoding route that depend on the caller, not on the query. */
const CALLERS = [
  ["shop", "200"],
  ["nobody", "401 Missing Authorization header"],
  ["forged", "401 Invalid token"],
  ["deleted", "401 Invalid token"],
  ["expired", "401 Token expired"],
  ["disabled", "403 API key disabled"],
  ["used", "403 Monthly quota exceeded"],
  ["page", "403 Domain not allowed"],
  ["office", "403 IP not allowed"],
  ["fast", "429 Rate limit exceeded"],
];

const ENCODING = "400 query string must be percent-encoded UTF-8";
const TOO_LONG = "400 query string must be at most 8192 bytes";
const LONG = "x".repeat(501);
const FILTERS = "types=city&bbox=-5,40,10,55&within=3017382";
const NO_TYPE =
  "400 types must be kinds of places such as city, airport or museum, separated by commas, not pub";
const FACTS =
  "400 fields must be all, or some of these separated by commas: name, matched, population, timezone, iso_3166_2, capital, codes, ancestors, distance";
const items = (n) => JSON.stringify({ queries: Array(n).fill("x") });

/** Requests of the key `shop`, with their answers. */
const ASKED = {
  forward: [
    ["GET /v1/geocoding/forward", "400 query parameter is required"],
    [`GET /v1/geocoding/forward?query=${LONG}`, "400 query parameter must be between 1 and 500 characters"],
    ["GET /v1/geocoding/forward?query=x&limit=51", "400 limit must be an integer between 1 and 50"],
    ["GET /v1/geocoding/forward?query=a&query=b", "400 query parameter must be given once"],
    ["GET /v1/geocoding/forward?query=%FF", ENCODING],
    [`GET /v1/geocoding/forward?${"x".repeat(8193)}`, TOO_LONG],
    [`GET /v1/geocoding/forward?city=Paris&country=FR&${FILTERS}&format=geojson&lang=auto`, "200"],
    ["GET /v1/geocoding/forward?query=x&city=y", "400 query parameter takes no name, city, county, state, country beside it"],
    ["GET /v1/geocoding/forward?query=Paris&fields=all", "200"],
    ["GET /v1/geocoding/forward?query=Paris&fields=names", FACTS],
    ["POST /v1/geocoding/forward", "404 Cannot POST /v1/geocoding/forward"],
  ],
  autocomplete: [
    ["GET /v1/geocoding/autocomplete", "400 q parameter is required"],
    [`GET /v1/geocoding/autocomplete?q=${LONG}`, "400 q parameter must be between 1 and 500 characters"],
    ["GET /v1/geocoding/autocomplete?q=x&limit=11", "400 limit must be an integer between 1 and 10"],
    ["GET /v1/geocoding/autocomplete?q=a&q=b", "400 q parameter must be given once"],
    ["GET /v1/geocoding/autocomplete?q=%FF", ENCODING],
    [`GET /v1/geocoding/autocomplete?${"x".repeat(8193)}`, TOO_LONG],
    ["GET /v1/geocoding/autocomplete?q=x&types=pub", NO_TYPE],
    ["PUT /v1/geocoding/autocomplete", "404 Cannot PUT /v1/geocoding/autocomplete"],
  ],
  reverse: [
    ["GET /v1/geocoding/reverse?lat=1", "400 lat and lon parameters are required"],
    ["GET /v1/geocoding/reverse?lat=91&lon=0", "400 lat must be between -90 and 90"],
    ["GET /v1/geocoding/reverse?lat=0&lon=181", "400 lon must be between -180 and 180"],
    ["GET /v1/geocoding/reverse?lat=0&lon=0&lon=0", "400 lon parameter must be given once"],
    ["GET /v1/geocoding/reverse?lat=%FF", ENCODING],
    [`GET /v1/geocoding/reverse?${"x".repeat(8193)}`, TOO_LONG],
    ["GET /v1/geocoding/reverse?lat=-48.8767&lon=-123.3933", "404 No location found at these coordinates"],
    ["GET /v1/geocoding/reverse?lat=48.8566&lon=2.3522&limit=3&radius=9000&types=landmark", "200"],
    ["GET /v1/geocoding/reverse?lat=0&lon=0&limit=11", "400 limit must be an integer between 1 and 10"],
    ["GET /v1/geocoding/reverse?lat=0&lon=0&fields=", FACTS],
    ["DELETE /v1/geocoding/reverse", "404 Cannot DELETE /v1/geocoding/reverse"],
  ],
  batch: [
    ["POST /v1/geocoding/batch", "400 queries must be an array of strings", "{}"],
    ["POST /v1/geocoding/batch", "400 queries array cannot be empty", items(0)],
    ["POST /v1/geocoding/batch", "400 queries array must contain between 1 and 100 items", items(101)],
    ["POST /v1/geocoding/batch", "400 request body must be at most 1048576 bytes", "x".repeat(1024 * 1024 + 1)],
    ["POST /v1/geocoding/batch", "200", '{"queries":[{"city":"Paris","state":"TX"},{"lat":1,"lon":2}]}'],
    ["GET /v1/geocoding/batch", "404 Cannot GET /v1/geocoding/batch"],
  ],
  place: [
    ["GET /v1/geocoding/place?ref=iata:CDG", "200"],
    ["GET /v1/geocoding/place", "400 ref parameter is required"],
    ["GET /v1/geocoding/place/x", "400 place_id must be an integer between 1 and 9007199254740991"],
    ["GET /v1/geocoding/place/1", "404 No such place"],
    ["GET /v1/geocoding/place?ref=%FF", ENCODING],
    ["POST /v1/geocoding/place/1", "404 Cannot POST /v1/geocoding/place/1"],
  ],
  health: [
    ["GET /health", "200"],
    ["POST /health", "404 Cannot POST /health"],
  ],
  "sla-metrics": [
    ["GET /sla-metrics", "200"],
    ["POST /sla-metrics", "404 Cannot POST /sla-metrics"],
    ["GET /sla-metrics/metering", "200"],
  ],
  "sla-history": [
    ["GET /sla-history", "200"],
    ["GET /sla-history?hours=169", "400 hours must be an integer between 1 and 168"],
    ["GET /sla-history?hours=1&hours=1", "400 hours parameter must be given once"],
    ["GET /sla-history?hours=%FF", ENCODING],
    ["POST /sla-history", "404 Cannot POST /sla-history"],
  ],
  coverage: [
    ["GET /coverage", "200"],
    ["POST /coverage", "404 Cannot POST /coverage"],
  ],
  openapi: [
    ["GET /openapi.yaml", "200"],
    ["POST /openapi.yaml", "404 Cannot POST /openapi.yaml"],
  ],
  unknown: [["GET /v2/geocoding/forward?query=x", "404 Cannot GET /v2/geocoding/forward"]],
};

const DURATION = "400 expiresIn must be a whole number of minutes, hours or days between 1m and 30d, such as 1h";

/** Changes of a key's credentials, with the answers of the token route. */
const EXCHANGES = [
  ["shop", {}, "200"],
  ["shop", { apiKey: undefined }, "400 apiKey is required"],
  ["shop", { apiSecret: undefined }, "400 apiSecret is required"],
  ["shop", { expiresIn: "31d" }, DURATION],
  ["shop", { more: "x".repeat(5000) }, "400 request body must be at most 4096 bytes"],
  ["shop", { apiKey: "gck_nobody" }, "401 Invalid API key"],
  ["shop", { apiSecret: "gcs_wrong" }, "401 Invalid API secret"],
  ["disabled", {}, "403 API key disabled"],
  ["office", {}, "403 IP not allowed"],
  ["page", {}, "403 Domain not allowed"],
  ["exchanged", {}, "429 Rate limit exceeded"],
];

const NAMES = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
};
const UNAVAILABLE = "503 Service temporarily unavailable";
const PAGE = { origin: "https://evil.test" };

/** Number of distinct pairs of route and answer. Increase it with each new row. */
const ROWS = 116;

const variables = deployed();
const keys = {};
const tokens = {};
const rows = new Set();
let service;
let broken;

before(async () => {
  [service, broken] = [await start({ secrets: variables }), await start({ secrets: { TOPONYM_PEPPER: "no JSON" } })];
  for (const name of ["shop", "deleted", "disabled", "page", "office", "exchanged"]) await add(name, "growth");
  await add("used", "free", { overrides: { perMonth: 1 } });
  await add("fast", "growth", { overrides: { perMinute: 1 } });
  await service.sendAs(tokens.used, ...GEOCODING.forward);
  await service.admin(`DELETE /admin/keys/${keys.deleted.apiKey}`);
  await change("disabled", { enabled: false });
  await change("page", { restrictions: { domains: ["shop.test"] } });
  await change("office", { restrictions: { ips: ["198.51.100.0/24"] } });
  tokens.forged = tokens.shop.replace(/.$/, (last) => (last === "A" ? "E" : "A"));
  tokens.expired = expired(tokens.shop);
});
after(() => Promise.all([service.stop(), broken.stop()]));

async function add(name, plan, rest) {
  keys[name] = await service.create(plan, rest);
  tokens[name] = await service.token("", keys[name]);
}

const change = (name, body) => service.admin(`PATCH /admin/keys/${keys[name].apiKey}`, body);

function exchange(name, changed, headers) {
  const { apiKey, apiSecret } = keys[name];
  return service.send("POST /api-clients/token", { body: JSON.stringify({ apiKey, apiSecret, ...changed }), headers });
}

// A token with the same claims, issued an hour ago and signed with the deployment's key.
function expired(token) {
  const [head, claims] = token.split(".");
  const now = JSON.parse(Buffer.from(claims, "base64url"));
  const then = Buffer.from(JSON.stringify({ ...now, iat: now.iat - 7200, exp: now.exp - 7200 })).toString("base64url");
  const key = Buffer.from(JSON.parse(variables.TOPONYM_SIGNING_KEYS).keys.k1, "base64");
  return `${head}.${then}.${createHmac("sha256", key).update(`${head}.${then}`).digest("base64url")}`;
}

// Sends requests until a limit refuses one.
async function refused(times, send) {
  let response;
  for (let n = 0; n < times; n++) {
    response = await send();
    if (response.status === 429) break;
    await response.arrayBuffer();
  }
  return response;
}

function row(route, asked, expect, send) {
  rows.add(`${route} ${expect}`);
  test(`${route}, ${asked.slice(0, 60)}: ${expect}`, async () => {
    const response = await send();
    const text = await response.text();
    const body = response.status < 400 ? {} : JSON.parse(text);
    assert.equal(`${response.status} ${body.message ?? ""}`.trim(), expect);
    const header = (name) => response.headers.get(name);
    assert.equal(header("access-control-allow-origin"), "*");
    assert.equal(header("x-content-type-options"), "nosniff");
    assert.ok(header("x-request-id"));
    assert.equal(response.headers.has("www-authenticate"), response.status === 401);
    // The 503 of /health is not about the request.
    const wait = { 429: `${body.retryAfter}`, 503: "ok" in body ? null : "1" }[response.status];
    assert.equal(header("retry-after"), wait ?? null);
    if (response.status < 400 || "ok" in body) return;
    assert.deepEqual([body.statusCode, body.error], [response.status, NAMES[response.status]]);
    assert.equal(body.quotaType, body.message === "Monthly quota exceeded" ? "monthly" : undefined);
    assert.equal(response.headers.has("x-ratelimit-limit"), looksAtKey(route, body), "rate limit headers where a key was looked up");
  });
}

// Whether an answer depends on the key: not with an invalid token, an unknown route, or an unreachable object.
function looksAtKey(route, { statusCode, message }) {
  if (route === "token") return ["Invalid API secret", "Rate limit exceeded"].includes(message) || statusCode === 403;
  return route in GEOCODING && statusCode !== 401 && statusCode !== 503 && !message.startsWith("Cannot ");
}

for (const [route, [line, body]] of Object.entries(GEOCODING)) {
  for (const [caller, expect] of CALLERS) {
    const authorization = () => (caller === "nobody" ? {} : { authorization: `Bearer ${tokens[caller]}` });
    const headers = () => ({ ...authorization(), ...(caller === "page" ? PAGE : {}) });
    const send = () => service.send(line, { headers: headers(), body });
    row(route, caller, expect, () => (caller === "fast" ? refused(2, send) : send()));
  }
  row(route, "a broken deployment", UNAVAILABLE, () => broken.sendAs("x", line, body));
}
for (const [route, asked] of Object.entries(ASKED)) {
  for (const [line, expect, body] of asked) row(route, line, expect, () => service.sendAs(tokens.shop, line, body));
}
for (const [name, changed, expect] of EXCHANGES) {
  const send = () => exchange(name, changed, name === "page" ? PAGE : {});
  row("token", `${name} ${JSON.stringify(changed)}`, expect, () => (name === "exchanged" ? refused(101, send) : send()));
}
row("token", "a broken deployment", UNAVAILABLE, () => broken.exchange("localdemo"));
const MISCONFIGURED = `${UNAVAILABLE}: a variable of the deployment is missing or wrong`;
row("health", "a broken deployment", MISCONFIGURED, () => broken.send("GET /health"));
for (const path of ["/coverage", "/openapi.yaml"]) {
  row(path.slice(1), "a known tag", "304", async () => {
    const tag = (await service.send(`GET ${path}`)).headers.get("etag");
    return service.send(`GET ${path}`, { headers: { "if-none-match": tag } });
  });
}

test("the table is whole", () => assert.equal(rows.size, ROWS));
