// Tests orders in which calls of `autocomplete` overlap that nobody would think of: callers with and without a group, aborts,
// failures and slow answers, at random, of all four kinds of geocoder. Each call gets the answer to its own text or a rejection.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";

import { Project } from "./harness.mjs";
import { pagesOfCore } from "./paged-index.mjs";

/** Texts with suggestions that are not in the root of the pages, so that questions wait for pages. */
const TEXTS = ["ouagadou", "ushu", "esch-sur-alz", "timbuk", "hobart", "zanzib", "kigal", "nuuk"];

/** Two search fields, and calls of no field. What cannot cross threads names a field, too. */
const GROUPS = [undefined, null, "from", "from", Symbol("to"), { field: "via" }];

/** Interleavings of each kind. TOPONYM_RUNS is another number, TOPONYM_SEED another seed. */
const RUNS = Number(process.env.TOPONYM_RUNS ?? 1_000);
const SEED = Number(process.env.TOPONYM_SEED ?? 41);

/** A pause before another attempt lasts as little. A download that is given up after ten seconds is not. */
const FASTER = 100;
const LONGEST_PAUSE_MS = 1_000;

/** The reason with which a caller gives up. */
const ENOUGH = "enough";

/** Why a call of each kind may fail that its caller did not give up: what the test broke. */
const BROKEN = { pack: [], pages: ["download_failed"], thread: ["broken"], "pages in a thread": ["download_failed", "broken"], service: ["unavailable"] };

let project, toponym, pack, places;

const overHttp = globalThis.fetch;
const slowly = globalThis.setTimeout;

before(async () => {
  project = new Project();
  const use = ["toponym", "toponym/worker", "toponym/http"].map((name) => `export * from "${name}";`);
  toponym = await import(pathToFileURL(project.write("use.mjs", use.join("\n"))));
  pack = await toponym.Geocoder.load();
  places = pagesOfCore();
  globalThis.setTimeout = (work, ms, ...given) => slowly(work, ms <= LONGEST_PAUSE_MS ? ms / FASTER : ms, ...given);
});

after(() => {
  globalThis.fetch = overHttp;
  globalThis.setTimeout = slowly;
  pack?.free();
  project?.remove();
});

/** What waits for the test: answers of a host, and messages between page and thread. Each can be sent, or fail. */
class Held {
  waiting = [];
  isOpen = true;
  // What failed fails at every further attempt.
  broken = new Set();

  /** Waits until the test sends what `answer()` gives to a question, or lets it fail. */
  answered(question, answer, signal) {
    if (this.isOpen) return answer();
    const failure = new TypeError("no network");
    if (this.broken.has(question)) throw failure;
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      const fail = () => {
        this.broken.add(question);
        reject(failure);
      };
      this.waiting.push({ send: () => resolve(answer()), fail });
    });
  }

  /** Settles one that waits. Returns false if none does. */
  settle(at, how) {
    const [one] = this.waiting.splice(at % this.waiting.length, 1);
    one?.[how]();
    return one !== undefined;
  }
}

/** A host of the pages whose answers wait. */
const hostOf = (held) => async (address, { signal } = {}) => {
  const url = new URL(address);
  const file = url.protocol === "file:" ? url : join(places, url.pathname);
  const bytes = await readFile(file);
  const headers = { "content-type": file.href?.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" };
  return url.protocol === "file:" ? new Response(bytes, { headers }) : held.answered(url.href, () => new Response(bytes), signal);
};

/** The thread of the package in this one, with messages that wait, in order. */
function threadOf(held) {
  return class {
    #started;
    #inward = [];
    #outward = [];

    constructor(url) {
      globalThis.postMessage = (data) => this.#pass(this.#outward, () => this.onmessage?.({ data: structuredClone(data) }));
      // Another one of the module for each.
      this.#started = import(`${url}?${Math.random()}`).then(() => globalThis.onmessage);
    }

    postMessage(message, transfer) {
      const data = structuredClone(message, { transfer });
      const { id } = data;
      const fail = id && (() => this.onmessage?.({ data: { id, error: { code: "broken", message: "the test broke it" } } }));
      this.#pass(this.#inward, async () => (await this.#started)({ data }), fail);
    }

    terminate() {
      this.onmessage = undefined;
    }

    /** Lets the next message of a direction through when the test says so. */
    #pass(direction, deliver, fail = deliver) {
      direction.push({ send: deliver, fail });
      const next = (how) => () => direction.shift()[how]();
      if (held.isOpen) next("send")();
      else held.waiting.push({ send: next("send"), fail: next("fail") });
    }
  };
}

/** The answer of the service to a request, which waits. */
const serviceOf = (held) => async (_, { signal, body }) => {
  const text = JSON.parse(body).q;
  return held.answered(text, () => Response.json(pack.autocomplete(text)), signal);
};

const KINDS = {
  pack: () => toponym.Geocoder.load(),
  // Without memory for pages each question fetches its own.
  pages: (held) => toponym.Geocoder.load({ pages: "https://places.invalid/root", memory: 0, fetch: hostOf(held) }),
  thread: (held) => inThread(held, {}),
  "pages in a thread": (held) => inThread(held, { pages: "https://places.invalid/root", memory: 0 }),
  service: (held) => new toponym.HttpGeocoder("https://service.invalid", { token: "t", fetch: serviceOf(held) }),
};

function inThread(held, options) {
  globalThis.Worker = threadOf(held);
  globalThis.fetch = hostOf(held);
  return toponym.GeocoderWorker.load(options);
}

/** What can happen. A number chooses among the calls, or among what waits. */
const HAPPENINGS = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ask: fc.constantFrom(...TEXTS), group: fc.constantFrom(...GROUPS) }) },
  { weight: 1, arbitrary: fc.record({ abort: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ send: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ fail: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.constant({ pause: true }) },
);

/** Until all that can happen without an answer has happened. */
const settled = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
};

/** Lets it happen, and then all else that waits. Returns the calls, each with its outcome and when that came. */
async function happened(geo, held, happenings) {
  const calls = [];
  held.broken.clear();
  let now = 0;
  let isBroken = false;
  const pause = async () => {
    await settled();
    now += 1;
  };
  const ask = ({ ask: text, group }) => {
    const stop = new AbortController();
    const call = { text, group: group ?? undefined, stop, asked: now };
    const end = (outcome) => Object.assign(call, outcome, { ended: now });
    const answer = async () => geo.autocomplete(text, { group, signal: stop.signal });
    call.done = answer().then((found) => end({ found }), (error) => end({ error }));
    calls.push(call);
  };
  for (const happening of happenings) {
    if (happening.ask) ask(happening);
    else if (happening.pause) await pause();
    else if (happening.abort !== undefined && calls.length > 0) {
      const call = calls[happening.abort % calls.length];
      call.given ??= now;
      call.stop.abort(ENOUGH);
    } else if (happening.send !== undefined) held.settle(happening.send, "send");
    else if (happening.fail !== undefined) isBroken = held.settle(happening.fail, "fail") || isBroken;
  }
  while (calls.some(({ ended }) => ended === undefined)) {
    held.settle(0, "send");
    await pause();
  }
  return { calls, isBroken };
}

/** Says what is wrong with the outcome of a call, or nothing. */
function wrong(call, { calls, isBroken, broken }) {
  const newer = calls.slice(calls.indexOf(call) + 1).filter(({ group }) => group !== undefined && group === call.group);
  const { error, found, ended, given } = call;
  if (found) {
    const expected = pack.autocomplete(call.text)[0].name;
    if (found[0]?.name !== expected) return `it got ${found[0]?.name}, not ${expected}`;
    if (newer.some(({ asked }) => asked < ended)) return "it was answered after a newer one of its group was asked";
    if (given < ended) return "it was answered after it was given up";
    return undefined;
  }
  if (error === ENOUGH) return given === undefined ? "nobody gave it up" : undefined;
  if (error.code === "superseded") return newer.length === 0 ? "there is no newer one of its group" : undefined;
  return isBroken && broken.includes(error.code) ? undefined : `it failed: ${error.code ?? error} ${error.message}`;
}

for (const [kind, load] of Object.entries(KINDS)) {
  test(`each caller gets the answer to its own text or a rejection: ${kind}`, async () => {
    const held = new Held();
    const geo = await load(held);
    held.isOpen = kind === "pack";
    const ends = { answered: 0, superseded: 0, "given up": 0, failed: 0 };
    const property = fc.asyncProperty(fc.array(HAPPENINGS, { minLength: 4, maxLength: 24 }), async (happenings) => {
      const all = await happened(geo, held, happenings);
      for (const call of all.calls) {
        const reason = wrong(call, { ...all, broken: BROKEN[kind] });
        assert.equal(reason, undefined, `${call.text} of ${String(call.group?.field ?? call.group)}: ${reason}`);
        ends[call.found ? "answered" : call.error === ENOUGH ? "given up" : call.error.code === "superseded" ? "superseded" : "failed"] += 1;
      }
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
    held.isOpen = true;
    geo.free?.();
    // Otherwise it would prove nothing.
    const possible = Object.keys(ends).filter((end) => kind !== "pack" || end === "answered");
    for (const end of possible) assert.ok(ends[end] > RUNS / 50, `${end}: ${ends[end]}`);
  });
}
