// Tests storage of earlier versions and damaged storage: the service is killed, its databases are changed, and it is
// restarted on them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Persisted } from "./persisted.mjs";

const ONE = "GET /v1/geocoding/autocomplete?q=Par";
const GARBAGE = "{";

// Isolates send samples after 20 s, and answers are cached for 15 s: no wait takes this long.
const LONGEST_MS = 60_000;

/** Rows of one request every 15 s for a month, from when rows of sparse keys were never deleted. */
const SPARSE_ROWS = 172_800;

/** The tables of versions that stored a log: those of the first one, which had no billing terms and no log of wrong secrets. */
const LOG = `
  DROP TABLE counts;
  CREATE TABLE entries (
    meter INTEGER NOT NULL, slot INTEGER NOT NULL, units INTEGER NOT NULL,
    month INTEGER NOT NULL, month_used INTEGER NOT NULL, PRIMARY KEY (meter, slot)
  ) WITHOUT ROWID;
  ALTER TABLE months DROP COLUMN billing;
`;

let persisted;
before(() => (persisted = new Persisted()));
after(() => persisted.end());

/** Asks for a key until its object has taken its storage over, which may take longer than a question waits for it. */
async function takenOver(service, { apiKey }) {
  const end = Date.now() + LONGEST_MS;
  while ((await service.admin(`GET /admin/keys/${apiKey}`)).status !== 200) {
    assert.ok(Date.now() < end, "the object does not answer");
    await wait(250);
  }
}

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

test("storage of an earlier version is read, and rows that cannot be read are left out", async () => {
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
    database.exec(LOG);
    database.prepare("INSERT INTO months VALUES (?, 17), (?, 5)").run(present - 2, present - 1);
    const now = Math.floor(Date.now() / 100);
    const insert = database.prepare("INSERT INTO entries VALUES (0, ?, ?, ?, ?)");
    database.exec("BEGIN");
    for (let row = 0; row < SPARSE_ROWS; row++) insert.run(now - 30_000 - 150 * row, 1, present, 3);
    insert.run(now - 10, GARBAGE, present, 3);
    database.exec("COMMIT");
  });
  persisted.eachStorage("keys", (database) => {
    database.prepare("UPDATE keys SET json = ? WHERE api_key = ?").run(GARBAGE, unlisted.apiKey);
  });
  persisted.eachStorage("sums", (database) => {
    // Earlier versions had totals by shard.
    database.exec("CREATE TABLE totals (bucket INTEGER, shard TEXT, sequence INTEGER, json TEXT); INSERT INTO totals VALUES (1, 's', 1, '{}')");
    database.prepare("INSERT INTO sums VALUES (1, ?)").run(GARBAGE);
    database.exec(`INSERT INTO probes VALUES (1, '${GARBAGE}'); UPDATE coverage SET json = '${GARBAGE}'`);
  });
  persisted.eachStorage("isolates", (database) => database.exec(`UPDATE isolates SET json = '${GARBAGE}'`));

  const { service, child } = await persisted.serve();
  await takenOver(service, old);
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

  // What was moved is there once.
  persisted.eachStorage("entries", () => assert.fail("the log is there still"));
  persisted.eachStorage("counts", (database) => {
    // The other keys have exchanges alone.
    for (const { json } of database.prepare("SELECT json FROM counts WHERE id = 0").all()) {
      const { used, slots } = JSON.parse(json);
      assert.ok(used === 4 && slots.length <= 2, json);
    }
  });
});
