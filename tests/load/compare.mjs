// Requests per second of /v1/geocoding/autocomplete, with its token and its metering, against a trivial route that does
// nothing but one write in an object (trivial.mjs), each in a workerd of its own on this machine, in turns. Build the
// Worker first (`cargo xtask worker`), then:
//
//     edge-worker/node_modules/.bin/node tests/load/compare.mjs [runs] [requests] [connections]
//
// The client takes a core of its own; on a machine that does something else as well only the ratio means anything.

import { Agent, get } from "node:http";
import { start, startWorker } from "../live/harness.mjs";

const [RUNS = 7, REQUESTS = 4000, CONNECTIONS = 32] = process.argv.slice(2).map(Number);

/** Sends the requests over connections that stay open: requests per second, and the milliseconds of each. */
async function load(url, headers) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times = [];
  const one = () => {
    const sent = performance.now();
    return new Promise((resolve, reject) => {
      const request = get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answers ${response.statusCode}`));
        response.resume().on("end", () => resolve(times.push(performance.now() - sent)));
      });
      request.on("error", reject);
    });
  };
  let left = REQUESTS;
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) await one();
  }));
  agent.destroy();
  return { rate: (REQUESTS * 1000) / (performance.now() - started), times };
}

const sorted = (numbers) => numbers.toSorted((a, b) => a - b);
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];

const service = await start();
const trivial = await startWorker(new URL("trivial.toml", import.meta.url));
try {
  // The Enterprise plan at its largest: the limit must not be what is measured.
  const key = await service.create("enterprise", { overrides: { perMinute: 10_000_000 } });
  const authorization = `Bearer ${await service.token("", key)}`;
  const routes = {
    trivial: () => load(trivial.url, {}),
    autocomplete: () => load(new URL("/v1/geocoding/autocomplete?q=Par", service.url), { authorization }),
  };
  const rates = { trivial: [], autocomplete: [] };
  for (const route of Object.values(routes)) await route();
  for (let run = 0; run < RUNS; run++) {
    for (const [name, route] of Object.entries(routes)) {
      const { rate, times } = await route();
      rates[name].push(rate);
      const late = sorted(times)[Math.floor(times.length * 0.99)];
      console.log(`${name.padEnd(12)} ${rate.toFixed(0).padStart(6)}/s  p50 ${median(times).toFixed(1)} ms  p99 ${late.toFixed(1)} ms`);
    }
  }
  const ratios = rates.autocomplete.map((rate, run) => rate / rates.trivial[run]);
  console.log(`ratio of each pair: ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}; median ${median(ratios).toFixed(2)}`);
} finally {
  await Promise.all([service.stop(), trivial.stop()]);
}
