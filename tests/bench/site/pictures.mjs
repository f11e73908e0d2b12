// Takes pictures of the pages, with the map, in each of their states and views, to look at:
//
//     node tests/bench/site/pictures.mjs FOLDER [PART OF A NAME]
//     node tests/bench/site/pictures.mjs --readme
//
// The second takes those that the README shows. Needs what the tests of this folder need.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SOFTWARE_WEBGL } from "../../chromium.mjs";
import { ROOT, start } from "../../live/harness.mjs";
import { launch } from "../../site/browser.mjs";
import { eachState } from "../../site/states.mjs";
import { tellADay } from "../../site/traffic.mjs";

/** Files of the README by the state and the view that they show. */
const README = { "suggestions-light": "playground.jpg", "answer-phone-dark": "playground-phone.jpg" };
const README_FOLDER = join(ROOT, "edge-worker/pictures");

/** Small, and good enough to read. */
const JPEG = { type: "jpeg", quality: 82 };

const [folder, part = ""] = process.argv.slice(2);
if (!folder) throw new Error("name a folder for the pictures, or --readme");
const isReadme = folder === "--readme";
mkdirSync(isReadme ? README_FOLDER : folder, { recursive: true });

const name = (state, view) => `${state}-${view}`.replaceAll(/\W+/g, "-");

const [service, browser] = await Promise.all([start(), launch(SOFTWARE_WEBGL)]);
try {
  await tellADay(service);
  const isWanted = (state, view) => (isReadme ? name(state, view) in README : name(state, view).includes(part));
  await eachState(browser, service.url, take, isWanted);
} finally {
  await browser.close();
  await service.stop();
}

function take(page, state, view) {
  const file = name(state, view);
  process.stdout.write(`${file}\n`);
  if (isReadme) return page.screenshot({ path: join(README_FOLDER, README[file]), ...JPEG });
  return page.screenshot({ path: join(folder, `${file}.png`), fullPage: state === "status" });
}
