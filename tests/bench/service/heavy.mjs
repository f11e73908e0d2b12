// Measures the most expensive queries against ordinary ones: `cargo xtask bench heavy`, which writes
// tests/bench/HEAVY.md.
//
// The heavy ones are the texts of tests/bench/heavy.jsonl; a `text` is repeated `times` and cut to the longest that the
// interface takes. The ordinary ones are the golden cases of the operation. Each is measured twice: as a request to the
// Worker on workerd over a connection that is open, and as a call of the engine in wasm (TOPONYM_WASM is the folder of
// engine.js). The time of a text is that of its fastest round.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../live/harness.mjs";
import { startService } from "../../workerd.mjs";
import { golden } from "./golden.mjs";
import { Connection, median, quantile } from "./measure.mjs";

const ROUNDS = Number(process.argv[2] ?? 15);

/** The contract's longest query, in characters. */
const LONGEST = 500;

/** The contract's default. */
const LIMIT = 5;

/** The goal: the most expensive text costs at most this many times the median ordinary one. */
const GOAL = 5;

const OPERATIONS = { forward: "query", autocomplete: "q" };

const heavy = lines("tests/bench/heavy.jsonl").map(JSON.parse).map(({ shape, text, times = 1 }) => {
  return { shape, text: [...text.repeat(times)].slice(0, LONGEST).join("").trim() };
});
const ordinary = (operation) => golden(operation, "query").map(([text]) => ({ text }));

const service = await overHttp();
const ways = { request: service.ask, engine: await inWasm() };
try {
  // Warm up, because the runtime optimises code that runs often.
  for (const operation of Object.keys(OPERATIONS)) for (const ask of Object.values(ways)) await measured(heavy, operation, ask);
  const results = {};
  for (const operation of Object.keys(OPERATIONS)) {
    for (const [way, ask] of Object.entries(ways)) {
      // In the same rounds, so that both have the same share of the machine.
      const usual = ordinary(operation);
      const times = await measured([...usual, ...heavy], operation, ask);
      const ofUsual = times.splice(0, usual.length);
      results[`${operation} ${way}`] = { usual: ofUsual, times, typical: median(ofUsual) };
    }
  }
  writeFileSync(join(ROOT, "tests/bench/HEAVY.md"), report(results));
} finally {
  await service.stop();
}

/** Microseconds of each text in its fastest round. */
async function measured(texts, operation, ask) {
  const best = texts.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { text }] of texts.entries()) best[at] = Math.min(best[at], await ask(operation, text));
  }
  return best;
}

async function overHttp() {
  const { service, stop } = await startService();
  const connection = new Connection();
  // The largest limit of the Enterprise plan, so that the limit does not affect the measurement.
  const key = await service.create("enterprise", { overrides: { perMinute: 10_000_000 } });
  const headers = { authorization: `Bearer ${await service.token("", key)}` };
  return {
    async ask(operation, text) {
      const url = new URL(`/v1/geocoding/${operation}`, service.url);
      url.searchParams.set(OPERATIONS[operation], text);
      url.searchParams.set("limit", LIMIT);
      return 1000 * (await connection.ask(url, headers));
    },
    async stop() {
      connection.close();
      await stop();
    },
  };
}

async function inWasm() {
  const folder = process.env.TOPONYM_WASM;
  const { default: init, Geocoder } = await import(pathToFileURL(join(folder, "engine.js")));
  await init({ module_or_path: readFileSync(join(folder, "engine_bg.wasm")) });
  const geocoder = new Geocoder(readFileSync(join(ROOT, "build/index.toponym")));
  return (operation, text) => {
    const begin = performance.now();
    geocoder[operation]({ text, limit: LIMIT });
    return 1000 * (performance.now() - begin);
  };
}

function report(results) {
  const columns = Object.keys(results);
  const shown = (micros) => micros.toFixed(0);
  const times = (micros, column) => (micros / results[column].typical).toFixed(1);
  const row = (...cells) => `| ${cells.join(" | ")} |`;
  const worst = (column) => Math.max(...results[column].times);
  const order = heavy.map((_, at) => at).sort((a, b) => results[columns[0]].times[b] - results[columns[0]].times[a]);
  return `# The dearest questions

Written by \`cargo xtask bench heavy\`: ${heavy.length} texts that cost as much as a text can (\`heavy.jsonl\`), beside ordinary ones
(the golden cases of \`tests/golden\`). Times are in microseconds, of the fastest of ${ROUNDS} rounds: \`request\` is the whole request to the
Worker on local workerd, with its token and its metering, \`engine\` the call of the engine in wasm alone. \`x\` is the time
over the median ordinary one of the column. The goal is that no request takes more than ${GOAL} times an ordinary one.

${row("", ...columns)}
|---|${"---:|".repeat(columns.length)}
${row("ordinary, p50", ...columns.map((column) => shown(results[column].typical)))}
${row("ordinary, p99", ...columns.map((column) => shown(quantile(results[column].usual, 0.99))))}
${row("dearest", ...columns.map((column) => shown(worst(column))))}
${row("dearest over ordinary p50", ...columns.map((column) => `${times(worst(column), column)} x`))}

${row("text", "characters", ...columns.flatMap((column) => [column, "x"]))}
|---|${"---:|".repeat(1 + 2 * columns.length)}
${order.map((at) => row(heavy[at].shape, [...heavy[at].text].length, ...columns.flatMap((column) => {
    const micros = results[column].times[at];
    return [shown(micros), times(micros, column)];
  }))).join("\n")}
`;
}

function lines(path) {
  return readFileSync(join(ROOT, path), "utf8").trim().split("\n");
}
