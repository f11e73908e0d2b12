// The runtimes without a page: each runs the questions of `questions.mjs` against the installed package.
//
// Deno, Bun and the oldest Node that `engines` allows come from the lock file in `runtimes`; Node is also the one that runs this.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { EXPORTS, IMPORTS, install } from "../../packaging/harness.mjs";
import { answers, check } from "../../packaging/questions.mjs";

const TOOLS = join(import.meta.dirname, "runtimes");

const DENO = ["run", "--quiet", "--no-config", "--no-lock", "--no-remote", "--node-modules-dir=manual", "--allow-read", "--allow-env"];

/** What starts a script, under each runtime. Deno has leave to read the files and the language, and nothing else. */
const RUNTIMES = {
  Node: [process.execPath],
  "Node, the oldest": [program("node")],
  Deno: [program("deno"), ...DENO],
  Bun: [program("bun"), "run"],
};

/** The questions; and every entry, for those for pages must do no harm where there is none. */
const SCRIPT = `import { Geocoder } from "toponym";
${IMPORTS}${answers}
const start = performance.now();
const geo = await Geocoder.load();
geo.autocomplete("par");
const ms = performance.now() - start;
console.log(JSON.stringify({ found: await answers(geo), exported, ms }));
`;

function program(name) {
  return join(TOOLS, "node_modules/.bin", name);
}

/** Runs the package under every runtime. Returns `{ name, version, ms }` of each; an error if an answer is wrong. */
export function runtimes(tarball) {
  if (!existsSync(join(TOOLS, "node_modules"))) throw new Error(`${TOOLS} has no packages: run \`cargo xtask bench examples\``);
  const work = join(TOOLS, "work");
  rmSync(work, { recursive: true, force: true });
  install(work, tarball);
  writeFileSync(join(work, "use.mjs"), SCRIPT);
  return Object.entries(RUNTIMES).map(([name, [command, ...args]]) => {
    const run = (args) => execFileSync(command, args, { cwd: work, encoding: "utf8", maxBuffer: 1e8, env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" } });
    const { found, exported, ms } = JSON.parse(run([...args, "use.mjs"]));
    check(found);
    assert.deepEqual(exported, EXPORTS, name);
    return { name, version: run(["--version"]).match(/\d+\.\d+\.\d+/)[0], ms };
  });
}
