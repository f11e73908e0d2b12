// Builds every example, opens each in Chromium, runs the package under every runtime, has packages and pages judged, and writes
// ../EXAMPLES.md: `cargo xtask bench examples`. To renew the table of the pages alone, from what is built and installed:
//
//     edge-worker/node_modules/.bin/node tests/bench/examples/figures.mjs pages
//
// Of each example: what the browser fetches until the first suggestion, compressed, and the time from the navigation to that
// suggestion: with nothing in the browser's caches, and again with everything. The server is on this machine, so the times are
// those of parsing, compiling, unpacking and searching, without a network. All examples are visited in turns, so that what else
// the machine does slows them alike.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { SOFTWARE_WEBGL } from "../../chromium.mjs";
import { Project, ROOT, bytesOf, launch, watched } from "../../packaging/harness.mjs";
import { ALL, AROUND, build, checkRendered, prepare, serve, suggested, typing } from "../../packaging/examples/example.mjs";
import * as judged from "./judged.mjs";
import { runtimes } from "./runtimes.mjs";

/** Visits of each kind. Their median counts. */
const VISITS = 5;

const OUT = join(ROOT, "tests/bench/EXAMPLES.md");

/** The package that builds each example, and what it is an example of if that is another one. */
const BUILT_BY = {
  plain: [],
  vite: ["vite"],
  webpack: ["webpack"],
  rollup: ["rollup"],
  esbuild: ["esbuild"],
  next: ["next"],
  react: ["vite", "react"],
  vue: ["vite", "vue"],
  maplibre: ["vite", "maplibre-gl"],
  leaflet: ["vite", "leaflet"],
};

const NAMES = [...ALL, ...AROUND];

/** What counts, by the end of its address. Bundlers may name packs as they like. */
const KINDS = [
  { kind: "wasm", ends: /\.wasm$/ },
  { kind: "packs", ends: /\.bin$/ },
  { kind: "scripts", ends: /\.m?js$/ },
];

/** The argument that asks for the table of the pages alone. */
const isPagesAlone = process.argv[2] === "pages";

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const kb = (bytes) => (bytes / 1e3).toFixed(0);

const project = new Project();
prepare(NAMES, project.tarball);
const firstPack = bytesOf(project, project.first).length;
const ran = isPagesAlone ? [] : runtimes(project.tarball);
const packages = isPagesAlone ? [] : await judged.packages(project.folder);
const states = isPagesAlone ? [] : judged.states(project.folder);
const chromium = await launch(SOFTWARE_WEBGL);
const subjects = [];
for (const name of NAMES) subjects.push(await subject(name));
for (let visit = 0; visit < VISITS; visit += 1) for (const subject of subjects) await measure(subject);
const pages = [];
if (!isPagesAlone) for (const subject of subjects) pages.push(...(await audited(subject)));
await checkRendered(subjects.find(({ name }) => name === "next").site.url);
const version = chromium.version();
for (const { site } of subjects) await site.close();
await chromium.close();
project.remove();
const written = isPagesAlone ? readFileSync(OUT, "utf8").replace(/## Pages\n.*(?=## Runtimes\n)/s, pagesSection) : report();
writeFileSync(OUT, written);
console.log(written);
process.exit();

async function subject(name) {
  const start = performance.now();
  const folder = build(name);
  const seconds = (performance.now() - start) / 1e3;
  return { name, seconds, site: await serve(name, folder), cold: [], warm: [] };
}

async function measure(subject) {
  const context = await chromium.newContext();
  for (const times of [subject.cold, subject.warm]) {
    const page = await watched(context);
    const fetched = new Set();
    // Of the context, not of the page: it is the thread that fetches engine and pack.
    context.on("response", (response) => response.ok() && fetched.add(response.url()));
    await page.addInitScript(typing);
    await page.goto(subject.site.url);
    const { suggestion, ms } = await suggested(page);
    // The control for MapLibre writes name and areas one below the other.
    assert.match(suggestion, /^Paris.*France$/, subject.name);
    assert.deepEqual(page.errors, [], subject.name);
    times.push(ms);
    subject.sizes ??= await sizes(fetched);
    await page.close();
  }
  await context.close();
}

async function audited({ name, site }) {
  const context = await chromium.newContext();
  const page = await watched(context);
  await page.addInitScript(typing);
  await page.goto(site.url);
  const rows = await judged.example(page, name);
  await context.close();
  return rows;
}

/** Sizes in bytes, as a server with gzip sends them. Packs are compressed already. The core pack loads behind the first one. */
async function sizes(urls) {
  const total = { scripts: 0, wasm: 0, packs: 0, behind: 0, files: 0 };
  for (const url of urls) {
    const kind = KINDS.find(({ ends }) => ends.test(new URL(url).pathname))?.kind;
    if (!kind) continue;
    // Again, from here: what a thread fetched, its page cannot tell.
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    if (kind !== "packs") total[kind] += gzipSync(bytes, { level: 9 }).length;
    else total[bytes.length === firstPack ? "packs" : "behind"] += bytes.length;
    total.files += 1;
  }
  // A page that loads all places before it shows a field waits for the core pack alone.
  if (total.packs === 0) Object.assign(total, { packs: total.behind, behind: 0 });
  assert.ok(total.scripts && total.wasm && total.packs, `${[...urls]} are all files of the page`);
  return total;
}

/** The table of the pages, with what it shows. */
function pagesSection() {
  const read = (tools) => JSON.parse(readFileSync(join(ROOT, tools, "package.json"), "utf8")).devDependencies;
  const versions = { ...read("tests"), ...read("tests/packaging/examples/bundlers"), ...read("tests/packaging/examples/next") };
  const rows = subjects.map(({ name, seconds, sizes, cold, warm }) => {
    const tool = BUILT_BY[name].map((each) => `${each} ${versions[each]}`).join(", ") || "none";
    const total = sizes.scripts + sizes.wasm + sizes.packs;
    const bytes = [sizes.scripts, sizes.wasm, sizes.packs, total, sizes.behind].map(kb);
    return `| ${[name, tool, seconds.toFixed(1), sizes.files, ...bytes, median(cold).toFixed(0), median(warm).toFixed(0)].join(" | ")} |`;
  });
  return `## Pages

Measured in Chromium ${version} on ${cpus().length} cores, whose load over a quarter of an hour was ${loadavg()[2].toFixed(1)}: above 2 the times are too long.
Each row is a folder of [pkg-build/examples](../../pkg-build/examples/README.md), or the
example of a package around \`toponym\`, with the packages installed from their tarballs. Sizes are in kB of gzip, packs as they are:
*together* is what the first suggestion needs, and *behind it* the core pack, which a field has the browser load after the first
pack. *first* is the time from the navigation to the first suggestion with empty caches, *again* on the next visit; medians
of ${VISITS}, in milliseconds, from a server on the same machine.

| example | built by | build s | files | scripts | wasm | pack | together | behind it | first | again |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${rows.join("\n")}

The page of \`next\` is rendered in advance, with the element in it; its \`/where?q=Paris, Texas\` is rendered by \`next start\` from the
package in Node. \`plain\` runs under the Content-Security-Policy of the package's README. The controls of the maps wait up to a quarter
of a second after the last key, and their pages load places before they show a field.

`;
}

function report() {
  const runs = ran.map(({ name, version, ms }) => `| ${name} | ${version} | every question of \`questions.mjs\`; importing every entry | ${ms.toFixed(0)} |`);
  return `# The npm package in bundlers, frameworks and runtimes

Written by \`cargo xtask bench examples\`, which fails if an example cannot be built, its page reports an error or suggests something wrong,
or a runtime answers a question differently.

${pagesSection()}## Runtimes

| runtime | version | what ran | load to first suggestion, ms |
|---|---|---|---:|
${runs.join("\n")}

\`cargo xtask test\` runs the same questions in the Node and workerd of \`edge-worker\`, in Chromium without a bundler, built by Vite and in
Vite's development server; \`cargo xtask ci\` builds and opens every example.

## Packages

How much publint (in strict mode, with its suggestions) and are-the-types-wrong find. The latter's remark that \`require\` of a package
gives an ES module is left out, for that is so.

| package | publint | are-the-types-wrong |
|---|---:|---:|
${packages.join("\n")}

## Accessibility

How many elements violate a rule of axe-core (WCAG 2.2 A and AA, good practice), and how many rules hold. The tests fail for any
violation in the search field and in the pages of wrappers and maps.

| page | state | violations | rules that hold |
|---|---|---:|---:|
${[...states, ...pages].join("\n")}
`;
}
