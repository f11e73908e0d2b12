// Starts Chromium for the tests of pages. The environment variable CHROMIUM names another executable than Debian's;
// SCREENSHOTS names a folder for screenshots.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { FLAGS } from "../chromium.mjs";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** WebGL without a graphics card. */
export const SOFTWARE_WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Starts Chromium, with further flags, which connects only to the pages under test. */
export function launch(flags = []) {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find(existsSync);
  if (!executablePath) throw new Error("the browser tests need Chromium: install it, or name it in CHROMIUM");
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/** Opens a page and collects its problems: errors, refused resources, violations of its content security policy. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await options.before?.(page);
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

/** Saves a screenshot of the whole page. */
export async function picture(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
