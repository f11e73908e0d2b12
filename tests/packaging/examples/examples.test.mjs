// Builds the examples of pkg-build/examples with the packed package, and opens each in Chromium.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";

import { test } from "../../browsers.mjs";
import { Project, launch, watched } from "../harness.mjs";
import { ALL, EXAMPLES, build, checkRendered, chosen, prepare, serve, suggested, typing } from "./example.mjs";

let project, chromium;

before(async () => {
  project = new Project();
  prepare(ALL, project.tarball);
  chromium = await launch();
});

after(async () => {
  await chromium?.close();
  project?.remove();
});

for (const name of ALL) {
  test(`${name}: the page suggests Paris, and shows what is chosen`, async () => {
    const site = await serve(name, build(name));
    const page = await watched(await chromium.newContext());
    await page.addInitScript(typing);
    await page.goto(site.url);
    assert.match((await suggested(page)).suggestion, /^Paris, .*France$/);
    assert.match(await chosen(page, name), /2988507/);
    assert.deepEqual(page.errors, []);
    if (name === "next") await checkRendered(site.url);
    await page.context().close();
    await site.close();
  });
}

test("the examples name the versions that are tested", () => {
  const locked = {};
  for (const tools of ["bundlers", "next"]) {
    const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, tools, "package.json"), "utf8"));
    Object.assign(locked, devDependencies);
  }
  const { version } = JSON.parse(readFileSync(join(project.package, "package.json"), "utf8"));
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...ALL].sort());
  for (const name of ALL) {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(EXAMPLES, name, "package.json"), "utf8"));
    for (const [tool, wanted] of Object.entries({ ...dependencies, ...devDependencies })) {
      assert.equal(wanted, tool === "toponym" ? version : locked[tool], `${name}: ${tool}`);
    }
  }
});
