// Measures the service of `cargo xtask build selfhost`: requests a second, its processor time per request, and its memory. The
// client takes a core of its own; on a machine that does something else as well only the processor time means anything.
//
//     edge-worker/node_modules/.bin/node tests/bench/service/selfhost.mjs [runs] [requests] [connections]

import { readFileSync, readdirSync } from "node:fs";
import { Machine, keyOf } from "../../selfhost/machine.mjs";
import { load, median } from "./measure.mjs";

const [RUNS = 7, REQUESTS = 1_000, CONNECTIONS = 32] = process.argv.slice(2).map(Number);

/** Requests before the measurement: V8 compiles hot code in several steps. */
const WARM_UP = 1_000;

const NANOSECONDS_IN_MS = 1e6;

const machine = new Machine();
try {
  const running = await machine.start();
  const { pid } = running.child;
  const started = memory(pid);
  // Without leases each request is a write; with them hardly any is. Both limits are out of reach.
  const overrides = { perMinute: 10_000_000 };
  const [counted, leased] = [await keyOf(running, "growth", { overrides }), await keyOf(running, "enterprise", { overrides })];
  const path = "/v1/geocoding/autocomplete?q=Par";
  const of = (path, { token } = {}) => ({ url: new URL(path, running.service.url), headers: token ? { authorization: `Bearer ${token}` } : {} });
  const routes = {
    "page of the status": of("/status"),
    "autocomplete, a write each": of(path, counted),
    "autocomplete, leased": of(path, leased),
    "forward with a slip, leased": of("/v1/geocoding/forward?query=Lodnon", leased),
    "reverse, leased": of("/v1/geocoding/reverse?lat=48.8584&lon=2.2945", leased),
  };
  for (const [name, route] of Object.entries(routes)) {
    await load(route, WARM_UP, CONNECTIONS);
    const runs = [];
    for (let run = 0; run < RUNS; run++) {
      const before = processorMs(pid);
      const rate = await load(route, REQUESTS, CONNECTIONS);
      runs.push({ rate, us: ((processorMs(pid) - before) * 1000) / REQUESTS });
    }
    const rate = median(runs.map(({ rate }) => rate)).toFixed(0);
    const us = median(runs.map(({ us }) => us));
    console.log(`${name}: ${rate} requests/s here; ${us.toFixed(0)} us of processor time, so at most ${(1e6 / us).toFixed(0)} on one core`);
  }
  console.log(`memory: ${started} MB after the start, ${memory(pid)} MB after the load`);
  await running.stop();
} finally {
  await machine.remove();
}

/** Resident memory of a process, MB. */
function memory(pid) {
  return Math.round(Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/^VmRSS:\s+(\d+)/m)[1]) / 1000);
}

/** Processor time of all threads of a process, milliseconds. */
function processorMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
  return threads.reduce((sum, stat) => sum + Number(stat.split(" ")[0]), 0) / NANOSECONDS_IN_MS;
}
