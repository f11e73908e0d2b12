// Tests settings of wrangler.toml that only the real platform obeys.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
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
