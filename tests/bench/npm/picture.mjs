// Takes the picture of <toponym-autocomplete> that the README shows, from the package as it is packed. After `cargo xtask build npm`:
//
//     edge-worker/node_modules/.bin/node tests/bench/npm/picture.mjs [file.png]

import { join } from "node:path";

import { Project, ROOT, Site, launch, watched } from "../../packaging/harness.mjs";

const [file = join(ROOT, "tests/bench/npm/element.png")] = process.argv.slice(2);

/** Half a name, in another language than that of the page, with a slip. */
const TYPED = "Venezzi";

/** Pixels around what is shown. */
const EDGE = 16;

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Where to?</title><link rel="icon" href="data:,">
<script type="module">import "/node_modules/toponym/element.js";</script>
<style>
  body { margin: 0; padding: ${EDGE}px; background: #fff; font: 16px/1.5 "DejaVu Sans Condensed", system-ui, sans-serif; }
  label { display: block; margin-block-end: 0.4rem; }
  toponym-autocomplete { inline-size: 30rem; }
</style>
<label for="where">Where to?</label>
<toponym-autocomplete id="where" name="where" limit="4"></toponym-autocomplete>`;

const project = new Project();
project.write("index.html", PAGE);
const site = await Site.of(project.folder);
const chromium = await launch();
try {
  const context = await chromium.newContext({ deviceScaleFactor: 2, viewport: { width: 600, height: 600 } });
  const page = await watched(context);
  await page.goto(site.url);
  await page.getByText("Where to?").click();
  await page.keyboard.type(TYPED);
  await page.locator("[role=option]").first().filter({ hasText: "Venice" }).waitFor();
  await page.keyboard.press("ArrowDown");
  const list = await page.locator("[part=popup]").boundingBox();
  const clip = { x: 0, y: 0, width: list.x + list.width + EDGE, height: list.y + list.height + EDGE };
  await page.screenshot({ path: file, clip });
  if (page.errors.length) throw new Error(page.errors.join("\n"));
} finally {
  await chromium.close();
  await site.close();
  project.remove();
}
