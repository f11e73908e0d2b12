// Makes folders of npm packages in build/: sources, README, licences, package.json, and in two of them a packed index.
// `cargo xtask build npm` compiles the engine and packs the indexes, and runs this.
//
//     node pkg-build/npm/make/make.mjs around --version VERSION [--repository URL]
//     node pkg-build/npm/make/make.mjs core --pack FILE --first FILE --attribution LINES --engine FOLDER ...
//     node pkg-build/npm/make/make.mjs full --pack FILE --attribution LINES ...
//     node pkg-build/npm/make/make.mjs serve ...
//
// A folder is replaced when it is complete. Packs are named after a hash of their content, so they can be cached forever.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, manifest, pageOf } from "./manifest.mjs";

/** The folder of sources of the packages `toponym` and `toponym-full`. */
const SOURCES = "pkg-build/npm";

/** Packages of sources alone, around the one with the engine. */
const AROUND = ["react", "vue", "maplibre", "leaflet", "mcp"];

const LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"];

/** The credits and licence texts of the data. */
const NOTICES = "data/NOTICES.txt";

/** The placeholder for the attribution in the README. */
const ATTRIBUTION = "<!-- attribution -->";

/** Number of hash digits in the name of a pack. */
const NAME_DIGITS = 16;

const text = { type: "string" };
const options = { version: text, repository: text, pack: text, first: text, attribution: text, engine: text };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const page = pageOf(values.repository ?? remote());
const attribution = values.attribution?.trim().replace(/^/gm, "- ");

const KINDS = { around, core, full, serve };
if (values.repository && !page) {
  console.error(`error: ${values.repository} is not a public repository: give its address, such as https://host.example/owner/name`);
  process.exitCode = 1;
} else {
  KINDS[positionals[0]]();
}

/** Makes the packages of sources alone, and renews package.json of those with packs: another version or address needs no other build. */
function around() {
  for (const name of AROUND) {
    const sources = `pkg-build/${name}`;
    place(`npm-${name}`, (folder) => {
      copy(`${sources}/src`, folder);
      copy(`${sources}/README.md`, join(folder, "README.md"));
      writeFileSync(join(folder, "package.json"), manifest(sources, "package.json", values.version, page));
    });
  }
  for (const [name, file] of Object.entries({ npm: "package.json", "npm-full": "full.package.json" })) {
    const built = join(ROOT, "build", name, "package.json");
    if (existsSync(built)) writeFileSync(built, manifest(SOURCES, file, values.version, page));
  }
}

function core() {
  place("npm", (folder) => {
    const { name, source } = addPack(folder, "core", values.pack);
    const first = addPack(folder, "first", values.first);
    copy(`${SOURCES}/src`, folder);
    cpSync(values.engine, folder, { recursive: true });
    writeFileSync(join(folder, "core.js"), `// Where the core pack is.\n\nexport const core = ${source};\n`);
    const about = "// Where the small pack is from which pages answer until the core pack is there.";
    writeFileSync(join(folder, "first.js"), `${about}\n\nexport const first = ${first.source};\n`);
    const module = `// The core pack as a module of a Worker.\n\nexport { default as bytes } from "./${name}";\n`;
    writeFileSync(join(folder, "core-module.js"), module);
    const readme = readFileSync(join(ROOT, SOURCES, "README.md"), "utf8");
    assert.ok(readme.includes(ATTRIBUTION), "the README of the package has no placeholder for the attribution");
    writeFileSync(join(folder, "README.md"), readme.replace(ATTRIBUTION, () => attribution));
    writeFileSync(join(folder, "package.json"), manifest(SOURCES, "package.json", values.version, page));
  });
}

function full() {
  place("npm-full", (folder) => {
    const { source } = addPack(folder, "full", values.pack);
    const about = "What `Geocoder.load()` of toponym takes.";
    writeFileSync(join(folder, "index.js"), `// ${about}\n\nexport default ${source};\n`);
    const types = "declare const full: { readonly url: URL; sha256: string; size: number };\nexport default full;\n";
    writeFileSync(join(folder, "index.d.ts"), `/** ${about} */\n${types}`);
    writeFileSync(join(folder, "README.md"), readmeOfFull());
    writeFileSync(join(folder, "package.json"), manifest(SOURCES, "full.package.json", values.version, page));
  });
  if (page) return;
  console.error(
    "• the packages name no repository, for the remote `origin` of this clone is not a public one. npm needs it to publish with " +
      "provenance: `cargo xtask build npm --repository https://...`",
  );
}

/** Makes the package of the service, of what `cargo xtask build selfhost` made. workerd and the index are packages of their own. */
function serve() {
  const [built, sources] = ["build/selfhost", "pkg-build/serve"];
  place("npm-serve", (folder) => {
    for (const part of ["site", "worker"]) copy(`${built}/${part}`, join(folder, part));
    const isIndex = (name) => name.endsWith(".toponym");
    const [index, ...others] = readdirSync(join(folder, "worker")).filter(isIndex);
    assert.ok(index && others.length === 0, `${built} must have the default index in one file: run \`cargo xtask build selfhost\``);
    rmSync(join(folder, "worker", index));
    const edits = [
      // The folder with the unpacked index is an import path of workerd.
      [`embed "worker/${index}"`, 'embed "/index.toponym"'],
      ["  bindings = [\n", '  bindings = [\n    (name = "TOPONYM_DEMO", fromEnvironment = "TOPONYM_DEMO"),\n'],
    ];
    let configuration = readFileSync(join(ROOT, built, "toponym.capnp"), "utf8");
    for (const [from, to] of edits) {
      assert.equal(configuration.split(from).length, 2, `${built}/toponym.capnp must have ${from} once`);
      configuration = configuration.replace(from, to);
    }
    writeFileSync(join(folder, "toponym.capnp"), configuration);
    copy(`${sources}/src`, folder);
    for (const file of ["fault.js", "inflate.js"]) copy(`${SOURCES}/src/${file}`, join(folder, file));
    copy(`${sources}/README.md`, join(folder, "README.md"));
    copy(NOTICES, join(folder, "NOTICES.txt"));
    writeFileSync(join(folder, "package.json"), manifest(sources, "package.json", values.version, page));
  });
}

function readmeOfFull() {
  return `# toponym-full

Every place of \`toponym\`, with all names.

\`\`\`js
import { Geocoder } from "toponym";
import full from "toponym-full";

const geo = await Geocoder.load(full);
\`\`\`

## Attribution

${attribution}
`;
}

/**
 * Adds a packed index to a package, with the credits of its data. Returns its name, which ends with .bin, because wrangler treats that
 * as bytes, and the source of the argument of `Geocoder.load()`, with the address in the form that bundlers recognise. A getter,
 * because a module of a Worker has no address: importing it must not fail where a server renders a page.
 */
function addPack(folder, title, file) {
  const bytes = readFileSync(file);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const name = `${title}.${sha256.slice(0, NAME_DIGITS)}.bin`;
  writeFileSync(join(folder, name), bytes);
  copy(NOTICES, join(folder, "NOTICES.txt"));
  const url = `get url() {\n    return new URL("./${name}", import.meta.url);\n  }`;
  return { name, source: `{\n  ${url},\n  sha256: "${sha256}",\n  size: ${bytes.length},\n}` };
}

/** Fills a folder with the licences of the code and by `fill`, and replaces `build/name` with it. */
function place(name, fill) {
  const folder = join(ROOT, "build", name);
  const next = `${folder}.next`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  for (const file of LICENCES) copy(file, join(next, file));
  fill(next);
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
}

/** Copies a file, or the files of a folder, from a path below the root. */
function copy(path, to) {
  cpSync(join(ROOT, path), to, { recursive: true });
}

/** Returns the address of the remote `origin` of this clone; empty if there is none. */
function remote() {
  const stdio = ["ignore", "pipe", "ignore"];
  try {
    return execFileSync("git", ["config", "--get", "remote.origin.url"], { cwd: ROOT, encoding: "utf8", stdio }).trim();
  } catch {
    return "";
  }
}
