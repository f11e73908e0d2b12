// The Worker for fault-injection tests: all of edge-worker/entry.mjs, with the module that `cargo xtask build worker
// --faults` builds, and a route that arms faults. `start({ faults: true })` of harness.mjs runs it with wrangler,
// `startService({ faults: true })` of ../workerd.mjs on workerd alone. The deployed Worker contains neither this file
// nor the feature (faults.test.mjs checks this).
//
// `POST /faults {"place": fault, ...}` arms a fault at each place; null disarms it. It occurs every time the place is
// reached, or a given number of times: `{"place": {"fault": fault, "times": 2}}`. `GET /faults` returns what the platform bills of
// each class of objects so far (requests, alarms, rows read and written, with each alarm that is set), how often the store of
// pages was asked for each, the state of the isolate (waiting requests, bytes of their bodies, unsent samples and the failed ones
// among them), what the limits did (limits.mjs), and the hosts of what was cached. `GET /faults?rows=KEY` counts the rows that the object of a key
// stores, by table; `GET /faults?evict=KEY` evicts it from memory. The binding of an object answers `/sql`, which runs the statement
// of its body.
//
// | Place | Fault | What happens |
// |---|---|---|
// | `engine` | `"panic"`, `"memory"`, `"stack"`, `"calls"` | a geocoding request or a probe panics, finds no memory, overflows its own stack or that of JavaScript |
// | `object` | the same | the object of a key does |
// | `ApiKey.read` | any text | its SELECT fails with that message |
// | `ApiKey.write` | any text | its INSERT, UPDATE and CREATE fail |
// | `ApiKey.purge` | any text | its DELETE fails |
// | `ApiKey.alarm` | any text | setting its alarm fails |
// | `ApiKey.delete` | any text | the deletion of all that it stores fails |
// | `ApiKey.before` | milliseconds | it is asked that much later |
// | `ApiKey.after` | milliseconds | its answer comes that much later; what it decided is stored |
// | `pages` | `"missing"`, `"torn"`, `"another"`, `"silent"` | the store of pages lacks a page, has half of it, has something else by its name, or never answers |
// | `pages/FILE` | the same | the same for one page |
// | `pages.after` | milliseconds | its answer comes that much later |
// | `connections`, `subrequests` | a number | an invocation has so many: limits.mjs |
// | `clock` | milliseconds | all clocks of the isolate are that much ahead |
// | `isolate` | `true` | every request comes to an isolate that knows nothing of others |
// | `client` | `true` | the client of a request goes away soon: the platform never goes on with it |
//
// The same with `Directory` and `MetricsBoard` instead of `ApiKey`. Faults stay armed when an instance ends.

import entry, * as objects from "./entry.mjs";
import service from "./build/index.js";
import { cacheHosts, counts, limited, within } from "./limits.mjs";

/** How long a client sends before it goes away, milliseconds. */
const SENDS_MS = 50;

const armed = new Map();

// The fault that is armed at `place` now, or undefined.
function strikes(place) {
  const found = armed.get(place);
  if (found && --found.times <= 0) armed.delete(place);
  return found?.fault;
}

function arm(faults) {
  for (const [place, wanted] of Object.entries(faults)) {
    if (wanted === null) armed.delete(place);
    else armed.set(place, typeof wanted === "object" ? { ...wanted } : { fault: wanted, times: Infinity });
  }
}

// Called by `src/fault.rs`.
globalThis.toponymFault = strikes;

const now = Date.now;
Date.now = () => now() + (strikes("clock") ?? 0);

const wait = (ms) => ms && new Promise((resolve) => setTimeout(resolve, ms));

// Makes `method` of a prototype fail when a fault is armed at `place(...)`, and hands what it returns to `note`. All instances
// share it.
function failing(prototype, method, place, note = () => {}) {
  const original = prototype[method];
  if (original.isFaulty) return;
  prototype[method] = function (...given) {
    const fault = strikes(place(this, ...given));
    if (fault) throw new Error(`${fault}`);
    const returned = original.apply(this, given);
    note(this, returned);
    return returned;
  };
  prototype[method].isFaulty = true;
}

/** Places by the verb of a statement. PRAGMA has none. */
const VERBS = { SELECT: "read", DELETE: "purge", INSERT: "write", UPDATE: "write", CREATE: "write", ALTER: "write" };
const verb = (statement) => VERBS[statement.match(/^\s*(\w*)/)[1].toUpperCase()];

// The object class that owns a storage.
const owners = new WeakMap();

// What the platform bills of each class of objects so far.
const bills = {};
const billOf = (kind) => (bills[kind] ??= { requests: 0, alarms: 0, read: 0, written: 0 });

// The latest cursor of each class: it counts its rows until it has ended, and nothing reads two at once.
const latest = {};

function addCursor(kind) {
  const { rowsRead = 0, rowsWritten = 0 } = latest[kind] ?? {};
  delete latest[kind];
  billOf(kind).read += rowsRead;
  billOf(kind).written += rowsWritten;
}

function noteCursor(sql, cursor) {
  const kind = owners.get(sql);
  addCursor(kind);
  latest[kind] = cursor;
}

// The bills with all that has been read and written.
function billed() {
  for (const kind of Object.keys(bills)) addCursor(kind);
  return bills;
}

function faulty(kind) {
  return class extends objects[kind] {
    constructor(context, env) {
      const { storage } = context;
      owners.set(storage, kind).set(storage.sql, kind);
      failing(Object.getPrototypeOf(storage.sql), "exec", (sql, statement) => `${owners.get(sql)}.${verb(statement)}`, noteCursor);
      failing(Object.getPrototypeOf(storage), "deleteAll", (owner) => `${owners.get(owner)}.delete`);
      failing(Object.getPrototypeOf(storage), "setAlarm", (owner) => `${owners.get(owner)}.alarm`, (owner) => (billOf(owners.get(owner)).written += 1));
      super(context, env);
    }

    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/evict") this.ctx.abort("evicted");
      const { sql } = this.ctx.storage;
      if (pathname === "/rows") return Response.json(rowsOf(sql));
      if (pathname === "/sql") return Response.json(sql.exec(await request.text()).toArray());
      billOf(kind).requests += 1;
      await wait(strikes(`${kind}.before`));
      const response = await super.fetch(request);
      await wait(strikes(`${kind}.after`));
      return response;
    }

    alarm() {
      billOf(kind).alarms += 1;
      return super.alarm();
    }
  };
}

// How often the store was asked for each page.
const fetched = {};

// Asks the store of pages for a file with `ask`, which returns what has an `arrayBuffer`; `none` is the answer that there is none.
async function askStore(file, ask, none) {
  fetched[file] = (fetched[file] ?? 0) + 1;
  await wait(strikes("pages.after"));
  const fault = strikes(`pages/${file}`) ?? strikes("pages");
  if (fault === "silent") await new Promise(() => {});
  if (fault === "missing") return none;
  const found = await ask();
  if (!fault) return found;
  const bytes = await found.arrayBuffer();
  return new Response(fault === "torn" ? bytes.slice(0, bytes.byteLength / 2) : "another");
}

// The bindings, with stores that fail.
function faultyStores(env) {
  const { PAGES, PLACES } = env;
  const fetch = (request, ...rest) => {
    const file = /\/places\/(\w+)$/.exec(request.url ?? request)?.[1];
    const ask = () => PAGES.fetch(request, ...rest);
    return file ? askStore(file, ask, new Response(null, { status: 404 })) : ask();
  };
  const get = (file) => askStore(file, () => PLACES.get(file), null);
  const stores = { PAGES: { value: { fetch } }, ...(PLACES && { PLACES: { value: { get } } }) };
  return Object.create(env, stores);
}

// Number of rows of each table.
function rowsOf(sql) {
  const count = ({ name }) => [name, sql.exec(`SELECT count(*) AS n FROM ${name}`).one().n];
  const tables = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'");
  return Object.fromEntries(tables.toArray().map(count));
}

export const ApiKey = faulty("ApiKey");
export const Directory = faulty("Directory");
export const MetricsBoard = faulty("MetricsBoard");

// Simulates a request that the platform abandons while it waits, as it does when the client has gone. Work that still runs
// continues, but nobody waits for it.
async function abandon(request, env, context) {
  entry.fetch(request, env, context);
  await wait(SENDS_MS);
  return new Response(null, { status: 499 });
}

export default {
  async fetch(request, bindings, context) {
    const env = limited(faultyStores(bindings));
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/faults") {
      for (const [what, key] of searchParams) {
        const answer = env.KEYS.getByName(key).fetch(`https://object.invalid/${what}`);
        return what === "evict" ? answer.catch(() => new Response("{}")) : answer;
      }
      if (request.method === "POST") arm(await request.json());
      const [waiting, held, samples, failed] = service.isolateUsage();
      return Response.json({ objects: billed(), fetched, waiting, held, samples, failed, limits: counts, cacheHosts: [...cacheHosts] });
    }
    if (strikes("isolate")) service.renewIsolate();
    const limits = { connections: strikes("connections"), subrequests: strikes("subrequests") };
    return within(limits, () => (strikes("client") ? abandon(request, env, context) : entry.fetch(request, env, context)));
  },

  scheduled: entry.scheduled,
};
