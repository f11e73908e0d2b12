// Tests metering on workerd: what is admitted, what survives an eviction of the object, and concurrent requests.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";

const ONE = "GET /v1/geocoding/autocomplete?q=Par";

/** What no key lends units for: each request asks the object. */
const FORWARD = "GET /v1/geocoding/forward?query=Paris";
const BATCH = "POST /v1/geocoding/batch";

// TOPONYM_EVICTIONS sets another number. Each takes some 50 ms.
const EVICTIONS = Number(process.env.TOPONYM_EVICTIONS ?? 50);

let service;
// With keys from before they had marks, of which anybody can guess the form.
before(async () => (service = await start({ secrets: { UNMARKED_KEYS: "true" } })));
after(() => service.stop());

const left = (response) => Number(response.headers.get("x-ratelimit-remaining"));

test("a batch is charged by item, all or nothing, and a refusal states a true wait", async () => {
  const token = await service.token("localfree");
  const batch = (n) => service.sendAs(token, BATCH, JSON.stringify({ queries: Array(n).fill("Paris") }));
  const first = await batch(20);
  assert.deepEqual([first.status, left(first)], [200, 10]);
  const refused = await batch(11);
  assert.deepEqual([refused.status, left(refused)], [429, 10]);
  const { message, retryAfter } = await refused.json();
  assert.equal(message, "Rate limit exceeded");
  assert.equal(Number(refused.headers.get("retry-after")), retryAfter);
  const reset = Number(refused.headers.get("x-ratelimit-reset"));
  assert.ok(Math.abs(reset - Date.now() / 1000 - retryAfter) <= 1.5 && retryAfter > 50 && retryAfter <= 61);
});

test("a key that is gone stays gone", async () => {
  const key = await service.create("growth");
  const token = await service.token("", key);
  assert.equal((await service.sendAs(token, ONE)).status, 200);
  assert.equal((await service.admin(`DELETE /admin/keys/${key.apiKey}`)).status, 204);
  for (let n = 0; n < 20; n++) assert.equal((await service.sendAs(token, ONE)).status, 401);
});

test("counts outlive the memory of their object", async () => {
  const key = await service.create("growth", { overrides: { perMinute: 10_000 } });
  const token = await service.token("", key);
  for (let round = 1; round <= EVICTIONS; round++) {
    const response = await service.sendAs(token, FORWARD);
    assert.equal(response.status, 200);
    // After 900 rounds the first may have left the minute.
    if (round <= 500) assert.equal(left(response), 10_000 - round);
    await service.evict(key.apiKey);
  }
  const { usage } = await (await service.admin(`GET /admin/keys/${key.apiKey}`)).json();
  assert.equal(usage[0].used, EVICTIONS);
});

test("of 2,000 requests at once on a limit of 600 exactly 600 are admitted", async () => {
  const token = await service.token("", await service.create("growth"));
  const counts = {};
  const caller = async () => {
    for (let n = 0; n < 20; n++) {
      const response = await service.sendAs(token, ONE);
      await response.arrayBuffer();
      counts[response.status] = (counts[response.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 100 }, caller));
  assert.deepEqual(counts, { 200: 600, 429: 1400 });
});

test("the month's count is kept over evictions and stops a key that has a cap", async () => {
  const key = await service.create("free", { overrides: { perMonth: 3 } });
  const token = await service.token("", key);
  for (let n = 0; n < 3; n++) {
    assert.equal((await service.sendAs(token, ONE)).status, 200);
    await service.evict(key.apiKey);
  }
  const refused = await service.sendAs(token, ONE);
  const { message, quotaType, resetAt } = await refused.json();
  assert.deepEqual([refused.status, message, quotaType], [403, "Monthly quota exceeded", "monthly"]);
  const now = new Date();
  assert.equal(resetAt, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString());
  const { usage } = await (await service.admin(`GET /admin/keys/${key.apiKey}`)).json();
  assert.deepEqual([usage[0].used, usage[0].overage], [3, 0]);
});

test("a bad request costs one, a request without a key nothing", async () => {
  const token = await service.token("localdemo");
  const before = left(await service.sendAs(token, ONE));
  await service.send(ONE);
  await service.sendAs("x", ONE);
  await service.send("GET /health");
  await service.send("GET /nope");
  const bad = await service.sendAs(token, "GET /v1/geocoding/autocomplete");
  assert.deepEqual([bad.status, left(bad)], [400, before - 1]);
});

test("the hundred-and-first exchange of a minute is refused", async () => {
  let response;
  for (let n = 0; n < 101; n++) {
    response = await service.exchange("localfree");
    if (response.status === 429) break;
    await response.arrayBuffer();
  }
  assert.equal(response.status, 429);
  const { message, retryAfter } = await response.json();
  assert.equal(message, "Rate limit exceeded");
  assert.ok(retryAfter >= 1 && retryAfter <= 61);
  assert.equal(response.headers.get("x-ratelimit-limit"), "100");
});

test("wrong secrets from elsewhere do not lock the owner out", async () => {
  const key = await service.create("free");
  const exchange = (ip, apiSecret) =>
    service.send("POST /api-clients/token", { headers: { "cf-connecting-ip": ip }, body: JSON.stringify({ ...key, apiSecret }) });
  const statuses = {};
  for (let n = 0; n < 110; n++) {
    const { status } = await exchange("198.51.100.66", "gcs_wrong");
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  assert.deepEqual(statuses, { 401: 100, 429: 10 });
  await service.evict(key.apiKey);
  assert.equal((await exchange("198.51.100.66", key.apiSecret)).status, 429, "this network has had its hundred");
  assert.equal((await exchange("198.51.100.7", key.apiSecret)).status, 200);
});

test("keys that nobody created are guarded by address, and no key with a mark is", async () => {
  const credentials = await service.create("free");
  const guess = (n) => service.send("POST /api-clients/token", { body: `{"apiKey":"gck_guess${n}","apiSecret":"gcs_x"}` });
  const statuses = [];
  // The platform's windows start at its own minutes. With twice the limit plus one, one window exceeds the limit.
  while (statuses.length < 201 && statuses.at(-1) !== 429) {
    const response = await guess(statuses.length);
    statuses.push(response.status);
    await response.arrayBuffer();
  }
  assert.equal(statuses.at(-1), 429, statuses.join(" "));
  assert.ok(statuses.length > 1 && statuses.slice(0, -1).every((status) => status === 401), statuses.join(" "));
  assert.ok(await service.token("", credentials), "behind the same address");
  const wrong = credentials.apiKey.slice(0, -6) + (credentials.apiKey.endsWith("000000") ? "111111" : "000000");
  const response = await service.send("POST /api-clients/token", { body: JSON.stringify({ ...credentials, apiKey: wrong }) });
  assert.deepEqual([response.status, (await response.json()).message], [401, "Invalid API key"], "it is known to be a guess");
});
