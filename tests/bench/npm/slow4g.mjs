// Measures an index in pages in Chromium on a slow network, and writes tests/bench/SLOW4G.md:
//
//     edge-worker/node_modules/.bin/node tests/bench/npm/slow4g.mjs [QUESTIONS]
//
// Needs build/npm, build/index.pages and build/index.toponym: `cargo xtask build npm`, `cargo toponym index --paged`.
//
// The network is "Slow 4G": 400 ms, 400 kbit/s, by Network.emulateNetworkConditions. The page is bundled by esbuild, its files
// come in gzip, pages may be cached for ever, and the root is asked for with its ETag.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

import { Project, ROOT, Site, launch } from "../../packaging/harness.mjs";
import { isPage } from "../../packaging/paged-index.mjs";
import { drawn } from "./slow4g-questions.mjs";

const SLOW_4G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const FAST = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** Milliseconds between letters. */
const PAUSE_MS = 150;

/** Visits of which the median is shown. */
const VISITS = 3;

/** Pages of the browser that ask at a time, each on a network of its own. */
const AT_A_TIME = 3;

const PAGES = join(ROOT, "build/index.pages");
const REPORT = join(ROOT, "tests/bench/SLOW4G.md");
const QUESTIONS = Number(process.argv[2] ?? 200);

const MAIN = `
import { Geocoder } from "toponym";
window.Geocoder = Geocoder;

// Loads, asks as soon as possible, and says when the answer was there.
window.first = async (options) => {
  const geo = await Geocoder.load(options);
  const found = await geo.autocomplete("par");
  return found.length && performance.now();
};

// Types a text, shows every list that comes, and tells when: from the first letter to the first list, from the last letter to
// its list, and from the last letter to the first list with the place, 0 if it is shown already.
window.type = async ({ text, place_id }, pause) => {
  const letters = [...text];
  const start = performance.now();
  let first, right, last;
  const show = (places) => {
    if (places.length) first ??= performance.now();
    if (places.some((place) => place.place_id === place_id)) right ??= performance.now();
    else right = undefined;
  };
  const asked = letters.map(async (_, at) => {
    await new Promise((resume) => setTimeout(resume, at * pause));
    if (at === letters.length - 1) last = performance.now();
    try {
      show(await geo.autocomplete(letters.slice(0, at + 1).join(""), { group: "field" }));
    } catch (error) {
      if (error.code !== "superseded") throw error;
    }
  });
  await Promise.all(asked);
  const end = performance.now();
  return { first: first - start, answered: end - last, right: right === undefined ? null : Math.max(0, right - last) };
};
document.body.append("ready");
`;

const HTML = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"><body><script type="module" src="main.js"></script>';

const project = new Project();
const site = await published(project);
const chromium = await launch();
const { questions, places } = await drawn(project, QUESTIONS);
const visits = { pages: await visited({ pages: `${site.url}/pages/root` }), first: await visited({}), core: await visited({ packs: ["core"] }) };
const typed = await allTyped();
const ofCore = await foundInCore();
writeFileSync(join(ROOT, "build/slow4g.json"), JSON.stringify({ visits, places, ofCore, typed }, null, 1));
write();
await chromium.close();
await site.close();
project.remove();
process.exit();

/** A site with the page, as a bundler and a static host make it. */
async function published(project) {
  const { build } = createRequire(createRequire(join(ROOT, "edge-worker/package.json")).resolve("wrangler"))("esbuild");
  const out = project.path("dist");
  project.write("main.js", MAIN);
  await build({ entryPoints: [project.path("main.js")], bundle: true, format: "esm", splitting: true, minify: true, outdir: out, logLevel: "error" });
  project.write("dist/index.html", HTML);
  for (const name of readdirSync(project.package)) {
    if (/\.(wasm|bin)$/.test(name)) writeFileSync(join(out, name), readFileSync(join(project.package, name)));
  }
  const site = await Site.of(out);
  const files = new Map();
  site.intercept = (request, response, path) => {
    if (!files.has(path)) files.set(path, file(path, out));
    const { body, headers } = files.get(path);
    const isSame = request.headers["if-none-match"] === headers.etag;
    response.writeHead(isSame ? 304 : 200, headers);
    response.end(isSame ? undefined : body);
    return true;
  };
  return site;
}

function file(path, out) {
  const isOfIndex = path.startsWith("/pages/");
  const bytes = readFileSync(isOfIndex ? join(PAGES, basename(path)) : join(out, path === "/" ? "index.html" : path));
  const types = { js: "text/javascript", html: "text/html", "": "text/html", wasm: "application/wasm" };
  const isText = /(\.(js|html|wasm)|\/)$/.test(path);
  const body = isText ? gzipSync(bytes, { level: 9 }) : bytes;
  const headers = { "content-type": isText ? types[path.split(".")[1] ?? ""] : "application/octet-stream", "content-length": body.length, etag: `"${createHash("md5").update(bytes).digest("hex")}"` };
  headers["cache-control"] = isPage(path) ? "public, max-age=31536000, immutable" : "no-cache";
  if (isText) headers["content-encoding"] = "gzip";
  return { body, headers };
}

/** A page of the browser, with nothing in its caches. `traffic` counts what comes over its network. */
async function blank() {
  const context = await chromium.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const traffic = { requests: 0, bytes: 0, ended: 0 };
  const received = new Map();
  session.on("Network.requestWillBeSent", ({ request }) => request.url.startsWith("http") && (traffic.requests += 1));
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => received.set(requestId, (received.get(requestId) ?? 0) + encodedDataLength));
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (traffic.bytes += encodedDataLength));
  session.on("Network.loadingFailed", ({ requestId }) => {
    traffic.bytes += received.get(requestId) ?? 0;
    traffic.ended += 1;
  });
  const network = (conditions) => session.send("Network.emulateNetworkConditions", conditions);
  return { context, page, session, network, traffic };
}

/**
 * Visits on the slow network with nothing in the caches: the median of milliseconds and bytes to the first suggestion; and the next visit.
 * What the first pack has the browser load behind it does not count.
 */
async function visited(options) {
  const first = [];
  const again = [];
  const visit = async () => {
    const { context, page, network, traffic } = await blank();
    await network(SLOW_4G);
    const arrive = async () => {
      const before = { ...traffic };
      await page.goto(site.url, { timeout: 0 });
      await page.waitForFunction(() => window.first);
      const ms = await page.evaluate((options) => first(options), options);
      const found = () => ({ ms, bytes: traffic.bytes - before.bytes, requests: traffic.requests - before.requests });
      const soon = found();
      // Of the next visit, too: the question whether there is a newer root.
      await page.waitForLoadState("networkidle", { timeout: 0 });
      return options.pages || options.packs ? found() : soon;
    };
    first.push(await arrive());
    again.push(await arrive());
    await context.close();
  };
  await Promise.all(Array.from({ length: VISITS }, visit));
  return { first: middle(first), again: middle(again) };
}

/** Every question, with nothing but the root in the caches, and on a visit after that. */
async function allTyped() {
  const left = questions.map((question, at) => ({ question, at }));
  const results = [];
  const askSome = async () => {
    const { context, page, session, network, traffic } = await blank();
    await page.goto(site.url);
    await page.waitForFunction(() => window.type);
    const load = () => page.evaluate(async (root) => {
      window.geo?.free();
      window.geo = await Geocoder.load({ pages: root });
    }, `${site.url}/pages/root`);
    const typed = async (question) => {
      await network(SLOW_4G);
      const before = { ...traffic };
      const times = await page.evaluate(([question, pause]) => type(question, pause), [question, PAUSE_MS]);
      await network(FAST);
      // What was given up has ended by then.
      await page.evaluate(() => new Promise((resume) => setTimeout(resume, 100)));
      return { ...times, requests: traffic.requests - before.requests, ended: traffic.ended - before.ended, bytes: traffic.bytes - before.bytes };
    };
    for (let next = left.shift(); next; next = left.shift()) {
      await page.evaluate(() => caches.delete("toponym-pages"));
      await session.send("Network.clearBrowserCache");
      await load();
      const cold = await typed(next.question);
      await load();
      await page.evaluate(() => new Promise((resume) => setTimeout(resume, 100)));
      console.error(`${next.at + 1} of ${questions.length}: ${next.question.text}`);
      results[next.at] = { ...next.question, cold, warm: await typed(next.question) };
    }
    await context.close();
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, askSome));
  return results;
}

/** How many of the questions the core pack answers. */
async function foundInCore() {
  const { Geocoder } = await import(pathToFileURL(project.write("core.mjs", 'export * from "toponym";\n')));
  const geo = await Geocoder.load();
  const found = questions.filter(({ text, place_id }) => geo.autocomplete([...text].join("")).some((place) => place.place_id === place_id));
  geo.free();
  return found.length;
}

function middle(visits) {
  return [...visits].sort((a, b) => a.ms - b.ms)[Math.floor(visits.length / 2)];
}

function write() {
  const lines = [];
  const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)];
  const ms = (value) => Math.round(value).toLocaleString("en");
  const kb = (value) => Math.round(value / 1000).toLocaleString("en");
  const spread = (values, shown) => [0.5, 0.9, 0.99].map((share) => shown(quantile(values, share)));
  const row = (...cells) => lines.push(`| ${cells.join(" | ")} |`);
  const { pages, first: packs, core } = visits;
  lines.push(introduction(), "");
  lines.push("## Until the first suggestion", "");
  row("", "places", "empty caches: kB", "seconds", "requests", "next visit: kB", "seconds");
  lines.push(`|---|${"---:|".repeat(6)}`);
  for (const [name, count, { first, again }] of [["index in pages", places.pages, pages], ["first pack, the core pack behind it", places.first, packs], ["core pack alone", places.core, core]]) {
    row(name, count, kb(first.bytes), (first.ms / 1000).toFixed(1), first.requests, kb(again.bytes), (again.ms / 1000).toFixed(1));
  }
  lines.push("", "## While somebody types", "");
  row(`${typed.length} questions`, "", "p50", "p90", "p99");
  lines.push("|---|---|---:|---:|---:|");
  for (const [name, key] of [["only the root is there", "cold"], ["asked on an earlier visit", "warm"]]) {
    const all = typed.map((question) => question[key]);
    const right = all.filter((one) => one.right !== null);
    row(name, "ms from the first letter to the first list", ...spread(all.filter(({ first }) => first > 0).map(({ first }) => first), ms));
    row("", "ms from the last letter to its list", ...spread(all.map(({ answered }) => answered), ms));
    row("", "ms from the last letter until the place is in the list", ...spread(right.map(({ right }) => right), ms));
    row("", "requests", ...spread(all.map(({ requests }) => requests), String));
    row("", "of them given up", ...spread(all.map(({ ended }) => ended), String));
    row("", "kB", ...spread(all.map(({ bytes }) => bytes), kb));
  }
  lines.push("", "## Places found", "");
  row("kind of question", "questions", "in the first five of the index in pages", "of them there when the last letter is typed, only the root before");
  lines.push("|---|---:|---:|---:|");
  for (const kind of [...new Set(typed.map(({ kind }) => kind))]) {
    const some = typed.filter((question) => question.kind === kind);
    const found = some.filter(({ cold }) => cold.right !== null);
    row(kind, some.length, found.length, found.filter(({ cold }) => cold.right === 0).length);
  }
  lines.push("", `The core pack, which has fewer places, has ${ofCore} of the ${questions.length}.`, "");
  mkdirSync(join(ROOT, "tests/bench"), { recursive: true });
  writeFileSync(REPORT, lines.join("\n"));
}

function introduction() {
  return `# An index in pages on a slow network

Written by \`edge-worker/node_modules/.bin/node tests/bench/npm/slow4g.mjs\` after \`cargo xtask build npm\` and \`cargo toponym index --paged\`.
${cpus().length} cores, whose load over a quarter of an hour was ${loadavg()[2].toFixed(1)} at the end, Chromium ${chromium.version()}. Above a load of 2 the times are
too long, and fewer places are there in time; bytes and requests do not depend on it.

The network is Slow 4G, as Chromium emulates it: 400 ms from each request to its answer, 400 kbit/s (50 kB a second) for all. The
page is bundled by esbuild; scripts and wasm come in gzip, the files of the index as they are. The page asks as soon as it is
loaded; the times are from the navigation, medians of ${VISITS}.

The questions are drawn from the index with a fixed seed, in proportion to importance, in turns from the most important places
that begin with every two letters and from all places. Six of ten are names as they are shown, two have a slip behind the second
letter, two are names of important places in another language or script. Names end after twelve letters. Letters come
every ${PAUSE_MS} ms, each with a call of \`autocomplete\`, which supersedes the one before. *Only the root is there*: before each question
all caches are emptied. *Asked on an earlier visit*: a new geocoder, with what the first one kept, on the same page. The pages of
a letter whose question was given up are not kept, so that a visit asks for them again, and gives them up again.`;
}
