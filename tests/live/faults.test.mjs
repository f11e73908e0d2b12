// Tests that faults break only one request on workerd: a panic, exhausted memory, a stack overflow, disconnected
// clients. faults.mjs injects them; the runtime is workerd alone, one isolate.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startService } from "../workerd.mjs";
import { ROOT } from "./harness.mjs";

const FORWARD = "GET /v1/geocoding/forward?query=Paris";

/** Longer than a request may wait for one thing, milliseconds: edge-worker/src/under_way.rs. */
const STALLED_MS = 20_000;

/** Maximum number of polls of 100 ms for an event. */
const LOOKS = 100;

let started, service, token;
before(async () => {
  started = await startService({ faults: true, quiet: true });
  service = started.service;
  // A key that does not lease: its object is asked about every request.
  token = await service.token("", await service.create("growth", { overrides: { perMinute: 100_000 } }));
  assert.equal((await forward()).status, 200);
});
after(() => started.stop());

const forward = () => service.sendAs(token, FORWARD);
const faults = async (armed) => (await service.send(`${armed ? "POST" : "GET"} /faults`, { body: armed && JSON.stringify(armed) })).json();

async function until(holds) {
  for (let look = 0; look < LOOKS; look++) {
    if (await holds()) return;
    await wait(100);
  }
  assert.fail(`${holds} never holds`);
}

// The parts of an answer that are the same for all requests.
async function shape(response) {
  const headers = Object.fromEntries(response.headers);
  assert.match(headers["x-request-id"], /^[0-9a-f-]{16,36}$/);
  delete headers["x-request-id"];
  delete headers.date;
  return { status: response.status, headers, body: await response.json() };
}

const UNEXPECTED = { statusCode: 500, error: "Internal Server Error", message: "An unexpected error occurred" };

for (const fault of ["panic", "memory", "stack", "calls"]) {
  test(`${fault} in a request: it is answered 500, the next one 200`, async () => {
    await faults({ engine: { fault, times: 1 } });
    const { status, headers, body } = await shape(await forward());
    assert.deepEqual([status, body], [500, UNEXPECTED]);
    assert.deepEqual(headers, await headersOfPanic());
    assert.equal((await forward()).status, 200);
    assert.equal((await forward()).status, 200);
  });

  // Here objects share the isolate of the Worker, so a fault that ends one instance ends the other.
  const expect = fault === "panic" ? [503] : [500, 503];

  test(`${fault} in the object of a key: the request is answered ${expect.join(" or ")}, the next one 200`, async () => {
    await faults({ object: { fault, times: 1 } });
    const response = await forward();
    assert.ok(expect.includes(response.status), `${response.status}`);
    assert.equal((await response.json()).statusCode, response.status);
    assert.equal((await forward()).status, 200);
  });

  test(`${fault} in the probe of /health: ${expect.join(" or ")}, and well again later`, async () => {
    const health = async () => (await service.send("GET /health")).status;
    await until(async () => (await health()) === 200);
    await faults({ engine: { fault, times: 1 } });
    // A good result is cached for a moment.
    await until(async () => expect.includes(await health()));
    await until(async () => (await health()) === 200);
  });
}

async function headersOfPanic() {
  await faults({ engine: { fault: "panic", times: 1 } });
  return (await shape(await forward())).headers;
}

for (const place of ["ApiKey.read", "ApiKey.write"]) {
  test(`storage that fails once, ${place}: 503, nothing is charged, and nothing else breaks`, async () => {
    const key = await service.create("growth");
    const own = await service.token("", key);
    const ask = async () => {
      const response = await service.sendAs(own, FORWARD);
      return [response.status, response.headers.get("x-ratelimit-remaining")];
    };
    // The object loads its storage with its first request, and writes with each charge.
    await faults({ [place]: { fault: "the disk is full", times: 1 } });
    const waiting = forward();
    const first = await ask();
    assert.equal((await waiting).status === 503 || first[0] === 503, true, "one of them met it");
    await faults({ [place]: null });
    assert.deepEqual(await ask(), [200, first[0] === 200 ? "598" : "599"]);
    assert.equal((await forward()).status, 200);
  });
}

test("an isolate has the index once, and the next instance answers from what the last one had", async () => {
  const { inspector, service: inspected, stop } = await startService({ faults: true, inspected: true, quiet: true });
  try {
    const user = await inspected.token("localdemo");
    const ask = async (line) => {
      const response = await inspected.sendAs(user, line);
      return [response.status, await response.text()];
    };
    const lines = [FORWARD, "GET /v1/geocoding/autocomplete?q=mun", "GET /v1/geocoding/reverse?lat=48.9&lon=2.4&lang=ja"];
    // All at once, so that several requests open the index.
    const asked = async () => Promise.all(lines.map(ask));
    const before = await asked();
    assert.deepEqual(before.map(([status]) => status), [200, 200, 200]);
    const index = statSync(join(ROOT, "build/index.toponym")).size;
    const held = async () => (await inspector.ask("Runtime.getHeapUsage")).backingStorageSize;
    await inspector.collectGarbage();
    assert.ok((await held()) < index / 10, `${await held()} bytes of buffers beside the instance`);
    for (const fault of ["memory", "stack"]) {
      await inspected.send("POST /faults", { body: JSON.stringify({ engine: { fault, times: 1 } }) });
      assert.equal((await ask(FORWARD))[0], 500, fault);
      assert.deepEqual(await asked(), before, fault);
    }
  } finally {
    await stop();
  }
});

test("a request under way when the instance breaks down is answered as well", async () => {
  await faults({ "ApiKey.before": { fault: 300, times: 1 } });
  const waiting = forward();
  await faults({ engine: { fault: "memory", times: 1 } });
  assert.equal((await forward()).status, 500);
  const response = await waiting;
  assert.ok([200, 500].includes(response.status), `${response.status}`);
  assert.equal((await forward()).status, 200);
});

test("answers 500 count in the figures, whoever made them", async () => {
  await faults({ engine: { fault: "memory", times: 1 } });
  assert.equal((await forward()).status, 500);
  const { samples, failed } = await faults();
  assert.deepEqual([samples, failed], [1, 1], "the next instance begins with it");
  await faults({ engine: { fault: "memory", times: 1 } });
  assert.equal((await service.send("GET /health")).status, 500);
  assert.equal((await service.send(FORWARD)).status, 401);
  assert.equal((await faults()).failed, 0, "without a token nothing counts");
});

// Aborts an upload of a megabyte midway: once the first part is on its way, or answered.
async function upload(untilAnswered) {
  const headers = { authorization: `Bearer ${token}`, "content-length": 1_000_000 };
  const sent = request(new URL("/v1/geocoding/batch", service.url), { method: "POST", headers });
  const closed = new Promise((resolve) => sent.on("close", resolve).on("error", () => {}));
  const answered = untilAnswered && once(sent, "response");
  await new Promise((resolve) => sent.write(Buffer.alloc(100_000), resolve));
  const [response] = untilAnswered ? await answered : [];
  sent.destroy();
  await closed;
  return response?.statusCode;
}

/** As many concurrent requests as a machine of two cores takes without queueing. */
const AT_ONCE = 50;
const ROUNDS = 20;

const uploads = async (untilAnswered, expect) => {
  for (let round = 0; round < ROUNDS; round++) {
    const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => upload(untilAnswered)));
    for (const status of statuses) assert.equal(status, expect);
  }
};

test("1,000 clients that go away while they send leave nothing behind", async () => {
  await uploads(false);
  await settled();
  assert.equal((await forward()).status, 200);
});

test("1,000 requests that the platform ends where they wait leave nothing behind, and are bounded until then", async () => {
  await faults({ client: true });
  await uploads(true, 499);
  await faults({ client: null });
  const { waiting, held } = await faults();
  assert.ok(held <= 8 * 1024 * 1024 && waiting <= 2_000, `${waiting} requests with ${held} bytes are held`);
  assert.equal((await forward()).status, 200);
  await settled();
  const batch = await service.sendAs(token, "POST /v1/geocoding/batch", '{"queries":["Paris"]}');
  assert.equal(batch.status, 200);
});

// Waits until there are no requests under way and no bodies. Those of clients that have gone are given up once they have not gone on
// for a while: the clock goes on, and another request looks for them.
async function settled() {
  await faults({ clock: STALLED_MS });
  await until(async () => {
    assert.equal((await service.send("GET /attribution")).status, 200);
    const { waiting, held } = await faults();
    return waiting === 0 && held === 0;
  });
  await faults({ clock: null });
}

test("what is deployed has no faults", () => {
  const holds = (file, text) => readFileSync(join(ROOT, file)).includes(text);
  assert.ok(holds("build/faults/index_bg.wasm", "toponymFault"));
  for (const file of ["index_bg.wasm", "index.js"]) {
    assert.ok(existsSync(join(ROOT, "edge-worker/build", file)));
    for (const trace of ["toponymFault", "isolateUsage", "a fault on demand"]) assert.ok(!holds(`edge-worker/build/${file}`, trace), `${file} has ${trace}`);
  }
  assert.doesNotMatch(readFileSync(join(ROOT, "edge-worker/entry.mjs"), "utf8"), /\bfaults?\b/i);
});
