// Tests that clients who go away stall nobody else who uses a key that leases: its object is 150 ms away, and most requests are
// aborted before it can answer, as a search field does with each further key.

import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startService } from "../workerd.mjs";

const [ONE, BATCH] = ["GET /v1/geocoding/autocomplete?q=Par", "POST /v1/geocoding/batch"];

/** A batch, and what it costs: as much as many requests, without their number. */
const COST = 25;
const BODY = JSON.stringify({ queries: Array.from({ length: COST }, () => ({ lat: 0, lon: -150 })) });

/** How far the object is away, milliseconds: there, and back. */
const WAYS_MS = { "ApiKey.before": 75, "ApiKey.after": 75 };

/** Requests a second that are aborted, and when, milliseconds. */
const ABORTS = 20;
const ABORTED_MS = 60;

/** Between two looks at what is to be sent, milliseconds. */
const TICK_MS = 10;

let started, service;
before(async () => {
  started = await startService({ faults: true, quiet: true });
  service = started.service;
  assert.equal((await service.send("GET /health")).status, 200);
});
after(() => started.stop());

beforeEach(async () => {
  await service.send("POST /faults", { body: JSON.stringify(WAYS_MS) });
});

const agent = new Agent({ keepAlive: true });
after(() => agent.destroy());

function send(line, headers, options) {
  const [method, path] = line.split(" ");
  return request(new URL(path, service.url), { method, headers, ...options }).end(line === BATCH ? BODY : undefined);
}

// Sends a request and returns its status.
async function stay(line, headers) {
  const [response] = await once(send(line, headers, { agent }), "response");
  await once(response.resume(), "end");
  return response.statusCode;
}

// Sends a request and aborts it before it is answered: with a reset, which workerd notices at once, where it would wait for more of a
// connection that is only closed.
async function goAway(headers) {
  const sent = send(ONE, headers);
  sent.on("error", () => {});
  await wait(ABORTED_MS);
  if (sent.socket) sent.socket.resetAndDestroy();
  else sent.destroy();
}

// Calls `act` so many times a second, for some seconds. Returns what came of it.
async function paced(perSecond, seconds, act) {
  const acts = [];
  const begin = performance.now();
  for (let now = 0; now < seconds * 1_000; now = performance.now() - begin) {
    while (acts.length < (now / 1_000) * perSecond) acts.push(act());
    await wait(TICK_MS);
  }
  return Promise.all(acts);
}

// A key that leases, of which the isolate knows that.
async function headersOf(perMinute) {
  const key = await service.create("enterprise", { overrides: { perMinute } });
  const headers = { authorization: `Bearer ${await service.token("", key)}` };
  assert.equal(await stay(ONE, headers), 200);
  return headers;
}

// Sends requests while others are aborted, and counts the statuses. Those that are aborted begin a second before.
async function storm(line, headers, perSecond, seconds) {
  const away = paced(ABORTS, seconds + 1, () => goAway(headers));
  await wait(1_000);
  const statuses = await paced(perSecond, seconds, () => stay(line, headers));
  await away;
  return Object.fromEntries([...new Set(statuses)].map((status) => [status, statuses.filter((one) => one === status).length]));
}

test("requests that stay are answered while 20 a second are aborted", async (t) => {
  const statuses = await storm(ONE, await headersOf(60_000), 5, 8);
  t.diagnostic(JSON.stringify(statuses));
  assert.deepEqual(Object.keys(statuses), ["200"], JSON.stringify(statuses));
});

test("the limit is reached and never passed while 20 a second are aborted", async (t) => {
  const [limit, perSecond, seconds] = [6_000, 25, 12];
  const statuses = await storm(BATCH, await headersOf(limit), perSecond, seconds);
  const admitted = (statuses[200] ?? 0) * COST;
  t.diagnostic(`${JSON.stringify(statuses)}, ${admitted} units of ${limit}`);
  assert.deepEqual(Object.keys(statuses).toSorted(), ["200", "429"], JSON.stringify(statuses));
  const aborted = ABORTS * (seconds + 1);
  assert.ok(admitted <= limit, `${admitted} were admitted`);
  assert.ok(admitted >= 0.9 * limit - aborted, `${admitted} were admitted`);
});
