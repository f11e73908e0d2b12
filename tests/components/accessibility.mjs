// What axe-core says of a page.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { picture } from "./harness.mjs";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** WCAG 2.2 A and AA, and what axe-core holds to be good practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The page must be free of violations. AUDITS names a file that keeps the counts, a line of JSON for each page. */
export async function looked(page, name) {
  await picture(page, name);
  const { violations, passes } = await audit(page);
  const line = { name, violations: violations.length, passes };
  if (process.env.AUDITS) appendFileSync(process.env.AUDITS, `${JSON.stringify(line)}\n`);
  assert.deepEqual(violations, [], name);
  assert.ok(passes > 10, `axe-core looked at something: ${passes}`);
}

/** In the page: waits for the end of what moves, such as a popup that appears, but for what moves for ever. */
function still() {
  const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
  return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => undefined);
}

/** The violations as lines of text, and how many checks passed. */
export async function audit(page) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  await page.evaluate(still);
  return page.evaluate(async (values) => {
    const { violations, passes } = await window.axe.run(document, { runOnly: { type: "tag", values } });
    const lines = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
    return { violations: lines, passes: passes.length };
  }, TAGS);
}
