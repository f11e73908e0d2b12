// Tests <toponym-autocomplete> in Chromium as people use it: keyboard, mouse, touch, input methods, screen readers,
// forms, right to left, under a strict content security policy.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Project, Site, browser, watched } from "./harness.mjs";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<script type="module" src="/main.js"></script>
<form id="form"><label for="field">Where to?</label>
<toponym-autocomplete id="field" name="where" limit="4" required placeholder="City"></toponym-autocomplete>
<button>Go</button></form>
<div dir="rtl"><toponym-autocomplete id="rtl" lang="ar" label="مكان"></toponym-autocomplete></div>
<fieldset disabled><toponym-autocomplete id="off"></toponym-autocomplete></fieldset>`;

const MAIN = `
import "/node_modules/toponym/element.js";
window.changes = [];
document.addEventListener("change", (event) => changes.push(event.detail && event.detail.display_name));
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  window.sent = Object.fromEntries(new FormData(event.target));
});
window.loaded = true;`;

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:";

let project, chromium, site;

before(async () => {
  project = new Project();
  project.write("main.js", MAIN);
  project.write("index.html", PAGE);
  chromium = await browser();
  site = await Site.of(project.folder);
  site.intercept = (_, response) => (response.setHeader("content-security-policy", POLICY), false);
});

after(async () => {
  await chromium?.close();
  await site?.close();
  project?.remove();
});

async function open(options = {}) {
  const context = await chromium.newContext(options);
  const page = await watched(context);
  await page.goto(site.url);
  await page.waitForFunction(() => window.loaded);
  const field = page.locator("#field");
  return { context, page, field, input: field.locator("input"), list: field.locator("[role=listbox]"), options: field.locator("[role=option]") };
}

const first = (locator, text) => locator.first().filter({ hasText: text }).waitFor();
const active = (input) => input.getAttribute("aria-activedescendant");

test("by keyboard", async () => {
  const { context, page, input, list, options } = await open();
  await page.keyboard.press("Tab");
  await page.keyboard.type("pari");
  await first(options, "Paris");
  assert.equal(await options.count(), 4);
  assert.equal(await input.getAttribute("aria-expanded"), "true");
  assert.equal(await active(input), null, "nothing is chosen for people");
  await page.keyboard.press("ArrowDown");
  assert.equal(await active(input), "option-0");
  assert.equal(await options.first().getAttribute("aria-selected"), "true");
  await page.keyboard.press("ArrowUp");
  assert.equal(await active(input), null);
  await page.keyboard.press("ArrowUp");
  assert.equal(await active(input), "option-3", "round the end");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await input.inputValue(), /^Paris, .*France$/);
  assert.ok(await list.isHidden());
  assert.equal(await input.getAttribute("aria-expanded"), "false");
  assert.equal((await page.evaluate(() => changes)).length, 1);
  assert.match((await page.evaluate(() => changes))[0], /^Paris, /);
  assert.equal(await page.evaluate(() => document.querySelector("#field").place.country), "France");
  // Escape closes, then clears. Dropping a choice is a change.
  await page.keyboard.type("x");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  assert.equal(await input.inputValue(), "");
  assert.equal((await page.evaluate(() => changes)).at(-1), null);
  // Alt with the arrows opens and closes without choosing.
  await page.keyboard.type("rom");
  await first(options, "Rome");
  await page.keyboard.press("Alt+ArrowUp");
  assert.ok(await list.isHidden());
  await page.keyboard.press("Alt+ArrowDown");
  await first(options, "Rome");
  await page.keyboard.press("Tab");
  assert.ok(await list.isHidden(), "leaving closes");
  assert.deepEqual(page.errors, []);
  await context.close();
});

test("by mouse", async () => {
  const { context, page, input, options } = await open();
  await input.click();
  await page.keyboard.type("london");
  await first(options, "London");
  await options.first().click();
  assert.match(await input.inputValue(), /^London, /);
  assert.equal((await page.evaluate(() => changes)).length, 1);
  await context.close();
});

test("by touch", async () => {
  const { context, page, input, options } = await open({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 640 } });
  await input.tap();
  await input.pressSequentially("oslo");
  await first(options, "Oslo");
  const { height } = await options.first().boundingBox();
  assert.ok(height >= 44, `large enough for a finger: ${height}`);
  await options.first().tap();
  assert.match(await input.inputValue(), /^Oslo, /);
  assert.equal((await page.evaluate(() => changes)).length, 1);
  await context.close();
});

test("with an input method", async () => {
  const { context, page, input, options } = await open();
  await input.click();
  const session = await context.newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "とう", selectionStart: 2, selectionEnd: 2 });
  // The list ignores keys of a composition, where Enter would choose.
  await input.dispatchEvent("keydown", { key: "ArrowDown", isComposing: true });
  await input.dispatchEvent("keydown", { key: "Enter", isComposing: true });
  assert.deepEqual(await page.evaluate(() => changes), []);
  await session.send("Input.imeSetComposition", { text: "東京", selectionStart: 2, selectionEnd: 2 });
  await session.send("Input.insertText", { text: "東京" });
  await first(options, "Tokyo");
  assert.equal(await input.inputValue(), "東京");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await input.inputValue(), /^Tokyo/);
  await context.close();
});

test("for screen readers", async () => {
  const { context, page, field, input, options } = await open();
  const box = page.getByRole("combobox", { name: "Where to?" });
  assert.equal(await box.count(), 1);
  assert.equal(await input.getAttribute("aria-autocomplete"), "list");
  assert.equal(await input.getAttribute("aria-required"), "true");
  await page.getByText("Where to?").click();
  await page.keyboard.type("berl");
  await first(options, "Berlin");
  assert.ok((await field.getByRole("listbox", { name: "Where to?" }).count()) === 1);
  assert.match(await field.getByRole("status").textContent(), /^[1-4] suggestions?$/);
  const controls = await input.getAttribute("aria-controls");
  assert.equal(await field.locator(`#${controls}`).getAttribute("role"), "listbox");
  await page.keyboard.press("ArrowDown");
  assert.equal(await field.locator(`#${await active(input)}`).getAttribute("aria-selected"), "true");
  await input.fill("xqzzvkj");
  await field.getByRole("status").filter({ hasText: "No place found" }).waitFor();
  await context.close();
});

test("in a form", async () => {
  const { context, page, input, options } = await open();
  await input.fill("Rome");
  await page.getByRole("button", { name: "Go" }).click();
  assert.equal(await page.evaluate(() => window.sent), undefined, "a text alone is no place");
  assert.equal(await page.evaluate(() => document.querySelector("#field").validity.valueMissing), true);
  await input.fill("Rome, It");
  await first(options, "Rome");
  await options.first().click();
  await page.getByRole("button", { name: "Go" }).click();
  const sent = await page.evaluate(() => window.sent);
  assert.match(sent.where, /^Rome, /);
  assert.equal(Math.round(Number(sent["where.lat"])), 42);
  await page.evaluate(() => document.querySelector("form").reset());
  assert.equal(await input.inputValue(), "");
  assert.equal(await page.evaluate(() => document.querySelector("#field").place), null);
  assert.ok(await page.locator("#off input").isDisabled());
  await context.close();
});

test("from right to left", async () => {
  const { context, page } = await open();
  const field = page.locator("#rtl");
  await field.locator("input").fill("القاهرة");
  await first(field.locator("[role=option]"), "Cairo");
  const align = await field.locator("[role=option]").first().evaluate((option) => [getComputedStyle(option.parentElement).direction, option.dir]);
  assert.deepEqual(align, ["rtl", "auto"]);
  await context.close();
});

test("with another geocoder, slower answers do not overtake", async () => {
  const { context, page, input, options } = await open();
  await page.evaluate(() => {
    const waiting = (window.waiting = {});
    document.querySelector("#field").geocoder = {
      autocomplete: (text) => new Promise((resolve) => (waiting[text] = () => resolve([{ display_name: `Found ${text}`, lat: 1, lon: 2, country: "C", type: "city" }]))),
    };
  });
  await input.pressSequentially("ab");
  await page.waitForFunction(() => waiting.a && waiting.ab);
  await page.evaluate(() => (waiting.ab(), waiting.a()));
  await first(options, "Found ab");
  assert.equal(await options.count(), 1);
  await context.close();
});

test("when places cannot be loaded it says so, and tries again", async () => {
  const { context, page, field, input, options } = await open();
  let broken = true;
  await context.route("**/*.bin", (route) => (broken ? route.fulfill({ status: 404 }) : route.continue()));
  await input.fill("rome");
  await field.getByRole("status").filter({ hasText: "cannot be loaded" }).waitFor();
  broken = false;
  await input.fill("rome ");
  await first(options, "Rome");
  await context.close();
});
