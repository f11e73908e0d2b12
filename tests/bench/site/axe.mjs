// Counts what axe finds in each state and view of the pages, with the map, and writes AXE.md:
//
//     node tests/bench/site/axe.mjs
//
// Needs what the tests of this folder need. The tests fail on any violation; this says where they were looked for.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { SOFTWARE_WEBGL } from "../../chromium.mjs";
import { start } from "../../live/harness.mjs";
import { AXE, launch } from "../../site/browser.mjs";
import { eachState } from "../../site/states.mjs";
import { tellADay } from "../../site/traffic.mjs";

const { version } = JSON.parse(readFileSync(createRequire(import.meta.url).resolve("axe-core/package.json"), "utf8"));

const rows = new Map();
const views = new Set();
const details = [];
const [service, browser] = await Promise.all([start(), launch(SOFTWARE_WEBGL)]);
try {
  await tellADay(service);
  await eachState(browser, service.url, async (page, state, view) => {
    const found = await audit(page);
    views.add(view);
    if (!rows.has(state)) rows.set(state, []);
    rows.get(state).push(`${found.violations.length} of ${found.rules}`);
    for (const { id, nodes } of found.violations) details.push(`${state}, ${view}: ${id}: ${nodes.join(" | ")}`);
    process.stdout.write(`${state}, ${view}: ${found.violations.length}\n`);
  });
} finally {
  await browser.close();
  await service.stop();
}
writeFileSync(join(import.meta.dirname, "AXE.md"), report());
for (const line of details) process.stderr.write(`${line}\n`);
process.exit(details.length ? 1 : 0);

/** The violations, and how many rules had something to look at. */
async function audit(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations, passes } = await globalThis.axe.run();
    return {
      violations: violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 160)) })),
      rules: violations.length + passes.length,
    };
  });
}

function report() {
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  const head = ["state", ...views];
  return `# Barriers to accessibility, by axe

Written by \`node tests/bench/site/axe.mjs\`: axe-core ${version} in Chromium on the real service, all rules, with the map drawn (but on
\`status\`, which has none of that kind). Each cell: rules that are violated, of those that had something to look at.
\`tests/site/states.mjs\` says what each state is; the phone is one of 390 by 780.

${line(head)}${line(head.map(() => "---"))}${[...rows].map(([state, cells]) => line([state, ...cells])).join("")}`;
}
