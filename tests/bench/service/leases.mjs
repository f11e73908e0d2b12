// Several isolates on one key that leases, at twice its limit, while isolates are killed: prints one JSON line.
//
//     edge-worker/node_modules/.bin/node tests/bench/service/leases.mjs [seconds] [isolates] [limit a minute] [limits offered]
//
// after `cargo xtask build worker`. `over_admitted` are the units above the limit in the worst 60 s. A request counts in a window
// if it surely was admitted in it: if it arrived and was answered in it. `share_of_limit` is the part of what an exact log
// would have admitted of the same requests. `object_calls_per_request` is that of one isolate with 1,000 requests a second,
// `rps` the most that one isolate answers, in turns with the trivial route (trivial.mjs). Other rates are on standard error.

import { Agent, get } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { deployed } from "../../live/harness.mjs";
import { startModule, startService } from "../../workerd.mjs";
import { load, median, quantile } from "./measure.mjs";

const MAIN = join(import.meta.dirname, "lessee.mjs");
const PATH = "/v1/geocoding/autocomplete?q=Par";
const WINDOW_MS = 60_000;

/** Requests are sent this often, some at once. */
const TICK_MS = 10;

/** An isolate is killed this often. */
const KILL_MS = 10_000;

/** Isolates on one key: what was admitted, as [arrived, answered], and what was offered. */
export async function flood({ seconds, isolates, limit, times, kills = true }) {
  const variables = deployed();
  const lessor = await startService({ main: MAIN, variables, network: true, quiet: true });
  const started = [lessor];
  try {
    for (let n = 0; n < isolates; n++) {
      started.push(await startService({ main: MAIN, variables: { ...variables, LESSOR: lessor.url.href }, network: true, quiet: true }));
    }
    const gates = started.slice(1);
    const key = await lessor.service.create("enterprise", { overrides: { perMinute: limit } });
    const headers = { authorization: `Bearer ${await lessor.service.token("", key)}` };
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    await Promise.all(gates.map((gate) => fetch(new URL("/health", gate.url))));
    const [offered, admitted, took, statuses] = [[], [], [], {}];
    const before = await callsOf(gates);
    const one = (gate) =>
      new Promise((resolve) => {
        const begun = performance.now();
        const arrived = Date.now();
        const request = get(new URL(PATH, gate.url), { agent, headers }, (response) => {
          // What a killed isolate did not answer, nobody offered it.
          offered.push(arrived);
          statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
          if (response.statusCode === 200) {
            admitted.push(response.headers["x-between"].split(" ").map(Number));
            took.push(performance.now() - begun);
          }
          response.resume().on("end", resolve).on("error", resolve);
        });
        request.on("error", resolve);
      });
    const under = new Set();
    const begin = Date.now();
    let [sent, killed, at, lost] = [0, begin, 0, 0];
    while (Date.now() - begin < seconds * 1_000) {
      const due = (((Date.now() - begin) / 60_000) * limit * times) | 0;
      for (; sent < due; sent++) {
        const promise = one(gates[sent % isolates]).then(() => under.delete(promise));
        under.add(promise);
      }
      if (kills && Date.now() - killed > KILL_MS) {
        killed = Date.now();
        const gate = gates[at++ % isolates];
        lost += (await callsOf([gate])) ?? 0;
        gate.restart().catch(() => {});
      }
      await wait(TICK_MS);
    }
    await Promise.race([Promise.all(under), wait(5_000)]);
    await wait(2_000);
    const calls = (await callsOf(gates)) + lost - before;
    agent.destroy();
    return { offered, admitted, took, statuses, calls, usage: await usageOf(lessor.service, key) };
  } finally {
    await Promise.allSettled(started.map((one) => one.stop()));
  }
}

async function usageOf(service, key) {
  const { usage } = await (await service.admin(`GET /admin/keys/${key.apiKey}`)).json();
  return usage[0];
}

async function callsOf(gates) {
  const counts = await Promise.all(gates.map((gate) => fetch(new URL("/calls", gate.url)).then((r) => r.json()).catch(() => 0)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The most requests that surely were admitted within 60 s. */
export function worst(admitted) {
  const arrivals = admitted.toSorted(([a], [b]) => a - b);
  let most = 0;
  for (const [from] of arrivals) {
    const within = arrivals.filter(([arrived, answered]) => arrived >= from && answered < from + WINDOW_MS);
    most = Math.max(most, within.length);
  }
  return most;
}

/** How many of these requests an exact log admits. */
export function exact(offered, limit) {
  const log = [];
  let [first, count] = [0, 0];
  for (const at of offered.toSorted((a, b) => a - b)) {
    while (first < log.length && log[first] + WINDOW_MS <= at) first++;
    if (log.length - first < limit) {
      log.push(at);
      count++;
    }
  }
  return count;
}

/** One isolate with its objects at so many requests a second: questions to the object for each request, and quantiles. */
async function paced(rate, seconds = 20) {
  const started = await startService({ main: MAIN, quiet: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  try {
    const key = await started.service.create("enterprise", { overrides: { perMinute: 10_000_000 } });
    const headers = { authorization: `Bearer ${await started.service.token("", key)}` };
    const took = [];
    const one = () =>
      new Promise((resolve, reject) => {
        const begun = performance.now();
        const request = get(new URL(PATH, started.url), { agent, headers }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode} at ${rate}/s`));
          response.resume().on("end", () => resolve(took.push(performance.now() - begun)));
        });
        request.on("error", reject);
      });
    // The index is opened, and V8 compiles the hot code.
    for (let n = 0; n < 200; n++) await one();
    await wait(2_000);
    took.length = 0;
    const before = await callsOf([started]);
    const [sent, begin] = [[], performance.now()];
    for (let now = 0; now < seconds * 1_000; now = performance.now() - begin) {
      while (sent.length < (now / 1_000) * rate) sent.push(one());
      await wait(TICK_MS);
    }
    await Promise.all(sent);
    const calls = (await callsOf([started])) - before;
    return { rate, object_calls_per_request: calls / sent.length, p50_ms: quantile(took, 0.5), p99_ms: quantile(took, 0.99) };
  } finally {
    agent.destroy();
    await started.stop();
  }
}

/** One isolate with its objects, and the trivial route: requests a second, in turns. */
async function beside({ runs = 15, requests = 1_000, connections = 32, warmUp = 2_000 } = {}) {
  const started = await startService({ main: MAIN, quiet: true });
  const trivial = await startModule(join(import.meta.dirname, "trivial.mjs"), { COUNTER: "Counter" });
  try {
    const key = await started.service.create("enterprise", { overrides: { perMinute: 10_000_000 } });
    const headers = { authorization: `Bearer ${await started.service.token("", key)}` };
    const routes = [{ url: trivial.url, headers: {} }, { url: new URL(PATH, started.url), headers }];
    for (const route of routes) await load(route, warmUp, connections);
    const rates = [[], []];
    for (let run = 0; run < runs; run++) for (const [at, route] of routes.entries()) rates[at].push(await load(route, requests, connections));
    const ratio = median(rates[1].map((rate, run) => rate / rates[0][run]));
    return { rps: median(rates[1]), rps_trivial: median(rates[0]), ratio };
  } finally {
    await Promise.all([started.stop(), trivial.stop()]);
  }
}

if (import.meta.filename === process.argv[1]) {
  const [seconds = 90, isolates = 4, limit = 6_000, times = 2] = process.argv.slice(2).map(Number);
  const { offered, admitted, took, statuses, calls, usage } = await flood({ seconds, isolates, limit, times });
  const rounded = (number, digits = 3) => Number(number.toFixed(digits));
  const paces = [];
  for (const rate of [10, 100, 1_000]) paces.push(await paced(rate));
  const figures = await beside();
  for (const { rate, object_calls_per_request: calls, p50_ms, p99_ms } of paces) {
    console.error(JSON.stringify({ rate, object_calls_per_request: rounded(calls, 4), p50_ms: rounded(p50_ms, 1), p99_ms: rounded(p99_ms, 1) }));
  }
  console.error(JSON.stringify({ ratio_of_rps: rounded(figures.ratio) }));
  console.error(JSON.stringify({ statuses, usage, flood_calls_per_request: rounded(calls / offered.length) }));
  console.log(
    JSON.stringify({
      isolates,
      offered_per_s: rounded(offered.length / seconds, 0),
      admitted: admitted.length,
      limit,
      over_admitted: Math.max(0, worst(admitted) - limit),
      share_of_limit: rounded(admitted.length / exact(offered, limit)),
      object_calls_per_request: rounded(paces.at(-1).object_calls_per_request, 4),
      rps: rounded(figures.rps, 0),
      rps_trivial: rounded(figures.rps_trivial, 0),
      p50_ms: rounded(quantile(took, 0.5), 1),
      p99_ms: rounded(quantile(took, 0.99), 1),
    }),
  );
}
