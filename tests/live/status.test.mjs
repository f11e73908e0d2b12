// Tests the status endpoints on workerd: figures that follow from real requests and survive evictions, cron triggers,
// and the page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";

const FORWARD = "GET /v1/geocoding/forward?query=Paris";

// Isolates send samples after 20 s, and answers are cached for 15 s: no wait takes this long.
const LONGEST_MS = 60_000;

let service;
before(async () => (service = await start()));
after(() => service.stop());

const get = (path, headers) => service.send(`GET ${path}`, { headers });
const figures = async (path) => (await get(path)).json();

/** Repeats a request until `holds`. Fails with the last answer. */
async function until(path, holds) {
  const end = Date.now() + LONGEST_MS;
  let body;
  do {
    body = await figures(path);
    if (holds(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 250));
  } while (Date.now() < end);
  assert.fail(`${path} still answers ${JSON.stringify(body)}`);
}

/** Evicts every object of a class from memory. Their storage stays. */
async function evictAll(kind) {
  const worker = service.server.getWorker();
  const ids = await worker.listDurableObjectIds(kind);
  assert.ok(ids.length > 0, kind);
  for (const id of ids) {
    await worker.evictDurableObject(kind, { id }).catch((error) => assert.match(error.message, /not currently running/));
  }
}

test("without traffic", async () => {
  const response = await get("/sla-metrics");
  assert.equal(response.headers.get("cache-control"), "public, max-age=15");
  assert.deepEqual(await response.json(), {
    period: "last_24h",
    window: "5m",
    latency: { p50: 1, p95: 1, p99: 1 },
    requests: { total: 0, successRate: 100, errorRate: 0 },
    availability: { uptime: 100 },
  });
  assert.deepEqual(await figures("/sla-history?hours=6"), { period: "last_6h", window: "5m", points: [] });
  for (const hours of ["0", "169", "x"]) assert.equal((await get(`/sla-history?hours=${hours}`)).status, 400);
});

test("health is true, for HEAD too", async () => {
  const response = await get("/health");
  assert.deepEqual([response.status, await response.json()], [200, { ok: true }]);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal((await service.send("HEAD /health")).status, 200);
});

test("every request with a genuine token is counted once, no other is, and the count outlives the memory of all objects", async () => {
  const token = await service.token("localdemo");
  // A tenth of the requests has no token.
  const burst = async (requests) => {
    const statuses = await Promise.all(Array.from({ length: requests }, async (_, n) => {
      const response = await (n % 10 === 0 ? service.send(FORWARD) : service.sendAs(token, FORWARD));
      await response.arrayBuffer();
      return response.status;
    }));
    assert.deepEqual(new Set(statuses), new Set([200, 401]));
  };
  await burst(200);
  await until("/sla-metrics", ({ requests }) => requests.total === 180);
  await evictAll("MetricsBoard");
  await burst(100);
  const { latency, requests } = await until("/sla-metrics", ({ requests }) => requests.total === 270);
  assert.deepEqual(requests, { total: 270, successRate: 100, errorRate: 0 });
  assert.ok(1 <= latency.p50 && latency.p50 <= latency.p95 && latency.p95 <= latency.p99, JSON.stringify(latency));
  const { points } = await until("/sla-history?hours=1", ({ points }) => points.length > 0);
  assert.ok(points.length <= 2);
  for (const { timestamp, p95, successRate } of points) {
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d[05]:00\.000Z$/);
    assert.ok(Date.now() - Date.parse(timestamp) < 3_600_000 && p95 >= 1 && successRate === 100);
  }
});

test("coverage keeps its instant until the cron trigger of the day, and is sent once", async () => {
  const first = await get("/coverage");
  const tag = first.headers.get("etag");
  assert.equal(first.headers.get("cache-control"), "public, max-age=3600");
  const { lastUpdated, totalCountries, regions, global } = await first.json();
  const countries = Object.values(regions).map((region) => region.countries);
  assert.equal(countries.reduce((sum, n) => sum + n), totalCountries);
  assert.deepEqual(Object.keys(regions), ["europe", "northAmerica", "southAmerica", "asia", "africa", "oceania"]);
  assert.equal(global.roadCoverage, 0);
  assert.equal((await figures("/coverage/countries")).countries.length, totalCountries);
  const again = await get("/coverage", { "if-none-match": tag });
  assert.deepEqual([again.status, await again.text(), again.headers.get("etag")], [304, "", tag]);
  assert.equal((await figures("/coverage")).lastUpdated, lastUpdated);
  const before = Date.now();
  const run = await service.server.getWorker().scheduled({ cron: "17 3 * * *", scheduledTime: new Date() });
  assert.equal(run.outcome, "ok");
  // An isolate caches its answer for a minute, but the board has the figures at once.
  const { BOARD } = await service.server.getWorker().getEnv();
  const answer = await BOARD.getByName("board").fetch("https://object.invalid/", { method: "POST", body: '"coverage"' });
  const { at_ms } = (await answer.json()).coverage;
  assert.ok(at_ms >= before && at_ms <= Date.now() && at_ms > Date.parse(lastUpdated));
});

test("the cron trigger of the minute probes the service", async () => {
  const run = await service.server.getWorker().scheduled({ cron: "* * * * *", scheduledTime: new Date() });
  assert.equal(run.outcome, "ok");
  const { availability } = await until("/sla-metrics", () => true);
  assert.deepEqual(availability, { uptime: 100 });
});

test("the sources are named", async () => {
  const { sources, made, madeOf, dataDate, notices } = await figures("/attribution");
  assert.ok(sources.length > 0 && sources.every((source) => source.length > 0) && typeof dataDate === "string");
  assert.ok(madeOf.length > 0 && madeOf.every(({ title }) => title.length > 0 && !title.includes("/")));
  assert.match(made.at, /^20\d\d-\d\d-\d\dT/);
  for (const text of ["Permission is hereby granted", "GNU LESSER GENERAL PUBLIC LICENSE", "UNICODE LICENSE", "Hunter WB"]) assert.ok(notices.includes(text), text);
});

test("the pages lie at / and /status, and hide no route of the API", async () => {
  for (const [path, text] of [["/", /<toponym-autocomplete/], ["/status", /<h1>Toponym<\/h1>/]]) {
    const page = await get(path);
    assert.match(page.headers.get("content-type"), /^text\/html/);
    assert.match(page.headers.get("content-security-policy"), /script-src 'self'/);
    assert.match(page.headers.get("content-security-policy"), /frame-ancestors 'none'/);
    assert.match(await page.text(), text);
  }
  for (const file of ["page.js", "page.css", "map.json"]) assert.equal((await get(`/status/${file}`)).status, 200, file);
  const unknown = await get("/status/nope");
  assert.deepEqual([unknown.status, (await unknown.json()).message], [404, "Cannot GET /status/nope"]);
});

/** One file of each pattern of `run_worker_first` with `!`. */
const FILES = ["/status/page.css", "/playground/page.js", "/playground/toponym/index.js", "/sw.js"];

test("files come from the platform, which is free, and are of no use to other sites", async () => {
  for (const file of FILES) {
    const response = await get(file);
    const header = (name) => response.headers.get(name);
    assert.deepEqual([response.status, header("access-control-allow-origin"), header("x-content-type-options")], [200, null, "nosniff"], file);
    assert.equal(header("strict-transport-security"), "max-age=31536000", file);
    // The Worker, which would answer 404, is not asked.
    const { status } = await service.send(`POST ${file}`);
    assert.equal(status, 405, file);
  }
});

test("the Worker answers what no file has, and each page of the index", async () => {
  for (const path of ["/status/nope", "/playground/nope", "/nope.js", "/places/root", "//places/root", "/%70laces/root", "/status/%2e%2e/places/root"]) {
    const response = await fetch(`${new URL(service.url).origin}${path}`);
    assert.equal(response.status, 404, path);
    assert.equal((await response.json()).error, "Not Found", path);
  }
});

test("a page takes no other method, and says so as the API does", async () => {
  for (const line of ["POST /", "DELETE /index.html", "PUT /status", "POST /playground/", "OPTIONS /"]) {
    const response = await service.send(line);
    assert.deepEqual([response.status, (await response.json()).message], [404, `Cannot ${line}`]);
  }
  assert.equal((await get("/index.html")).status, 200, "by way of /");
  assert.equal((await service.send("HEAD /")).status, 200);
});
