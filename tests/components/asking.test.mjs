// Tests what <toponym-autocomplete> asks and when, in Chromium: delays, answers that come late or not at all, and what Enter asks for.

import assert from "node:assert/strict";
import fc from "fast-check";

import { test } from "../browsers.mjs";
import { open, search } from "./field.mjs";

/** Opens the page with a clock that stands still, and a geocoder that never answers. `asked` of the window are its questions. */
async function openAsking(attributes = {}) {
  const opened = await open({
    prepare: (field, given) => {
      for (const [name, value] of Object.entries(given)) field.setAttribute(name, value);
      window.asked = [];
      field.geocoder = { autocomplete: (text) => (asked.push(text), new Promise(() => {})) };
    },
    argument: attributes,
  });
  await opened.page.clock.install({ time: 0 });
  await opened.page.clock.pauseAt(1_000);
  return opened;
}

test("with a delay it asks for the last text, when nobody has typed for so long", async () => {
  const opened = await openAsking({ delay: "200" });
  const asked = () => opened.page.evaluate(() => window.asked);
  await opened.input.fill("r");
  await opened.page.clock.runFor(199);
  await opened.input.fill("ro");
  await opened.page.clock.runFor(199);
  assert.deepEqual(await asked(), []);
  await opened.page.clock.runFor(1);
  assert.deepEqual(await asked(), ["ro"]);
  await opened.close();
});

test("that it searches is told only if that takes its time", async () => {
  const opened = await openAsking();
  await opened.input.fill("rome");
  assert.deepEqual(await opened.page.evaluate(() => window.asked), ["rome"]);
  await opened.page.clock.runFor(299);
  assert.equal(await opened.status.textContent(), "");
  await opened.page.clock.runFor(1);
  assert.equal(await opened.status.textContent(), "Loading places");
  await opened.close();
});

test("a failure that comes again is told again", async () => {
  const opened = await open({
    prepare: (field) => {
      const failure = new Error("no answer");
      field.geocoder = { autocomplete: () => Promise.reject(failure) };
    },
  });
  const failed = opened.message.filter({ hasText: "Places cannot be loaded" });
  await opened.input.fill("rome");
  await failed.waitFor();
  await opened.page.keyboard.press("Escape");
  assert.ok(await opened.message.isHidden());
  await opened.input.fill("oslo");
  await failed.waitFor();
  await opened.close();
});

test("each field gives up what nobody waits for, and nothing of another field", async () => {
  const opened = await open();
  const asked = await opened.page.evaluate(async () => {
    const seen = [];
    const geocoder = { autocomplete: (text, { signal }) => (seen.push({ text, signal }), new Promise(() => {})) };
    const fields = [document.querySelector("#field"), document.createElement("toponym-autocomplete")];
    document.querySelector("main").append(fields[1]);
    const type = async (field, text) => {
      field.value = text;
      const input = field.shadowRoot.querySelector("input");
      input.focus();
      input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
      await Promise.resolve();
    };
    for (const field of fields) field.geocoder = geocoder;
    await type(fields[0], "p");
    await type(fields[0], "pa");
    await type(fields[1], "rom");
    await type(fields[0], "par");
    const isGivenUp = () => Object.fromEntries(seen.map(({ text, signal }) => [text, signal.aborted]));
    const before = isGivenUp();
    fields[0].remove();
    return { before, after: isGivenUp() };
  });
  assert.deepEqual(asked.before, { p: true, pa: true, rom: true, par: false }, "typing on and leaving give up");
  assert.equal(asked.after.par, true, "so does removal");
  await opened.close();
});

/** What can happen to a field that asks slowly. A number chooses among the questions that wait. */
const HAPPENINGS = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom("p", "pa", "par", "pari", "") }) },
  { weight: 3, arbitrary: fc.record({ settle: fc.nat(9), how: fc.constantFrom("answer", "answer", "fail") }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constantFrom("close", "blur", "another geocoder") }) },
  { weight: 2, arbitrary: fc.constant({ pause: true }) },
);

/** Interleavings that are tried, always the same. */
const RUNS = { numRuns: 200, seed: 41 };

/** In the page: lets it happen. Returns what the list shows that is not for the text of the field, and how often it showed something. */
async function happened(happenings) {
  const field = document.querySelector("#field");
  const input = field.shadowRoot.querySelector("input");
  const list = field.shadowRoot.querySelector("[part=list]");
  let waiting = [];
  let version = 0;
  const wrong = [];
  let shown = 0;
  const give = () => {
    const own = (version += 1);
    field.geocoder = {
      autocomplete: (text, { signal }) =>
        new Promise((answer, fail) => {
          const places = [{ display_name: `${text} ${own}`, lat: 1, lon: 2 }];
          waiting.push({ signal, answer: () => answer(places), fail: () => fail(new Error("no answer")) });
        }),
    };
  };
  const look = async () => {
    await new Promise((done) => setTimeout(done));
    // Until the answer comes, the list of the text before stays.
    if (waiting.some(({ signal }) => !signal.aborted)) return;
    for (const { textContent } of list.children) {
      shown += 1;
      if (textContent !== `${field.value} ${version}`) wrong.push(`${textContent} for ${field.value} ${version}`);
    }
  };
  give();
  const doing = { close: () => input.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })), blur: () => input.blur(), "another geocoder": give };
  for (const { type, settle, how, call } of happenings) {
    if (type !== undefined) {
      input.focus();
      input.value = type;
      input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    } else if (settle !== undefined && waiting.length > 0) waiting.splice(settle % waiting.length, 1)[0][how]();
    else if (call) doing[call]();
    else await look();
  }
  await look();
  for (const one of waiting) one.answer();
  await look();
  field.value = "";
  return { wrong, shown };
}

test("whatever order answers come in, the list is for the text in the field", async () => {
  const opened = await open();
  let seen = 0;
  const property = fc.asyncProperty(fc.array(HAPPENINGS, { minLength: 4, maxLength: 24 }), async (happenings) => {
    const { wrong, shown } = await opened.page.evaluate(happened, happenings);
    assert.deepEqual(wrong, []);
    seen += shown;
  });
  await fc.assert(property, RUNS);
  assert.ok(seen > RUNS.numRuns / 4, `lists seen: ${seen}`);
  await opened.close();
});

test("a place of an earlier text is never chosen by Enter", async () => {
  const opened = await open({
    prepare: (field) => {
      window.waiting = {};
      field.geocoder = { autocomplete: (text) => new Promise((answer) => (waiting[text] = () => answer([{ display_name: `Found ${text}`, lat: 1, lon: 2 }]))) };
    },
  });
  const { page, input, options } = opened;
  const answer = async (text) => {
    await page.waitForFunction((text) => waiting[text], text);
    await page.evaluate((text) => waiting[text](), text);
  };
  await input.fill("ro");
  await answer("ro");
  await options.first().filter({ hasText: "Found ro" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("m");
  assert.equal(await input.getAttribute("aria-activedescendant"), null, "typing on leaves the list");
  await page.keyboard.press("Enter");
  assert.equal(await input.inputValue(), "rom", "the answer to the text is not there yet");
  await answer("rom");
  await page.waitForFunction(() => document.querySelector("#field").place);
  assert.equal(await input.inputValue(), "Found rom");
  assert.deepEqual(await page.evaluate(() => heard.map(([type, detail]) => [type, detail.display_name])), [["change", "Found rom"]]);
  await opened.close();
});

test("Enter takes the first suggestion, then sends the form", async () => {
  const opened = await open({
    prepare: (field) => {
      window.order = [];
      field.form.addEventListener("submit", (event) => (event.preventDefault(), order.push("submit")));
      field.addEventListener("change", ({ detail }) => order.push(detail?.country ?? null));
      field.addEventListener("search", ({ detail }) => order.push(detail));
    },
  });
  const { page, input } = opened;
  await search(opened, "rome", "Rome");
  await page.keyboard.press("Enter");
  assert.match(await input.inputValue(), /^Rome, /);
  assert.ok(await opened.field.getByRole("listbox").isHidden());
  await page.keyboard.press("Enter");
  // What is typed drops the choice, which the page hears of before the form is sent.
  await page.keyboard.type("x");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => order), ["rome", "Italy", "submit", null, "submit"]);
  await opened.close();
});

test("a page may search for itself what Enter asks for", async () => {
  const opened = await open({ prepare: (field) => field.addEventListener("search", (event) => event.preventDefault()) });
  await search(opened, "rome", "Rome");
  await opened.page.keyboard.press("Enter");
  assert.equal(await opened.input.inputValue(), "rome");
  assert.equal(await opened.options.count(), 0, "the list closes");
  assert.deepEqual(await opened.page.evaluate(() => heard.filter(([type]) => type === "change")), []);
  await opened.close();
});
