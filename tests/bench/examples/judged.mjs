// What the judges say of packages and pages, for EXAMPLES.md: publint and are-the-types-wrong of every package, axe-core of every
// state of the search field and of the pages of the examples.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { audit } from "../../components/accessibility.mjs";
import { ROOT, packed } from "../../packaging/harness.mjs";
import { BUILT, PROGRAMS, linted, wrong } from "../../packaging/judges.mjs";
import { chosen, suggested } from "../../packaging/examples/example.mjs";

/** The test that audits the states of the search field. */
const STATES = join(ROOT, "tests/components/states.test.mjs");

/** How much publint and are-the-types-wrong find in each package, as rows. Tarballs go to `folder`. */
export async function packages(folder) {
  const rows = [];
  for (const [name, built] of Object.entries(BUILT)) {
    if (!existsSync(built)) throw new Error(`${built} is missing: run \`cargo xtask build npm\``);
    const { tarball } = packed(built, folder);
    const types = PROGRAMS.includes(name) ? "a program, without types" : (await wrong(tarball)).length;
    rows.push(`| ${name} | ${(await linted(built)).length} | ${types} |`);
  }
  return rows;
}

/** What axe-core finds in every state of the search field, as rows. `folder` is for the counts. */
export function states(folder) {
  const AUDITS = join(folder, "audits.jsonl");
  execFileSync(process.execPath, ["--test", STATES], { env: { ...process.env, AUDITS }, stdio: ["ignore", "ignore", "inherit"] });
  const lines = readFileSync(AUDITS, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line)).map(({ name, violations, passes }) => row("search field", name, violations, passes));
}

/** What axe-core finds in the page of an example, with suggestions and with a chosen place, as rows. It was opened with `typing`. */
export async function example(page, name) {
  const rows = [];
  for (const [state, reach] of [["suggestions", suggested], ["chosen", chosen]]) {
    await reach(page, name);
    const { violations, passes } = await audit(page);
    for (const violation of violations) console.error(`${name}, ${state}: ${violation}`);
    rows.push(row(name, state, violations.length, passes));
  }
  return rows;
}

function row(page, state, violations, passes) {
  return `| ${page} | ${state} | ${violations} | ${passes} |`;
}
