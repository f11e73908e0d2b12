// Tests the package in workerd, as wrangler bundles it into a Worker without configuration.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { EXPORTS, IMPORTS, Project, ROOT } from "./harness.mjs";
import { answers, check } from "./questions.mjs";

Object.assign(process.env, {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  X_LOCAL_OBSERVABILITY: "false",
});
const { createTestHarness } = createRequire(join(ROOT, "edge-worker/package.json"))("wrangler");

const WORKER = `
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

let project, server, url;

before(async () => {
  project = new Project();
  project.write("worker.js", WORKER);
  const configPath = project.write("wrangler.toml", 'name = "t"\nmain = "worker.js"\ncompatibility_date = "2026-10-01"\n');
  server = createTestHarness({ root: project.folder, workers: [{ configPath }] });
  ({ url } = await server.listen());
});

after(async () => {
  await server?.close();
  project?.remove();
});

test("every query is answered", async () => {
  const response = await fetch(url);
  assert.equal(response.status, 200, await response.clone().text());
  check(await response.json());
});

test("errors have their codes, and the next call answers", async () => {
  const response = await fetch(new URL("/fault", url));
  assert.deepEqual(await response.json(), { code: "invalid_argument", still: "Italy" });
});

test("every entry can be imported where a Worker renders pages", async () => {
  assert.deepEqual(await (await fetch(new URL("/others", url))).json(), [EXPORTS, "internal"]);
});
