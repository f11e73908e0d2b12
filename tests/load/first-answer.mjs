// What the first question costs an isolate that has not opened the index yet: `node tests/load/first-answer.mjs [ROUNDS]`,
// after `cargo xtask worker`. Each round starts workerd anew and asks before for a token and for a route that is none, which need no index, then
// for the first answer, the second, and the first by position, whose tree of tiles is made then. Times are of the whole
// request over a connection that is open.

import { Agent, get } from "node:http";
import { median, quantile, startService } from "./workerd.mjs";

const ROUNDS = Number(process.argv[2] ?? 9);

const PATHS = {
  "first answer": "/v1/geocoding/autocomplete?q=Par",
  "second answer": "/v1/geocoding/autocomplete?q=Lon",
  "first by position": "/v1/geocoding/reverse?lat=48.85&lon=2.35",
  "second by position": "/v1/geocoding/reverse?lat=51.5&lon=-0.12",
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds from asking to the end of the answer. */
function ask(url, headers, status = 200) {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const request = get(url, { agent, headers }, (response) => {
      if (response.statusCode !== status) reject(new Error(`${url} answers ${response.statusCode}`));
      response.resume().on("end", () => resolve(performance.now() - begin));
    });
    request.on("error", reject);
  });
}

const times = Object.fromEntries(Object.keys(PATHS).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  const started = await startService();
  try {
    const { service } = started;
    const headers = { authorization: `Bearer ${await service.token("", await service.create("growth"))}` };
    await ask(new URL("/v1/geocoding/none", service.url), {}, 404);
    for (const [name, path] of Object.entries(PATHS)) times[name].push(await ask(new URL(path, service.url), headers));
  } finally {
    await started.stop();
  }
}
for (const [name, taken] of Object.entries(times)) {
  const [low, middle, high] = [quantile(taken, 0), median(taken), quantile(taken, 1)].map((ms) => ms.toFixed(1));
  console.log(`${name}: ${middle} ms (${low} to ${high}) over ${ROUNDS} starts`);
}
