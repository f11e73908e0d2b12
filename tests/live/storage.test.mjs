// Tests what survives: workerd is killed without a chance to write anything, and restarted on the same storage, or on databases with
// months without billing terms and with damaged rows.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Persisted } from "./persisted.mjs";

const ONE = "GET /v1/geocoding/autocomplete?q=Par";
const GARBAGE = "{";

// Isolates send samples after 20 s, and answers are cached for 15 s: no wait takes this long.
const LONGEST_MS = 60_000;

let persisted;
beforeEach(() => (persisted = new Persisted()));
afterEach(() => persisted.end());

/** The listed keys, by account. */
async function listed(service) {
  const { keys } = await (await service.admin("GET /admin/keys")).json();
  return Object.fromEntries(keys.map((key) => [key.apiKey, key]));
}

async function figures(service, holds) {
  const end = Date.now() + LONGEST_MS;
  let body;
  do {
    body = await (await service.send("GET /sla-metrics")).json();
    if (holds(body)) return body;
    await wait(250);
  } while (Date.now() < end);
  assert.fail(JSON.stringify(body));
}

test("a month without terms is billed, and rows that cannot be read are left out", async () => {
  const first = await persisted.serve();
  const [old, damaged, unlisted] = [
    await first.service.create("starter", { overrides: { perMonth: 10 } }),
    await first.service.create("growth", { account: "damaged" }),
    await first.service.create("growth", { account: "unlisted" }),
  ];
  const token = await first.service.token("", old);
  const damagedToken = await first.service.token("", damaged);
  for (let n = 0; n < 3; n++) assert.equal((await first.service.sendAs(token, ONE)).status, 200);
  await first.service.send("GET /coverage");
  await figures(first.service, ({ requests }) => requests.total === 3);
  await persisted.kill(first.child);

  const month = new Date();
  const present = month.getUTCFullYear() * 12 + month.getUTCMonth();
  persisted.eachStorage("record", (database) => {
    const { json } = database.prepare("SELECT json FROM record").get();
    if (JSON.parse(json).account === "damaged") database.exec(`UPDATE record SET json = '${GARBAGE}'`);
    if (JSON.parse(json).account !== "test") return;
    const insert = database.prepare("INSERT INTO months VALUES (?, ?, NULL)");
    [[present - 3, GARBAGE], [present - 2, 17], [present - 1, 5]].forEach((row) => insert.run(...row));
  });
  persisted.eachStorage("keys", (database) => {
    database.prepare("UPDATE keys SET json = ? WHERE api_key = ?").run(GARBAGE, unlisted.apiKey);
  });
  const thisHour = Math.floor(Date.now() / 3_600_000);
  persisted.eachStorage("hours", (database) => {
    database.prepare("INSERT INTO hours VALUES (?, ?)").run(thisHour - 2, GARBAGE);
    database.exec(`UPDATE facts SET json = '${GARBAGE}'`);
  });

  const { service, child } = await persisted.serve();
  assert.equal((await service.sendAs(token, ONE)).status, 200);
  const shown = await (await service.admin(`GET /admin/keys/${old.apiKey}`)).json();
  assert.deepEqual(shown.usage.map(({ used, overage, plan, included }) => [used, overage, plan, included]), [
    [4, 0, "starter", 10],
    [5, 0, "starter", 10],
    [17, 7, "starter", 10],
  ]);
  assert.equal(shown.unreadable, 1);
  await service.admin(`PATCH /admin/keys/${old.apiKey}`, { plan: "pay-as-you-go", overrides: {} });
  const changed = await (await service.admin(`GET /admin/keys/${old.apiKey}`)).json();
  assert.deepEqual(changed.usage.map(({ overage }) => overage), [4, 0, 7]);

  assert.equal((await service.send("GET /coverage")).status, 200);
  await figures(service, ({ requests }) => requests.total >= 4);
  const keys = await listed(service);
  assert.deepEqual(keys[unlisted.apiKey], { apiKey: unlisted.apiKey, account: "", name: "", unreadable: true });
  await service.token("", unlisted);

  assert.equal((await service.sendAs(damagedToken, ONE)).status, 503);
  await assert.rejects(service.token("", damaged), /503/);
  assert.match((await (await service.admin(`GET /admin/keys/${damaged.apiKey}`)).json()).message, /cannot be read/);
  assert.equal((await service.admin(`DELETE /admin/keys/${damaged.apiKey}`)).status, 204);
  assert.equal((await service.sendAs(damagedToken, ONE)).status, 401);
  await persisted.kill(child);
});

test("keys, tokens, counts, the month and a disabled key outlive a kill", async () => {
  const first = await persisted.serve();
  const key = await first.service.create("free", { overrides: { perMonth: 8 } });
  const other = await first.service.create("growth");
  const token = await first.service.token("", key);
  const otherToken = await first.service.token("", other);
  for (let n = 0; n < 5; n++) assert.equal((await first.service.sendAs(token, ONE)).status, 200);
  await first.service.admin(`PATCH /admin/keys/${other.apiKey}`, { enabled: false });
  await persisted.kill(first.child);

  const { service, child } = await persisted.serve();
  const sixth = await service.sendAs(token, ONE);
  assert.equal(sixth.status, 200, "the token is still good");
  const { keys } = await (await service.admin("GET /admin/keys")).json();
  assert.deepEqual(keys.map(({ apiKey }) => apiKey).sort(), [key.apiKey, other.apiKey].sort());
  const { usage } = await (await service.admin(`GET /admin/keys/${key.apiKey}`)).json();
  assert.equal(usage[0].used, 6);
  const batch = (n) => service.sendAs(token, "POST /v1/geocoding/batch", JSON.stringify({ queries: Array(n).fill("x") }));
  assert.equal((await batch(3)).status, 403, "three more exceed the month");
  assert.equal((await batch(2)).status, 200);
  const disabled = await service.sendAs(otherToken, ONE);
  assert.deepEqual([disabled.status, (await disabled.json()).message], [403, "API key disabled"]);
  await service.token("", key);
  await persisted.kill(child);
});
