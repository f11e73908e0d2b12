// Tests that a key moves from object to object on workerd, with all that its tables hold, while it is used.
// edge-worker/tests/service/moves.rs loses each message of a move natively.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { start } from "./harness.mjs";

// Of a route that borrows nothing.
const ONE = "GET /v1/geocoding/forward?query=Paris";
const BATCH = "POST /v1/geocoding/batch";

// Whoever types reports within two seconds what was lent: no wait takes this long.
const LONGEST_MS = 30_000;

let service;
before(async () => (service = await start()));
after(() => service.stop());

const show = async ({ apiKey }) => (await service.admin(`GET /admin/keys/${apiKey}`)).json();
const move = (key, location) => service.admin(`POST /admin/keys/${key.apiKey}/location`, { location });
const remaining = (response) => [response.status, Number(response.headers.get("x-ratelimit-remaining"))];

/** Sends, and repeats what is answered 503, which is not charged: a busy machine, or a move. */
async function send(token, line = ONE, body = undefined) {
  for (;;) {
    const response = await service.sendAs(token, line, body);
    if (response.status !== 503) return response;
    await response.arrayBuffer();
  }
}

test("a key moves with its minute, its month, its exchanges and its secret", async () => {
  const key = await service.create("growth", { location: "enam" });
  const token = await service.token("", key);
  await send(token, BATCH, JSON.stringify({ queries: Array(40).fill("Paris") }));
  const wrong = () => service.send("POST /api-clients/token", { body: JSON.stringify({ apiKey: key.apiKey, apiSecret: "gcs_wrong" }) });
  assert.equal((await wrong()).headers.get("x-ratelimit-remaining"), "98", "beside the exchange of the token");

  const moved = await (await move(key, "weur")).json();
  assert.equal(moved.location, "weur");
  assert.deepEqual(remaining(await send(token)), [200, 559]);
  assert.equal((await wrong()).headers.get("x-ratelimit-remaining"), "97", "wrong secrets are remembered");
  for (const name of [key.apiKey, `${key.apiKey}/1`]) await service.evict(name);
  assert.deepEqual(remaining(await send(token)), [200, 558], "it is on the disk");
  assert.ok(await service.token("", key), "its secret is the same");
  assert.equal((await (await move(key, "weur")).json()).location, "weur", "it is there already");
  const { usage } = await show(key);
  assert.deepEqual(usage.map(({ used }) => used), [42]);
});

test("a key that moves in the middle of a word counts it once", async () => {
  const key = await service.create("growth");
  const token = await service.token("", key);
  for (const text of ["P", "Pa", "Par"]) assert.equal((await send(token, `GET /v1/geocoding/autocomplete?q=${text}`)).status, 200);
  assert.equal((await move(key, "weur")).status, 200);
  for (const text of ["Pari", "Paris"]) assert.equal((await send(token, `GET /v1/geocoding/autocomplete?q=${text}`)).status, 200);
  // What was lent is reported after its end.
  const used = async () => (await show(key)).usage[0].used;
  const end = Date.now() + LONGEST_MS;
  while ((await used()) < 5 && Date.now() < end) await wait(100);
  assert.equal(await used(), 5);
  for (const name of [key.apiKey, `${key.apiKey}/1`]) await service.evict(name);
  assert.deepEqual(remaining(await send(token)), [200, 594]);
  assert.equal(await used(), 6);
});

test("while a key moves under load it is admitted to its limit and no further", async () => {
  const key = await service.create("growth");
  const token = await service.token("", key);
  const statuses = {};
  const load = async () => {
    for (let n = 0; n < 30; n++) {
      const response = await send(token);
      await response.arrayBuffer();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    }
  };
  const moving = async () => {
    for (const location of ["weur", "oc", "sam", "me", "apac"]) assert.equal((await move(key, location)).status, 200, location);
  };
  await Promise.all([moving(), ...Array.from({ length: 30 }, load)]);
  assert.deepEqual(statuses, { 200: 600, 429: 300 });
  const { usage, location } = await show(key);
  assert.deepEqual([usage.map(({ used }) => used), location], [[600], "apac"]);
});

test("a key that moved can be deleted", async () => {
  const key = await service.create("free");
  const token = await service.token("", key);
  await move(key, "weur");
  assert.equal((await send(token)).status, 200);
  assert.equal((await service.admin(`DELETE /admin/keys/${key.apiKey}`)).status, 204);
  assert.equal((await send(token)).status, 401);
  assert.equal((await service.admin(`GET /admin/keys/${key.apiKey}`)).status, 404);
  assert.equal((await move(key, "oc")).status, 404);
});
