// Tests leases on workerd: several isolates, each a process of its own, far over the limit of one key, while isolates are
// killed. tests/bench/service/leases.mjs does the same for longer and prints figures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { exact, flood, worst } from "../bench/service/leases.mjs";

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
