// Compares /v1/geocoding/autocomplete, with token, metering and engine, with a trivial route that only makes one write in
// an object (trivial.mjs): requests per second, and processor time per request. Each runs in a separate workerd on this
// machine, in turns. Build the Worker first (`cargo xtask build worker`), then:
//
//     edge-worker/node_modules/.bin/node tests/bench/service/compare.mjs [workerd|wrangler] [runs] [requests] [connections]
//
// `workerd` is the runtime by itself (../../workerd.mjs). `wrangler` is the harness of the integration tests, whose proxies cost
// both routes the same once more. The client takes a core of its own; on a machine that does something else as well only
// the ratios mean anything.

import { join } from "node:path";
import { start, startWorker } from "../../live/harness.mjs";
import { load, median } from "./measure.mjs";
import { startModule, startService } from "../../workerd.mjs";

const [through = "workerd", ...numbers] = process.argv.slice(2);
const [RUNS = 15, REQUESTS = 400, CONNECTIONS = 32] = numbers.map(Number);

/** Requests before the measurement: V8 compiles hot code in several steps. */
const WARM_UP = 2_000;

async function both() {
  if (through === "wrangler") {
    const [service, trivial] = [await start(), await startWorker(new URL("trivial.toml", import.meta.url))];
    return { service, stops: [service, trivial], trivial };
  }
  const started = await startService();
  const trivial = await startModule(join(import.meta.dirname, "trivial.mjs"), { COUNTER: "Counter" });
  return { service: started.service, stops: [started, trivial], trivial, started };
}

const { service, trivial, started, stops } = await both();
try {
  // The largest limit of the Enterprise plan, so that the limit does not affect the measurement. Such a key leases.
  const key = await service.create("enterprise", { overrides: { perMinute: 10_000_000 } });
  const authorization = `Bearer ${await service.token("", key)}`;
  const routes = {
    trivial: { url: trivial.url, headers: {}, processorMs: trivial.processorMs },
    autocomplete: {
      url: new URL("/v1/geocoding/autocomplete?q=Par", service.url),
      headers: { authorization },
      processorMs: started?.processorMs,
    },
  };
  const measured = { trivial: [], autocomplete: [] };
  for (const route of Object.values(routes)) await load(route, WARM_UP, CONNECTIONS);
  for (let run = 0; run < RUNS; run++) {
    for (const [name, route] of Object.entries(routes)) {
      const before = route.processorMs?.();
      const rate = await load(route, REQUESTS, CONNECTIONS);
      measured[name].push({ rate, us: ((route.processorMs?.() - before) * 1000) / REQUESTS });
    }
  }
  const of = (name, figure) => measured[name].map((run) => run[figure]);
  const shown = (name) => [`${median(of(name, "rate")).toFixed(0)} requests/s`, ...(started ? [`${median(of(name, "us")).toFixed(0)} us of processor time each`] : [])];
  for (const name of Object.keys(routes)) console.log(name.padEnd(12), shown(name).join(", "));
  const ratios = (figure, sign) => of("autocomplete", figure).map((value, run) => (value / measured.trivial[run][figure]) ** sign);
  console.log(`ratio of the requests/s, median of ${RUNS} pairs: ${median(ratios("rate", 1)).toFixed(2)}`);
  if (started) console.log(`ratio by processor time, median of ${RUNS} pairs: ${median(ratios("us", -1)).toFixed(2)}`);
} finally {
  await Promise.all(stops.map((started) => started.stop()));
}
