// Tests calls of `autocomplete` that overlap, of all four kinds of geocoder: of a pack, of an index in pages, in a thread, and over
// HTTP. Each caller gets the answer to its own text, and only calls of one group supersede each other. In Node and in workerd,
// which has no threads.

import assert from "node:assert/strict";
import { json } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import { startScript } from "../live/harness.mjs";
import { soon } from "../soon.mjs";
import { Project, Site } from "./harness.mjs";
import { hosted, isPage, pagesOfCore } from "./paged-index.mjs";

/** Texts with suggestions that are not in the root of the pages, so that questions wait for pages. */
const TEXTS = ["ouagadou", "ushu", "esch-sur-alz", "timbuk", "hobart", "zanzib", "kigal", "nuuk", "tashken", "cuzc"];

/** So many that each text has several callers. */
const CALLERS = 60;

/** Each opens a connection to workerd and another one from it. */
const REQUESTS = 20;

/** Asks for each `[text, group]` at once. Returns the name of each first suggestion, or the code of the error. */
async function askedAtOnce(geo, calls) {
  const ask = async ([text, group]) => geo.autocomplete(text, { group });
  return Promise.all(calls.map((call) => ask(call).then(([place]) => place?.name ?? "nothing", ({ code }) => code)));
}

const WORKER = `
import { Geocoder } from "toponym";
import { HttpGeocoder } from "toponym/http";
${askedAtOnce}
const kinds = {
  pack: () => Geocoder.load(),
  pages: (env) => Geocoder.load({ pages: env.PAGES + "/root" }),
  service: (env) => new HttpGeocoder(env.SERVICE, { token: "t" }),
};
const loaded = {};
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const kind = pathname.slice(1);
    const geo = (loaded[kind] ??= await kinds[kind](env));
    return Response.json(await askedAtOnce(geo, JSON.parse(searchParams.get("calls"))));
  },
};
`;

const VARIABLES = (pages, service) => `
[vars]
PAGES = "${pages}"
SERVICE = "${service}"
`;

/** Gives a thread of Node what scripts of a Web Worker have and those of Node lack, and then imports the script of the package. */
const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
const { readFile } = require("node:fs/promises");
const overHttp = globalThis.fetch;
const fromFile = async (url) => new Response(await readFile(url), { headers: { "content-type": "application/wasm" } });
globalThis.fetch = (address, init) => {
  const url = new URL(address);
  return url.protocol === "file:" ? fromFile(url) : overHttp(url, init);
};
globalThis.postMessage = (data) => parentPort.postMessage(data);
import(workerData).then(() => parentPort.on("message", (data) => globalThis.onmessage({ data })));
`;

const threads = new Set();

/** Ends the threads that are left, each of which would keep a file of tests from ending. */
const endThreads = () => Promise.all([...threads].map((thread) => thread.terminate()));

/** Web Workers in Node, as far as `toponym/worker` uses them. */
class NodeWorker {
  #thread;

  constructor(url) {
    this.#thread = new Thread(THREAD, { eval: true, workerData: url.href });
    threads.add(this.#thread);
    this.#thread.once("exit", () => threads.delete(this.#thread));
    this.#thread.on("message", (data) => this.onmessage({ data }));
    this.#thread.on("error", ({ message }) => this.onerror({ message }));
  }

  postMessage(message, transfer) {
    this.#thread.postMessage(message, transfer);
  }

  terminate() {
    void this.#thread.terminate();
  }
}

let project, pages, service, worker, toponym, pack;

before(async () => {
  project = new Project();
  const use = ["toponym", "toponym/worker", "toponym/http"].map((name) => `export * from "${name}";`);
  toponym = await import(pathToFileURL(project.write("use.mjs", use.join("\n"))));
  pack = await toponym.Geocoder.load();
  pages = await hosted(pagesOfCore());
  service = await Site.of(project.folder);
  service.intercept = (request, response) => answer({ request, response });
  globalThis.Worker = NodeWorker;
  worker = await startScript(project, WORKER, VARIABLES(pages.url, service.url));
});

after(async () => {
  // Those of tests that failed.
  await endThreads();
  await worker?.stop();
  await Promise.all([pages?.close(), service?.close()]);
  pack?.free();
  project?.remove();
});

/** Answers as the service does, from the pack. */
function answer({ request, response }) {
  json(request).then(({ q }) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(pack.autocomplete(q))));
  return true;
}

/** The name that a caller with a text of its own gets. */
const named = (text) => pack.autocomplete(text)[0]?.name ?? "nothing";

/** Calls without a group, each text several times. */
const ownCalls = (count) => Array.from({ length: count }, (_, at) => [TEXTS[at % TEXTS.length]]);

/** Calls of two search fields, and others between them: `[text, group, isSuperseded]`. */
const mixedCalls = (from, to) => [
  ["ouag", from, true],
  ["ush", to, true],
  ["hobart", null, false],
  ["ouagad", from, true],
  ["", to, true],
  ["kigal", null, false],
  ["ouagadou", from, false],
  ["ushu", to, false],
  ["hobart", null, false],
];

/** What mixed calls get: of a pack the answers, for it answers before there is a newer call. */
const expected = (calls, isAtOnce) => calls.map(([text, , isSuperseded]) => (isSuperseded && !isAtOnce ? "superseded" : named(text)));

const NODE = {
  "a pack": () => toponym.Geocoder.load(),
  "an index in pages": () => toponym.Geocoder.load({ pages: `${pages.url}/root` }),
  "a pack in a thread": () => toponym.GeocoderWorker.load({ packs: ["core"] }),
  "an index in pages in a thread": () => toponym.GeocoderWorker.load({ pages: `${pages.url}/root` }),
  "the service": () => new toponym.HttpGeocoder(service.url, { token: "t" }),
};

for (const [kind, load] of Object.entries(NODE)) {
  test(`in Node, each caller gets the answer to its own text: ${kind}`, async () => {
    const geo = await load();
    const calls = ownCalls(CALLERS);
    assert.deepEqual(await askedAtOnce(geo, calls), calls.map(([text]) => named(text)));
    geo.free?.();
  });

  test(`in Node, only calls of one group supersede each other: ${kind}`, async () => {
    const geo = await load();
    // What cannot cross threads names a group, too.
    const calls = mixedCalls(Symbol("from"), { field: "to" });
    for (const round of ["first", "what is answered supersedes nothing"]) {
      assert.deepEqual(await askedAtOnce(geo, calls), expected(calls, kind === "a pack"), round);
    }
    geo.free?.();
  });
}

/** Sends calls to the Worker in one request. */
async function inWorkerd(kind, calls) {
  const response = await fetch(new URL(`/${kind}?calls=${encodeURIComponent(JSON.stringify(calls))}`, worker.url));
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

/** Has a host keep back what `isHeld(path)`. `release(send)` sends it, what came last first. */
function hold(host, isHeld) {
  const { intercept } = host;
  const waiting = [];
  host.intercept = (request, response, path) => isHeld(path) && waiting.push({ request, response, path }) > 0;
  const release = (send) => {
    host.intercept = intercept;
    for (const each of waiting.reverse()) send(each);
  };
  return { waiting, release };
}

for (const [kind, host, isHeld, send] of [
  ["pack"],
  ["pages", () => pages, isPage, ({ path, response }) => response.writeHead(307, { location: path }).end()],
  ["service", () => service, () => true, answer],
]) {
  test(`in workerd, each request gets the answer to its own text: ${kind}`, async () => {
    // Loaded once for all requests.
    await inWorkerd(kind, []);
    const calls = ownCalls(REQUESTS);
    const held = host ? hold(host(), isHeld) : undefined;
    const asked = Promise.all(calls.map((call) => inWorkerd(kind, [call])));
    try {
      if (held) await soon(() => held.waiting.length, (count) => count >= REQUESTS);
    } finally {
      held?.release(send);
    }
    assert.deepEqual((await asked).flat(), calls.map(([text]) => named(text)));
  });

  test(`in workerd, only calls of one group supersede each other: ${kind}`, async () => {
    const calls = mixedCalls("from", "to");
    assert.deepEqual(await inWorkerd(kind, calls), expected(calls, kind === "pack"));
  });
}

test("in workerd, calls of one group supersede each other across requests", async () => {
  const held = hold(service, () => true);
  const older = inWorkerd("service", [["ouagadou", "from"]]);
  await soon(() => held.waiting.length, (count) => count === 1);
  const newer = inWorkerd("service", [["ushu", "from"]]);
  assert.deepEqual(await older, ["superseded"]);
  await soon(() => held.waiting.length, (count) => count === 2);
  held.release(answer);
  assert.deepEqual(await newer, [named("ushu")]);
});
