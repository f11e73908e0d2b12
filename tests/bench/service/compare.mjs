// Compares /v1/geocoding/autocomplete, with token, metering and engine, with a trivial route that only makes one write in
// an object (trivial.mjs): requests per second, and processor time per request. Each runs in a separate workerd on this
// machine, in turns. Build the Worker first (`cargo xtask build worker`), then:
//
//     edge-worker/node_modules/.bin/node tests/bench/service/compare.mjs [runs] [requests] [connections]
//
// The client takes a core of its own; on a machine that does something else as well only the ratios mean anything.

import { join } from "node:path";
import { load, median } from "./measure.mjs";
import { startModule, startService } from "../../workerd.mjs";

const [RUNS = 15, REQUESTS = 400, CONNECTIONS = 32] = process.argv.slice(2).map(Number);

/** Requests before the measurement: V8 compiles hot code in several steps. */
const WARM_UP = 2_000;

const started = await startService();
const trivial = await startModule(join(import.meta.dirname, "trivial.mjs"), { COUNTER: "Counter" });
try {
  // The largest limit of the Enterprise plan, so that the limit does not affect the measurement. Such a key leases.
  const key = await started.service.create("enterprise", { overrides: { perMinute: 10_000_000 } });
  const authorization = `Bearer ${await started.service.token("", key)}`;
  const routes = {
    trivial: { url: trivial.url, headers: {}, processorMs: trivial.processorMs },
    autocomplete: {
      url: new URL("/v1/geocoding/autocomplete?q=Par", started.service.url),
      headers: { authorization },
      processorMs: started.processorMs,
    },
  };
  const measured = { trivial: [], autocomplete: [] };
  for (const route of Object.values(routes)) await load(route, WARM_UP, CONNECTIONS);
  for (let run = 0; run < RUNS; run++) {
    for (const [name, route] of Object.entries(routes)) {
      const before = route.processorMs();
      const rate = await load(route, REQUESTS, CONNECTIONS);
      measured[name].push({ rate, us: ((route.processorMs() - before) * 1000) / REQUESTS });
    }
  }
  const of = (name, figure) => measured[name].map((run) => run[figure]);
  const shown = (name) => [`${median(of(name, "rate")).toFixed(0)} requests/s`, `${median(of(name, "us")).toFixed(0)} us of processor time each`];
  for (const name of Object.keys(routes)) console.log(name.padEnd(12), shown(name).join(", "));
  const ratios = (figure, sign) => of("autocomplete", figure).map((value, run) => (value / measured.trivial[run][figure]) ** sign);
  console.log(`ratio of the requests/s, median of ${RUNS} pairs: ${median(ratios("rate", 1)).toFixed(2)}`);
  console.log(`ratio by processor time, median of ${RUNS} pairs: ${median(ratios("us", -1)).toFixed(2)}`);
} finally {
  await Promise.all(stops.map((started) => started.stop()));
}
