// Tests that the usage of a key stays correct whatever happens to its storage, object, process and clock: nothing is
// lost, charged twice, or admitted over the limit. faults.mjs injects the faults, the runtime is workerd.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startService } from "../workerd.mjs";

const FORWARD = "GET /v1/geocoding/forward?query=Paris";

let started, service;
before(async () => {
  started = await startService({ faults: true, quiet: true });
  service = started.service;
});
after(() => started.stop());

const faults = async (armed) => (await service.send("POST /faults", { body: JSON.stringify(armed) })).json();
const atKey = async (what, { apiKey }) => (await service.send(`GET /faults?${what}=${apiKey}`)).json();

// Creates a key, with functions that send requests with its token.
async function keyOf(overrides, plan = "growth") {
  const key = await service.create(plan, { overrides });
  let token = await service.token("", key);
  const ask = async () => {
    const response = await service.sendAs(token, FORWARD);
    await response.arrayBuffer();
    return response;
  };
  const status = async () => (await ask()).status;
  const admin = async (method) => {
    const response = await service.admin(`${method} /admin/keys/${key.apiKey}`);
    return { status: response.status, ...(response.status === 200 ? await response.json() : {}) };
  };
  const months = async () => Object.fromEntries((await admin("GET")).usage.map(({ month, used }) => [month, used]));
  const used = async () => Object.values(await months()).reduce((sum, units) => sum + units, 0);
  const renew = async () => (token = await service.token("", key));
  return { ...key, ask, status, admin, months, used, renew };
}

// Runs `what` with the faults `armed`, and then disarms them.
async function during(armed, what) {
  await faults(armed);
  try {
    return await what();
  } finally {
    await faults(Object.fromEntries(Object.keys(armed).map((place) => [place, null])));
  }
}

// Isolates may decide by an earlier reply of an object. An evicted one is asked again.
const STORAGE = ["ApiKey.read", "ApiKey.write"];

for (const place of STORAGE) {
  test(`${place} fails: 503, nothing is charged, and it goes on afterwards`, async () => {
    const key = await keyOf();
    assert.equal(await key.status(), 200);
    await atKey("evict", key);
    await during({ [place]: "the disk is full" }, async () => {
      for (let n = 0; n < 3; n++) assert.equal(await key.status(), 503);
    });
    assert.equal(await key.used(), 1);
    assert.equal(await key.status(), 200);
    assert.equal(await key.used(), 2);
  });
}

test("a key whose deletion fails is there until it is deleted", async () => {
  const key = await keyOf();
  assert.equal(await key.status(), 200);
  const failed = await during({ "ApiKey.delete": "the disk is full" }, () => key.admin("DELETE"));
  assert.equal(failed.status, 503);
  assert.deepEqual([await key.status(), await key.used()], [200, 2]);
  assert.equal((await key.admin("DELETE")).status, 204);
  assert.equal((await key.admin("GET")).status, 404);
  assert.equal(await key.status(), 401);
});

test("an object that gets a request too late charges nothing for it", async () => {
  const key = await keyOf();
  assert.equal(await during({ "ApiKey.before": 2_000 }, key.status), 503);
  assert.equal(await key.status(), 200);
  assert.equal(await key.used(), 1);
});

// Looks until something holds: what goes on behind a request takes a moment.
async function until(holds) {
  for (let look = 0; look < 100; look++) {
    if (await holds()) return;
    await wait(50);
  }
  assert.fail(`${holds} never holds`);
}

test("a charge whose reply comes too late is given back", async () => {
  const key = await keyOf();
  assert.equal(await during({ "ApiKey.after": 3_000 }, key.status), 503);
  await until(async () => (await key.used()) === 0);
  const response = await key.ask();
  assert.deepEqual([response.status, response.headers.get("x-ratelimit-remaining")], [200, "599"]);
});

test("what was charged stays charged once, when its process is killed before the reply", async () => {
  const key = await keyOf();
  await faults({ "ApiKey.after": 60_000 });
  const before = (await faults({})).objects.ApiKey.requests;
  const waiting = key.status().catch(() => "killed");
  while ((await faults({})).objects.ApiKey.requests === before);
  await started.restart();
  assert.equal(await waiting, "killed");
  assert.equal(await key.used(), 1);
  const response = await key.ask();
  assert.deepEqual([response.status, response.headers.get("x-ratelimit-remaining")], [200, "598"]);
  assert.equal(await key.used(), 2);
});

/** The platform evicts an object some seconds after a request, so most keys lose theirs after each one. */
const EVICTIONS = 200;

test(`${EVICTIONS} evictions of a key that is used once each leave few rows`, async () => {
  const key = await keyOf();
  const minute = 60_000;
  try {
    for (let n = 1; n <= EVICTIONS; n++) {
      // Simulates half a minute between them.
      await faults({ clock: (n * minute) / 2 });
      if (n % 10 === 0) await key.renew();
      assert.equal(await key.status(), 200);
      await atKey("evict", key);
    }
    // The requests and the exchanges, and no log of them.
    assert.deepEqual(await atKey("rows", key), { record: 1, counts: 2, months: 0 });
    assert.equal(await key.used(), EVICTIONS);
  } finally {
    await faults({ clock: null });
  }
});

test("a month ends between two requests: its use is kept, and the next one begins at nothing", async () => {
  const key = await keyOf({ perMonth: 2 }, "free");
  const now = new Date();
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const name = (ms) => new Date(ms).toISOString().slice(0, 7);
  const at = async (ms) => {
    await faults({ clock: ms - Date.now() });
    await key.renew();
  };
  try {
    await at(next - 30_000);
    assert.deepEqual([await key.status(), await key.status(), await key.status()], [200, 200, 403]);
    await at(next + 1_000);
    assert.deepEqual([await key.status(), await key.status(), await key.status()], [200, 200, 403]);
    assert.deepEqual(await key.months(), { [name(next - 1)]: 2, [name(next)]: 2 });
  } finally {
    await faults({ clock: null });
  }
});

test("a clock that steps back and forth by 10 s admits no more than the limit, and holds nobody up", async () => {
  const key = await keyOf({ perMinute: 20 });
  let admitted = 0;
  try {
    for (let n = 0; n < 60; n++) {
      await faults({ clock: [0, 10_000, -10_000, 10_000, 0, -10_000][n % 6] });
      if (n % 20 === 19) await atKey("evict", key);
      const response = await key.ask();
      assert.ok([200, 429].includes(response.status), `${response.status}`);
      admitted += response.status === 200;
      if (response.status === 429) assert.ok(Number(response.headers.get("retry-after")) <= 82);
    }
    // What an object had in reserve when it was evicted counts as used.
    assert.ok(15 <= admitted && admitted <= 20, `${admitted}`);
    await faults({ clock: 92_000 });
    assert.equal(await key.status(), 200);
  } finally {
    await faults({ clock: null });
  }
});

test("a refusal states a true wait for each cost, and never to whom a restriction refuses", async () => {
  const key = await service.create("free", { restrictions: { ips: ["198.51.100.0/24"] } });
  const owner = { "cf-connecting-ip": "198.51.100.7" };
  const body = JSON.stringify(key);
  const exchanged = await service.send("POST /api-clients/token", { headers: owner, body });
  const { token } = await exchanged.json();
  const batch = (n, headers = owner) =>
    service.send("POST /v1/geocoding/batch", { headers: { authorization: `Bearer ${token}`, ...headers }, body: JSON.stringify({ queries: Array(n).fill("Paris") }) });
  assert.equal((await batch(20)).status, 200);
  await during({ clock: 2_000 }, async () => {
    assert.equal((await batch(10)).status, 200);
    const resets = [];
    for (const n of [1, 20, 21, 30, 100, 1]) {
      const refused = await batch(n);
      assert.deepEqual([refused.status, Number(refused.headers.get("x-ratelimit-remaining"))], [429, 0]);
      resets.push(Number(refused.headers.get("x-ratelimit-reset")));
      const barred = await batch(n, { "cf-connecting-ip": "203.0.113.7" });
      assert.deepEqual([barred.status, (await barred.json()).message, Number(barred.headers.get("x-ratelimit-remaining"))], [403, "IP not allowed", 0]);
    }
    const [one, twenty, more, all, batchOfAll, again] = resets;
    assert.deepEqual([twenty, all, batchOfAll, again], [one, more, more, one]);
    assert.ok(more - one >= 2 && more - one <= 3, `${resets}`);
  });
});
