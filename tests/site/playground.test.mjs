// Tests the page at `/` in real Chromium with the real service: questions in the page and over HTTP, options, cards, code to
// copy, links to share, keys, a phone, no network, no WebGL, and axe. The map itself has tests of its own: globe.test.mjs.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { BROWSER, except, test } from "../browsers.mjs";
import { start } from "../live/harness.mjs";
import { AXE, launch, open as openPage, picture, takeWebGlAway } from "./browser.mjs";

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

let service, browser;
before(async () => {
  [service, browser] = await Promise.all([start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Opens a page without WebGL: the search must not need the map. */
function open(browser, url, options) {
  const before = async (page) => {
    await page.addInitScript(takeWebGlAway);
    await options?.before?.(page);
  };
  return openPage(browser, url, { ...options, before });
}

/** Opens the page, with a question in its address, and waits until the engine is there. */
async function visit(question = "", options) {
  const visited = await open(browser, new URL(question && `/#/v1/geocoding/${question}`, service.url).href, options);
  await use(visited.page);
  await ready(visited.page);
  return visited;
}

/** What people do first: the engine comes with it. */
const use = (page) => page.mouse.move(300, 300);

const ready = (page) => page.locator("#way[data-state=ready], #way[data-state=bad]").waitFor();
/** Waits until the map has started, and failed. */
async function withoutMap(page) {
  await use(page);
  await page.locator("body[data-map=failed]").waitFor();
}

const field = (page) => page.locator("#place input");
const option = (page, text) => page.locator("toponym-autocomplete [role=option]").first().filter({ hasText: text }).waitFor();
const card = (page, text) => page.locator(".card h3").filter({ hasText: text }).waitFor();

async function withToken(page) {
  await openPart(page, "service");
  await page.getByRole("button", { name: "Get a token" }).click();
  await page.locator("#token").filter({ hasText: "valid until" }).waitFor();
}

/** Opens a part of the page by keyboard. */
async function openPart(page, id) {
  if (await page.locator(`#${id}`).evaluate((part) => part.open)) return;
  await page.locator(`#${id} > summary`).focus();
  await page.keyboard.press("Enter");
}

/** What a tab of the answer shows. */
async function tab(page, name) {
  await page.getByRole("tab", { name, exact: true }).click();
  return page.locator("#code").textContent();
}

const json = async (page, name = "JSON") => JSON.parse(await tab(page, name));

/** The question of the page as the address of the API, of the code for curl. */
async function asked(page) {
  const [, address] = (await tab(page, "curl")).match(/'(http.*)'/);
  return decodeURIComponent(address).replace(new URL(service.url).origin, "");
}

test("the field is there before anything else, and the first text is the largest", async () => {
  const { page, complaints, close } = await open(browser, service.url.href ?? service.url);
  assert.ok(await page.getByRole("heading", { level: 2, name: "Find any place, as you type" }).isVisible());
  assert.ok((await page.locator(".globe svg #ground").getAttribute("d")).length > 5000, "the globe is a part of the page");
  assert.equal(await page.locator("#way-text").textContent(), "The places load when you start.");
  await use(page);
  await ready(page);
  assert.match(await page.locator("#way-text").textContent(), /^Ready in .* What you type stays here\.$/);
  assert.deepEqual(complaints, []);
  await picture(page, "playground-start");
  await close();
});

test("no keystroke leaves the page", async () => {
  const { page, close } = await visit();
  await withoutMap(page);
  const sent = [];
  page.on("request", (request) => sent.push(request.url()));
  await field(page).pressSequentially("pari");
  await option(page, "Paris");
  assert.match(await page.locator("#way-text").textContent(), /^Answered in your browser in [\d.]+ ms, no request$/);
  assert.ok(isTime(await page.locator("#way").getAttribute("data-ms")));
  assert.deepEqual(sent, []);
  await close();
});

/** How long the page is busy: many times what the engine takes for a question. */
const BUSY_MS = 1_500;

/** Tells whether an attribute is a time. The clock of Firefox counts whole milliseconds, of which an answer may take none. */
const isTime = (text) => text !== null && (BROWSER === "firefox" ? Number(text) >= 0 : Number(text) > 0);

test("the time is the engine's own, however busy the page is", async () => {
  const { page, close } = await visit();
  await page.evaluate((ms) => {
    // Listens after the page, so that the question is under way.
    addEventListener("hashchange", () => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    }, { once: true });
    location.hash = "/v1/geocoding/forward?query=Lima";
  }, BUSY_MS);
  await card(page, "Lima");
  const took = await page.locator("#way").getAttribute("data-ms");
  assert.ok(isTime(took) && took < BUSY_MS, `${took} ms`);
  await close();
});

test("without WebGL the page says so, and answers", async () => {
  const { page, close } = await visit();
  await withoutMap(page);
  assert.match(await page.locator("#map").textContent(), /The map cannot be shown: .*The search works without it/);
  await field(page).fill("oslo");
  await option(page, "Oslo");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await card(page, "Oslo");
  await close();
});

test("every example leads to what it says", async () => {
  const { page, close } = await visit();
  for (const [link, name, areas] of [
    ["parsi", "Paris", "France"],
    ["ירושלים", "Jerusalem", ""],
    ["CDG", "Charles de Gaulle", "France"],
    ["Paris, TX", "Paris", "Texas"],
    ["東京タワー", "Tokyo Tower", "Japan"],
    ["48.8584, 2.2945", "Eiffel Tower", "France"],
  ]) {
    await page.locator(".examples a").filter({ hasText: link }).click();
    await card(page, name);
    await page.locator(".card .areas").filter({ hasText: areas }).waitFor();
    await page.locator("#clear").click();
    assert.ok(await page.locator("#start").isVisible(), "back at the start");
  }
  await close();
});

test("a card tells what is known, and lists the others", async () => {
  const { page, close } = await visit("forward?query=Paris");
  await card(page, "Paris");
  assert.match(await page.locator(".card .sure").textContent(), /\d+ % sure/);
  assert.match(await page.locator(".card .facts").textContent(), /Position48\.8534, 2\.3488/);
  const others = page.locator(".others button");
  assert.equal(await others.count(), 5);
  const texas = others.filter({ hasText: "Texas" });
  await texas.click();
  await page.locator(".card .areas").filter({ hasText: "Texas, United States" }).waitFor();
  assert.equal(await page.locator(".others [aria-current]").textContent(), await texas.textContent());
  await picture(page, "playground-card");
  await close();
});

test("with a token the service is asked, too, and its facts are shown", async () => {
  const { page, complaints, close } = await visit();
  await withToken(page);
  await field(page).fill("london");
  await option(page, "London");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await card(page, "London");
  await page.locator("#way-text").filter({ hasText: /^In your browser [\d.]+ ms, by the service [\d.]+ m?s$/ }).waitFor();
  await page.locator(".facts").filter({ hasText: "Europe/London" }).waitFor();
  for (const side of ["JSON", "Service"]) assert.equal((await json(page, side)).address.country_code, "gb", side);
  assert.deepEqual(complaints, []);
  await close();
});

test("wrong credentials show the message of the API", async () => {
  const { page, close } = await visit();
  await openPart(page, "service");
  await page.locator("#secret").fill("gcs_wrong");
  await page.getByRole("button", { name: "Get a token" }).click();
  await page.locator("#token").filter({ hasText: "401 Unauthorized: Invalid API secret" }).waitFor();
  await close();
});

/** The cells of the table of signals: an object of each row. */
const signals = (page) =>
  page.locator("#signals table").evaluate((table) => {
    const [head, ...rows] = [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent));
    return rows.map((row) => Object.fromEntries(row.map((text, at) => [head[at], text])));
  });

test("every candidate is shown with its signals, offline", async () => {
  const { page, close } = await visit();
  await withoutMap(page);
  await page.context().setOffline(true);
  const help = page.locator("#signals-help");
  const explained = (text) => page.waitForFunction((part) => document.querySelector("#signals-help").textContent.includes(part), text);
  await field(page).fill("parsi, france");
  await explained("“parsi, france” as the beginning");
  const [paris] = await signals(page);
  assert.match(paris.Candidate, /^Paris, .*France$/);
  assert.deepEqual([paris.Edits, paris.Context, paris.Dropped, paris.Also], ["1", "in 1", "–", "–"]);
  assert.ok(Math.abs(1 - paris.Importance + Number(paris.Doubts) - paris.Cost) < 0.002, JSON.stringify(paris));
  await field(page).fill("berl");
  await explained("“berl”");
  const berlin = await signals(page);
  assert.equal(berlin[0]["Name class"], "Primary, prefix");
  assert.ok(berlin.every(({ Cost }, at) => at === 0 || Number(Cost) >= Number(berlin[at - 1].Cost)), "in the order of cost");
  await field(page).fill("airport CDG");
  await explained("CDG");
  assert.equal((await signals(page))[0].Also, "a code, asked for: airport");
  await page.keyboard.press("Enter");
  await explained("as a whole text");
  await field(page).fill("xqzzvkj");
  await help.filter({ hasText: "no candidates" }).waitFor({ state: "attached" });
  assert.ok(await page.locator("#signals").isHidden());
  await close();
});

test("filters are parameters of the question, which is asked again with them", async () => {
  const { page, close } = await visit("forward?query=Springfield");
  await card(page, "Springfield");
  await openPart(page, "filters");
  await page.getByLabel("city", { exact: true }).focus();
  await page.keyboard.press("Space");
  // Typed: leaving a field that was filled at once is a change in Chromium alone.
  await page.getByLabel("Countries").pressSequentially("us,ca");
  await page.getByLabel("Limit", { exact: true }).press("ControlOrMeta+a");
  await page.keyboard.type("3");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.querySelectorAll(".others li").length === 3);
  assert.equal(await asked(page), "/v1/geocoding/forward?query=Springfield&types=city&countrycodes=us,ca&fields=all&limit=3");
  assert.equal(await page.locator("#set").textContent(), "3");
  const code = await tab(page, "JavaScript");
  assert.ok(code.includes('geo.forward("Springfield", { types: ["city"], countries: ["us", "ca"], fields: "all", limit: 3 })'), code);
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".others li").length === 5);
  assert.ok(await page.locator("#set").isHidden());
  await close();
});

test("the panel grows with its content, as far as the window", async () => {
  const { page, close } = await visit();
  for (const part of ["filters", "more", "service"]) {
    await openPart(page, part);
    const [scrolled, free] = await page.evaluate(() => {
      const main = document.querySelector("main");
      const { top, bottom } = document.querySelector(".panel").getBoundingClientRect();
      return [main.scrollHeight - main.clientHeight, innerHeight - top - bottom];
    });
    assert.ok(scrolled === 0 || Math.abs(free) < 1, `with ${part} ${scrolled} pixels are hidden, and ${free} below are free`);
  }
  await close();
});

test("search inside a place", async () => {
  const { page, close } = await visit("forward?query=Bavaria&types=state");
  await card(page, "Bavaria");
  await page.getByRole("button", { name: "Search inside" }).click();
  await field(page).pressSequentially("wien");
  await page.waitForFunction(() => document.querySelector("#signals-help").textContent.includes("“wien”"));
  const names = await page.locator("toponym-autocomplete [role=option]").allTextContents();
  assert.ok(names.every((name) => name.includes("Bavaria")), names.join());
  await close();
});

test("languages, also from right to left, and GeoJSON", async () => {
  const { page, close } = await visit("forward?query=cairo&lang=ar&format=geojson&limit=1");
  await card(page, "القاهرة");
  assert.equal(await page.locator(".card h3").evaluate((name) => getComputedStyle(name).direction), "rtl");
  assert.equal(await page.getByLabel("Language of names").inputValue(), "ar");
  const found = await json(page);
  assert.deepEqual([found.type, found.features[0].geometry.type], ["FeatureCollection", "Point"]);
  await page.getByLabel("Language of names").selectOption("de");
  await card(page, "Kairo");
  await close();
});

test("fields, and look-up", async () => {
  const { page, close } = await visit();
  await openPart(page, "more");
  await page.locator("#fields").getByLabel("City").fill("Paris");
  await page.locator("#fields").getByLabel("State").fill("TX");
  await page.keyboard.press("Enter");
  await page.locator(".card .areas").filter({ hasText: "Texas" }).waitFor();
  assert.equal(await asked(page), "/v1/geocoding/forward?city=Paris&state=TX&fields=all&limit=5");
  assert.ok((await tab(page, "JavaScript")).includes('geo.forward({ city: "Paris", state: "TX" }, '));
  for (const [reference, path, name] of [
    ["iata:CDG", "place?ref=iata:CDG", "Charles de Gaulle"],
    ["2988507", "place/2988507?", "Paris"],
  ]) {
    await page.getByLabel("A place_id, or a code").fill(reference);
    await page.getByRole("button", { name: "Look up" }).click();
    await card(page, name);
    assert.ok((await asked(page)).startsWith(`/v1/geocoding/${path}`), reference);
  }
  await close();
});

test("errors are shown as they are", async () => {
  const { page, close } = await visit();
  await withToken(page);
  await openPart(page, "filters");
  await page.getByLabel("Box: west,south,east,north").fill("1,2,3");
  await field(page).fill("par");
  await page.keyboard.press("Enter");
  await page.locator(".note.bad").filter({ hasText: "Over HTTP: the service answered 400: bbox must be west,south,east,north" }).waitFor();
  await page.locator(".note.bad").filter({ hasText: "In this page: bbox must be an array of four numbers" }).waitFor();
  await picture(page, "playground-error");
  await page.getByLabel("Box: west,south,east,north").fill("");
  await field(page).fill("xqzzvkj");
  await page.keyboard.press("Enter");
  await page.locator(".note").filter({ hasText: "Nothing found. Fewer filters or another spelling may help." }).waitFor();
  await close();
});

test("the link that is copied is the question", async () => {
  const options = { permissions: ["clipboard-read", "clipboard-write"] };
  const { page, close } = await visit("forward?query=Springfield&countrycodes=us&lang=fr", options);
  await card(page, "Springfield");
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const link = await clipboard();
  assert.equal(new URL(link).origin, new URL(service.url).origin);
  await page.getByRole("button", { name: "Copy GeoJSON" }).click();
  await page.waitForFunction(() => navigator.clipboard.readText().then((text) => text.startsWith("{")));
  const copied = JSON.parse(await clipboard());
  assert.equal(copied.features[0].properties.country, "États-Unis");
  // What it says is tested by running it: tests/code.
  assert.equal((await page.getByRole("tab").allTextContents()).join(" "), "JSON curl JavaScript Element React Vue MapLibre Leaflet Python Rust Terminal");
  assert.match(await tab(page, "Rust"), /Search::new\("Springfield", 5\)/);
  await page.getByRole("button", { name: "Copy this" }).click();
  await page.waitForFunction(() => navigator.clipboard.readText().then((text) => text.includes("toponym_engine")));
  const second = await open(browser, link, options);
  await card(second.page, "Springfield");
  assert.equal(await second.page.getByLabel("Countries").inputValue(), "us");
  assert.equal(await second.page.getByLabel("Language of names").inputValue(), "fr");
  await second.close();
  await close();
});

test("by keyboard alone", async () => {
  const { page, close } = await visit();
  await page.keyboard.press("/");
  await page.keyboard.type("reyk");
  await option(page, "Reykjav");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await card(page, "Reykjav");
  await page.getByRole("tab", { name: "JSON" }).focus();
  const names = await page.getByRole("tab").allTextContents();
  for (const [key, at] of [["ArrowRight", 1], ["ArrowLeft", 0], ["ArrowLeft", -1], ["ArrowRight", 0], ["End", -1], ["Home", 0], ["ArrowRight", 1]]) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), names.at(at), key);
    assert.equal(await page.locator("[role=tab][aria-selected=true]").textContent(), names.at(at), key);
  }
  assert.match(await page.locator("#code").textContent(), /^curl/);
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "place");
  await page.keyboard.type("/");
  assert.ok((await field(page).inputValue()).endsWith("/"), "a letter in the field");
  for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
  assert.ok(await page.locator("#start").isVisible());
  assert.equal(await field(page).inputValue(), "");
  await close();
});

for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: "dark" }, phone: PHONE })) {
  test(`by the rules of axe: ${name}`, async () => {
    const { page, close } = await visit("", options);
    await page.evaluate(AXE);
    const check = async (what) => {
      const found = await page.evaluate(async () => [(await axe.run()).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), document.documentElement.scrollWidth - innerWidth]);
      assert.deepEqual(found, [[], 0], what);
      await picture(page, `playground-${name}-${what}`);
    };
    await check("start");
    await field(page).fill("rome");
    await option(page, "Rome");
    await check("list");
    await page.keyboard.press("Enter");
    await card(page, "Rome");
    await check("card");
    for (const part of ["filters", "why", "more", "service", "credits"]) await openPart(page, part);
    await check("all");
    await close();
  });
}

test("on a phone the sheet folds away", async () => {
  const { page, close } = await visit("forward?query=Kyoto", PHONE);
  await card(page, "Kyoto");
  const height = () => page.locator(".sheet").evaluate((sheet) => sheet.offsetHeight);
  const open = await height();
  await page.getByRole("button", { name: "Less" }).click();
  assert.ok((await height()) < open);
  await page.getByRole("button", { name: "More" }).click();
  await card(page, "Kyoto");
  await close();
});

test("the second visit works without a network", async () => {
  const { page, close } = await visit();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  // Without any use: the places are kept.
  await ready(page);
  await page.context().setOffline(true);
  await page.reload();
  await ready(page);
  await field(page).fill("oslo");
  await option(page, "Oslo");
  await close();
});

test("whose data it is", async () => {
  const { page, close } = await visit();
  const lines = await page.locator("#attribution li").allTextContents();
  assert.ok(lines.some((line) => line.includes("GeoNames")), lines.join());
  await close();
});

test("a choice is asked by its id: another place may have the same label", async () => {
  const { page, close } = await visit();
  await field(page).fill("paris, te");
  await option(page, "Texas");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".card .areas").filter({ hasText: "Texas" }).waitFor();
  assert.match(await asked(page), /^\/v1\/geocoding\/place\/4717560\?/);
  const texas = { place_id: 4717560, display_name: "Paris, Île-de-France, France" };
  await page.locator("#clear").click();
  await page.evaluate((detail) => document.querySelector("#place").dispatchEvent(new CustomEvent("change", { detail })), texas);
  await page.locator(".card .areas").filter({ hasText: "Texas" }).waitFor();
  await close();
});

test("a comma may be a part of a name", async () => {
  const { page, close } = await visit("forward?query=University+of+California,+Berkeley&limit=1&lang=en");
  await card(page, "University of California, Berkeley");
  assert.equal(await page.locator(".card h3").textContent(), "University of California, Berkeley");
  assert.equal(await page.locator(".card .areas").textContent(), "Berkeley, California, United States");
  await close();
});

const hash = (page) => decodeURIComponent(new URL(page.url()).hash);

test("the address follows the question, also after a pause in typing, and a reload asks it again", async () => {
  const { page, close } = await visit();
  await page.getByLabel("Language of names").selectOption("de");
  await field(page).pressSequentially("münchen");
  await option(page, "München");
  await page.waitForURL(/autocomplete/);
  assert.equal(hash(page), "#/v1/geocoding/autocomplete?q=münchen&lang=de&limit=6");
  await page.reload();
  await use(page);
  await card(page, "München");
  assert.equal(await field(page).inputValue(), "münchen");
  await field(page).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/forward/);
  assert.equal(hash(page), "#/v1/geocoding/forward?query=münchen&lang=de&fields=all&limit=5");
  await page.getByLabel("Language of names").selectOption("fr");
  await card(page, "Munich");
  assert.match(hash(page), /query=münchen&lang=fr/);
  await page.reload();
  await use(page);
  await card(page, "Munich");
  assert.equal(await page.getByLabel("Language of names").inputValue(), "fr");
  await page.locator("#clear").click();
  assert.equal(hash(page), "");
  await close();
});

for (const [name, options] of Object.entries({ wide: {}, phone: PHONE })) {
  test(`a link with a question shows no examples first, and its answer moves nothing: ${name}`, async () => {
    const observe = () => {
      globalThis.shifts = [];
      new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
    };
    const { page, close } = await open(browser, new URL("/#/v1/geocoding/forward?query=Paris", service.url).href, { ...options, before: (page) => page.addInitScript(observe) });
    await card(page, "Paris");
    assert.ok(await page.locator("#more").isVisible());
    // What comes after the answer is there, and shown.
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
    const shifts = await page.evaluate(() => globalThis.shifts.map(({ value, sources }) => [value, sources.map(({ node }) => node?.id || node?.className || node?.nodeName)]));
    assert.ok(shifts.reduce((sum, [value]) => sum + value, 0) < 0.05, JSON.stringify(shifts));
    await page.locator("#clear").click();
    await page.locator("#start").waitFor();
    await close();
  });
}

test("a question that is given up before its answer leaves the start", async () => {
  const { page, close } = await open(browser, new URL("/#/v1/geocoding/forward?query=Paris", service.url).href, {
    before: (page) => page.route("**/*.bin", () => {}),
  });
  await page.locator("#way[data-state=busy]").waitFor();
  assert.ok(await page.locator("#start").isHidden());
  await page.keyboard.press("Escape");
  await page.locator("#start").waitFor();
  await close();
});

test("back from an example is the start", async () => {
  const { page, close } = await visit();
  await page.locator(".examples a").filter({ hasText: "parsi" }).click();
  await card(page, "Paris");
  await page.evaluate(() => history.back());
  await page.locator("#start").waitFor();
  assert.ok(await page.locator("#results").isHidden());
  assert.equal(await field(page).inputValue(), "");
  await page.evaluate(() => history.forward());
  await card(page, "Paris");
  await close();
});

test("typing is announced by the field alone, an answer once", async () => {
  const { page, close } = await visit();
  await page.evaluate(() => {
    globalThis.heard = [];
    const isLive = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest("[role=status], [role=alert], [aria-live], output");
    new MutationObserver((changes) => {
      for (const { target } of changes) if (isLive(target)) globalThis.heard.push(isLive(target).textContent);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  const heard = () => page.evaluate(() => globalThis.heard);
  await field(page).pressSequentially("pari", { delay: 30 });
  await option(page, "Paris");
  await page.locator("#way-text").filter({ hasText: "Answered" }).waitFor();
  assert.deepEqual(await heard(), []);
  await field(page).fill("paris");
  await page.keyboard.press("Enter");
  await card(page, "Paris");
  assert.deepEqual(await heard(), ["Paris, Île-de-France, France, and 4 more"]);
  await close();
});

/** Has no places come. The service worker, whose requests a driver may not hold, does not come either. */
async function withoutPlaces(page) {
  for (const files of ["**/*.bin", "**/sw.js"]) await page.route(files, (route) => route.abort());
}

test("places that cannot be loaded: the page says so once, and can try again", async () => {
  const { page, complaints, close } = await open(browser, new URL("/#/v1/geocoding/forward?query=Oslo", service.url).href, { before: withoutPlaces });
  await page.locator("#way-text").filter({ hasText: /^The places cannot be loaded: is there a connection\?$/ }).waitFor();
  assert.equal(await page.locator("#said").textContent(), await page.locator("#way-text").textContent());
  assert.ok(await page.locator("#results").isHidden());
  assert.ok(await page.locator("#why").isHidden(), "no candidates without an engine");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForFunction(() => document.querySelector("#again").hidden, undefined, { polling: 10 });
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await field(page).fill("berl");
  await page.locator("toponym-autocomplete").getByText("Places cannot be loaded").first().waitFor();
  await page.unroute("**/*.bin");
  await field(page).fill("berlin");
  await option(page, "Berlin");
  assert.ok(await page.getByRole("button", { name: "Try again" }).isHidden());
  assert.match(await page.locator("#way-text").textContent(), /^Answered in your browser/);
  // Only what the browser itself says of the requests.
  assert.deepEqual(complaints.filter((text) => !text.startsWith("Failed to load resource")), []);
  await close();
});

test("a second attempt to load the places answers what was asked", async () => {
  const { page, close } = await open(browser, new URL("/#/v1/geocoding/forward?query=Oslo", service.url).href, { before: withoutPlaces });
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.unroute("**/*.bin");
  await page.getByRole("button", { name: "Try again" }).click();
  await card(page, "Oslo");
  await close();
});

test("after the engine's thread has stopped, the next question starts another", except("firefox webkit", "playwright reaches no thread there"), async () => {
  const { page, close } = await visit("forward?query=Oslo");
  await card(page, "Oslo");
  const [thread] = page.workers().filter((worker) => worker.url().endsWith("/thread.js"));
  await thread.evaluate(() => {
    // No later message is answered.
    globalThis.onmessage = () => {
      throw new Error("out of memory");
    };
  });
  // By its address: what is typed would ask for suggestions first, and its question would have a new thread already.
  await page.evaluate(() => (location.hash = "/v1/geocoding/forward?query=lima"));
  await page.locator("#way-text").filter({ hasText: "The engine of this page has stopped" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await card(page, "Lima");
  await close();
});

test("the old address leads here, with its question", async () => {
  const { page, close } = await open(browser, new URL("/playground/#/v1/geocoding/forward?query=Oslo", service.url).href);
  await card(page, "Oslo");
  assert.equal(new URL(page.url()).pathname, "/");
  await close();
});
