// Shared by the tests of the search field: a page with it in a form, and the package beside it.

import { readdirSync } from "node:fs";
import { after, before } from "node:test";

import { Project, Site, answered as allAnswered, launch, watched } from "./harness.mjs";

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Places</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>
  body { margin: 1rem; font: 16px/1.5 system-ui, sans-serif; min-block-size: 22rem; }
  h1 { font-size: 1.1rem; } label { display: block; }
  toponym-autocomplete { inline-size: 24rem; }
</style>
<script type="module">
  import "/node_modules/toponym/element.js";
  window.heard = [];
  const field = document.querySelector("#field");
  for (const type of ["change", "error", "ready"]) field.addEventListener(type, ({ detail }) => heard.push([type, detail]));
</script></head>
<body><main><h1>A trip</h1>
<form><label for="field">Where to?</label>
<toponym-autocomplete id="field" name="where" limit="4" placeholder="City or sight"><small slot="attribution">Places: <a href="#credits">GeoNames and others</a></small></toponym-autocomplete>
<p><button style="color: CanvasText; background: Canvas">Go</button></p></form></main></body></html>`;

/** The package, a browser, the site, and the addresses of the core pack and of the first: set before the tests of a file. */
export let project, chromium, site, pack, first;

before(async () => {
  project = new Project(["npm"]);
  project.write("index.html", PAGE);
  const packs = readdirSync(project.path("node_modules/toponym")).filter((name) => name.endsWith(".bin"));
  [pack, first] = ["core", "first"].map((title) => `/node_modules/toponym/${packs.find((name) => name.startsWith(`${title}.`))}`);
  [chromium, site] = await Promise.all([launch(), Site.of(project.folder)]);
});

after(async () => {
  await chromium?.close();
  await site?.close();
  project?.remove();
});

/** Opens the page. `prepare(field)` changes the element in the page; `before(context)` runs before the page opens. */
export async function open({ prepare, argument, before: first, ...options } = {}) {
  const context = await chromium.newContext({ viewport: { width: 480, height: 480 }, ...options });
  await first?.(context);
  const page = await watched(context);
  await page.goto(site.url);
  await page.waitForFunction(() => document.querySelector("#field")?.matches(":defined"));
  const field = page.locator("#field");
  if (prepare) await field.evaluate(prepare, argument);
  return {
    context,
    page,
    field,
    input: field.locator("input"),
    options: field.locator("[role=option]"),
    status: field.getByRole("status"),
    message: field.locator("[part=message]"),
    close: () => context.close(),
  };
}

/** Waits until a page that is open has all places, and shows what they answer. */
export const answered = ({ field }) => allAnswered(field);

/** Types a text, and waits for the answer of all places. */
export async function search(opened, text = "monaco di bav", expected = "Munich") {
  await opened.input.click();
  await opened.input.pressSequentially(text);
  await opened.options.first().filter({ hasText: expected }).waitFor();
  await answered(opened);
}

/** Packs that do not arrive until they are released, or another answer. `before` is for `open`. */
export function heldPack(answer = (route) => route.continue(), packs = "**/*.bin") {
  const { promise: released, resolve: release } = Promise.withResolvers();
  const before = (context) =>
    context.route(packs, async (route) => {
      await released;
      await answer(route).catch(() => {});
    });
  return { before, release };
}

/** In the page: keeps the threads that start from now on as `threads`, each with `isEnded`. */
export function countThreads() {
  window.threads = [];
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      threads.push(this);
    }

    terminate() {
      this.isEnded = true;
      super.terminate();
    }
  };
}
