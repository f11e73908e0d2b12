// Opens pages in the browser under test. The environment variable SCREENSHOTS names a folder for screenshots.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** The source of axe, which looks for barriers to accessibility in the page that runs it. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export { launch } from "../browsers.mjs";

/** Opens a page and collects its problems: errors, refused resources, violations of its content security policy. */
export async function open(browser, url, { before, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await before?.(page);
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

/** In the page: takes away what the map draws with. */
export function takeWebGlAway() {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest);
  };
}

/** Saves a screenshot of the whole page. */
export async function picture(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
