// The options with which tests start Chromium: the flags of webdriver.json, without connections to other hosts.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const capabilities = JSON.parse(readFileSync(join(import.meta.dirname, "webdriver.json"), "utf8"));

/** Without `--headless`, which playwright adds itself in the form that its Chromium takes. */
export const FLAGS = capabilities["goog:chromeOptions"].args.filter((flag) => flag !== "--headless");
