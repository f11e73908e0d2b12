// The module that is deployed: the Worker that `cargo xtask build worker` makes of the Rust crate, and the index beside it.

import { DurableObject } from "cloudflare:workers";
import service, * as rust from "./build/index.js";
import indexes from "./build/indexes.mjs";
import made from "./build/made.json";
import { noteAddress, pagesOf } from "./src/pages.js";

/** Bytes of the modules of indexes that Rust has not copied yet. */
const modules = [];

/** Where Rust has its copy of each index: its memory, and there the offset and the length. */
const copies = [];

// Each index is a module of its own and imported when the first geocoding request asks for it: isolates that only run
// the objects of API keys never hold them. Returns a view of the index number `n`, or nothing behind the last: of the module, or
// of what an instance of Rust that has ended had copied. `workers.rs` calls this by its name.
globalThis.toponymIndex = async (n) => {
  if (n === indexes.length) return undefined;
  const module = copies[n] ? undefined : (await indexes[n]()).default;
  // Another request may have had it copied meanwhile.
  if (copies[n]) return new Uint8Array(copies[n].memory.buffer, copies[n].offset, copies[n].length);
  modules[n] = module;
  return new Uint8Array(module);
};

// Lets go of the module's bytes: module and copy would count twice against the 128 MB of an isolate. `workers.rs` calls this by
// its name.
globalThis.toponymCopied = (n, memory, offset, length) => {
  copies[n] = { memory, offset, length };
  modules[n]?.transfer(0);
  delete modules[n];
};

// Of an index in pages its pages: they lie beside the web pages, or in a bucket. `workers.rs` calls this by its name.
globalThis.toponymPages = pagesOf;

// When and with which arguments the index was made, as text.
globalThis.toponymMade = JSON.stringify(made);

/** Where earlier versions send short questions. During a deployment they ask objects of this one. */
const EARLIER = "x-secret-text";

// An object of the platform around its Rust half, which answers a question in one call.
const objectOf = (half) =>
  class extends DurableObject {
    #half;

    constructor(context, env) {
      super(context, env);
      this.#half = new rust[half](context, env);
    }

    async fetch(request) {
      return new Response(this.#half.answer(request.headers.get(EARLIER) ?? (await request.text())));
    }

    alarm() {
      return this.#half.alarm();
    }
  };

export const ApiKey = objectOf("ApiKey");
export const Directory = objectOf("Directory");
export const MetricsBoard = objectOf("MetricsBoard");

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
    try {
      return (await page(request, env)) ?? (await rust.answered(service.fetch(request, env, context)));
    } catch {
      // The instance has ended. The next one answers as if a handler had panicked.
      return service.unexpected(request, env, begun);
    }
  },

  scheduled: (event, env, context) => service.scheduled(event, env, context),
};
