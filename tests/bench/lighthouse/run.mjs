// Measures the pages `/` and `/status` with Lighthouse against the real service on this machine, and writes RESULTS.md.
// `cargo xtask bench pages` sets up what it needs, and runs it. By hand, after that:
//
//     edge-worker/node_modules/.bin/node tests/bench/lighthouse/run.mjs [PART OF A NAME]
//
// With a part of a page's name it measures only this page, and writes nothing. CHROMIUM names another browser than Debian's,
// REPORTS a folder for the whole reports of Lighthouse, RUNS the number of runs of each page.

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { launch as launchChrome } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { SOFTWARE_WEBGL, launchOptions } from "../../chromium.mjs";
import { start } from "../../live/harness.mjs";
import { tellADay } from "../../site/traffic.mjs";

/** Pages by their names. A link with a question loads the engine with its places and the map at once: it has no floor. */
const PAGES = {
  "`/`": { path: "/", hasFloor: true },
  "`/status`": { path: "/status", hasFloor: true },
  "`/` by a link with a question: engine, places and map at once": { path: "/#/v1/geocoding/forward?query=Paris", hasFloor: false },
};

/** Mobile is Lighthouse's default: a slow phone on a slow network, simulated. */
const PRESETS = { mobile: undefined, desktop: desktopConfig };

const CATEGORIES = ["performance", "accessibility", "best-practices"];

/** The score that every category must have, in every run. */
const FLOOR = 95;

/** Runs of each page; the metrics are those of the median by performance, as Lighthouse advises. */
const RUNS = Number(process.env.RUNS ?? 5);

/** The share of the processor that others may use when a run begins, and how long a run waits for that. */
const QUIET = 0.15;
const PATIENCE_MS = 10 * 60_000;

const METRICS = {
  "first-contentful-paint": "first paint",
  "largest-contentful-paint": "largest paint",
  "total-blocking-time": "blocked",
  "cumulative-layout-shift": "shift",
  "speed-index": "speed index",
};

const compress = promisify(brotliCompress);

/** What the platform compresses, of what the service serves. */
const COMPRESSED = /^(text\/|image\/svg|application\/(javascript|json|wasm|yaml))/;

/** The effort that servers afford for each answer. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const service = await start();
// So that the status page has charts to draw.
await tellADay(service);
const front = await compressing(service.url);
const { executablePath, args } = launchOptions(["--headless=new", ...SOFTWARE_WEBGL]);
const flags = args.filter((flag) => flag !== "--disable-gpu");
const chrome = await launchChrome({ chromePath: executablePath, chromeFlags: flags });
const [part = ""] = process.argv.slice(2);
const pages = Object.entries(PAGES).filter(([name]) => name.includes(part));
const rows = [];
try {
  // The first visit of all waits for a service that has just started.
  for (const [, { path }] of pages) await lighthouse(new URL(path, front.url).href, { port: chrome.port, onlyCategories: ["performance"], logLevel: "error" });
  for (const [page, { path, hasFloor }] of pages) {
    for (const [preset, config] of Object.entries(PRESETS)) rows.push({ page, preset, hasFloor, ...(await measured(new URL(path, front.url).href, preset, config)) });
  }
} finally {
  chrome.kill();
  front.stop();
  await service.stop();
}
process.stdout.write(report(rows));
if (part) process.exit();
writeFileSync(join(import.meta.dirname, "RESULTS.md"), report(rows));
const low = rows.filter(({ hasFloor, scores, range }) => hasFloor && Math.min(...scores, ...range) < FLOOR);
for (const { page, preset } of low) process.stderr.write(`${page}, ${preset}: below ${FLOOR}\n`);
process.exit(low.length ? 1 : 0);

/** The scores and metrics of the run with the median performance. */
async function measured(url, preset, config) {
  const results = [];
  for (let run = 0; run < RUNS; run += 1) {
    await quiet();
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" }, config);
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    results.push(lhr);
  }
  results.sort((a, b) => a.categories.performance.score - b.categories.performance.score);
  const lhr = results[Math.floor(results.length / 2)];
  const failed = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== "informative");
  if (process.env.REPORTS) keep(url, lhr, preset);
  process.stderr.write(`${url}: ${failed.map(({ id, displayValue = "" }) => `${id} ${displayValue}`).join("; ")}\n`);
  return {
    scores: CATEGORIES.map((name) => Math.round(lhr.categories[name].score * 100)),
    range: results.map(({ categories }) => Math.round(categories.performance.score * 100)),
    metrics: Object.keys(METRICS).map((id) => lhr.audits[id].displayValue),
    speed: lhr.environment.benchmarkIndex,
  };
}

/** Waits until the machine has little else to do: the scores are those of the pages, not of what runs beside them. */
async function quiet() {
  const end = Date.now() + PATIENCE_MS;
  while ((await busy()) > QUIET) {
    if (Date.now() > end) throw new Error("other programs need the processor: the figures would be theirs");
  }
}

/** The share of the processor that was used in the last two seconds. */
async function busy() {
  const total = () => cpus().reduce((sum, { times }) => ({ idle: sum.idle + times.idle, all: sum.all + Object.values(times).reduce((a, b) => a + b) }), { idle: 0, all: 0 });
  const before = total();
  await sleep(2000);
  const after = total();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function keep(url, lhr, preset) {
  const { pathname, hash } = new URL(url);
  writeFileSync(join(process.env.REPORTS, `${pathname.replaceAll("/", "_")}${hash && "link_"}${preset}.json`), JSON.stringify(lhr));
}

function report(measurements) {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "node_modules/lighthouse/package.json"), "utf8"));
  const head = ["page", "preset", "performance", "accessibility", "best practices", ...Object.values(METRICS), "performance of all runs"];
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  const speeds = measurements.map(({ speed }) => speed);
  return `# The pages by Lighthouse

Written by \`cargo xtask bench pages\`: Lighthouse ${version}, the median of ${RUNS} runs by performance, against the real service on
workerd on the same machine (${cpus().length} cores; Lighthouse's index of its speed: ${Math.min(...speeds)} to ${Math.max(...speeds)}, where a desktop has over 1500), behind a
server that compresses texts with Brotli, as the platform does and workerd alone does not. It speaks HTTP/1.1; the platform's HTTP/2
is not slower. Mobile is a slow phone on a slow network, simulated. In the runs of \`/\` and \`/status\` Lighthouse only looks at the
page: neither the engine with its places nor the map loads, because both start when somebody first uses the page. Every score of
these runs must be ${FLOOR} or more. \`/status\` shows a day of traffic. A link with a question needs engine and map at once, and the map
is drawn without a graphics card here, by the processor that is measured: its rows have no floor. Started when the page is idle, the
map alone made \`/\` 72 on mobile (72, 72, 74) and 90 on desktop (85, 90, 94), so it waits for the first use.

${line(head)}${line(head.map(() => "---"))}${measurements.map(({ page, preset, scores, metrics, range }) => line([page, preset, ...scores, ...metrics, range.join(", ")])).join("")}`;
}

/**
 * Starts a server in front of the service that compresses texts, as the platform does for visitors; workerd leaves it to the
 * platform. Returns its `url`, and `stop()`.
 */
async function compressing(origin) {
  const server = createServer((request, response) => {
    answer(origin, request, response).catch((error) => response.writeHead(502).end(error.message));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(origin, request, response) {
  const { method, url, headers } = request;
  // `fetch` chooses its own encoding, and undoes it.
  const { host, connection, "accept-encoding": accepted = "", ...sent } = headers;
  const answered = await fetch(new URL(url, origin), { method, headers: sent, redirect: "manual" });
  const found = Object.fromEntries(answered.headers);
  for (const name of ["connection", "content-length", "content-encoding", "transfer-encoding"]) delete found[name];
  let body = Buffer.from(await answered.arrayBuffer());
  if (body.length > 0 && accepted.includes("br") && COMPRESSED.test(found["content-type"] ?? "")) {
    body = await compress(body, QUALITY);
    Object.assign(found, { "content-encoding": "br", vary: "accept-encoding" });
  }
  response.writeHead(answered.status, { ...found, "content-length": body.length }).end(body);
}
