// Tests what users of search fields expect of <toponym-autocomplete>, in Chromium: its buttons, events, icons and templates, when it
// asks, coordinates, and the list above everything.

import assert from "node:assert/strict";

import { except, test } from "../browsers.mjs";
import { looked } from "./accessibility.mjs";
import { open, search } from "./field.mjs";

/** Sets attributes, and keeps events as `told` of the window. */
function prepared(field, { attributes = {}, events = [] }) {
  for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
  window.told = [];
  const named = (detail) => (Array.isArray(detail) ? detail.length : (detail?.name ?? detail?.display_name ?? null));
  for (const type of events) field.addEventListener(type, ({ detail }) => told.push(`${type} ${named(detail)}`));
}

const openWith = (argument, options) => open({ prepare: prepared, argument, ...options });

const told = ({ page }) => page.evaluate(() => told);

test("a button empties the field", async () => {
  const opened = await openWith({ events: ["clear", "change"] });
  const button = opened.field.getByRole("button", { name: "Clear", exact: true });
  assert.ok(await button.isHidden(), "there is nothing to clear");
  await search(opened, "rome", "Rome");
  await opened.options.first().click();
  await button.click();
  assert.equal(await opened.input.inputValue(), "");
  assert.ok(await button.isHidden());
  assert.ok(await opened.input.evaluate((own) => own.getRootNode().activeElement === own), "the focus stays");
  assert.deepEqual(await told(opened), ["change Rome", "clear null", "change null"]);
  await opened.field.evaluate((field) => ((field.value = "oslo"), (field.readOnly = true)));
  assert.ok(await button.isHidden());
  await opened.field.evaluate((field) => ((field.readOnly = false), (field.disabled = true)));
  assert.ok(await button.isHidden());
  await opened.close();
});

/** Loads all places, so that each question has one answer. */
const loaded = (opened) =>
  opened.field.evaluate(async (field) => {
    const ready = new Promise((done) => field.addEventListener("ready", done, { once: true }));
    field.open();
    await ready;
    await field.geocoder.complete();
  });

test("events tell of suggestions, and which is active", async () => {
  const opened = await openWith({ events: ["suggestions", "highlight", "clear"], attributes: { limit: "2" } });
  await loaded(opened);
  await opened.input.fill("rome");
  await opened.options.first().filter({ hasText: "Rome" }).waitFor();
  const [first, second] = await opened.options.allTextContents();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"]) await opened.page.keyboard.press(key);
  await opened.page.keyboard.type("x");
  const name = (text) => text.split(/,| — /)[0];
  const all = await told(opened);
  assert.deepEqual(all.slice(0, 6), ["suggestions 2", `highlight ${name(first)}`, `highlight ${name(second)}`, "highlight null", `highlight ${name(first)}`, "highlight null"]);
  await opened.input.fill("xqzzvkj");
  await opened.message.filter({ hasText: "No place found" }).waitFor();
  assert.equal((await told(opened)).at(-1), "suggestions 0");
  await opened.page.keyboard.press("Escape");
  await opened.page.keyboard.press("Escape");
  assert.equal((await told(opened)).at(-1), "clear null");
  await opened.close();
});

/** In the page: counts how often the position is asked for. */
const countPositions = (context) =>
  context.addInitScript(() => {
    window.positions = 0;
    const { getCurrentPosition } = Geolocation.prototype;
    Geolocation.prototype.getCurrentPosition = function (...given) {
      window.positions += 1;
      return getCurrentPosition.apply(this, given);
    };
  });

const LYON = { geolocation: { latitude: 45.75, longitude: 4.85 }, permissions: ["geolocation"] };

test("where I am: a click chooses the place there, and nothing asks before", async () => {
  const opened = await openWith({ attributes: { locate: "" }, events: ["change"] }, { ...LYON, before: countPositions });
  const button = opened.field.getByRole("button", { name: "Where I am" });
  await opened.input.click();
  assert.equal(await opened.page.evaluate(() => positions), 0);
  await looked(opened.page, "locate");
  await button.click();
  await opened.page.waitForFunction(() => document.querySelector("#field").place);
  assert.match(await opened.input.inputValue(), /Lyon/);
  assert.equal(await opened.page.evaluate(() => positions), 1);
  assert.ok(await button.isHidden(), "a field with a text has the other button");
  assert.ok(await opened.input.evaluate((own) => own.getRootNode().activeElement === own));
  await opened.close();
});

test("where I am: if nobody knows, the field says so", except("firefox", "it asks its user, whatever the permissions"), async () => {
  const opened = await openWith({ attributes: { locate: "" }, events: ["error"] }, { permissions: [] });
  await opened.field.getByRole("button", { name: "Where I am" }).click();
  await opened.message.filter({ hasText: "Your position is not available" }).waitFor();
  assert.ok(await opened.field.evaluate((field) => field.matches(":state(unlocated)")));
  assert.equal(await opened.status.textContent(), "Your position is not available");
  assert.equal((await told(opened)).length, 1);
  await opened.input.fill("rome");
  await opened.options.first().filter({ hasText: "Rome" }).waitFor();
  await opened.close();
});

test("without the attribute there is no button for it", async () => {
  const opened = await open();
  assert.ok(await opened.field.locator("[part=locate]").isHidden());
  await opened.close();
});

test("an icon for each kind, which screen readers do not read", async () => {
  const opened = await openWith({ attributes: { icons: "", limit: "3" } });
  await search(opened, "oslo", "Oslo");
  await opened.field.evaluate((field) => (field.options = { types: ["airport"] }));
  const airport = opened.options.first().filter({ hasText: "✈️" });
  await airport.waitFor();
  assert.equal(await airport.locator("[part=icon]").getAttribute("aria-hidden"), "true");
  assert.equal(await opened.field.getByRole("option", { name: /✈️/ }).count(), 0);
  await looked(opened.page, "icons");
  await opened.close();
});

test("a template of the page, for the places that it wants", async () => {
  const opened = await open({
    prepare: (field) => {
      field.template = ({ kind, name }, text) => {
        if (kind === "airport") return undefined;
        const bold = document.createElement("b");
        bold.textContent = `${name} for ${text}`;
        return bold;
      };
    },
  });
  await search(opened, "oslo", "Oslo for oslo");
  assert.equal(await opened.options.first().locator("b").count(), 1);
  await opened.field.evaluate((field) => (field.options = { types: ["airport"] }));
  await opened.options.first().locator("[part=name]").waitFor();
  await opened.field.evaluate((field) => (field.template = () => "<b>no markup</b>"));
  await opened.input.fill("osl");
  await opened.options.first().filter({ hasText: "<b>no markup</b>" }).waitFor();
  await opened.close();
});

test("minlength: shorter texts are not asked for", async () => {
  const opened = await openWith({ attributes: { minlength: "3" }, events: ["suggestions"] });
  await loaded(opened);
  await opened.input.pressSequentially("osl");
  await opened.options.first().filter({ hasText: "Oslo" }).waitFor();
  assert.equal((await told(opened)).length, 1);
  await opened.page.keyboard.press("Backspace");
  assert.equal(await opened.options.count(), 0, "a list for a text that is too short closes");
  await opened.close();
});

test("autoselect: the first is active, and Enter takes it", async () => {
  const opened = await openWith({ attributes: { autoselect: "" }, events: ["search"] });
  await search(opened, "rome", "Rome");
  assert.equal(await opened.input.getAttribute("aria-activedescendant"), "option-0");
  await opened.page.keyboard.press("Enter");
  assert.match(await opened.input.inputValue(), /^Rome, /);
  assert.deepEqual(await told(opened), [], "a place was active");
  await opened.close();
});

test("readonly: sent, and not changed", async () => {
  const opened = await open({ prepare: (field) => ((field.place = { display_name: "Oslo, Norway", lat: 59.9, lon: 10.7 }), (field.readOnly = true)) });
  await opened.input.click();
  for (const key of ["x", "ArrowDown", "Escape", "Escape"]) await opened.page.keyboard.press(key);
  assert.equal(await opened.input.inputValue(), "Oslo, Norway");
  assert.equal(await opened.options.count(), 0);
  assert.equal(await opened.page.evaluate(() => new FormData(document.querySelector("form")).get("where.lat")), "59.9");
  const validity = () => opened.field.evaluate((field) => ((field.value = ""), (field.required = true), field.checkValidity()));
  assert.equal(await validity(), true, "nobody can mend it");
  await opened.field.evaluate((field) => (field.readOnly = false));
  assert.equal(await validity(), false);
  await opened.close();
});

test("open() and close()", async () => {
  const opened = await openWith({ attributes: { value: "rome" } });
  await opened.field.evaluate((field) => field.open());
  await opened.options.first().filter({ hasText: "Rome" }).waitFor();
  await opened.field.evaluate((field) => field.close());
  assert.equal(await opened.options.count(), 0);
  assert.equal(await opened.input.inputValue(), "rome");
  await opened.close();
});

for (const [name, attributes, delay] of [["by default", {}, 200], ["as the page says", { delay: "0" }, 0]]) {
  test(`a service is asked when nobody has typed for a moment: ${name}`, async () => {
    const opened = await open({
      prepare: (field, given) => {
        for (const [name, value] of Object.entries(given)) field.setAttribute(name, value);
        window.asked = [];
        field.geocoder = { remote: true, autocomplete: (text) => (asked.push(text), []) };
      },
      argument: attributes,
    });
    await opened.page.clock.install({ time: 0 });
    await opened.page.clock.pauseAt(1_000);
    await opened.input.fill("r");
    await opened.input.fill("ro");
    const before = await opened.page.evaluate(() => asked);
    await opened.page.clock.runFor(200);
    assert.deepEqual([before, await opened.page.evaluate(() => asked)], delay ? [[], ["ro"]] : [["r", "ro"], ["r", "ro"]]);
    await opened.close();
  });
}

for (const [text, expected] of [
  ["48.8584, 2.2945", "Paris"],
  ["48°51'30\"N 2°17'40\"E", "Paris"],
  ["0, -30", "0, -30"],
]) {
  test(`coordinates offer the place there: ${text}`, async () => {
    const opened = await open();
    await opened.input.fill(text);
    await opened.options.first().filter({ hasText: expected }).waitFor();
    assert.equal(await opened.options.count(), 1);
    await opened.page.keyboard.press("Enter");
    // The point is offered at once, and Enter takes what the places say of it.
    await opened.page.waitForFunction(() => document.querySelector("#field").place);
    const { lat, lon } = await opened.field.evaluate((field) => field.place);
    assert.ok(Number.isFinite(lat) && Number.isFinite(lon));
    await opened.close();
  });
}

test("coordinates and a geocoder that knows names alone", async () => {
  const opened = await open({ prepare: (field) => (field.geocoder = { autocomplete: () => [] }) });
  await opened.input.fill("48.5 N, 2.5 W");
  await opened.options.first().click();
  assert.deepEqual(await opened.field.evaluate((field) => field.place), { display_name: "48.5, -2.5", lat: 48.5, lon: -2.5 });
  await opened.close();
});

/** The boxes of field, popup and window. */
async function boxes({ field, page }) {
  const [input, popup] = [await field.locator("input").boundingBox(), await field.locator("[part=popup]").boundingBox()];
  return { input, popup, window: page.viewportSize() };
}

/** Puts the field into a small box that clips and is at the `top` of the window, so many pixels. */
function clip(field, top) {
  const box = document.createElement("div");
  box.style.cssText = `position: absolute; top: ${top}px; overflow: hidden; transform: translateX(10px); block-size: 60px; contain: paint`;
  document.querySelector("main").append(box);
  box.append(field);
}

for (const [where, top, isAbove] of [["below", 20, false], ["above where there is no room below", 420, true]]) {
  test(`the list is above everything, and whole: ${where}`, async () => {
    const opened = await open({ prepare: clip, argument: top });
    await search(opened, "san", "San");
    const { input, popup, window } = await boxes(opened);
    assert.ok(isAbove ? popup.y + popup.height <= input.y : popup.y >= input.y + input.height, JSON.stringify({ input, popup }));
    assert.ok(popup.y >= 0 && popup.y + popup.height <= window.height, JSON.stringify(popup));
    assert.ok(Math.abs(popup.x - input.x) <= 1 && Math.abs(popup.width - input.width) <= 1, JSON.stringify({ input, popup }));
    // What is seen there is the list.
    const option = await opened.options.first().boundingBox();
    const seen = await opened.page.evaluate(([x, y]) => document.elementFromPoint(x, y).id, [option.x + 5, option.y + option.height / 2]);
    assert.equal(seen, "field");
    await opened.options.first().click();
    assert.match(await opened.input.inputValue(), /^San/);
    await opened.close();
  });
}

test("the list stays beside the field when the page scrolls", async () => {
  const opened = await open({ prepare: () => (document.body.style.minBlockSize = "300vh") });
  await search(opened, "rome", "Rome");
  await opened.page.mouse.wheel(0, 40);
  await opened.page.waitForFunction(() => scrollY === 40);
  const { input, popup } = await boxes(opened);
  assert.ok(Math.abs(popup.y - input.y - input.height - 4) <= 1, JSON.stringify({ input, popup }));
  await opened.close();
});

test("without a top layer the list is there all the same", async () => {
  const older = (context) =>
    context.addInitScript(() => {
      for (const name of ["showPopover", "hidePopover", "popover"]) delete HTMLElement.prototype[name];
    });
  const opened = await open({ before: older });
  await search(opened, "rome", "Rome");
  await opened.options.first().click();
  assert.match(await opened.input.inputValue(), /^Rome, /);
  assert.deepEqual(opened.page.errors, []);
  await opened.close();
});

/** A value of each setting, and its attribute. */
const SAMPLES = {
  name: ["where", "where"],
  placeholder: ["City", "City"],
  label: ["Where?", "Where?"],
  src: ["/a.bin", "/a.bin"],
  pages: ["/root", "/root"],
  required: [true, ""],
  disabled: [true, ""],
  readOnly: [true, ""],
  preload: [false, null],
  autoselect: [true, ""],
  locate: [true, ""],
  icons: [true, ""],
  recent: ["trips", "trips"],
  delay: [100, "100"],
  minLength: [2, "2"],
  limit: [3, "3"],
  countries: [["FR", "BE"], "FR BE"],
  types: [["city"], "city"],
  bbox: [[-5, 41, 10, 51.5], "-5,41,10,51.5"],
  within: [3017382, "3017382"],
  focus: [{ lat: 48.85, lon: 2.35 }, "48.85,2.35"],
  fields: [["population"], "population"],
};

test("every setting is an attribute and a property", async () => {
  const opened = await open();
  const found = await opened.page.evaluate(async (samples) => {
    const { SETTINGS } = await import("/node_modules/toponym/element.js");
    const field = document.createElement("toponym-autocomplete");
    const seen = Object.keys(SETTINGS).map((name) => {
      const property = SETTINGS[name].property ?? name;
      const attribute = SETTINGS[name].attribute ?? name.toLowerCase();
      field[property] = samples[name]?.[0];
      const given = [field[property], field.getAttribute(attribute)];
      field[property] = null;
      return [name, given, field.hasAttribute(attribute)];
    });
    return { seen, names: Object.keys(SETTINGS) };
  }, SAMPLES);
  assert.deepEqual(found.names, Object.keys(SAMPLES));
  assert.deepEqual(found.seen, Object.entries(SAMPLES).map(([name, given]) => [name, given, false]));
  await opened.close();
});

test("properties that a page sets before the class is there are kept", async () => {
  const opened = await open({
    before: (context) => context.addInitScript(() => document.addEventListener("DOMContentLoaded", () => (document.querySelector("#field").countries = ["US"]), { once: true })),
  });
  assert.equal(await opened.field.getAttribute("countries"), "US");
  await opened.close();
});
