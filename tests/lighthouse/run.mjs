// Measures the pages `/` and `/status` with Lighthouse against the real service on this machine, and writes RESULTS.md:
//
//     npm ci --prefix tests/lighthouse
//     edge-worker/node_modules/.bin/node tests/lighthouse/run.mjs
//
// It needs the output of `cargo xtask worker`, and Chromium, which CHROMIUM names if it is another than Debian's. REPORTS names
// a folder for the whole reports of Lighthouse, RUNS the number of runs of each page.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpus } from "node:os";
import { launch as launchChrome } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { SOFTWARE_WEBGL, launchOptions } from "../chromium.mjs";
import { start } from "../live/harness.mjs";
import { compressing } from "./compressing.mjs";

const PAGES = ["/", "/status"];

/** Mobile is Lighthouse's default: a slow phone on a slow network, simulated. */
const PRESETS = { mobile: undefined, desktop: desktopConfig };

const CATEGORIES = ["performance", "accessibility", "best-practices"];

/** The score that every category must have. */
const FLOOR = 95;

/** Runs of each page; the median by performance counts, as Lighthouse advises. */
const RUNS = Number(process.env.RUNS ?? 3);

const METRICS = {
  "first-contentful-paint": "first paint",
  "largest-contentful-paint": "largest paint",
  "total-blocking-time": "blocked",
  "cumulative-layout-shift": "shift",
  "speed-index": "speed index",
};

const service = await start();
const front = await compressing(service.url);
const { executablePath, args } = launchOptions(["--headless=new", ...SOFTWARE_WEBGL]);
const flags = args.filter((flag) => flag !== "--disable-gpu");
const chrome = await launchChrome({ chromePath: executablePath, chromeFlags: flags });
const rows = [];
try {
  // The first visit of all waits for a service that has just started.
  for (const page of PAGES) await lighthouse(new URL(page, front.url).href, { port: chrome.port, onlyCategories: ["performance"], logLevel: "error" });
  for (const page of PAGES) {
    for (const [preset, config] of Object.entries(PRESETS)) rows.push({ page, preset, ...(await measured(new URL(page, front.url).href, config)) });
  }
} finally {
  chrome.kill();
  front.stop();
  await service.stop();
}
writeFileSync(join(import.meta.dirname, "RESULTS.md"), report(rows));
process.stdout.write(report(rows));
process.exit(rows.every(({ scores }) => scores.every((score) => score >= FLOOR)) ? 0 : 1);

/** The scores and metrics of the run with the median performance. */
async function measured(url, config) {
  const results = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" }, config);
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    results.push(lhr);
  }
  results.sort((a, b) => a.categories.performance.score - b.categories.performance.score);
  const lhr = results[Math.floor(results.length / 2)];
  const failed = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== "informative");
  if (process.env.REPORTS) writeFileSync(join(process.env.REPORTS, `${new URL(url).pathname.replaceAll("/", "_")}${config ? "desktop" : "mobile"}.json`), JSON.stringify(lhr));
  process.stderr.write(`${url}: ${failed.map(({ id, displayValue = "" }) => `${id} ${displayValue}`).join("; ")}\n`);
  return {
    scores: CATEGORIES.map((name) => Math.round(lhr.categories[name].score * 100)),
    range: results.map(({ categories }) => Math.round(categories.performance.score * 100)),
    metrics: Object.keys(METRICS).map((id) => lhr.audits[id].displayValue),
    speed: lhr.environment.benchmarkIndex,
  };
}

function report(measurements) {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "node_modules/lighthouse/package.json"), "utf8"));
  const head = ["page", "preset", "performance", "accessibility", "best practices", ...Object.values(METRICS), "performance of all runs"];
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  const speeds = measurements.map(({ speed }) => speed);
  return `# The pages by Lighthouse

Written by \`node tests/lighthouse/run.mjs\`: Lighthouse ${version}, the median of ${RUNS} runs by performance, against the real service on
workerd on the same machine (${cpus().length} cores; Lighthouse's index of its speed: ${Math.min(...speeds)} to ${Math.max(...speeds)}, where a desktop has over 1500), behind a
server that compresses texts with Brotli, as the platform does and workerd alone does not. It speaks HTTP/1.1; the platform's HTTP/2
is not slower. Mobile is a slow phone on a slow network, simulated. Lighthouse only looks at the page: neither the engine with its
places nor the map loads in these runs, because both start when somebody first uses the page.

${line(head)}${line(head.map(() => "---"))}${measurements.map(({ page, preset, scores, metrics, range }) => line([`\`${page}\``, preset, ...scores, ...metrics, range.join(", ")])).join("")}`;
}
