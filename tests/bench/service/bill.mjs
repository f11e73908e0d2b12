// What a month of the service costs: counts on workerd what the platform bills, for shapes of traffic, simulates the same shapes in
// 1 to 1,000 isolates, and prices two months.
//
//     edge-worker/node_modules/.bin/node tests/bench/service/bill.mjs
//
// after `cargo xtask build worker --faults`. Prints its tables, writes them into edge-worker/COST.md, and prints one JSON line at its
// end. It takes some seven minutes. Objects are evicted where the platform puts them to sleep: ten seconds after their last request.
//
// One process is one isolate. Somebody who types on a quiet key has it for herself, so `typed, quiet key` has the calls of every
// typist whose isolate holds nothing of others, which is what a large key sees at many places of the world. More isolates are those of
// edge-worker/examples/lease_simulation, which has the code of the service on both sides of a call.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request as ask } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "./measure.mjs";
import { ROOT } from "../../live/harness.mjs";
import { startService } from "../../workerd.mjs";

/** The page with the figures. */
const COST = join(ROOT, "edge-worker/COST.md");

/** Dollars, and what a month includes: the platform's public pages, November 2026, paid plan. */
const BASE = 5;
const PRICES = {
  requests: { each: 0.3e-6, included: 10e6 },
  processorMs: { each: 0.02e-6, included: 30e6 },
  calls: { each: 0.15e-6, included: 1e6 },
  gigabyteSeconds: { each: 12.5e-6, included: 400e3 },
  read: { each: 1e-9, included: 25e9 },
  written: { each: 1e-6, included: 50e6 },
};

/** Memory of an object, and how long it works for a call: the platform bills it from the request to the answer. */
const OBJECT_GB = 0.128;
const CALL_SECONDS = 0.002;

const MONTH_SECONDS = 30 * 86_400;

/** Autocompletes of a month, and the keys that make them. */
const MONTHS = { "10 M": { requests: 10e6, keys: 400 }, "1,000 M": { requests: 1e9, keys: 40 } };

/** The part that people type in browsers. Servers send the rest. */
const TYPED = 0.7;

/** Requests a second that an isolate sees, of all keys: the world has many, and most are idle. */
const ISOLATE_RATE = 2;

/** Rows of the board in ten seconds, however many isolates there are: the hour, the register, the alarm (src/metrics/stored_board.rs). */
const BOARD_ROWS_A_SECOND = 3 / 10;

/** A word: its keystrokes, this long after each other. */
const WORDS = ["paris", "london", "madrid", "berlin", "vienna", "lisbon"].map((word) => word.padEnd(6, "e").slice(0, 6));
const KEYSTROKE_MS = 200;

/** Keystrokes of a browser in the two hours for which it remembers a preflight. */
const BROWSER_KEYSTROKES = 20;

/** The way to an object and back, milliseconds. What took longer has waited for it. */
const WAYS_MS = { "ApiKey.before": 75, "ApiKey.after": 75 };
const WAITED_MS = 140;

/** How long an object is left alone before it sleeps: its alarms have come by then. */
const SLEEP_MS = 9_500;

/** Quiet keys at once. */
const QUIET_KEYS = 12;

const autocomplete = (text) => `/v1/geocoding/autocomplete?q=${encodeURIComponent(text)}`;

/** What a server asks: whole words, without end. */
const SERVER = (n) => autocomplete(`${["Springfield", "Manchester", "Valparaiso", "Wellington"][n % 4]}`);

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

class Load {
  constructor(started) {
    Object.assign(this, { started, service: started.service });
  }

  async faults(armed) {
    return (await this.service.send("POST /faults", { body: JSON.stringify(armed) })).json();
  }

  async key(plan, perMinute) {
    const key = await this.service.create(plan, perMinute ? { overrides: { perMinute } } : {});
    return { ...key, headers: { authorization: `Bearer ${await this.service.token("", key)}` } };
  }

  /** Sends a request and returns its status, and how long it took. */
  send({ headers }, path, body) {
    const begin = performance.now();
    return new Promise((resolve, reject) => {
      const sent = ask(new URL(path, this.service.url), { agent, headers, method: body ? "POST" : "GET" }, (response) => {
        response.resume().on("end", () => resolve({ status: response.statusCode, ms: performance.now() - begin }));
      });
      sent.on("error", reject).end(body);
    });
  }

  async used({ apiKey }) {
    const { usage } = await (await this.service.admin(`GET /admin/keys/${apiKey}`)).json();
    return usage.reduce((sum, { used }) => sum + used, 0);
  }

  sleep(keys) {
    return Promise.all(keys.map(({ apiKey }) => this.service.send(`GET /faults?evict=${apiKey}`)));
  }

  /**
   * Runs a shape on keys, if need be after a `warmUp` from which it goes on: traffic that never ends begins but once. Returns what the
   * platform bills for each of its requests, and how long they took.
   */
  async measure(name, plan, perMinute, count, shape, warmUp) {
    const keys = await Promise.all(Array.from({ length: count }, () => this.key(plan, perMinute)));
    // The index is opened and the samples of what came before have gone.
    await this.send(await this.key("growth"), SERVER(0));
    await wait(SLEEP_MS);
    await this.sleep(keys);
    await this.faults(WAYS_MS);
    await warmUp?.(keys);
    const before = (await this.faults({})).objects;
    const begin = performance.now();
    const answers = await shape(keys);
    const seconds = (performance.now() - begin) / 1_000;
    await wait(SLEEP_MS);
    const after = (await this.faults({ "ApiKey.before": null, "ApiKey.after": null })).objects;
    const failed = answers.filter(({ status }) => status !== 200).length;
    if (failed > answers.length / 10) throw new Error(`${failed} of ${answers.length} requests of ${name} were not answered`);
    const of = (kind, what) => (after[kind]?.[what] ?? 0) - (before[kind]?.[what] ?? 0);
    const each = (what) => of("ApiKey", what) / answers.length;
    const times = answers.map(({ ms }) => ms);
    return {
      name,
      requests: answers.length,
      failed,
      seconds,
      calls: each("requests") + each("alarms"),
      read: each("read"),
      written: each("written"),
      waits: times.filter((ms) => ms >= WAITED_MS).length / times.length,
      p50: quantile(times, 0.5),
      samples: { calls: of("MetricsBoard", "requests") + of("MetricsBoard", "alarms"), read: of("MetricsBoard", "read"), written: of("MetricsBoard", "written") },
    };
  }
}

// Types a word.
async function type(load, key, word) {
  const sent = [];
  const begin = performance.now();
  for (let n = 1; n <= word.length; n++) {
    await wait(Math.max(0, begin + (n - 1) * KEYSTROKE_MS - performance.now()));
    sent.push(load.send(key, autocomplete(word.slice(0, n))));
  }
  return Promise.all(sent);
}

// Calls `act` so many times a second, for some seconds.
async function paced(perSecond, seconds, act) {
  const acts = [];
  const begin = performance.now();
  for (let now = 0; now < seconds * 1_000; now = performance.now() - begin) {
    while (acts.length < (now / 1_000) * perSecond) acts.push(act(acts.length));
    await wait(5);
  }
  return (await Promise.all(acts)).flat();
}

/** How long traffic that lasts goes on before it is measured, seconds. */
const WARM_UP_SECONDS = 8;

// Traffic of a key that lasts.
function lasting(load, name, perMinute, perSecond, seconds, act) {
  const run = (lasts) => ([key]) => paced(perSecond, lasts, (n) => act(key, n));
  return load.measure(name, "enterprise", perMinute, 1, run(seconds), run(WARM_UP_SECONDS));
}

const SHAPES = {
  "typed, quiet key": (load) =>
    load.measure("typed, quiet key", "growth", undefined, QUIET_KEYS, async (keys) => (await Promise.all(keys.map((key, at) => type(load, key, WORDS[at % WORDS.length])))).flat()),
  "typed, a key of 10 a second": (load) =>
    lasting(load, "typed, a key of 10 a second", 6_000, 10 / 6, 30, (key, n) => type(load, key, WORDS[n % WORDS.length])),
  "one request a minute": (load) =>
    load.measure("one request a minute", "growth", undefined, QUIET_KEYS, async (keys) => {
      const first = await Promise.all(keys.map((key, at) => load.send(key, SERVER(at))));
      await wait(SLEEP_MS);
      await load.sleep(keys);
      return [...first, ...(await Promise.all(keys.map((key, at) => load.send(key, SERVER(at)))))];
    }),
  ...Object.fromEntries(
    [1, 3, 10, 100].map((rate) => {
      const name = `a server, ${rate} a second`;
      return [name, (load) => lasting(load, name, 60_000, rate, rate < 10 ? 45 : 20, (key, n) => load.send(key, SERVER(n)))];
    }),
  ),
  "batches of 100, 1 a second": (load) => {
    const body = JSON.stringify({ queries: Array.from({ length: 100 }, () => ({ lat: 0, lon: -150 })) });
    return load.measure("batches of 100, 1 a second", "enterprise", 60_000, 1, ([key]) => paced(1, 10, () => load.send(key, "/v1/geocoding/batch", body)));
  },
};

// Floods a key of 600 a minute, whose object ends every second without a chance to write.
async function flood(load) {
  const key = await load.key("growth");
  let isOver = false;
  const crashes = (async () => {
    while (!isOver) await Promise.all([wait(1_000), load.sleep([key])]);
  })();
  const answers = await paced(100, 12, () => load.send(key, autocomplete("par")));
  isOver = true;
  await crashes;
  const admitted = answers.filter(({ status }) => status === 200).length;
  return { admitted, over: Math.max(0, admitted - 600), used: await load.used(key) };
}

// Preflights of a keystroke: a browser remembers them by URL.
async function preflights(load) {
  const asked = await load.service.send("OPTIONS /v1/geocoding/suggest");
  const urls = asked.status === 204 ? 1 : BROWSER_KEYSTROKES;
  return urls / BROWSER_KEYSTROKES;
}

// Processor time of an autocomplete, milliseconds: that of the whole process, with its object.
async function processor() {
  const started = await startService({ quiet: true });
  try {
    const load = new Load(started);
    const key = await load.key("enterprise", 1_000_000);
    const run = async (requests) => {
      for (let n = 0; n < requests; n++) await load.send(key, autocomplete(WORDS[n % WORDS.length].slice(0, 1 + (n % 6))));
    };
    await run(1_000);
    const before = started.processorMs();
    await run(2_000);
    return (started.processorMs() - before) / 2_000;
  } finally {
    await started.stop();
  }
}

// The bill of a month of `requests`, of which people type a part like `typed`, with the object's rows like `rows`, and servers
// send the rest like `steady`. There are as many isolates as requests make busy, if it does not say how many.
function priced({ requests }, { calls, rows, steady, samples, processorMs, preflight, isolates }) {
  const mix = (what, typed) => TYPED * typed[what] + (1 - TYPED) * steady[what];
  const perRequest = { calls: mix("calls", calls), written: mix("written", rows), read: mix("read", rows) };
  const sending = isolates ?? Math.max(1, requests / MONTH_SECONDS / ISOLATE_RATE);
  const sampled = (what) => samples[what] * sending * MONTH_SECONDS;
  const used = {
    requests: requests * (1 + TYPED * preflight),
    processorMs: requests * processorMs,
    calls: requests * perRequest.calls + sampled("calls"),
    gigabyteSeconds: (requests * perRequest.calls + sampled("calls")) * OBJECT_GB * CALL_SECONDS,
    read: requests * perRequest.read + sampled("read"),
    written: requests * perRequest.written + Math.min(sampled("written"), BOARD_ROWS_A_SECOND * MONTH_SECONDS),
  };
  const cost = (what) => Math.max(0, used[what] - PRICES[what].included) * PRICES[what].each;
  const metering = ["calls", "gigabyteSeconds", "read", "written"].reduce((sum, what) => sum + cost(what), 0);
  return { usd: BASE + metering + cost("requests") + cost("processorMs"), metering, ...perRequest };
}

const digits = (number, count = 3) => Number(number.toFixed(count));

// The cases of the simulation, in the order of their shapes: each in 1 to 1,000 isolates.
function simulate() {
  const run = ["run", "--quiet", "--package", "toponym-edge", "--example", "lease_simulation", "--", "shapes"];
  const { status, stdout } = spawnSync("cargo", run, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (status !== 0) throw new Error("the simulation failed");
  const cases = stdout.trim().split("\n").map((line) => JSON.parse(line));
  return Map.groupBy(cases, ({ shape }) => shape);
}

/** What was printed so far. */
const report = [];

function print(text) {
  console.log(text);
  report.push(text);
}

/** The lines of COST.md around the figures. */
const [BEGIN, END] = ["<!-- figures of tests/bench/service/bill.mjs -->\n", "<!-- end of the figures -->\n"];

function write() {
  const cost = readFileSync(COST, "utf8");
  const [begin, end] = [cost.indexOf(BEGIN), cost.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${COST} must have the lines ${BEGIN}${END} around its figures`);
  writeFileSync(COST, `${cost.slice(0, begin + BEGIN.length)}\n${report.join("\n").trim()}\n\n${cost.slice(end)}`);
}

const simulated = simulate();
const started = await startService({ faults: true, quiet: true });
let rows;
let [flooded, preflight] = [];
try {
  const load = new Load(started);
  rows = {};
  for (const [name, shape] of Object.entries(SHAPES)) rows[name] = await shape(load);
  preflight = await preflights(load);
  flooded = await flood(load);
} finally {
  await started.stop();
}
const processorMs = await processor();
agent.destroy();

print("| Shape | requests | failed | object calls each | rows written | rows read | share that waits | p50, object 150 ms away |\n|---|---|---|---|---|---|---|---|");
for (const { name, requests, failed, calls, written, read, waits, p50 } of Object.values(rows)) {
  print(`| ${name} | ${requests} | ${failed} | ${digits(calls)} | ${digits(written)} | ${digits(read, 1)} | ${digits(waits)} | ${digits(p50, 0)} ms |`);
}
// Samples of an isolate with traffic, a second.
const busy = rows["a server, 10 a second"];
const sum = (what) => busy.samples[what] / (busy.seconds + SLEEP_MS / 1_000);
const samples = { calls: sum("calls"), read: sum("read"), written: sum("written") };
print(`\nSamples of an isolate an hour: ${Object.entries(samples).map(([what, each]) => `${digits(each * 3_600, 0)} ${what}`).join(", ")}.`);
print(`Processor time of an autocomplete: ${digits(processorMs, 2)} ms. Preflights of a keystroke: ${preflight}.`);
print(`A flood on 600 a minute while the object crashes every second: ${flooded.admitted} admitted, ${flooded.used} counted.`);

const quiet = rows["typed, quiet key"];
const bills = {
  "10 M": priced(MONTHS["10 M"], { calls: quiet, rows: quiet, steady: rows["one request a minute"], samples, processorMs, preflight }),
  "1,000 M": priced(MONTHS["1,000 M"], { calls: quiet, rows: rows["typed, a key of 10 a second"], steady: rows["a server, 3 a second"], samples, processorMs, preflight }),
};
print("\n| A month | keys | $ | of it metering and samples | object calls a request | rows written |\n|---|---|---|---|---|---|");
for (const [name, { usd, metering, calls, written }] of Object.entries(bills)) {
  print(`| ${name} | ${MONTHS[name].keys} | ${digits(usd, 0)} | ${digits(metering, 0)} | ${digits(calls)} | ${digits(written)} |`);
}

print("\nBy simulation, where each word, request or batch comes to one of 1, 10, 100 or 1,000 isolates at random, 6 to 250 ms away and back:\n");
print("| Shape | object calls each | rows written | share that waits | p99 of the wait, ms |\n|---|---|---|---|---|");
for (const [name, cases] of simulated) {
  if (cases[0].faults) continue;
  const each = (what, count = 3) => cases.map((one) => digits(one[what], count)).join(", ");
  print(`| ${name} | ${each("calls")} | ${each("written")} | ${each("waits")} | ${each("wait_p99_ms", 0)} |`);
}
const byIsolates = {};
print("\n| 1,000 M in isolates | $ | of it metering and samples | object calls a request | rows written | keystrokes that wait |\n|---|---|---|---|---|---|");
for (const [at, { isolates }] of simulated.get("typed, quiet key").entries()) {
  const of = (shape) => ({ read: rows[shape].read, ...simulated.get(shape)[at] });
  const typed = of("typed, a key of 10 a second");
  const { usd, metering, calls, written } = priced(MONTHS["1,000 M"], { calls: typed, rows: typed, steady: of("a server, 3 a second"), samples, processorMs, preflight, isolates });
  print(`| ${isolates} | ${digits(usd, 0)} | ${digits(metering, 0)} | ${digits(calls)} | ${digits(written)} | ${digits(typed.waits)} |`);
  byIsolates[isolates] = { usd_1000m: digits(usd, 0), metering_usd_1000m: digits(metering, 0), object_calls_per_request: digits(calls), share_that_waits: digits(typed.waits) };
}
print("\nWith faults: the object crashes and an isolate dies every ten seconds or less, 2 % of the replies are lost and 4 % late, clocks differ:\n");
print("| Flood | isolates | worst 60 s, of the limit | billed, not answered; at most | answered, not billed; lost |\n|---|---|---|---|---|");
const cases = [...simulated.values()].flat();
for (const one of cases.filter(({ faults }) => faults)) {
  print(`| ${one.shape} | ${one.isolates} | ${one.worst} of ${one.limit} | ${one.billed_above}; ${one.above_at_most} | ${one.billed_below}; ${one.lost} |`);
}
write();

const large = bills["1,000 M"];
console.log(
  JSON.stringify({
    usd_10m: digits(bills["10 M"].usd, 2),
    usd_1000m: digits(large.usd, 0),
    metering_usd_1000m: digits(large.metering, 0),
    object_calls_per_request: digits(large.calls),
    rows_written_per_request: digits(large.written),
    rows_read_per_request: digits(large.read, 2),
    share_that_waits: digits(quiet.waits),
    preflights_per_keystroke: preflight,
    over_admitted: flooded.over + cases.reduce((sum, { over }) => sum + over, 0),
    by_isolates: byIsolates,
  }),
);
