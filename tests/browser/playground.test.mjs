// Tests the playground in real Chromium with the real service: offline and over HTTP, on the map, by keyboard, on a
// phone, without a network, and with axe.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { start } from "../live/harness.mjs";
import { launch, open, picture } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let service, browser;
before(async () => {
  [service, browser] = await Promise.all([start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Opens the page and waits until the places are loaded. */
async function visit(options) {
  const visited = await open(browser, new URL("/playground/", service.url).href, options);
  await ready(visited.page);
  return visited;
}

const ready = (page) => page.locator("#loading").filter({ hasText: "ready after" }).waitFor();
const option = (page, text) => page.locator("toponym-autocomplete [role=option]").first().filter({ hasText: text }).waitFor();

async function withToken(page) {
  await page.getByRole("button", { name: "Get a token" }).click();
  await page.locator("#token").filter({ hasText: "valid until" }).waitFor();
}

test("offline no keystroke leaves the page", async () => {
  const { page, complaints, close } = await visit();
  const sent = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.locator("#place input").pressSequentially("pari");
  await option(page, "Paris");
  const took = Number(await page.locator("#offline [data-ms]").getAttribute("data-ms"));
  assert.ok(took > 0 && took < 1000, `${took} ms`);
  assert.equal(await page.locator("#marks circle").count(), 6);
  assert.equal(await page.locator("#http").textContent(), "");
  assert.deepEqual(sent, []);
  assert.deepEqual(complaints, []);
  await picture(page, "playground-offline");
  await close();
});

test("with a token the same query goes to the HTTP API", async () => {
  const { page, complaints, close } = await visit();
  await withToken(page);
  await page.locator("#place input").pressSequentially("london");
  await option(page, "London");
  await page.locator("#http li").first().filter({ hasText: "London" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  for (const side of ["offline", "http"]) {
    await page.locator(`#${side} pre`).filter({ hasText: '"country_code": "gb"' }).waitFor();
    assert.ok(Number(await page.locator(`#${side} [data-ms]`).getAttribute("data-ms")) > 0, side);
  }
  assert.deepEqual(complaints, []);
  await picture(page, "playground-token");
  await close();
});

/** The cells of the table of signals: an object of each row. */
const signals = (page) =>
  page.locator("#signals table").evaluate((table) => {
    const [head, ...rows] = [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent));
    return rows.map((row) => Object.fromEntries(row.map((text, at) => [head[at], text])));
  });

test("every candidate is shown with its signals, offline", async () => {
  const { page, complaints, close } = await visit();
  assert.ok(await page.locator("#signals").isHidden());
  await page.context().setOffline(true);
  const field = page.locator("#place input");
  const help = page.locator("#signals-help");
  await field.fill("parsi, france");
  await help.filter({ hasText: "“parsi, france” as the beginning" }).waitFor();
  const [paris] = await signals(page);
  assert.match(paris.Candidate, /^Paris, .*France$/);
  assert.deepEqual([paris.Edits, paris.Context, paris.Dropped, paris.Also], ["1", "in 1", "–", "–"]);
  assert.ok(Math.abs(1 - paris.Importance + Number(paris.Doubts) - paris.Cost) < 0.002, JSON.stringify(paris));
  await field.fill("berl");
  await help.filter({ hasText: "“berl”" }).waitFor();
  const berlin = await signals(page);
  assert.equal(berlin[0]["Name class"], "Primary, prefix");
  assert.equal(berlin.length, 6);
  assert.ok(berlin.every(({ Cost }, at) => at === 0 || Number(Cost) >= Number(berlin[at - 1].Cost)), "in the order of cost");
  await field.fill("airport CDG");
  await help.filter({ hasText: "CDG" }).waitFor();
  assert.equal((await signals(page))[0].Also, "a code, asked for: airport");
  await option(page, "Charles de Gaulle");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await help.filter({ hasText: "as a whole text" }).waitFor();
  assert.match((await signals(page))[0].Candidate, /^Charles de Gaulle/);
  await field.fill("xqzzvkj");
  await help.filter({ hasText: "no candidates" }).waitFor();
  assert.ok(await page.locator("#signals").isHidden());
  assert.deepEqual(complaints, []);
  await close();
});

test("wrong credentials show the message of the API", async () => {
  const { page, close } = await visit();
  await page.locator("#secret").fill("gcs_wrong");
  await page.getByRole("button", { name: "Get a token" }).click();
  await page.locator("#token").filter({ hasText: "401 Unauthorized: Invalid API secret" }).waitFor();
  await close();
});

test("a click on the map asks what is there", async () => {
  const { page, close } = await visit();
  await withToken(page);
  // Answers above the map move it, so its position is read again.
  const click = async (lat, lon) => {
    await page.locator("#map").scrollIntoViewIfNeeded();
    const { width, height } = await page.locator("#map").boundingBox();
    await page.locator("#map").click({ position: { x: (width * (lon + 180)) / 360, y: (height * (90 - lat)) / 180 } });
  };
  await click(48.85, 2.35);
  await page.locator("#where").filter({ hasText: "France" }).waitFor();
  await page.locator("#http pre").filter({ hasText: "France" }).waitFor();
  await click(-40, -120);
  await page.locator("#where").filter({ hasText: "no place here" }).waitFor();
  await close();
});

test("the map by keyboard", async () => {
  const { page, close } = await visit();
  await page.locator("#map").focus();
  // From 20 N 0 E to 50 N 10 E.
  for (const key of ["Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowRight", "Enter"]) await page.keyboard.press(key);
  await page.locator("#where").filter({ hasText: /^50\.000, 10\.000: .*Germany$/ }).waitFor();
  await close();
});

for (const [name, options] of Object.entries({
  light: {},
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
})) {
  test(`by the rules of axe: ${name}`, async () => {
    const { page, close } = await visit(options);
    await page.locator("#place input").fill("rome");
    await option(page, "Rome");
    await page.locator("#signals tbody tr").first().filter({ hasText: "Rome" }).waitFor();
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    await picture(page, `playground-${name}-list`);
    await page.keyboard.press("Escape");
    await picture(page, `playground-${name}`);
    await close();
  });
}

test("the second visit works without a network", async () => {
  const { page, close } = await visit();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await ready(page);
  await page.context().setOffline(true);
  await page.reload();
  await ready(page);
  await page.locator("#place input").fill("oslo");
  await option(page, "Oslo");
  assert.ok((await page.locator("#land").getAttribute("d")).length > 1000, "the map is there, too");
  await close();
});

test("whose data it is", async () => {
  const { page, close } = await visit();
  const lines = await page.locator("#attribution li").allTextContents();
  assert.ok(lines.some((line) => line.includes("GeoNames")), lines.join());
  await close();
});
