// What axe-core says of a page.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** WCAG 2.2 A and AA, and what axe-core holds to be good practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The violations as lines of text, and how many checks passed. */
export async function audit(page) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  return page.evaluate(async (values) => {
    const { violations, passes } = await window.axe.run(document, { runOnly: { type: "tag", values } });
    const lines = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
    return { violations: lines, passes: passes.length };
  }, TAGS);
}
