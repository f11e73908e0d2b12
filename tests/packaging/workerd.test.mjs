// Tests the package in workerd, as wrangler bundles it: with its core pack in a Worker without configuration, and with an index in
// pages.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startScript } from "../live/harness.mjs";
import { soon } from "../soon.mjs";
import { EXPORTS, IMPORTS, Project } from "./harness.mjs";
import { hosted, isPage, pagesOfCore } from "./paged-index.mjs";
import { answers, check } from "./questions.mjs";

/** A Worker with the core pack. */
const PACK = `
import { Geocoder } from "toponym";
import { GeocoderWorker } from "toponym/worker";
${IMPORTS}${answers}
let geo;
export default {
  async fetch(request) {
    geo ??= await Geocoder.load();
    if (new URL(request.url).pathname === "/fault") {
      try { geo.forward(""); } catch ({ code }) { return Response.json({ code, still: geo.forward("rome")[0].country }); }
    }
    if (new URL(request.url).pathname === "/others") {
      const code = await GeocoderWorker.load().then(() => "none", ({ code }) => code);
      return Response.json([exported, code]);
    }
    return Response.json(await answers(geo));
  },
};
`;

/** A Worker whose pages are its static assets, or lie on a host. */
const PAGES = `
import { Geocoder } from "toponym";
${answers}
let ofAssets, ofHost;
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/answers") {
      ofAssets ??= await Geocoder.load({ pages: "https://assets.invalid/root", fetch: (url, init) => env.ASSETS.fetch(url, init) });
      return Response.json(await answers(ofAssets));
    }
    ofHost ??= await Geocoder.load({ pages: env.HOST + "/root", timeout: 60_000 });
    try {
      const [place] = await ofHost.forward(searchParams.get("q"));
      return new Response(place?.display_name);
    } catch ({ code, message }) {
      return new Response(code + ": " + message, { status: 502 });
    }
  },
};
`;

const CONFIG = (pages, host) => `
[assets]
directory = "${pages}"
binding = "ASSETS"
run_worker_first = true
[vars]
HOST = "${host}"
`;

describe("a pack", () => {
  let project, worker;

  before(async () => {
    project = new Project();
    worker = await startScript(project, PACK);
  });

  after(async () => {
    await worker?.stop();
    project?.remove();
  });

  test("every query is answered", async () => {
    const response = await fetch(worker.url);
    assert.equal(response.status, 200, await response.clone().text());
    check(await response.json());
  });

  test("errors have their codes, and the next call answers", async () => {
    const response = await fetch(new URL("/fault", worker.url));
    assert.deepEqual(await response.json(), { code: "invalid_argument", still: "Italy" });
  });

  test("every entry can be imported where a Worker renders pages", async () => {
    assert.deepEqual(await (await fetch(new URL("/others", worker.url))).json(), [EXPORTS, "internal"]);
  });
});

describe("an index in pages", () => {
  let project, worker, host;

  before(async () => {
    const pages = pagesOfCore();
    host = await hosted(pages);
    project = new Project();
    worker = await startScript(project, PAGES, CONFIG(pages, host.url));
  });

  after(async () => {
    await worker?.stop();
    await host?.close();
    project?.remove();
  });

  const ask = async (text) => (await fetch(new URL(`/?q=${encodeURIComponent(text)}`, worker.url))).text();

  test("every query is answered, from static assets", async () => {
    const response = await fetch(new URL("/answers", worker.url));
    assert.equal(response.status, 200, await response.clone().text());
    check(await response.json());
  });

  test("from a host, whose pages are fetched once", async () => {
    assert.match(await ask("Timbuktu"), /^Tombouctou|^Timbuktu/);
    const before = host.pages();
    assert.ok(before > 0);
    assert.match(await ask("Timbuktu"), /^Tombouctou|^Timbuktu/);
    assert.equal(host.pages(), before);
    host.fail((request, response, path) => isPage(path) && response.writeHead(404).end());
    assert.match(await ask("Ouagadougou"), /^download_failed: .*the server answered 404: upload all files/);
    host.heal();
    assert.match(await ask("Ouagadougou"), /^Ouagadougou/);
  });

  test("a request that is given up takes no other one with it", async () => {
    const held = [];
    host.fail((request, response, path) => isPage(path) && held.push(response));
    const stop = new AbortController();
    const gone = fetch(new URL("/?q=Ushuaia", worker.url), { signal: stop.signal }).catch(({ name }) => name);
    await soon(() => held.length, (count) => count > 0);
    const before = held.length;
    const other = ask("Ushuaia");
    await soon(() => held.length, (count) => count > before);
    stop.abort();
    assert.equal(await gone, "AbortError");
    host.heal();
    for (const response of held) response.destroy();
    assert.match(await other, /^Ushuaia/);
  });
});
