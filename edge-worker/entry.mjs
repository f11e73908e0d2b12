// The module that is deployed: the Worker that `cargo xtask build worker` makes of the Rust crate, and the index beside it.

import { DurableObject } from "cloudflare:workers";
import Worker, * as rust from "./build/index.js";
import indexes from "./build/indexes.mjs";
import made from "./build/made.json";
import { append, describe, questionOf, replyWith } from "./src/crossing.js";
import { noteAddress, pagesOf } from "./src/pages.js";

// Each index is a module of its own and imported when the first geocoding request asks for it: isolates that only run
// the objects of API keys never hold them. `workers.rs` calls this by its name. They are views of the modules, not copies.
globalThis.toponymIndexes = () => Promise.all(indexes.map(async (load) => new Uint8Array((await load()).default)));

// Of an index in pages its pages: they lie beside the web pages, or in a bucket. `workers.rs` calls this by its name.
globalThis.toponymPages = pagesOf;

// When and with which arguments the index was made, as text.
globalThis.toponymMade = JSON.stringify(made);

// An instance ends with a trap, or when it overflows the stack of JavaScript. `src/guard.js` starts it anew with the next
// call; a trap it knows by itself, of the other we have to tell it.
function broken(error) {
  if (error instanceof RangeError) globalThis.__worker_init_state.criticalError = true;
  return error;
}

// An object of the platform around its Rust half, which answers a question in one call.
const objectOf = (half) =>
  class extends DurableObject {
    #half;

    constructor(context, env) {
      super(context, env);
      this.#half = new rust[half](context, env);
    }

    async fetch(request) {
      const question = await questionOf(request);
      try {
        return replyWith(await this.#half.answer(question));
      } catch (error) {
        throw broken(error);
      }
    }

    async alarm() {
      try {
        await this.#half.alarm();
      } catch (error) {
        throw broken(error);
      }
    }
  };

export const ApiKey = objectOf("ApiKey");
export const Directory = objectOf("Directory");
export const MetricsBoard = objectOf("MetricsBoard");

// What the isolate calls of Rust, through `src/guard.js`; and what it takes for the answers that Rust does not make.
let service;
function guarded(context, env) {
  const worker = new Worker(context, env);
  const { begin, goOn, forget, wantsWork, work, countUnexpected } = worker;
  const [body, ...headers] = worker.describeUnexpected();
  return { begin, goOn, forget, wantsWork, work, countUnexpected, names: worker.headersToDescribe(), body, headers: append(new Headers(), headers) };
}

let requests = 0;

// Requests with a body whose client has gone: nobody is left who could go on with them.
const gone = new FinalizationRegistry((number) => service.forget(number));

// A request in turns: each ends with the response, or with a promise whose outcome the next one takes. Nothing where the
// instance broke down.
async function answered(request, env) {
  const number = ++requests;
  // Lives as long as somebody can go on with the request.
  const client = {};
  if (request.body) gone.register(client, number, client);
  let turn = service.begin(number, describe(request, service.names), request, env);
  while (turn instanceof Promise) {
    let settled;
    let isRejected = false;
    try {
      settled = await turn;
    } catch (error) {
      settled = error;
      isRejected = true;
    }
    turn = service.goOn(number, settled, isRejected);
  }
  gone.unregister(client);
  return turn;
}

// The answer of Rust to a panic, for what takes the whole instance down, such as running out of memory. The next instance
// counts it.
function unexpected(request, env, begun) {
  try {
    service.countUnexpected(describe(request, service.names), request, env, begun);
  } catch (error) {
    broken(error);
  }
  const response = new Response(request.method === "HEAD" ? null : service.body, { status: 500, headers: service.headers });
  response.headers.set("x-request-id", request.headers.get("cf-ray") ?? crypto.randomUUID());
  if (!request.url.startsWith("https:")) response.headers.delete(STRICT_TRANSPORT);
  return response;
}

const STRICT_TRANSPORT = "strict-transport-security";

// Where a page may lie: not on the routes of the API, which ask for no file first.
const API = /^[^:]*:\/\/[^/]*\/(v1|api-clients|admin|health|sla-metrics|sla-history|coverage|attribution|openapi\.yaml)(\/|\?|$)/;

// Unencrypted, and not from this machine.
const INSECURE = /^http:\/\/(?!(127\.0\.0\.1|localhost|\[::1\])[:/])/;

// Where the assets have the pages of an index: `src/pages.js`.
const PLACES = /^\/+places(\/|$)/;

// Says whether an address is below that. The assets read an encoded path like a plain one.
function isOfIndex(url) {
  const { pathname } = new URL(url);
  try {
    return PLACES.test(decodeURIComponent(pathname));
  } catch {
    // No file has a name that cannot be decoded.
    return true;
  }
}

// Says whether the operator publishes the pages of the index. A variable of wrangler.toml may be a text or a boolean.
const isPublished = ({ PUBLISH_PLACES }) => String(PUBLISH_PLACES) === "true";

// Asks the assets for a file that everybody may have.
function assetOf(request, env) {
  const isPrivate = isOfIndex(request.url) && !isPublished(env);
  return isPrivate ? new Response(null, { status: 404 }) : env.PAGES.fetch(request);
}

// The page that is asked for; nothing where it is none. The platform sends most files without asking the Worker: see wrangler.toml.
// Headers are those of site/_headers. Rust refuses what is insecure; a reader is led to HTTPS.
async function page(request, env) {
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads || !env.PAGES || API.test(request.url)) return null;
  const isInsecure = INSECURE.test(request.url) && env.TOPONYM_DEMO !== "true";
  const found = isInsecure ? Response.redirect(request.url.replace("http", "https"), 308) : await assetOf(request, env);
  if (found.status === 404) return null;
  if (request.url.startsWith("https:")) return found;
  const response = new Response(found.body, found);
  response.headers.delete(STRICT_TRANSPORT);
  return response;
}

export default {
  async fetch(request, env, context) {
    const begun = Date.now();
    noteAddress(request.url);
    let response;
    try {
      service ??= guarded(context, env);
      response = (await page(request, env)) ?? (await answered(request, env));
    } catch (error) {
      // Its name alone: a message may hold what the caller sent.
      console.error(`the instance failed: ${broken(error)?.name}`);
    }
    response ??= unexpected(request, env, begun);
    if (service.wantsWork()) context.waitUntil(service.work(env));
    return response;
  },

  async scheduled(event, env, context) {
    try {
      await new Worker(context, env).scheduled(event);
    } catch (error) {
      throw broken(error);
    }
  },
};
