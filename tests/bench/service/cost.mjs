// Measures what the host costs a request on workerd, in wasm, without engine and object: processor time of the whole
// process, including HTTP and runtime, between responses on a single connection. `node tests/bench/service/cost.mjs [requests]`,
// after `cargo xtask build worker`.
//
// - `remembered`: a key beyond its limit, whose refusal the isolate remembers for a second: routing, token, restrictions,
//   answer. It is a sample of the status figures. One request in a second asks the object, which is far from one in a
//   hundred.
// - `refused`: the same request without a token (401).
// - `unknown`: a route that is none (404).

import { Connection, quantile } from "./measure.mjs";
import { startService } from "../../workerd.mjs";

const REQUESTS = Number(process.argv[2] ?? 3000);

/** Requests before the measurement: V8 compiles hot code in several steps. */
const WARM_UP = 2_000;

/** Requests of one kind before the next kind. */
const TURN = 250;

const connection = new Connection();
const send = ({ url, headers, status }) => connection.ask(url, headers, status);

const started = await startService();
try {
  const { service } = started;
  const key = await service.create("growth", { overrides: { perMinute: 1 } });
  const path = "/v1/geocoding/autocomplete?q=Par";
  const kinds = {
    remembered: { url: new URL(path, service.url), headers: { authorization: `Bearer ${await service.token("", key)}` }, status: 429 },
    refused: { url: new URL(path, service.url), headers: {}, status: 401 },
    unknown: { url: new URL(path.replace("?", "s?"), service.url), headers: {}, status: 404 },
  };
  await send({ ...kinds.remembered, status: 200 });
  const costs = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  for (const kind of Object.values(kinds)) for (let n = 0; n < WARM_UP; n++) await send(kind);
  for (let turn = 0; turn < REQUESTS / TURN; turn++) {
    for (const [name, kind] of Object.entries(kinds)) {
      await send(kind);
      let before = started.processorMs();
      for (let n = 0; n < TURN; n++) {
        await send(kind);
        const now = started.processorMs();
        costs[name].push(now - before);
        before = now;
      }
    }
  }
  for (const [name, cost] of Object.entries(costs)) {
    const show = (share) => `${(quantile(cost, share) * 1000).toFixed(0)} us`;
    console.log(`${name.padEnd(11)} p50 ${show(0.5)}, p90 ${show(0.9)}, p99 ${show(0.99)}, most ${show(1)}, of ${cost.length}`);
  }
} finally {
  connection.close();
  await started.stop();
}
