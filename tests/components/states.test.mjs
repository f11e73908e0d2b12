// Tests what <toponym-autocomplete> does beside searching, in Chromium: states, recent places, filters, forms, the slot for
// credits. Each state is audited by axe-core, and SCREENSHOTS=DIR keeps a picture of it.

import assert from "node:assert/strict";
import fc from "fast-check";

import { except, test } from "../browsers.mjs";
import { looked } from "./accessibility.mjs";
import { first, open, pack, search, site } from "./field.mjs";

/** Packs that do not arrive until they are released, or another answer. `before` is for `open`. */
function heldPack(answer = (route) => route.continue(), packs = "**/*.bin") {
  const { promise: released, resolve: release } = Promise.withResolvers();
  const before = (context) =>
    context.route(packs, async (route) => {
      await released;
      await answer(route).catch(() => {});
    });
  return { before, release };
}

const noPack = (context) => context.route("**/*.bin", (route) => route.fulfill({ status: 404 }));

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
  await opened.status.filter({ hasText: /^4 suggestions$/ }).waitFor();
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
  await opened.input.pressSequentially(text);
  return { ...opened, release };
}

const completed = (opened) =>
  opened.field.evaluate(async (field) => {
    await field.geocoder.complete();
    // The field has asked all places by then, and a thread answers in order.
    await field.geocoder.autocomplete("rome");
    await new Promise(requestAnimationFrame);
  });

test("the first places answer at once, and better ones come where nothing that stays is moved", async () => {
  const opened = await openWithFirst("bri", { prepare: (field) => (field.limit = 8) });
  const { options, page } = opened;
  // The list of the letters before stays until the answer comes.
  await options.first().filter({ hasText: /^Bri/ }).waitFor();
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
  await completed(opened);
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

/** In the page: keeps the threads that start from now on as `threads`, each with `isEnded`. */
function countThreads() {
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
  // Moving is no removal.
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

test("loaded in advance, a failure concerns nobody yet", async () => {
  const opened = await open({ before: noPack, prepare: (field) => ((field.preload = true), field.parentNode.append(field)) });
  await opened.page.waitForFunction(() => heard.length > 0);
  assert.equal(await opened.status.textContent(), "");
  assert.ok(await opened.message.isHidden());
  await opened.close();
});

test("recent places: offered, kept, cleared", async () => {
  const opened = await open({ prepare: (field) => field.setAttribute("recent", "") });
  const { page, field, input, options } = opened;
  const list = field.getByRole("listbox", { name: "Recent places" });
  await input.click();
  assert.ok(await list.isHidden(), "none yet");
  for (const [text, name] of [["oslo", "Oslo"], ["rome", "Rome"], ["oslo", "Oslo"]]) {
    await input.fill(text);
    await options.first().filter({ hasText: name }).waitFor();
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
  ["types", "citty", /citty is none/],
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
  await completed(opened);
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

test("places are there before they are stored for the next visit", async () => {
  // Chromium keeps packs of secure pages alone, of which this one is.
  const opened = await open({ before: (context) => context.route("**/pack.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `caches.open = async () => ({ match: async () => undefined, put: () => new Promise(() => {}) });\n${await response.text()}` });
  }) });
  await search(opened, "rome", "Rome");
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

test("large enough for a finger, whatever the letters measure", async () => {
  const opened = await open({ ...LOOKS.phone, prepare: () => (document.documentElement.style.fontSize = "10px") });
  await opened.field.evaluate((field) => field.setAttribute("recent", ""));
  await search(opened, "rome", "Rome");
  await completed(opened);
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
