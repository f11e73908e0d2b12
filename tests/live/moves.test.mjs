// Tests that a key moves from object to object on workerd, with all that its tables hold, while it is used.
// edge-worker/tests/service/moves.rs loses each message of a move natively.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";

const ONE = "GET /v1/geocoding/autocomplete?q=Par";
const BATCH = "POST /v1/geocoding/batch";

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
