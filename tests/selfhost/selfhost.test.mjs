// Tests the service on a machine of one's own: what survives a stop and a kill, how it stops, what its scripts say.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../servers.mjs";
import { ROOT } from "../live/harness.mjs";
import { soon } from "../soon.mjs";
import { FOLDER, Machine, hoursOfBoard, keyOf } from "./machine.mjs";

const run = promisify(execFile);

const ONE = "GET /v1/geocoding/autocomplete?q=Par";

/** Longest time from SIGTERM to the end, milliseconds, when nothing is in flight. TimeoutStopSec is 15 s. */
const LONGEST_STOP = 5_000;

/** The status of start.sh for a configuration that is wrong. */
const EX_CONFIG = 78;

let machine;
before(() => (machine = new Machine()));
after(() => machine.remove());

const usedBy = async ({ admin }, { apiKey }) => (await (await admin(`GET /admin/keys/${apiKey}`)).json()).usage[0].used;

test("keys, tokens and counts outlive a stop, a kill, and a move to another folder", async () => {
  let running = await machine.start();
  const key = await keyOf(running, "free", { overrides: { perMonth: 8 } });
  const ask = () => running.service.sendAs(key.token, ONE);
  for (let n = 0; n < 5; n++) assert.equal((await ask()).status, 200);
  assert.equal(await usedBy(running, key), 5);
  const began = Date.now();
  const stopped = await running.stop();
  assert.deepEqual([stopped.code, stopped.signal], [0, null], stopped.said);
  assert.ok(Date.now() - began < LONGEST_STOP, `it took ${Date.now() - began} ms to stop`);

  running = await machine.start();
  assert.equal((await ask()).status, 200, "the token is still good");
  assert.equal(await usedBy(running, key), 6);
  assert.equal((await running.stop("SIGKILL")).signal, "SIGKILL");

  // The backup: the folder, copied while nothing runs.
  const moved = join(machine.folder, "moved");
  cpSync(machine.variables.TOPONYM_STATE, moved, { recursive: true });
  running = await machine.start({ TOPONYM_STATE: moved });
  assert.equal(await usedBy(running, key), 6);
  assert.deepEqual([(await ask()).status, (await ask()).status, (await ask()).status], [200, 200, 403], "eight in the month");
  await running.stop();
});

test("a request in flight ends before the service does", async () => {
  const running = await machine.start();
  const { token } = await keyOf(running, "free");
  const body = JSON.stringify({ queries: ["Rome", "Oslo"] });
  const socket = connect(running.port, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (part) => (text += part));
  const closed = once(socket, "close");
  const before = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const head = `POST /v1/geocoding/batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`;
  // The answer to the request before says that the service now reads this one.
  socket.write(before + head + body.slice(0, 10));
  await soon(() => text, (text) => text.includes('"ok":true'));
  const stopping = running.stop();
  const isRefused = () => fetch(new URL("/health", running.service.url), { signal: AbortSignal.timeout(500) }).then(() => false, () => true);
  await soon(isRefused, Boolean);
  assert.equal(running.child.exitCode, null, "it takes no other request, and waits for this one");
  socket.write(body.slice(10));
  await closed;
  assert.match(text, /HTTP\/1\.1 200 [^]*HTTP\/1\.1 200 [^]*"successful":2/);
  assert.equal((await stopping).code, 0);
});

/** The board has samples after 20 s, on a busy machine somewhat later. */
const FLUSHED_WITHIN_MS = 60_000;

test("samples of traffic reach the status page after a kill in between", async () => {
  let running = await machine.start();
  const { token } = await keyOf(running, "free");
  assert.equal((await running.service.sendAs(token, ONE)).status, 200);
  const hasSamples = (hours) => hours.some(({ sums }) => Object.keys(sums).length > 0);
  await soon(() => hoursOfBoard(machine.stored("MetricsBoard")), hasSamples, FLUSHED_WITHIN_MS);
  await running.stop("SIGKILL");

  running = await machine.start();
  let total = 0;
  for (let look = 0; look < 60 && total === 0; look++) {
    await wait(500);
    total = (await (await running.service.send("GET /sla-history?hours=1")).json()).points.length;
  }
  assert.ok(total > 0, "the samples were lost with the process");
  await running.stop();
});

test("two processes never serve the same objects", async () => {
  const running = await machine.start();
  const second = await machine.run({ TOPONYM_LISTEN: `127.0.0.1:${await freePort()}` }).ended;
  assert.equal(second.code, EX_CONFIG);
  assert.match(second.said, /another process serves the objects of .*: stop it first/);
  await running.stop();
});

test("start.sh says what is missing", async () => {
  const none = await machine.run({ TOPONYM_ENV: "", TOPONYM_SIGNING_KEYS: "" }).ended;
  assert.equal(none.code, EX_CONFIG);
  assert.match(none.said, /TOPONYM_SIGNING_KEYS is not set: run `.*new-secrets\.sh FILE`/);
  const gone = await machine.run({ TOPONYM_ENV: "/nowhere" }).ended;
  assert.match(gone.said, /the file \/nowhere of TOPONYM_ENV cannot be read/);
});

test("health.sh tells a service that works from one that does not", async () => {
  const health = (address) => run(join(FOLDER, "health.sh"), [address]).then(() => "works", ({ code, stderr }) => `${code} ${stderr}`);
  const port = await freePort();
  assert.match(await health(`127.0.0.1:${port}`), /^1 no answer from /);
  const running = await machine.start();
  assert.equal(await health(`127.0.0.1:${running.port}`), "works");
  assert.equal(await health(`0.0.0.0:${running.port}`), "works");
  await running.stop();
  const broken = machine.run({ TOPONYM_LISTEN: `127.0.0.1:${port}`, TOPONYM_PEPPER: "no keyring" });
  let said = "";
  for (let look = 0; look < 100 && !said.includes("ok"); look++) {
    await wait(100);
    said = await health(`127.0.0.1:${port}`);
  }
  assert.match(said, /^1 .*"ok":false.*variable/);
  await broken.stop();
});

test("only a trusted proxy says who asks, and how", async () => {
  const running = await machine.start({ TRUSTED_PROXIES: "" });
  const { token } = await keyOf(running, "free", { restrictions: { ips: ["198.51.100.7"] } }).catch((error) => ({ error }));
  assert.equal(token, undefined, "the token itself is for that address only");
  await running.stop();

  const proxied = await machine.start({ TRUSTED_PROXIES: "127.0.0.1" });
  const key = await (await proxied.admin("POST /admin/keys", { name: "t", account: "a", plan: "growth", restrictions: { ips: ["198.51.100.7"] } })).json();
  const body = JSON.stringify({ apiKey: key.apiKey, apiSecret: key.apiSecret });
  const exchange = async (headers) => (await proxied.service.send("POST /api-clients/token", { headers, body })).status;
  assert.equal(await exchange({ "x-forwarded-for": "198.51.100.7" }), 200);
  assert.equal(await exchange({ "x-forwarded-for": "203.0.113.9, 198.51.100.7" }), 200, "the proxy's word");
  assert.equal(await exchange({ "x-forwarded-for": "198.51.100.7, 203.0.113.9" }), 403, "the caller's claim");
  assert.equal(await exchange({ "cf-connecting-ip": "198.51.100.7" }), 403, "a header that only the platform may set");
  assert.equal(await exchange({}), 403);
  await proxied.stop();
});

test("plain HTTP is for this machine and trusted proxies only", async () => {
  // fetch would overwrite the host.
  const ask = (port, ...headers) =>
    new Promise((done, failed) => {
      const socket = connect(port, "127.0.0.1", () => socket.end(["GET /health HTTP/1.1", "Connection: close", ...headers, "", ""].join("\r\n")));
      socket.setEncoding("utf8").on("data", (text) => done(Number(text.split(" ")[1]))).on("error", failed);
    });
  const running = await machine.start({ TRUSTED_PROXIES: "127.0.0.1" });
  assert.equal(await ask(running.port, "Host: api.test"), 403);
  assert.equal(await ask(running.port, "Host: api.test", "X-Forwarded-Proto: https"), 200);
  await running.stop();
  const alone = await machine.start({ TRUSTED_PROXIES: "" });
  assert.equal(await ask(alone.port, "Host: api.test", "X-Forwarded-Proto: https"), 403);
  await alone.stop();
});

test("who names many keys that do not exist is refused", async () => {
  const marked = await machine.start();
  const guesses = await Promise.all(Array.from({ length: 45 }, (_, n) => marked.service.exchange(`no${n}`)));
  assert.deepEqual([...new Set(guesses.map(({ status }) => status))], [401], "a key without the mark is known to be a guess");
  await marked.stop();
  const running = await machine.start({ UNMARKED_KEYS: "true" });
  const statuses = [];
  for (let n = 0; n < 45; n++) statuses.push((await running.service.exchange(`no${n}`)).status);
  assert.equal(statuses[0], 401);
  // Wherever the minute ends, twice the limit of 20 is not admitted at once.
  assert.ok(statuses.includes(429), `${statuses}`);
  assert.ok(statuses.filter((status) => status === 401).length <= 40);
  await running.stop();
});

test("secrets are written once, for their owner alone, and into nothing else", async () => {
  assert.equal(statSync(machine.secrets).mode & 0o777, 0o600);
  await assert.rejects(run(join(FOLDER, "new-secrets.sh"), [machine.secrets]), ({ stderr }) => /exists, and its secrets may be in use/.test(stderr));
  const configuration = readFileSync(join(FOLDER, "toponym.capnp"), "utf8");
  for (const [, value] of readFileSync(machine.secrets, "utf8").matchAll(/^TOPONYM\w+=(.*)$/gm)) assert.ok(!configuration.includes(value));
});

test("the example goes the whole way", async () => {
  const { stdout } = await run(join(FOLDER, "example.sh"), [`${await freePort()}`]);
  assert.match(stdout, /"display_name":"Venice, Veneto, Italy"[^]*\nstopped in order\n$/);
});

test("the version of workerd is the one of the Worker's packages", () => {
  const of = (file) => JSON.parse(readFileSync(file, "utf8")).packages["node_modules/workerd"].version;
  assert.equal(of(join(FOLDER, "package-lock.json")), of(join(ROOT, "edge-worker/package-lock.json")));
});
