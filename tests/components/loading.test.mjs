// Tests how <toponym-autocomplete> comes to its places, in Chromium: when it loads them, what it answers before all are there, when that
// fails, and which fields share a thread.

import assert from "node:assert/strict";

import { test } from "../browsers.mjs";
import { looked } from "./accessibility.mjs";
import { answered, countThreads, first, heldPack, open, pack, search, site } from "./field.mjs";

const noPack = (context) => context.route("**/*.bin", (route) => route.fulfill({ status: 404 }));

test("while places load", async () => {
  const { before, release } = heldPack();
  const opened = await open({ before });
  await opened.input.click();
  await opened.status.filter({ hasText: "Loading places" }).waitFor();
  assert.ok(await opened.message.isHidden(), "nobody has asked yet");
  await opened.input.fill("rome");
  await opened.message.filter({ hasText: "Loading places" }).waitFor();
  assert.equal(await opened.status.textContent(), "Loading places");
  assert.ok(await opened.field.evaluate((field) => field.matches(":state(loading)")));
  assert.equal(await opened.input.getAttribute("aria-expanded"), "false");
  await looked(opened.page, "loading");
  release();
  await opened.options.first().filter({ hasText: "Rome" }).waitFor();
  await answered(opened);
  assert.equal(await opened.status.textContent(), "4 suggestions");
  assert.ok(await opened.field.evaluate((field) => field.matches(":state(open)") && !field.matches(":state(loading)")));
  await opened.close();
});

test("moving through the field with Tab loads nothing, and a key or a pointer does", async () => {
  for (const use of [(opened) => opened.page.keyboard.press("r"), (opened) => opened.page.keyboard.press("ArrowDown"), (opened) => opened.input.click()]) {
    const opened = await open();
    const before = site.count(first);
    const focused = () => opened.page.evaluate(() => document.activeElement.localName);
    await opened.page.keyboard.press("Tab");
    assert.equal(await focused(), "toponym-autocomplete");
    await opened.page.keyboard.press("Tab");
    assert.equal(await focused(), "button");
    await opened.page.keyboard.press("Shift+Tab");
    assert.equal(await focused(), "toponym-autocomplete");
    assert.equal(await opened.field.evaluate((field) => field.geocoder), undefined);
    assert.equal(site.count(first), before);
    await use(opened);
    await opened.page.waitForFunction(() => heard.some(([type]) => type === "ready"));
    assert.equal(site.count(first), before + 1);
    await opened.close();
  }
});

/** Opens the page with a core pack that does not arrive until it is released, and types a text. */
async function openWithFirst(text, options, answer) {
  const { before, release } = heldPack(answer, "**/core.*.bin");
  const opened = await open({ before, ...options });
  await opened.input.click();
  await opened.page.waitForFunction(() => heard.some(([type]) => type === "ready"));
  await opened.input.fill(text);
  return { ...opened, release };
}

test("the first places answer at once, and better ones come where nothing that stays is moved", async () => {
  const opened = await openWithFirst("bri", { prepare: (field) => (field.limit = 8) });
  const { options, page } = opened;
  await options.nth(4).waitFor();
  const names = async () => (await options.allTextContents()).map((text) => text.replace(/ — [^,]*/, ""));
  const shown = await names();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await options.first().evaluate((option) => (window.rows = [...option.parentNode.children]));
  await opened.field.evaluate((field) => {
    window.events = [];
    field.addEventListener("suggestions", ({ detail }) => events.push(detail.map((place) => place.display_name)));
  });
  opened.release();
  await answered(opened);
  await page.waitForFunction(() => events.length === 1);
  const all = await opened.field.evaluate(async (field) => (await field.geocoder.autocomplete("bri", { limit: 8 })).map((place) => place.display_name));
  const now = await names();
  assert.deepEqual(await page.evaluate(() => events[0]), now, "the event has what the list shows");
  for (const [at, name] of shown.entries()) if (all.includes(name)) assert.equal(now[at], name, "what stays is where it was");
  assert.equal(now[1], shown[1], "what is active stays");
  const others = all.filter((name) => !now.includes(name));
  assert.ok(others.length <= 1, `all that is better is there, but where the user is: ${others}`);
  assert.notDeepEqual(all, shown, "or there is nothing to see here");
  const kept = await options.first().evaluate((option) => [...option.parentNode.children].map((row, at) => row === rows[at]));
  assert.deepEqual(kept, now.map((name, at) => name === shown[at]));
  assert.equal(await opened.input.getAttribute("aria-activedescendant"), "option-1");
  assert.deepEqual(page.errors, []);
  await opened.close();
});

test("what is not among the first places is looked for until all are there", async () => {
  const opened = await openWithFirst("montélimar");
  await opened.message.filter({ hasText: "Loading places" }).waitFor();
  await opened.page.keyboard.press("Enter");
  assert.equal(await opened.input.inputValue(), "montélimar", "Enter waits for it too");
  opened.release();
  await opened.page.waitForFunction(() => document.querySelector("#field").place);
  assert.equal(await opened.input.inputValue(), "Montélimar, Auvergne-Rhône-Alpes, France");
  await opened.input.fill("xqzzvkj");
  await opened.message.filter({ hasText: "No place found" }).waitFor();
  assert.deepEqual(opened.page.errors, []);
  await opened.close();
});

test("when only the first places can be loaded, they answer, and each question tries the others again", async () => {
  let isGone = true;
  const opened = await openWithFirst("montélimar", {}, (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  await opened.message.filter({ hasText: "Loading places" }).waitFor();
  opened.release();
  await opened.message.filter({ hasText: "Places cannot be loaded" }).waitFor();
  await looked(opened.page, "failed-behind");
  await opened.input.fill("rome");
  await opened.options.first().filter({ hasText: "Rome" }).waitFor();
  isGone = false;
  await opened.input.fill("montélimar");
  await opened.options.first().filter({ hasText: "Montélimar, Auvergne-Rhône-Alpes, France" }).waitFor();
  await opened.close();
});

test("a point is shown until the place there is known, which only all places tell", async () => {
  const opened = await openWithFirst("46.475, 7.286");
  await opened.options.first().filter({ hasText: "46.475, 7.286" }).waitFor();
  opened.release();
  await opened.options.first().filter({ hasText: "Switzerland" }).waitFor();
  assert.equal(await opened.options.count(), 1);
  await opened.close();
});

/** Opens the page with places that were chosen before, and a pack that does not arrive until it is released. */
async function openKnowing() {
  const { before, release } = heldPack();
  const opened = await open({ before, prepare: (field) => field.setAttribute("recent", "") });
  const rome = { place_id: 3169070, name: "Rome", display_name: "Rome, Lazio, Italy", lat: 41.89, lon: 12.48, country: "Italy", country_code: "it", type: "city", kind: "city" };
  const roma = { ...rome, place_id: 1, name: "Romagna", display_name: "Romagna, nowhere", country: "Nowhere" };
  const oslo = { ...rome, place_id: 2, name: "Oslo", display_name: "Oslo, elsewhere" };
  await opened.page.evaluate((places) => localStorage.setItem("toponym-recent", JSON.stringify(places)), [roma, rome, oslo]);
  return { ...opened, release };
}

test("while places load, those that were chosen before answer, and the others come behind them", async () => {
  const opened = await openKnowing();
  const { page, options } = opened;
  await opened.input.fill("rom");
  await options.nth(1).waitFor();
  assert.deepEqual(await options.allTextContents(), ["Romagna, nowhere", "Rome, Lazio, Italy"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await options.first().evaluate((option) => (window.shown = [option, option.nextSibling]));
  const top = async () => (await options.first().boundingBox()).y;
  const before = await top();
  opened.release();
  await options.nth(3).waitFor();
  await answered(opened);
  assert.equal(await options.count(), 4);
  assert.deepEqual((await options.allTextContents()).slice(0, 2), ["Romagna, nowhere", "Rome, Lazio, Italy"]);
  assert.equal((await options.allTextContents()).filter((text) => text.startsWith("Rome, Lazio")).length, 1);
  assert.equal(await top(), before, "nothing moves");
  assert.ok(await options.first().evaluate((option) => shown[0] === option && shown[1] === option.nextSibling), "a finger may be on them");
  assert.equal(await opened.input.getAttribute("aria-activedescendant"), "option-1", "what is active stays so");
  await page.keyboard.press("Enter");
  assert.ok((await opened.field.evaluate((field) => field.place.lat)) > 41.8);
  assert.deepEqual(page.errors, []);
  await opened.close();
});

test("while places load, a point is offered, and then the place there", async () => {
  const opened = await openKnowing();
  await opened.input.fill("48.8584, 2.2945");
  await opened.options.first().filter({ hasText: "48.8584, 2.2945" }).waitFor();
  opened.release();
  await opened.options.first().filter({ hasText: "Eiffel Tower" }).waitFor();
  assert.equal(await opened.options.count(), 1);
  await opened.close();
});

test("loaded before anything is typed, it says no more", async () => {
  const { before, release } = heldPack();
  const opened = await open({ before });
  await opened.input.click();
  await opened.status.filter({ hasText: "Loading places" }).waitFor();
  release();
  await opened.page.waitForFunction(() => heard.length > 0);
  assert.deepEqual(await opened.page.evaluate(() => heard), [["ready", null]]);
  assert.equal(await opened.status.textContent(), "");
  assert.equal(await opened.message.getAttribute("data-state"), "");
  assert.ok(await opened.field.evaluate((field) => !field.matches(":state(loading)")));
  assert.equal(await opened.field.evaluate((field) => typeof field.geocoder?.autocomplete), "function");
  await opened.close();
});

test("a geocoder that the page sets before anything is typed ends the word that places load", async () => {
  const { before, release } = heldPack();
  const opened = await open({ before });
  await opened.input.click();
  await opened.status.filter({ hasText: "Loading places" }).waitFor();
  await opened.field.evaluate((field) => (field.geocoder = { autocomplete: () => [] }));
  assert.equal(await opened.status.textContent(), "");
  assert.equal(await opened.message.getAttribute("data-state"), "");
  release();
  await opened.close();
});

test("without a network, and with one again", async () => {
  const opened = await open();
  await opened.context.setOffline(true);
  await opened.input.click();
  await opened.input.fill("rome");
  await opened.message.filter({ hasText: "You are offline" }).waitFor({ timeout: 20_000 });
  assert.equal(await opened.status.textContent(), "You are offline");
  assert.ok(await opened.field.evaluate((field) => field.matches(":state(offline)")));
  await looked(opened.page, "offline");
  await opened.context.setOffline(false);
  await opened.options.first().filter({ hasText: "Rome" }).waitFor();
  // What is loaded needs no network.
  await answered(opened);
  await opened.context.setOffline(true);
  await opened.input.fill("oslo");
  await opened.options.first().filter({ hasText: "Oslo" }).waitFor();
  await opened.close();
});

test("when places cannot be loaded", async () => {
  const { before, release } = heldPack((route) => route.fulfill({ status: 404 }));
  const opened = await open({ before });
  await opened.input.click();
  await opened.input.fill("rome");
  release();
  await opened.message.filter({ hasText: "Places cannot be loaded" }).waitFor();
  await looked(opened.page, "failed");
  const errors = await opened.page.evaluate(() => heard.map(([type, detail]) => [type, detail?.code]));
  assert.deepEqual(errors, [["error", "download_failed"]], "reported once");
  await opened.close();
});

test("loaded in advance, a failure concerns nobody yet", async () => {
  const opened = await open({ before: noPack, prepare: (field) => ((field.preload = true), field.parentNode.append(field)) });
  await opened.page.waitForFunction(() => heard.length > 0);
  assert.equal(await opened.status.textContent(), "");
  assert.ok(await opened.message.isHidden());
  await opened.close();
});

test("places are there before they are stored for the next visit", async () => {
  // Chromium keeps packs of secure pages alone, of which this one is.
  const opened = await open({ before: (context) => context.route("**/pack.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `caches.open = async () => ({ match: async () => undefined, put: () => new Promise(() => {}) });\n${await response.text()}` });
  }) });
  await search(opened, "rome", "Rome");
  await opened.close();
});

/** Appends a field that is loaded in advance. Resolves when its places are there. */
const loadedField = (src) => {
  const field = document.createElement("toponym-autocomplete");
  Object.assign(field, { preload: true, label: src ?? "Another", src });
  return new Promise((done) => {
    field.addEventListener("ready", () => done(), { once: true });
    document.querySelector("main").append(field);
  });
};

test("a thread that broke is replaced", async () => {
  const opened = await open({ prepare: countThreads });
  await search(opened, "rome", "Rome");
  await opened.page.evaluate(() => threads[0].dispatchEvent(new ErrorEvent("error", { message: "out of memory" })));
  await opened.input.fill("oslo");
  await opened.options.first().filter({ hasText: "Oslo" }).waitFor();
  assert.deepEqual(await opened.page.evaluate(() => threads.map(({ isEnded = false }) => isEnded)), [true, false]);
  assert.deepEqual(await opened.page.evaluate(() => heard.map(([type]) => type)), ["ready", "ready"]);
  await opened.close();
});

test("fields of one src share a thread, which ends after the last of them", async () => {
  const opened = await open({ prepare: countThreads });
  const { page } = opened;
  await page.clock.install();
  for (const src of [pack, pack, undefined]) await page.evaluate(loadedField, src);
  const ended = () => page.evaluate(() => threads.map(({ isEnded = false }) => isEnded));
  const remove = () => page.evaluate((src) => document.querySelector(`toponym-autocomplete[src="${src}"]`).remove(), pack);
  assert.deepEqual(await ended(), [false, false]);
  await remove();
  await page.clock.fastForward(120_000);
  assert.deepEqual(await ended(), [false, false], "one of the two is still there");
  // Moving is not a removal.
  await page.evaluate((src) => document.body.append(document.querySelector(`toponym-autocomplete[src="${src}"]`)), pack);
  await page.clock.fastForward(120_000);
  assert.deepEqual(await ended(), [false, false]);
  await remove();
  assert.deepEqual(await ended(), [false, false], "there may soon be another one");
  await page.clock.fastForward(120_000);
  assert.deepEqual(await ended(), [true, false]);
  await opened.close();
});

test("another src, also after the places are loaded", async () => {
  const opened = await open();
  await search(opened, "rome", "Rome");
  await opened.field.evaluate((field) => (field.src = "/nowhere.bin"));
  await opened.message.filter({ hasText: "Places cannot be loaded" }).waitFor();
  await opened.field.evaluate((field, src) => (field.src = src), pack);
  await opened.options.first().filter({ hasText: "Rome" }).waitFor();
  await opened.close();
});

test("a geocoder that the page sets while places load is the one that answers", async () => {
  const { before, release } = heldPack();
  const opened = await open({ before });
  await opened.input.fill("rome");
  await opened.page.evaluate(() => {
    window.own = { autocomplete: (text) => [{ display_name: `Own ${text}`, lat: 1, lon: 2 }] };
    document.querySelector("#field").geocoder = own;
  });
  const first = opened.options.first();
  await first.filter({ hasText: "Own rome" }).waitFor();
  release();
  // It waits for the same thread, and hears of it later.
  await opened.page.evaluate(loadedField);
  assert.ok(await opened.field.evaluate((field) => field.geocoder === own));
  await opened.input.fill("oslo");
  await first.filter({ hasText: "Own oslo" }).waitFor();
  assert.deepEqual(await opened.page.evaluate(() => heard), []);
  await opened.close();
});
