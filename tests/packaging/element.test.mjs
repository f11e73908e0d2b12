// Tests <toponym-autocomplete> in Chromium as people use it: keyboard, mouse, touch, input methods, screen readers,
// forms, right to left, under a strict content security policy.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { except, test } from "../browsers.mjs";
import { Project, Site, answered, launch, watched } from "./harness.mjs";

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
  chromium = await launch();
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
  const { context, page, field, input, list, options } = await open();
  await page.keyboard.press("Tab");
  await page.keyboard.type("pari");
  await first(options, "Paris");
  await answered(field);
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

/** What an input method shows while a word is composed, letter by letter, and the word. The last of it can be searched for. */
const COMPOSITIONS = {
  kana: { shown: ["t", "と", "とう", "とうk", "とうきょ", "とうきょう", "東京"], word: "東京", place: "Tokyo" },
  Hangul: { shown: ["ㅅ", "서", "성", "서우", "서울"], word: "서울", place: "Seoul" },
  pinyin: { shown: ["b", "be", "bei", "bei'j", "bei'ji", "bei'jing", "北京"], word: "北京", place: "Beijing" },
};

/** How systems tell a page of the key with which a word is composed. Some say so with the code of the key alone. */
const COMPOSING = { Windows: { key: "Process", windowsVirtualKeyCode: 229 }, macOS: { windowsVirtualKeyCode: 229 }, others: { windowsVirtualKeyCode: 13 } };

for (const [name, { shown, word, place }] of Object.entries(COMPOSITIONS)) {
  test(`with an input method: ${name}`, except(["firefox", "webkit"], "only Chromium's protocol has input methods"), async () => {
    const { context, page, field, input, options } = await open();
    await input.click();
    const session = await context.newCDPSession(page);
    const press = async (key, system) => {
      const event = { key, code: key, ...system };
      for (const type of ["rawKeyDown", "keyUp"]) await session.send("Input.dispatchKeyEvent", { type, ...event });
    };
    await input.evaluate((own) => {
      window.keys = [];
      window.compositions = [];
      own.addEventListener("keydown", ({ isComposing, defaultPrevented }) => keys.push({ isComposing, defaultPrevented }));
      for (const type of ["compositionstart", "compositionend"]) own.addEventListener(type, () => compositions.push(type));
    });
    for (const text of shown) {
      await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      assert.equal(await input.inputValue(), text);
    }
    await first(options, place);
    // Keys choose among what the input method offers, Escape takes back, and Enter commits. The list has no part in that.
    for (const system of Object.values(COMPOSING)) {
      for (const key of ["ArrowDown", "ArrowUp", "Escape", "Enter"]) {
        await press(key, system);
        assert.equal(await active(input), null, `${key} is for the input method`);
        assert.equal(await input.getAttribute("aria-expanded"), "true", `${key} leaves the list open`);
      }
    }
    assert.deepEqual(await page.evaluate(() => keys), Array(12).fill({ isComposing: true, defaultPrevented: false }));
    assert.deepEqual(await page.evaluate(() => compositions), ["compositionstart"], "it is still composed");
    await session.send("Input.insertText", { text: word });
    await page.keyboard.press("Alt+ArrowDown");
    await first(options, place);
    // The answer to the committed word replaces the list, of which nothing is active then.
    await answered(field);
    await page.keyboard.press("ArrowDown");
    assert.equal(await active(input), "option-0");
    // Safari tells of the Enter that commits after the composition has ended.
    await press("Enter", COMPOSING.macOS);
    assert.deepEqual(await page.evaluate(() => [compositions, changes]), [["compositionstart", "compositionend"], []], "nothing is chosen yet");
    assert.equal(await input.inputValue(), word);
    assert.equal(await active(input), "option-0");
    await page.keyboard.press("Enter");
    assert.match(await input.inputValue(), new RegExp(`^${place}`));
    assert.equal((await page.evaluate(() => changes)).length, 1);
    await context.close();
  });
}

test("for screen readers", async () => {
  const { context, page, field, input, options } = await open();
  const box = page.getByRole("combobox", { name: "Where to?" });
  assert.equal(await box.count(), 1);
  assert.equal(await input.getAttribute("aria-autocomplete"), "list");
  assert.equal(await input.getAttribute("aria-required"), "true");
  await page.getByText("Where to?").click();
  await page.keyboard.type("berl");
  await first(options, "Berlin");
  await answered(field);
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
  assert.equal(await page.evaluate(() => window.sent), undefined, "a text alone is not a place");
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

/** In the page: the distance of what is written in an element from the side of the field on which lines begin, in pixels. */
function indent(element, field) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const [text, box] = [range, field].map((it) => it.getBoundingClientRect());
  if (text.width === 0) throw new Error("nothing is written there");
  return Math.round(getComputedStyle(field).direction === "rtl" ? box.right - text.right : text.left - box.left);
}

/** The distance of what an element shows from the side on which lines begin, in pixels. Nothing but the picture tells that. */
async function inkIndent(element, dir) {
  const png = (await element.screenshot({ caret: "hide" })).toString("base64");
  const page = await chromium.newPage();
  const [left, right] = await page.evaluate(async (png) => {
    const image = Object.assign(new Image(), { src: `data:image/png;base64,${png}` });
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    canvas.drawImage(image, 0, 0);
    // Within the border, and what is around the field with the focus.
    const edge = 8;
    const { data } = canvas.getImageData(edge, edge, width - 2 * edge, height - 2 * edge);
    const columns = width - 2 * edge;
    const inked = [];
    for (let at = 0; at < data.length; at += 4) if (data[at] !== data[0]) inked.push((at / 4) % columns);
    return [Math.min(...inked) + edge, columns - Math.max(...inked) + edge];
  }, png);
  await page.close();
  return dir === "rtl" ? right : left;
}

/** What is typed, and what is found: each in a script of the direction. */
const WRITTEN = { ltr: ["cai", "Cairo, Egypt"], rtl: ["القا", "القاهرة, مصر"] };

/** How a field is laid out in a page of one direction. */
async function layout(dir) {
  const { context, page, field, input, options } = await open({ viewport: { width: 600, height: 600 }, reducedMotion: "reduce" });
  await page.evaluate((dir) => {
    document.documentElement.dir = dir;
    const field = document.querySelector("#field");
    field.setAttribute("recent", "");
    field.innerHTML = '<small slot="attribution">Places: GeoNames</small>';
  }, dir);
  const indentOf = async (locator) => locator.evaluate(indent, await field.elementHandle());
  const found = {};
  found.placeholder = await inkIndent(input, dir);
  await input.click();
  for (const text of ["القاهرة", "oslo"]) {
    await input.fill(text);
    await first(options, text === "oslo" ? "Oslo" : "Cairo");
    found[`the list, ${text}`] = await indentOf(options.first());
    found.credits = await indentOf(field.locator("small"));
    await options.first().click();
    await input.fill("");
  }
  await first(options, "Oslo");
  for (const part of ["heading", "clear"]) found[part] = await indentOf(field.locator(`[part=${part}]`));
  // The popup is as wide as the field, and the field begins where the line does.
  const boxes = [await field.boundingBox(), await field.locator("[part=popup]").boundingBox()];
  const line = await page.evaluate(() => document.documentElement.clientWidth);
  found.boxes = boxes.map(({ x, width }) => [Math.round(dir === "rtl" ? line - x - width : x), width]);
  const [typed, name] = WRITTEN[dir];
  await page.evaluate((name) => {
    document.querySelector("#field").geocoder = { autocomplete: () => [{ display_name: name, lat: 30, lon: 31 }] };
  }, name);
  await input.fill(typed);
  await first(options, name);
  found.typed = await inkIndent(input, dir);
  found["what matches"] = await indentOf(options.first().locator("[part=match]"));
  // The wheel turns before the text.
  await page.evaluate(() => {
    document.querySelector("#field").geocoder = { autocomplete: () => new Promise(() => {}) };
  });
  await input.fill("rome");
  const message = field.locator("[part=message]");
  await message.filter({ hasText: "Loading" }).waitFor();
  found.loading = await indentOf(message);
  found.wheel = await inkIndent(message, dir);
  await context.close();
  return found;
}

test("from right to left everything is where it is from left to right, mirrored", async () => {
  const [found, other] = [await layout("rtl"), await layout("ltr")];
  // Of a picture the first pixels may be faint, and letters have more room on one side than on the other.
  const { placeholder, typed, wheel, ...measured } = found;
  assert.deepEqual({ ...other, ...measured }, other);
  assert.ok(Math.abs(wheel - other.wheel) < 3, `the wheel: ${wheel}, and ${other.wheel}`);
  const { loading, boxes, ...indents } = found;
  const [field, popup] = boxes;
  assert.deepEqual(popup, field, "the popup is below the field");
  // Half an em of padding and what the list has around it: far from the other side.
  for (const [what, pixels] of Object.entries(indents)) assert.ok(pixels > 5 && pixels < 20, `${what}: ${pixels}`);
  assert.ok(loading > indents.heading + 14, `the wheel is before the text: ${loading}`);
});

test("from right to left the arrow keys move the caret as the text runs, and the list as ever", except("webkit", "its keys move no caret"), async () => {
  const { context, page } = await open();
  const field = page.locator("#rtl");
  const input = field.locator("input");
  await input.fill("القاهرة");
  // In the language of the page.
  await first(field.locator("[role=option]"), "القاهرة");
  await answered(field);
  const caret = () => input.evaluate((own) => own.selectionStart);
  const carets = [];
  for (const key of ["Home", "ArrowLeft", "ArrowLeft", "ArrowRight", "End"]) {
    await page.keyboard.press(key);
    carets.push(await caret());
    assert.equal(await active(input), null, `${key} stays in the text`);
  }
  assert.deepEqual(carets, [0, 1, 2, 1, 7]);
  await page.keyboard.press("ArrowDown");
  assert.equal(await active(input), "option-0");
  await page.keyboard.press("ArrowUp");
  assert.equal(await active(input), null);
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
