// Installs the npm packages from a registry into empty projects, runs the command without installing it, and upgrades.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serveFiles } from "../../servers.mjs";
import { ANSWER, EARLIER, KNOWN, QUESTION, RELEASE, Registry, VERSION, answers, bytesOf, emptyFolder, measured, project, released, run } from "./harness.mjs";

/** All but the service, which has a file of tests of its own. */
const PACKAGES = readdirSync(RELEASE).filter((name) => name.endsWith(".tgz") && !name.startsWith("toponym-serve-"));

const tarball = (name) => released(new RegExp(`^${name}-\\d.*\\.tgz$`));

/** Code that prints the ids of known places. */
const IDS = `import { Geocoder } from "toponym"; const geo = await Geocoder.load(); console.log(JSON.stringify(${JSON.stringify(KNOWN)}.map((name) => geo.forward(name)[0].place_id)))`;

let registry;

after(() => registry?.stop());

before(async () => {
  registry = await Registry.start();
  await registry.publishEarlier(tarball("toponym"));
  for (const name of PACKAGES) await registry.publish(join(RELEASE, name));
});

test("every package can be installed into an empty project, in one version", async (context) => {
  const folder = project(context);
  const names = PACKAGES.map((name) => name.replace(`-${VERSION}.tgz`, ""));
  assert.deepEqual(names.sort(), ["toponym", "toponym-full", "toponym-leaflet", "toponym-maplibre", "toponym-mcp", "toponym-react", "toponym-vue"]);
  await registry.npm(["install", ...names], folder);
  for (const name of names) assert.equal(JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"))).version, VERSION);
  const code = `import { Geocoder } from "toponym"; import full from "toponym-full"; import * as react from "toponym-react"; import * as leaflet from "toponym-leaflet";
    const [core, all] = [await Geocoder.load(), await Geocoder.load(full)];
    console.log(JSON.stringify([core, all].map((geo) => geo.forward("${QUESTION}")[0].display_name)))`;
  assert.deepEqual(await answers(folder, code), ["Munich, Bavaria, Germany", "Munich, Bavaria, Germany"]);
});

test("one line answers without installing", async (context) => {
  const folder = emptyFolder(context);
  const npx = (arguments_, options) => run("npx", ["--yes", "toponym", ...arguments_], { cwd: folder, env: registry.env, ...options });
  assert.equal(await measured("npx toponym", "first answer", bytesOf(tarball("toponym")), () => npx([QUESTION])), ANSWER);
  assert.equal(await measured("npx toponym", "next answer", 0, () => npx([QUESTION])), ANSWER);
  const [place] = JSON.parse(await npx([QUESTION, "--json", "--lang=de"]));
  assert.deepEqual([place.display_name, place.place_id], ["München, Bayern, Deutschland", 2867714]);
  assert.match(await npx(["--credits"]), /GeoNames/);
  await npx(["xyzzyqqq"], { code: 3 });
  await npx(["--limit=x", "Rome"], { code: 2 });
  await npx([], { code: 2 });
});

test("an upgrade keeps the ids", async (context) => {
  const folder = project(context);
  await registry.npm(["install", `toponym@${EARLIER}`], folder);
  const earlier = await answers(folder, IDS);
  await measured("npm install toponym", "installed", bytesOf(tarball("toponym")), () => registry.npm(["install", "toponym@latest"], folder));
  assert.equal(JSON.parse(readFileSync(join(folder, "node_modules/toponym/package.json"))).version, VERSION);
  assert.deepEqual(await measured("npm install toponym", "first answer", 0, () => answers(folder, IDS)), earlier);
});

test("a released index is loaded from its address, and one that was changed is refused", async (context) => {
  const folder = project(context);
  await registry.npm(["install", "toponym"], folder);
  const { indexes } = JSON.parse(readFileSync(join(RELEASE, "indexes.json")));
  const site = await serveFiles({ "/": RELEASE });
  context.after(site.stop);
  const load = ({ file, sha256, size }) => `import { Geocoder } from "toponym";
    try { const geo = await Geocoder.load(${JSON.stringify({ url: `${site.url}/${file}`, sha256, size })}); console.log(JSON.stringify(geo.forward("Munich")[0].place_id)); }
    catch (error) { console.log(JSON.stringify(error.code)); }`;
  for (const pack of Object.values(indexes)) assert.equal(await answers(folder, load(pack)), 2867714);
  assert.equal(await answers(folder, load({ ...indexes.core, sha256: indexes.first.sha256 })), "invalid_index");
});
