// The module that is deployed: the Worker that worker-build makes of the Rust crate, and the index beside it.

import { DurableObject } from "cloudflare:workers";
import Worker, * as rust from "./build/index.js";
import { describe, questionOf, replyWith } from "./src/crossing.js";

// The index is a module of its own and imported when the first geocoding request asks for it: isolates that only run
// the objects of API keys never hold it. `entry.rs` calls this by its name.
globalThis.toponymIndex = async () => new Uint8Array((await import("../build/index.toponym")).default);

// An object of the platform around its Rust half, which answers a question in one call.
const objectOf = (half) =>
  class extends DurableObject {
    #half;

    constructor(context, env) {
      super(context, env);
      this.#half = new rust[half](context, env);
    }

    async fetch(request) {
      return replyWith(await this.#half.answer(await questionOf(request)));
    }

    alarm() {
      return this.#half.alarm();
    }
  };

export const ApiKey = objectOf("ApiKey");
export const Directory = objectOf("Directory");
export const MetricsBoard = objectOf("MetricsBoard");
export const MetricsShard = objectOf("MetricsShard");

// What the isolate calls of Rust, through worker-build's guard, which starts the instance anew after it has broken down.
let service;
function guarded(context, env) {
  const { begin, goOn, wantsFlush, flush, headersToDescribe } = new Worker(context, env);
  return { begin, goOn, wantsFlush, flush, names: headersToDescribe() };
}

let requests = 0;

// What the Rust side answers to a panic. It stands here once more for what takes the whole instance down, such as
// running out of memory.
function unexpected(request) {
  const headers = {
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": request.headers.get("cf-ray") ?? crypto.randomUUID(),
  };
  const body = { statusCode: 500, error: "Internal Server Error", message: "An unexpected error occurred" };
  return Response.json(body, { status: 500, headers });
}

// A request in turns: each ends with the response, or with a promise whose outcome the next one takes.
async function answered(request, env) {
  const number = ++requests;
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
  return turn ?? unexpected(request);
}

// Where a page may lie: not on the routes of the API, which ask for no file first.
const API = /^[^:]*:\/\/[^/]*\/(v1|api-clients|admin|health|sla-metrics|sla-history|coverage|attribution|openapi\.yaml)(\/|\?|$)/;

// The page or file that is asked for; null where it is none.
async function page(request, env) {
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads || !env.PAGES || API.test(request.url)) return null;
  const response = await env.PAGES.fetch(request);
  return response.status === 404 ? null : response;
}

export default {
  async fetch(request, env, context) {
    try {
      service ??= guarded(context, env);
      const response = (await page(request, env)) ?? (await answered(request, env));
      if (service.wantsFlush()) context.waitUntil(service.flush(env));
      return response;
    } catch (error) {
      // Its name alone: a message may hold what the caller sent.
      console.error(`the instance failed: ${error?.name}`);
      return unexpected(request);
    }
  },

  scheduled(event, env, context) {
    return new Worker(context, env).scheduled(event);
  },
};
