// Tests the map of the page at `/` in real Chromium, with WebGL by software: its tiles, the answers on it, and questions that
// start at it. One page for all of it, because drawing takes long without a graphics card.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { test } from "../browsers.mjs";
import { SOFTWARE_WEBGL } from "../chromium.mjs";
import { view } from "../../edge-worker/site/map/globe.mjs";
import { start } from "../live/harness.mjs";
import { AXE, launch, open, picture } from "./browser.mjs";

/** A small window, which is drawn sooner. */
const WINDOW = { viewport: { width: 900, height: 500 }, reducedMotion: "reduce" };

/** The first drawing by software. */
const DRAWING_MS = 120_000;

let service, browser, visited;
before(async () => {
  [service, browser] = await Promise.all([start(), launch(SOFTWARE_WEBGL)]);
  visited = await open(browser, new URL("/#/v1/geocoding/forward?query=Paris%2C+TX", service.url).href, WINDOW);
  await visited.page.locator("body[data-map=ready]").waitFor({ timeout: DRAWING_MS });
});
after(async () => {
  await visited?.close();
  await browser?.close();
  await service?.stop();
});

const card = (page, text) => page.locator(".card h3").filter({ hasText: text }).waitFor();

/** The features that a layer draws, when the map is at rest. */
const drawn = (page, layer) => page.evaluate(async (id) => {
  await globalThis.toponymMap.idle();
  return globalThis.toponymMap.drawn(id);
}, layer);

/** Clicks the map at a point. */
async function click(page, point) {
  const { x, y } = await page.evaluate(async (given) => {
    await globalThis.toponymMap.idle();
    return globalThis.toponymMap.pixel(given);
  }, point);
  await page.mouse.click(x, y);
}

test("the answer of a link is on the map, in its box", async () => {
  const { page, complaints } = visited;
  await card(page, "Paris");
  const [first] = (await drawn(page, "answers")).toSorted((a, b) => a.rank - b.rank);
  assert.deepEqual(first, { rank: 0, display_name: "Paris, Texas, United States", name: "Paris" });
  assert.ok((await drawn(page, "area")).length > 0);
  assert.ok((await drawn(page, "land")).length > 0, "tiles of the ground");
  assert.ok((await drawn(page, "cities")).some(({ people }) => people > 100_000), "names of cities, without a server of fonts");
  assert.deepEqual(complaints, []);
  await picture(page, "globe-link");
});

test("the picture before the map shows the same places at the same points", async () => {
  const { page, close } = await open(browser, service.url.href ?? service.url, { ...WINDOW, viewport: { width: 1200, height: 700 } });
  const frame = await page.locator(".globe svg").boundingBox();
  await page.mouse.move(200, 300);
  await page.locator("body[data-map=ready]").waitFor({ timeout: DRAWING_MS });
  const project = view();
  for (const [name, lat, lon] of [["Rome", 41.9, 12.5], ["Cape Agulhas", -34.8, 20], ["Reykjavík", 64.1, -21.9], ["Muscat", 23.6, 58.4]]) {
    const [x, y] = project([lon, lat]);
    const drawn = await page.evaluate((point) => globalThis.toponymMap.pixel(point), { lat, lon });
    const [dx, dy] = [frame.x + (x * frame.width) / 1000 - drawn.x, frame.y + (y * frame.height) / 1000 - drawn.y];
    assert.ok(Math.hypot(dx, dy) < 3, `${name} is ${dx}, ${dy} pixels away`);
  }
  await close();
});

test("a click asks what is there", async () => {
  const { page } = visited;
  await page.evaluate(() => globalThis.toponymMap.jump({ lat: 47.2, lon: 3 }, 6));
  await click(page, { lat: 46.9, lon: 4.2 });
  await page.locator(".card .areas").filter({ hasText: "France" }).waitFor();
  await page.locator(".pin").waitFor();
  assert.equal(await page.locator("#place input").inputValue(), "", "the text of an earlier question");
  assert.match(await page.locator("#way-text").textContent(), /^Answered in your browser/);
  await picture(page, "globe-reverse");
});

test("a click at sea finds nothing", async () => {
  const { page } = visited;
  await page.evaluate(() => globalThis.toponymMap.jump({ lat: -40, lon: -120 }, 5));
  await click(page, { lat: -40, lon: -120 });
  await page.locator(".note").filter({ hasText: "No place is known near this point." }).waitFor();
});

test("the sea is sea at every level of detail, and the land is land", async () => {
  const { page } = visited;
  const land = async (point, zoom) => {
    await page.evaluate(([at, near]) => globalThis.toponymMap.jump(at, near), [point, zoom]);
    await page.evaluate(() => globalThis.toponymMap.idle());
    return page.evaluate((at) => globalThis.toponymMap.drawn("land", at).length, point);
  };
  for (const zoom of [2, 3.5, 6]) {
    assert.equal(await land({ lat: -40, lon: -120 }, zoom), 0, `the sea at zoom ${zoom}`);
    assert.equal(await land({ lat: 47, lon: 2.5 }, zoom), 1, `France at zoom ${zoom}`);
  }
});

test("a click on the name of a city asks for this city", async () => {
  const { page } = visited;
  await page.evaluate(() => globalThis.toponymMap.jump({ lat: 52.4, lon: 13.1 }, 6));
  await click(page, { lat: 52.52437, lon: 13.41053 });
  await card(page, "Berlin");
});

test("by keyboard: Enter asks what is at the centre", async () => {
  const { page } = visited;
  await page.evaluate(() => globalThis.toponymMap.jump({ lat: 48.8584, lon: 2.2945 }, 9));
  await page.locator(".maplibregl-canvas").focus();
  await page.keyboard.press("Enter");
  await card(page, "Eiffel Tower");
});

test("only in the view, and near the centre, of the map", async () => {
  const { page } = visited;
  await page.getByLabel("Near the map’s centre").check();
  await page.evaluate(() => globalThis.toponymMap.jump({ lat: 40, lon: -89 }, 5));
  await page.evaluate(() => globalThis.toponymMap.idle());
  await page.locator("#place input").fill("Springfield");
  await page.locator("#place input").press("Enter");
  await page.locator(".card .areas").filter({ hasText: "Illinois" }).waitFor();
  await page.locator("#filters > summary").click();
  await page.evaluate(() => globalThis.toponymMap.jump({ lat: 42.1, lon: -72.6 }, 6));
  await page.getByRole("button", { name: "Only in this view of the map" }).click();
  const [west, south, east, north] = (await page.getByLabel("Box: west,south,east,north").inputValue()).split(",").map(Number);
  assert.ok(west < -72.6 && -72.6 < east && south < 42.1 && 42.1 < north && east - west < 30, `${[west, south, east, north]}`);
  await page.locator(".card .areas").filter({ hasText: "Massachusetts" }).waitFor();
  await page.getByRole("button", { name: "Clear all" }).click();
});

test("by the rules of axe, with the map", async () => {
  const { page } = visited;
  await page.evaluate(AXE);
  const violations = () => page.evaluate(async () => (await axe.run()).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]));
  await page.locator("#clear").click();
  assert.deepEqual(await violations(), [], "start");
  await page.locator("#place input").fill("rome");
  await page.locator("toponym-autocomplete [role=option]").first().waitFor();
  assert.deepEqual(await violations(), [], "list");
  await page.keyboard.press("Enter");
  await card(page, "Rome");
  assert.deepEqual(await violations(), [], "card");
});

test("names of countries follow the language", async () => {
  const { page } = visited;
  await page.evaluate(() => globalThis.toponymMap.jump({ lat: 48, lon: 8 }, 4));
  await page.getByLabel("Language of names").selectOption("fr");
  const names = await page.evaluate(() => globalThis.toponymMap.layout("countries", "text-field"));
  assert.equal(names[names.indexOf("DE") + 1], "Allemagne");
});

test("a link with a language that is none shows English names", async () => {
  const { page, complaints } = visited;
  await page.evaluate(() => (location.hash = "/v1/geocoding/forward?query=Bonn&lang=no_language"));
  await page.waitForFunction(() => document.querySelector("[name=lang]").value === "no_language");
  const names = await page.evaluate(() => globalThis.toponymMap.layout("countries", "text-field"));
  assert.equal(names[names.indexOf("DE") + 1], "Germany");
  assert.deepEqual(complaints, []);
});
