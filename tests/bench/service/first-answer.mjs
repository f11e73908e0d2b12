// Measures the first query of an isolate that has not opened the index yet: `node tests/bench/service/first-answer.mjs
// [ROUNDS]`, after `cargo xtask build worker`. Each round restarts workerd and requests a token and an unknown route, which
// need no index, then the first result, the second, and the first by position, which builds the tree of tiles. Times
// are of whole requests over an open connection.

import { Connection, median, quantile } from "./measure.mjs";
import { startService } from "../../workerd.mjs";

const ROUNDS = Number(process.argv[2] ?? 9);

const PATHS = {
  "first answer": "/v1/geocoding/autocomplete?q=Par",
  "second answer": "/v1/geocoding/autocomplete?q=Lon",
  "first by position": "/v1/geocoding/reverse?lat=48.85&lon=2.35",
  "second by position": "/v1/geocoding/reverse?lat=51.5&lon=-0.12",
};

const times = Object.fromEntries(Object.keys(PATHS).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  const { service, stop } = await startService();
  const connection = new Connection();
  try {
    const headers = { authorization: `Bearer ${await service.token("", await service.create("growth"))}` };
    await connection.ask(new URL("/v1/geocoding/none", service.url), {}, 404);
    for (const [name, path] of Object.entries(PATHS)) times[name].push(await connection.ask(new URL(path, service.url), headers));
  } finally {
    connection.close();
    await stop();
  }
}
for (const [name, taken] of Object.entries(times)) {
  const [low, middle, high] = [quantile(taken, 0), median(taken), quantile(taken, 1)].map((ms) => ms.toFixed(1));
  console.log(`${name}: ${middle} ms (${low} to ${high}) over ${ROUNDS} starts`);
}
