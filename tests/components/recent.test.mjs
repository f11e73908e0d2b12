// Tests the places that <toponym-autocomplete> remembers, in Chromium: which it offers, what passes the filters, and how they are forgotten.

import assert from "node:assert/strict";

import { test } from "../browsers.mjs";
import { looked } from "./accessibility.mjs";
import { answered, countThreads, open, search } from "./field.mjs";

test("recent places: offered, kept, cleared", async () => {
  const opened = await open({ prepare: (field) => field.setAttribute("recent", "") });
  const { page, field, input, options } = opened;
  const list = field.getByRole("listbox", { name: "Recent places" });
  await input.click();
  assert.ok(await list.isHidden(), "none yet");
  for (const [text, name] of [["oslo", "Oslo"], ["rome", "Rome"], ["oslo", "Oslo"]]) {
    await input.fill(text);
    await options.first().filter({ hasText: name }).waitFor();
    await answered(opened);
    await options.first().click();
    await input.fill("");
  }
  await list.waitFor();
  assert.deepEqual((await options.allTextContents()).map((text) => text.split(",")[0]), ["Oslo", "Rome"], "the newest first, each once");
  assert.equal(await field.getByRole("status").textContent(), "Recent places: 2 suggestions");
  await looked(page, "recent");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#field").matches(":defined"));
  await field.evaluate((element) => element.setAttribute("recent", "of another list"));
  await input.click();
  assert.ok(await list.isHidden());
  await page.keyboard.press("Tab");
  await field.evaluate((element) => element.setAttribute("recent", ""));
  await page.getByText("Where to?").click();
  await list.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await input.inputValue(), /^Oslo, /);
  assert.equal(await page.evaluate(() => document.querySelector("#field").place.country), "Norway");
  // By keyboard: from the field to the button, and back.
  await input.fill("");
  await list.waitFor();
  await page.keyboard.press("Tab");
  const clear = field.getByRole("button", { name: "Clear recent places" });
  assert.ok(await clear.evaluate((button) => button.getRootNode().activeElement === button));
  await page.keyboard.press("Escape");
  assert.ok(await list.isHidden());
  assert.ok(await input.evaluate((own) => own.getRootNode().activeElement === own), "Escape leads back");
  await page.keyboard.press("ArrowDown");
  await list.waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.ok(await list.isHidden());
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  assert.ok(await input.evaluate((own) => own.getRootNode().activeElement === own));
  await opened.close();
});

const RECENT = [
  { display_name: "Oslo, Norway", country_code: "no", kind: "city", type: "city", lat: 59.9, lon: 10.7 },
  { display_name: "Lyon, France", country_code: "FR", kind: "city", type: "city", lat: 45.7, lon: 4.8, within: 3017382 },
  { display_name: "Suva, Fiji", country_code: "fj", kind: "city", type: "city", lat: -18.1, lon: 178.4 },
  { display_name: "CDG, France", country_code: "FR", kind: "airport", type: "aerodrome", lat: 49, lon: 2.5 },
  { display_name: "Somewhere", lat: 1, lon: 2 },
];

for (const [name, value, expected] of [
  ["limit", "9", ["Oslo", "Lyon", "Suva", "CDG", "Somewhere"]],
  ["countries", "fr no", ["Oslo", "Lyon", "CDG"]],
  ["types", "airport", ["CDG"]],
  ["types", "aerodrome", ["CDG"]],
  ["bbox", "-10,40,20,60", ["Oslo", "Lyon", "CDG"]],
  ["bbox", "170,-30,-170,0", ["Suva"]],
  ["within", "3017382", ["Lyon"]],
]) {
  test(`recent places pass the filters: ${name}="${value}"`, async () => {
    const opened = await open({
      prepare: (field, [name, value, places]) => {
        localStorage.setItem("toponym-recent", JSON.stringify(places));
        field.setAttribute("recent", "");
        field.setAttribute(name, value);
      },
      argument: [name, value, RECENT],
    });
    await opened.input.click();
    await opened.options.first().waitFor();
    assert.deepEqual((await opened.options.allTextContents()).map((text) => text.split(",")[0]), expected);
    await opened.close();
  });
}

test("a recent place is remembered with where it was looked for", async () => {
  const opened = await open({ prepare: (field) => (field.setAttribute("recent", ""), field.setAttribute("within", "3017382")) });
  await search(opened, "lyon", "Lyon");
  await opened.options.first().click();
  assert.equal(await opened.page.evaluate(() => JSON.parse(localStorage.getItem("toponym-recent"))[0].within), 3017382);
  await opened.close();
});

test("the page clears recent places without moving the focus or loading places", async () => {
  const opened = await open({ prepare: countThreads });
  const found = await opened.field.evaluate((field) => {
    field.setAttribute("recent", "");
    localStorage.setItem("toponym-recent", "[]");
    const button = document.querySelector("button");
    button.focus();
    field.clearRecent();
    return { isFocused: document.activeElement === button, kept: localStorage.length, threads: threads.length };
  });
  assert.deepEqual(found, { isFocused: true, kept: 0, threads: 0 });
  await opened.close();
});

test("without consent nothing is stored, and damaged storage does no harm", async () => {
  const opened = await open();
  await search(opened, "oslo", "Oslo");
  await opened.options.first().click();
  assert.equal(await opened.page.evaluate(() => localStorage.length), 0);
  for (const damaged of ["{", "3", '[null, {"display_name": 3}, {"display_name": "Rome", "lat": "x"}]']) {
    await opened.page.evaluate((text) => localStorage.setItem("toponym-recent", text), damaged);
    await opened.field.evaluate((field) => field.setAttribute("recent", ""));
    await opened.input.fill("");
    assert.ok(await opened.field.getByRole("listbox").isHidden(), damaged);
  }
  assert.deepEqual(opened.page.errors, []);
  await opened.close();
});
