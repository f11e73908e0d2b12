// Tests the package in workerd, as wrangler bundles it into a Worker without configuration.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { EXPORTS, IMPORTS, Project } from "./harness.mjs";
import { answers, check } from "./questions.mjs";
import { startScript } from "./workerd.mjs";

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

let project, worker;

before(async () => {
  project = new Project();
  worker = await startScript(project, WORKER);
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
