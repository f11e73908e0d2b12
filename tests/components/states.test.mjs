// Tests how <toponym-autocomplete> looks and works in a page, in Chromium: each look, filters, keys, forms, labels, policies, and the slot
// for credits. Each state is audited by axe-core, and SCREENSHOTS=DIR keeps a picture of it.

import assert from "node:assert/strict";

import { except, test } from "../browsers.mjs";
import { looked } from "./accessibility.mjs";
import { heldPack, open, search, site } from "./field.mjs";

/** How a page may be shown. */
const LOOKS = {
  light: {},
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true },
  "right-to-left": { prepare: () => (document.documentElement.dir = "rtl") },
  "forced-colours": { forcedColors: "active" },
};

for (const [name, look] of Object.entries(LOOKS)) {
  test(`accessible: ${name}`, async () => {
    const opened = await open(look);
    await looked(opened.page, `${name}-closed`);
    await search(opened);
    await opened.page.keyboard.press("ArrowDown");
    await looked(opened.page, `${name}-open`);
    await opened.input.fill("xqzzvkj");
    await opened.message.filter({ hasText: "No place found" }).waitFor();
    await looked(opened.page, `${name}-none`);
    await opened.close();
  });
}

test("by the name that matched, with what matches marked", async () => {
  const opened = await open();
  await search(opened);
  const munich = opened.options.first();
  await munich.locator("[part=match]").filter({ hasText: /^Bav$/ }).waitFor();
  assert.equal(await munich.textContent(), "Munich — Monaco di Baviera, Bavaria, Germany");
  assert.deepEqual(await munich.locator("[part=match]").allTextContents(), ["Monaco", "di", "Bav"]);
  await opened.input.fill("muni");
  await opened.options.filter({ hasText: /^Munich, Bavaria, Germany$/ }).first().waitFor();
  assert.deepEqual(await opened.options.first().locator("[part=match]").allTextContents(), ["Muni"]);
  await opened.close();
});

test("the active place is in sight, however long the list", async () => {
  const opened = await open({ prepare: (field) => field.setAttribute("limit", "10"), viewport: { width: 480, height: 320 } });
  await search(opened, "san", "San");
  assert.equal(await opened.options.count(), 10);
  const popup = await opened.field.locator("[part=popup]").boundingBox();
  const isInSight = async (option) => {
    const { y, height } = await option.boundingBox();
    return y >= popup.y && y + height <= popup.y + popup.height;
  };
  assert.ok(!(await isInSight(opened.options.last())), "the list is longer than what is seen of it");
  for (const key of ["ArrowUp", "ArrowDown", "ArrowDown"]) await opened.page.keyboard.press(key);
  for (const option of await opened.options.all()) {
    assert.equal(await option.getAttribute("aria-selected"), "true");
    assert.ok(await isInSight(option));
    await opened.page.keyboard.press("ArrowDown");
  }
  await opened.close();
});

const NORTH_OF_ALPS = "-5,46,20,60";

for (const [what, attributes, text, expected] of [
  ["countries", { countries: "us, gb" }, "paris", /United States|United Kingdom/],
  ["types", { types: "airport" }, "oslo", /Airport/],
  ["bbox", { bbox: NORTH_OF_ALPS }, "saint", /France|United Kingdom|Germany|Switzerland|Belgium|Netherlands|Jersey|Guernsey/],
  ["within", { within: "3017382" }, "lyon", /France/],
  ["no focus-at", { limit: "1" }, "springfield", /Illinois/],
  ["focus-at", { "focus-at": "42.1,-72.59", limit: "1" }, "springfield", /Massachusetts/],
  ["lang", { lang: "de" }, "rom, ital", /^Rom, .*Italien$/],
]) {
  test(`filters: ${what}`, async () => {
    const opened = await open({ prepare: (field, given) => Object.entries(given).forEach(([name, value]) => field.setAttribute(name, value)), argument: attributes });
    await search(opened, text, expected);
    for (const option of await opened.options.allTextContents()) assert.match(option, expected);
    await opened.close();
  });
}

test("options of the page come before attributes", async () => {
  const opened = await open({ prepare: (field) => (field.setAttribute("countries", "FR"), (field.options = { countries: ["US"], limit: 2, fields: ["ancestors"] })) });
  await search(opened, "paris", "United States");
  assert.ok((await opened.options.count()) <= 2);
  await opened.options.first().click();
  assert.ok(await opened.field.evaluate((field) => Array.isArray(field.place.ancestors)));
  await opened.close();
});

for (const [name, value, message] of [
  ["bbox", "1,2,3", /bbox must be west,south,east,north/],
  ["focus-at", "here", /focus-at must be lat,lon/],
  ["types", "citty", /not citty/],
  ["delay", "soon", /delay must be a number/],
]) {
  test(`an attribute that cannot be read: ${name}="${value}"`, async () => {
    const opened = await open({ prepare: (field, [attribute, text]) => field.setAttribute(attribute, text), argument: [name, value] });
    await opened.input.fill("rome");
    await opened.message.filter({ hasText: "cannot be loaded" }).waitFor();
    assert.match(opened.page.errors.join("\n"), message);
    await opened.close();
  });
}

test("keys: Home and End go back to the text, Escape closes and then clears", async () => {
  const opened = await open();
  const { page, input, options } = opened;
  await search(opened, "rome", "Rome");
  await page.keyboard.press("ArrowDown");
  assert.equal(await input.getAttribute("aria-activedescendant"), "option-0");
  await page.keyboard.press("Home");
  assert.equal(await input.getAttribute("aria-activedescendant"), null);
  assert.equal(await input.evaluate((own) => own.selectionStart), 0);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  assert.equal(await input.getAttribute("aria-activedescendant"), null);
  assert.equal(await input.evaluate((own) => own.selectionStart), 4);
  await page.keyboard.press("Escape");
  assert.equal(await options.count(), 0);
  assert.equal(await input.inputValue(), "rome");
  await page.keyboard.press("Escape");
  assert.equal(await input.inputValue(), "");
  await opened.close();
});

test("credits can be reached by keyboard and mouse", async () => {
  const opened = await open();
  await search(opened, "rome", "Rome");
  await opened.page.keyboard.press("Tab");
  assert.equal(await opened.page.evaluate(() => document.activeElement.textContent), "GeoNames and others");
  assert.ok(await opened.options.first().isVisible(), "the list stays");
  await opened.page.keyboard.press("Tab");
  assert.equal(await opened.options.count(), 0, "leaving closes");
  await opened.input.click();
  await opened.input.fill("oslo");
  await opened.options.first().filter({ hasText: "Oslo" }).waitFor();
  await opened.page.getByText("GeoNames and others").click();
  assert.match(opened.page.url(), /#credits$/);
  await opened.close();
});

test("in a form: invalid, valid, another reason, disabled, and restored", async () => {
  const opened = await open({ prepare: (field) => (field.required = true) });
  const { page, field, input } = opened;
  assert.equal(await input.getAttribute("aria-required"), "true");
  assert.equal(await input.getAttribute("aria-invalid"), "false", "nobody has looked yet");
  await page.getByRole("button", { name: "Go" }).click();
  assert.equal(await input.getAttribute("aria-invalid"), "true");
  assert.ok(await field.evaluate((element) => element.matches(":invalid") && element.matches(":state(invalid)")));
  await looked(page, "invalid");
  await search(opened, "rome", "Rome");
  await opened.options.first().click();
  assert.equal(await input.getAttribute("aria-invalid"), "false");
  assert.ok(await field.evaluate((element) => element.matches(":valid") && element.checkValidity()));
  const custom = await field.evaluate((element) => (element.setCustomValidity("Not there"), [element.validity.customError, element.validationMessage]));
  assert.deepEqual(custom, [true, "Not there"]);
  await field.evaluate((element) => element.setCustomValidity(""));
  const place = await field.evaluate((element) => element.place);
  // The browser gives back what the element stored: text, or text and place.
  const restored = await field.evaluate((element, given) => {
    element.value = "";
    element.formStateRestoreCallback(JSON.stringify({ text: given.display_name, place: given }), "restore");
    return [element.value, element.place, element.checkValidity()];
  }, place);
  assert.deepEqual(restored, [place.display_name, place, true]);
  await field.evaluate((element) => (element.disabled = true));
  assert.ok(await input.isDisabled());
  assert.deepEqual(await page.evaluate(() => Object.fromEntries(new FormData(document.querySelector("form")))), {});
  await field.evaluate((element) => (element.disabled = false));
  const sent = await page.evaluate(() => Object.fromEntries(new FormData(document.querySelector("form"))));
  assert.match(sent.where, /^Rome, /);
  await opened.close();
});

test("a label around the field names it, without what the field contains", async () => {
  const opened = await open({
    prepare: (field) => {
      document.querySelector("label[for]").remove();
      const label = document.createElement("label");
      label.append("From ", Object.assign(document.createElement("b"), { textContent: "where?" }));
      label.append(field);
      document.querySelector("main").append(label);
    },
  });
  await opened.page.getByRole("combobox", { name: "From where?", exact: true }).click();
  await opened.close();
});

test("states in a browser that takes only names with hyphens", async () => {
  const older = (context) =>
    context.addInitScript(() => {
      const { add } = CustomStateSet.prototype;
      CustomStateSet.prototype.add = function (name) {
        if (!name.startsWith("--")) throw new DOMException("must start with '--'", "SyntaxError");
        return add.call(this, name);
      };
    });
  const opened = await open({ before: older });
  await search(opened, "rome", "Rome");
  assert.ok(await opened.field.evaluate((field) => field.matches(":state(--open)")));
  await opened.options.first().click();
  assert.match(await opened.input.inputValue(), /^Rome, /);
  assert.ok(await opened.field.evaluate((field) => !field.matches(":state(--open)")));
  assert.deepEqual(opened.page.errors, []);
  await opened.close();
});

/** A page that lets no text become a script or HTML, but by policies with these names. */
const trustedTypes = (policies) => (context) =>
  context.route(`${site.url}/`, async (route) => {
    const response = await route.fetch();
    const policy = `require-trusted-types-for 'script'; trusted-types ${policies}`;
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
  });

test("under Trusted Types, with the policy of the README for threads", async () => {
  const opened = await open({
    before: async (context) => {
      await context.addInitScript(() => window.trustedTypes.createPolicy("default", { createScriptURL: (url) => url }));
      await trustedTypes("default")(context);
    },
  });
  await search(opened, "rome", "Rome");
  assert.deepEqual(opened.page.errors, []);
  await opened.close();
});

test("under Trusted Types, with a geocoder of the page", async () => {
  const opened = await open({
    before: trustedTypes("'none'"),
    prepare: (field) => (field.geocoder = { autocomplete: (text) => [{ display_name: `Own ${text}`, lat: 1, lon: 2 }] }),
  });
  await opened.input.fill("rome");
  await opened.options.first().filter({ hasText: "Own rome" }).click();
  assert.equal(await opened.input.inputValue(), "Own rome");
  assert.deepEqual(opened.page.errors, []);
  await opened.close();
});

test("going back restores the place", except("webkit", "its inspector loses a page that goes back"), async () => {
  const opened = await open();
  await search(opened, "rome", "Rome");
  await opened.options.first().click();
  await opened.page.goto(`${site.url}/node_modules/toponym/README.md`);
  await opened.page.evaluate(() => history.back());
  await opened.page.waitForFunction(() => document.querySelector("#field")?.place?.country === "Italy");
  assert.match(await opened.input.inputValue(), /^Rome, /);
  await opened.close();
});

/** A browser that does not know some functions of style sheets, but what is written for browsers that lack them. */
const withoutFunctions = (names) => (context) =>
  context.route("**/element-style.js", async (route) => {
    const response = await route.fetch();
    const known = await response.text();
    await route.fulfill({ response, body: known.replaceAll(new RegExp(`\\b(${names.join("|")})\\(`, "g"), "unknown-$1(") });
  });

/** In the page: tells how a field shows where the user is. */
function marks(field) {
  const { background, outlineStyle } = getComputedStyle(field.shadowRoot.querySelector("[aria-selected=true]"));
  const input = getComputedStyle(field.shadowRoot.querySelector("input"));
  return { isFilled: !/^rgba\(0, 0, 0, 0\)/.test(background), outline: outlineStyle, focus: input.outlineStyle, border: input.borderStyle };
}

for (const names of [["light-dark"], ["light-dark", "color-mix"]]) {
  test(`what is active can be seen where style sheets lack ${names.join(" and ")}`, async () => {
    const opened = await open({ before: withoutFunctions(names) });
    await search(opened);
    await opened.page.keyboard.press("ArrowDown");
    assert.deepEqual(await opened.field.evaluate(marks), { isFilled: true, outline: "solid", focus: "solid", border: "solid" });
    await looked(opened.page, `without-${names.join("-")}`);
    await opened.close();
  });
}

test("large enough for a finger, whatever the letters measure", async () => {
  const opened = await open({ ...LOOKS.phone, prepare: () => (document.documentElement.style.fontSize = "10px") });
  await opened.field.evaluate((field) => field.setAttribute("recent", ""));
  await search(opened, "rome", "Rome");
  assert.ok((await opened.input.boundingBox()).height >= 44);
  for (const option of await opened.options.all()) assert.ok((await option.boundingBox()).height >= 44);
  await opened.options.first().tap();
  await opened.input.fill("");
  const clear = opened.field.getByRole("button", { name: "Clear recent places" });
  await clear.waitFor();
  assert.ok((await clear.boundingBox()).height >= 44);
  await opened.close();
});

test("without motion if the reader wants none", async () => {
  const animation = async (reducedMotion) => {
    const { before, release } = heldPack();
    const opened = await open({ reducedMotion, before });
    await opened.input.fill("rome");
    await opened.message.filter({ hasText: "Loading" }).waitFor();
    const name = await opened.message.evaluate((message) => getComputedStyle(message, "::before").animationName);
    release();
    await opened.close();
    return name;
  };
  assert.deepEqual([await animation("no-preference"), await animation("reduce")], ["turn", "none"]);
});
