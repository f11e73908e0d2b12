// The options with which tests start Chromium: the flags of webdriver.json, without connections to other hosts. The
// environment variable CHROMIUM names another executable than Debian's.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const EXECUTABLES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const capabilities = JSON.parse(readFileSync(join(import.meta.dirname, "webdriver.json"), "utf8"));

/** Without `--headless`, which playwright adds itself in the form that its Chromium takes. */
const FLAGS = capabilities["goog:chromeOptions"].args.filter((flag) => flag !== "--headless");

/** Flags for WebGL without a graphics card. */
export const SOFTWARE_WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** What `launch` of playwright takes, with further flags. */
export function launchOptions(flags = []) {
  const executablePath = process.env.CHROMIUM ?? EXECUTABLES.find((path) => existsSync(path));
  if (!executablePath) throw new Error("the browser tests need Chromium: install it, or name it in CHROMIUM");
  return { executablePath, args: [...FLAGS, ...flags] };
}
