// Tests that a flood of public requests reaches objects a bounded number of times, whether they answer, fail or are
// late.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startService } from "../workerd.mjs";

const REQUESTS = 1_000;
const AT_ONCE = 100;

/** How long answers and failures are cached, milliseconds. */
const HOLDS_MS = { health: 1_000, sla: 15_000, failure: 1_000 };

let service;
let stop;
before(async () => {
  ({ service, stop } = await startService({ faults: true, quiet: true }));
  assert.equal((await service.send("GET /health")).status, 200);
});
after(() => stop());

const faults = async (armed) => (await service.send(`${armed ? "POST" : "GET"} /faults`, { body: armed && JSON.stringify(armed) })).json();

// Sends `REQUESTS` requests, some at once, each different from the one before. Returns the distinct answers, how often an
// object of `kind` was called, and how long it took.
async function flood(kind, line) {
  const before = (await faults()).objects[kind]?.requests ?? 0;
  const started = Date.now();
  const answers = new Map();
  let sent = 0;
  const caller = async () => {
    while (sent < REQUESTS) {
      const response = await service.send(line(sent++));
      const { message } = await response.json();
      const answer = `${response.status} ${message ?? ""}`.trim();
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return { answers: [...answers.keys()], asked: ((await faults()).objects[kind]?.requests ?? 0) - before, ms: Date.now() - started };
}

// Checks that objects are called at most as often as answers expire, plus two for those under way at either end.
async function check(kind, line, holdsMs, expect, least = 1) {
  const { answers, asked, ms } = await flood(kind, line);
  assert.deepEqual(answers, [expect]);
  const most = 2 + Math.floor(ms / holdsMs);
  assert.ok(least <= asked && asked <= most, `${kind} was asked ${asked} times in ${ms} ms`);
}

const UNAVAILABLE = "503 Service temporarily unavailable";
const HEALTH = "GET /health";

// The board is asked for a day, or for the longest history there is.
const day = (n) => `GET /sla-history?hours=${1 + (n % 24)}`;
const week = (n) => `GET /sla-history?hours=${25 + (n % 144)}`;

/** Maximum number of polls of 100 ms until an earlier answer expires. */
const LOOKS = 200;

async function until(line, expect) {
  for (let look = 0; look < LOOKS; look++) {
    const response = await service.send(line);
    if (`${response.status} ${(await response.json()).message ?? ""}`.trim() === expect) return;
    await wait(100);
  }
  assert.fail(`${line} never answers ${expect}`);
}

async function during(armed, check) {
  await faults(armed);
  try {
    await check();
  } finally {
    await faults(Object.fromEntries(Object.keys(armed).map((place) => [place, null])));
  }
}

test("/health asks the object of a key once a second", async () => {
  await check("ApiKey", () => HEALTH, HOLDS_MS.health, "200", 0);
});

const UNWELL = [
  [{ "ApiKey.read": "the disk is gone" }, "the object of a key does not answer"],
  [{ "ApiKey.before": 1_200 }, "the object of a key answers too late"],
  [{ "ApiKey.after": 5_000 }, "the object of a key does not answer"],
  [{ engine: "panic" }, "an unexpected error occurred"],
];

for (const [armed, reason] of UNWELL) {
  test(`/health with ${JSON.stringify(armed)}: ${reason}`, async () => {
    await during(armed, async () => {
      await until(HEALTH, `${UNAVAILABLE}: ${reason}`);
      await check("ApiKey", () => HEALTH, HOLDS_MS.failure, `${UNAVAILABLE}: ${reason}`, 0);
    });
    await until(HEALTH, "200");
  });
}

test("a board that is late is asked once a second, and its answers come back", async () => {
  for (const history of [day, week]) {
    await during({ "MetricsBoard.before": 2_000 }, () => check("MetricsBoard", history, HOLDS_MS.failure, UNAVAILABLE));
    await until(history(0), "200");
  }
});

test("the board is asked once for the figures, once for every day, and once for every longer history", async () => {
  await check("MetricsBoard", day, HOLDS_MS.sla, "200", 0);
  await check("MetricsBoard", week, HOLDS_MS.sla, "200", 0);
  await check("MetricsBoard", () => "GET /sla-metrics", HOLDS_MS.sla, "200");
  await check("MetricsBoard", () => "GET /coverage", HOLDS_MS.sla, "200");
});
