// Tests that requests of one key are counted right where they come to several isolates: each request to another one, and a flood
// far over the limit while isolates, each a process of its own, are killed. tests/bench/service/leases.mjs does the second for
// longer and prints figures.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { exact, flood, worst } from "../bench/service/leases.mjs";
import { startService } from "../workerd.mjs";

/** Maximum number of polls of 100 ms for a report. */
const LOOKS = 100;

let started, service;
before(async () => {
  started = await startService({ faults: true, quiet: true });
  service = started.service;
  assert.equal((await service.send("GET /health")).status, 200);
  await service.send("POST /faults", { body: JSON.stringify({ isolate: true }) });
});
after(() => started.stop());

async function usageOf({ apiKey }) {
  const { usage } = await (await service.admin(`GET /admin/keys/${apiKey}`)).json();
  return usage[0];
}

test("who types in as many isolates as requests is never admitted too often, and what isolates borrowed comes back", async () => {
  const key = await service.create("free");
  const token = await service.token("", key);
  const statuses = { 200: 0, 429: 0 };
  for (let n = 0; n < 40; n++) statuses[(await service.sendAs(token, "GET /v1/geocoding/autocomplete?q=par")).status] += 1;
  // More than half of the limit is for leases while it is left.
  assert.ok(statuses[200] >= 15 && statuses[200] <= 30 && statuses[200] + statuses[429] === 40, JSON.stringify(statuses));
  assert.equal((await usageOf(key)).used, statuses[200]);
  // Each isolate reports what it did not use, behind its response.
  let more;
  for (let look = 0; look < LOOKS && more?.status !== 200; look++) {
    await wait(100);
    more = await service.sendAs(token, "GET /v1/geocoding/forward?query=Paris");
  }
  assert.equal(more.status, 200);
  assert.equal((await usageOf(key)).lost ?? 0, 0);
});

test("exactly the limit is admitted on routes that borrow nothing", async () => {
  const key = await service.create("free");
  const token = await service.token("", key);
  const ask = async () => (await service.sendAs(token, "GET /v1/geocoding/forward?query=Paris")).status;
  const statuses = await Promise.all(Array.from({ length: 60 }, ask));
  assert.equal(statuses.filter((status) => status === 200).length, 30);
  assert.equal((await usageOf(key)).used, 30);
});

const LIMIT = 6_000;

/** The limit is reached after a sixth of a minute, while isolates are killed. */
const FLOOD = { seconds: 18, isolates: 3, limit: LIMIT, times: 5 };

test("isolates that lease and die admit the limit, and never more", async () => {
  const { offered, admitted, statuses, usage, calls } = await flood(FLOOD);
  assert.deepEqual(Object.keys(statuses).sort(), ["200", "429"], JSON.stringify(statuses));
  assert.ok(worst(admitted) <= LIMIT, `${worst(admitted)} in a minute`);
  const share = admitted.length / exact(offered, LIMIT);
  assert.ok(share >= 0.9, `${share} of what an exact log admits`);
  assert.ok(usage.used <= LIMIT, `${usage.used} are billed`);
  assert.ok(calls < offered.length / 4, `${calls} questions for ${offered.length} requests`);
});
