// Tests settings of wrangler.toml that only the real platform obeys, and what `wrangler tail` and the logs that they ask for show
// of calls of objects: neither keys nor addresses of callers.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startService } from "../workerd.mjs";
import { ROOT } from "./harness.mjs";

const { unstable_readConfig } = createRequire(join(ROOT, "edge-worker/package.json"))("wrangler");

const config = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });

// The platform's own line for a request holds its whole URL, and so the text of the query.
test("the platform logs what the Worker says, and no requests", () => {
  const { enabled, logs } = config.observability;
  assert.equal(enabled, true);
  assert.equal(logs.invocation_logs, false);
});

test("every class of objects has been given a storage", () => {
  const classes = config.durable_objects.bindings.map(({ class_name }) => class_name);
  const of = (what) => config.migrations.flatMap((migration) => migration[what] ?? []);
  const stored = of("new_sqlite_classes").filter((name) => !of("deleted_classes").includes(name));
  assert.deepEqual(stored.sort(), classes.sort());
});

/** Looks of 100 ms until events have come. */
const LOOKS = 100;

let running;
before(async () => (running = await startService({ quiet: true, tail: true })));
after(() => running.stop());

test("a call of an object shows no key, no secret and no address", async () => {
  const { service } = running;
  const key = await service.create("growth");
  const token = await service.token("", key);
  const response = await service.send("GET /v1/geocoding/forward?query=Paris", { headers: { authorization: `Bearer ${token}`, "cf-connecting-ip": "203.0.113.77" } });
  assert.equal(response.status, 200);
  let calls = [];
  for (let look = 0; look < LOOKS && calls.length < 3; look++) {
    await wait(100);
    calls = (await running.tailed()).filter(({ entrypoint }) => entrypoint === "ApiKey" || entrypoint === "Directory");
  }
  assert.ok(calls.length >= 3, "it was created, exchanged and charged");
  const shown = JSON.stringify(calls);
  for (const secret of [key.apiKey, key.apiSecret, token, "203.0.113.77"]) assert.ok(!shown.includes(secret), shown);
});
