// What the crossing into JavaScript gains over that of the worker crate: `cargo xtask bench crossing`, which writes
// tests/bench/CROSSING.md. By hand, once that has built both: `node tests/bench/service/crossing.mjs [rounds] [requests] [connections]`.
//
// Two services on a workerd each: the one that is deployed, and the same routes, engine and objects behind the crate's own
// crossing (library.mjs). They answer in turns, and who begins changes from round to round, so that what else the machine
// does meets both. Their answers are compared before anything is measured.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../live/harness.mjs";
import { startService } from "../../workerd.mjs";
import { load, median, quantile } from "./measure.mjs";

const [ROUNDS = 61, REQUESTS = 400, CONNECTIONS = 32] = process.argv.slice(2).map(Number);

/** Requests before any is counted: V8 compiles what is hot in several steps. */
const WARM_UP = 2_000;

/** The crate's way is taken when it costs at most this part of the requests per second of the first question. */
const GOAL = 0.15;

const batch = { queries: ["Paris", "Berlin", "Rome", "Oslo", "Cairo", "Lima", "Quito", "Delhi", "Tokyo", "Sydney"] };

/** What is asked: path, and the body of a POST. */
const QUESTIONS = {
  forward: ["/v1/geocoding/forward?query=Paris"],
  autocomplete: ["/v1/geocoding/autocomplete?q=Par"],
  reverse: ["/v1/geocoding/reverse?lat=48.8566&lon=2.3522"],
  "batch of 10": ["/v1/geocoding/batch", JSON.stringify(batch)],
};

/** Both crossings: the module of the Worker, where it is not that of wrangler.toml. */
const CROSSINGS = { hand: undefined, crate: join(import.meta.dirname, "library.mjs") };

const services = {};
try {
  for (const [crossing, main] of Object.entries(CROSSINGS)) services[crossing] = await service(main);
  for (const question of Object.keys(QUESTIONS)) await sameAnswers(question);
  writeFileSync(join(ROOT, "tests/bench/CROSSING.md"), report(Object.entries(await measured())));
} finally {
  await Promise.all(Object.values(services).map(({ stop }) => stop()));
}

async function service(main) {
  const started = await startService({ main });
  // A limit that is not what is measured, of a plan that does not lease: each request asks its object.
  const key = await started.service.create("growth", { overrides: { perMinute: 10_000_000 } });
  const headers = { authorization: `Bearer ${await started.service.token("", key)}` };
  return { ...started, ask: ([path, body]) => ({ url: new URL(path, started.url), headers, body }) };
}

/** Holds both to the same answer: status, body, and headers but for those that tell requests apart. */
async function sameAnswers(question) {
  const [hand, crate] = await Promise.all(
    Object.values(services).map(async ({ ask }) => {
      const { url, headers, body } = ask(QUESTIONS[question]);
      const response = await fetch(url, { headers, body, method: body ? "POST" : "GET" });
      const own = /^(date|x-request-id|x-ratelimit-(remaining|reset))$/;
      return { status: response.status, headers: [...response.headers].filter(([name]) => !own.test(name)), body: await response.text() };
    }),
  );
  assert.equal(hand.status, 200);
  assert.deepEqual(crate, hand, question);
}

/** Requests per second and microseconds of processor time each, of every round, by question and crossing. */
async function measured() {
  const crossings = Object.entries(services);
  const none = () => Object.fromEntries(crossings.map(([crossing]) => [crossing, { rate: [], us: [] }]));
  const figures = Object.fromEntries(Object.keys(QUESTIONS).map((question) => [question, none()]));
  for (const question of Object.values(QUESTIONS)) {
    for (const [, { ask }] of crossings) await load(ask(question), WARM_UP, CONNECTIONS);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, question] of Object.entries(QUESTIONS)) {
      for (const [crossing, { ask, processorMs }] of crossings) {
        const before = processorMs();
        figures[name][crossing].rate.push(await load(ask(question), REQUESTS, CONNECTIONS));
        figures[name][crossing].us.push(((processorMs() - before) * 1000) / REQUESTS);
      }
    }
    crossings.reverse();
  }
  return figures;
}

function report(rows) {
  const ratios = ({ hand, crate }, figure) => crate[figure].map((value, round) => value / hand[figure][round]);
  const row = (...cells) => `| ${cells.join(" | ")} |`;
  const shown = ([question, figures]) => {
    const { hand, crate } = figures;
    const [rates, times] = ["rate", "us"].map((figure) => [hand, crate].map((of) => median(of[figure]).toFixed(0)));
    const spread = [0.5, 0.25, 0.75].map((share) => quantile(ratios(figures, "rate"), share).toFixed(2));
    return row(question, ...rates, ...spread, ...times, median(ratios(figures, "us")).toFixed(2));
  };
  const versions = Object.entries(versionsOf()).map(([name, version]) => `${name} ${version}`).join(", ");
  return `# The crossing into JavaScript

Written by \`cargo xtask bench crossing\` on ${new Date().toISOString().slice(0, 10)}, with ${versions}.

\`hand\` is the Worker as it is deployed, \`crate\` the same behind the crossing of the \`worker\` crate
(\`edge-worker/src/library\`), each on a workerd of its own on this machine: metered requests with a token, ${CONNECTIONS} at a time,
medians of ${ROUNDS} rounds of ${REQUESTS} that alternate. \`x\` is the ratio of a round, crate over hand, with its quartiles. Processor time
is that of workerd as a whole, in microseconds for each request. The crate's way is taken once it costs at most ${GOAL * 100} % of the
requests per second of forward: an \`x\` of ${(1 - GOAL).toFixed(2)} or more. [edge-worker/CROSSING.md](../../edge-worker/CROSSING.md) explains.

${row("", "hand, requests/s", "crate, requests/s", "x", "x, p25", "x, p75", "hand, us", "crate, us", "x of us")}
|---|${"---:|".repeat(8)}
${rows.map(shown).join("\n")}
`;
}

function versionsOf() {
  const lock = readFileSync(join(ROOT, "Cargo.lock"), "utf8");
  const crate = (name) => lock.match(new RegExp(`name = "${name}"\nversion = "(.*)"`))[1];
  const workerd = JSON.parse(readFileSync(join(ROOT, "edge-worker/node_modules/workerd/package.json"), "utf8")).version;
  return { worker: crate("worker"), "wasm-bindgen": crate("wasm-bindgen"), workerd };
}
