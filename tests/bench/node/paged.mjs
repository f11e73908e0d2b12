// Measures a Worker with an index in pages beside one with the same index in one file, and writes tests/bench/PAGED.md. After
// `cargo toponym index --paged` and `cargo xtask build worker`:
//
//     edge-worker/node_modules/.bin/node tests/bench/node/paged.mjs [STARTS] [QUESTIONS]
//
// The Workers are bundled as for deployment and run on workerd alone. Pages come from the folder of the index by a service on this
// machine, as the platform's assets do from theirs. Every start is a new process with a new isolate, and kinds of indexes take turns.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "../../live/harness.mjs";
import { golden } from "../service/golden.mjs";
import { Connection, median } from "../service/measure.mjs";
import { startService } from "../../workerd.mjs";

const [STARTS = 20, QUESTIONS = 1_000] = process.argv.slice(2).map(Number);
const PAGES = join(ROOT, "build/index.pages");
const KINDS = { "in one file": "build/index.toponym", "in pages": "build/index.pages" };

/** Requests between two looks at the memory, and requests under way at once. */
const LOOK_EVERY = 10;
const CONNECTIONS = 4;

const MB = 1e6;

const encoded = (name, ...columns) => golden(name, ...columns).map((values) => values.map(encodeURIComponent));
const MIXED = [
  ...encoded("forward", "query").map(([query]) => `/v1/geocoding/forward?query=${query}`),
  ...encoded("autocomplete", "query").map(([query]) => `/v1/geocoding/autocomplete?q=${query}`),
  ...encoded("reverse", "lat", "lon").map(([lat, lon]) => `/v1/geocoding/reverse?lat=${lat}&lon=${lon}`),
];

/** Questions that take one page, and several; and one of the first kind about something else. */
const FEW = "/v1/geocoding/forward?query=France&limit=1";
const MANY = "/v1/geocoding/reverse?lat=48.85&lon=2.35";
const OTHER = "/v1/geocoding/forward?query=Quimperl%C3%A9&limit=1";

/** Opens a file in a new process, twice: the first time V8 compiles what it runs. With the checksum, which a Worker leaves out. */
const OPEN = `
import { readFileSync } from "node:fs";
const [engine, file] = process.argv.slice(1);
const { initSync, Geocoder } = await import(engine + ".js");
initSync({ module: new WebAssembly.Module(readFileSync(engine + "_bg.wasm")) });
const bytes = new Uint8Array(readFileSync(file));
const took = [0, 0].map(() => {
  const begun = performance.now();
  file.endsWith("root.toponym") ? Geocoder.paged(bytes) : new Geocoder(bytes);
  return performance.now() - begun;
});
console.log(JSON.stringify(took));`;
const OPENED = { "in one file": ["engine", "build/index.toponym"], "in pages": ["engine-pages", "build/index.pages/root.toponym"] };

function opened(kind) {
  const [engine, file] = OPENED[kind];
  const paths = [join(ROOT, "target/npm-engine", engine), join(ROOT, file)];
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", OPEN, ...paths], { encoding: "utf8" }));
}

let fetches = 0;
const assets = createServer((request, response) => {
  const page = /\/places\/([0-9a-f]{16})$/.exec(request.url)?.[1];
  if (!page) return response.writeHead(404).end();
  fetches += 1;
  response.end(readFileSync(join(PAGES, page)));
}).listen(0, "127.0.0.1");
const store = `127.0.0.1:${await new Promise((resolve) => assets.on("listening", () => resolve(assets.address().port)))}`;

const start = (kind, how) => startService({ indexes: [KINDS[kind]], assets: store, quiet: true, ...how });

const token = async (service) => service.token("", await service.create("growth", { overrides: { perMinute: 100_000 } }));

async function open(service, bearer) {
  const connection = new Connection();
  const headers = { authorization: `Bearer ${bearer}` };
  // The connection, the object of the key and the code of the answer are there before.
  await connection.ask(new URL("/v1/geocoding/forward", service.url), headers, 400);
  return { close: () => connection.close(), ask: (path) => connection.ask(new URL(path, service.url), headers) };
}

/** Milliseconds of the first answers of a new isolate, and how many pages each took. */
async function firstAnswers({ started, bearer }, paths) {
  await started.restart();
  const { ask, close } = await open(started.service, bearer);
  const answers = [];
  for (const path of paths) {
    const before = fetches;
    answers.push({ took: await ask(path), pages: fetches - before });
  }
  close();
  return answers;
}

/** Bytes of the bundle as it is sent. */
function uploaded(folder) {
  const files = readdirSync(folder).filter((file) => !/\.map$|README/.test(file));
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
}

/** Memory of an isolate as V8 accounts it: at its peak while it answers mixed questions, and what is kept then. */
async function memory(kind) {
  const started = await start(kind, { inspected: true });
  const { service, inspector } = started;
  try {
    const handles = await inspector.all("WebAssembly.Memory");
    const look = async () => {
      const wasm = await inspector.about(handles, function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); });
      const { totalSize, embedderHeapUsedSize, backingStorageSize } = await inspector.ask("Runtime.getHeapUsage");
      return wasm + totalSize + embedderHeapUsedSize + backingStorageSize;
    };
    const bearer = await token(service);
    let [next, peak] = [0, await look()];
    const before = fetches;
    const worker = async () => {
      const own = await open(service, bearer);
      while (next < QUESTIONS) {
        const number = next++;
        await own.ask(MIXED[(number * 7919) % MIXED.length]).catch((error) => { if (!/answers 404/.test(error.message)) throw error; });
        if (number % LOOK_EVERY === 0) peak = Math.max(peak, await look());
      }
      own.close();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    await inspector.collectGarbage();
    return { peak, kept: await look(), fetches: fetches - before };
  } finally {
    await started.stop();
  }
}

const figures = {};
for (const kind of Object.keys(KINDS)) {
  const found = { opening: [], anew: [], few: [], many: [], other: [], again: [], ...(await memory(kind)) };
  const started = await start(kind);
  figures[kind] = { ...found, upload: uploaded(started.bundle), started, bearer: await token(started.service) };
}
for (let number = 0; number < STARTS; number += 1) {
  for (const [kind, found] of Object.entries(figures)) {
    const [few, other, again] = await firstAnswers(found, [FEW, OTHER, OTHER]);
    const [many] = await firstAnswers(found, [MANY]);
    const [opening, anew] = opened(kind).map((took) => ({ took, pages: 0 }));
    Object.entries({ opening, anew, few, many, other, again }).forEach(([name, answer]) => found[name].push(answer));
  }
}
for (const { started } of Object.values(figures)) await started.stop();
assets.close();

const mb = (bytes) => `${(bytes / MB).toFixed(1)} MB`;
const middle = (answers) => median(answers.map(({ took }) => took));
const ms = (answers) => `${middle(answers).toFixed(1)} ms${answers[0].pages ? `, pages: ${answers[0].pages}` : ""}`;
const row = (name, show, goal) => `| ${name} | ${Object.values(figures).map(show).join(" | ")} | ${goal} |`;
const table = [
  `| | ${Object.keys(KINDS).join(" | ")} | goal |`,
  "|---|---:|---:|---:|",
  row("upload of the Worker, gzip", (found) => mb(found.upload), "3 MB"),
  row("opening, first in its process", (found) => ms(found.opening), "5 ms"),
  row("opening anew, when V8 has compiled the code", (found) => ms(found.anew), "-"),
  row("first answer of an isolate: France", (found) => ms(found.few), "15 ms"),
  row("first answer of an isolate: reverse", (found) => ms(found.many), "25 ms"),
  row("a later answer: Quimperlé", (found) => ms(found.other), "-"),
  row("the same again", (found) => ms(found.again), "-"),
  row(`memory of an isolate, peak of ${QUESTIONS} mixed questions`, (found) => mb(found.peak), "48 MB"),
  row("memory of an isolate, kept after them", (found) => mb(found.kept), "40 MB"),
  row("pages fetched for them", (found) => found.fetches, "-"),
];
const text = `# An index in pages in a Worker

Written by \`node tests/bench/node/paged.mjs ${STARTS} ${QUESTIONS}\` on ${new Date().toISOString().slice(0, 10)}. Medians of ${STARTS} starts of workerd, over one
open connection, metering included; the two kinds take turns. Pages come from a server on this machine. Opening is
measured in Node, with the same engine and the checksum, which a Worker leaves out. Memory is what V8 accounts to the isolate: heap,
buffers, modules and wasm. Others use the machine too: only ratios of times mean anything.

Most of the first answer is V8 compiling the wasm that runs for the first time, in two turns of the request: before the first page is
asked for, and when it is there. The same question takes 1 to 3 ms later. What an isolate has compiled, another one compiles again.

${table.join("\n")}
`;
writeFileSync(join(ROOT, "tests/bench/PAGED.md"), text);
console.log(text);
