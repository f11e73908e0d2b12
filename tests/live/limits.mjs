// The limits that the platform sets to an invocation of a Worker, and workerd alone does not: connections that wait for an answer,
// and subrequests. faults.mjs runs the service within them; any other Worker can be run in the same way:
//
//     import { limited, within } from "./limits.mjs";
//     export default { fetch: (request, env, context) => within({ connections: 6, subrequests: 50 }, () => worker.fetch(request, limited(env), context)) };
//
// It needs the compatibility flag `nodejs_als`. What the platform's documentation says (developers.cloudflare.com, 2026):
//
// | Call | Connections | Subrequests |
// |---|---|---|
// | `fetch` of a service binding, such as that of the static assets | they share the six of the first request | yes |
// | `get`, `put`, `list`, `delete`, `head` of R2 | yes | yes: a service of Cloudflare |
// | `match`, `put`, `delete` of the Cache API | yes | yes: out of the quota of `fetch` |
// | `fetch` of a Durable Object | not listed | yes: a service of Cloudflare |
// | a rate limit | not listed | not listed |
//
// Six connections may wait for the headers of their answers; a seventh is queued until one has them (workers/platform/limits,
// "Simultaneous open connections"; changelog of 2026-04-09). A free account has 50 subrequests an invocation and 1,000 to services
// of Cloudflare, a paid one 10,000 of all, unless `limits.subrequests` says otherwise (changelog of 2026-02-11). The pages do not
// say which of the two the static assets are. Here all calls count together, the strictest reading: what works within 50 of all
// works on every account.

import { AsyncLocalStorage } from "node:async_hooks";

/** The message of the platform. */
const REFUSAL = "Too many subrequests by single Worker invocation.";

const invocations = new AsyncLocalStorage();

/** What happened in all invocations so far: calls, those that were refused, and those that were queued for a connection. */
export const counts = { calls: 0, refused: 0, queued: 0 };

/** Hosts below which something was looked for in the Cache API or put there. */
export const cacheHosts = new Set();

class Invocation {
  #free;
  #left;
  #queue = [];

  constructor({ connections = Infinity, subrequests = Infinity }) {
    this.#free = connections;
    this.#left = subrequests;
  }

  /** Makes a subrequest. One that `connects` occupies a connection until it is answered. */
  async call(connects, ask) {
    counts.calls += 1;
    if (this.#left === 0) {
      counts.refused += 1;
      throw new Error(REFUSAL);
    }
    this.#left -= 1;
    if (!connects) return ask();
    await this.#connection();
    try {
      return await ask();
    } finally {
      this.#release();
    }
  }

  async #connection() {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    counts.queued += 1;
    await new Promise((resolve) => this.#queue.push(resolve));
  }

  #release() {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** Runs an invocation within limits. What is left out is not limited. */
export function within(limits, act) {
  return invocations.run(new Invocation(limits), act);
}

// Calls `ask` as a subrequest of the invocation that runs.
function subrequest(connects, ask) {
  const invocation = invocations.getStore();
  return invocation ? invocation.call(connects, ask) : ask();
}

const KINDS = {
  service: (binding) => ({ fetch: (...given) => subrequest(true, () => binding.fetch(...given)) }),
  bucket: (binding) =>
    Object.fromEntries(
      ["get", "put", "list", "delete", "head"].map((name) => [name, (...given) => subrequest(true, () => binding[name](...given))]),
    ),
  objects: (binding) => ({
    getByName(...named) {
      const object = binding.getByName(...named);
      return { fetch: (...given) => subrequest(false, () => object.fetch(...given)) };
    },
  }),
};

/** The bindings of wrangler.toml that make subrequests. */
const BINDINGS = { PAGES: "service", PLACES: "bucket", KEYS: "objects", DIRECTORY: "objects", BOARD: "objects" };

/** The bindings, each call of which counts. */
export function limited(env) {
  const bound = Object.entries(BINDINGS).filter(([name]) => env[name]);
  return Object.create(env, Object.fromEntries(bound.map(([name, kind]) => [name, { value: KINDS[kind](env[name]) }])));
}

// The Cache API is not a binding: all code finds the same one.
const cache = Object.getPrototypeOf(caches.default);
for (const name of ["match", "put", "delete"]) {
  const original = cache[name];
  cache[name] = function (...given) {
    cacheHosts.add(new URL(given[0].url ?? given[0]).host);
    return subrequest(true, () => original.apply(this, given));
  };
}
