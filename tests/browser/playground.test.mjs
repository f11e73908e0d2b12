// Tests the playground in real Chromium with the real service: offline and over HTTP, on the map, by keyboard, on a
// phone, without a network, and with axe.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../live/harness.mjs";
import { AXE, launch, open, picture } from "./browser.mjs";

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

/** Opens the part “Options” by keyboard, as everything in it can be used. */
async function openOptions(page) {
  await page.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.locator("#options").waitFor();
}

/** The address that is shown, which must lead to this page with the question. */
async function address(page) {
  const shown = new URL(await page.locator("#address").textContent());
  assert.equal(await page.locator("#address").getAttribute("href"), `#${shown.pathname}${shown.search}`);
  return shown.pathname + decodeURIComponent(shown.search);
}

/** Answers of the HTTP API as they are shown: as a list, or one as JSON. */
const listed = (page) => page.locator("#http li").allTextContents();
const shown = async (page) => JSON.parse(await page.locator("#http pre").textContent());

test("options are parameters of both, and the same question is asked again with them", async () => {
  const { page, complaints, close } = await visit();
  await withToken(page);
  await page.locator("#place input").fill("par");
  await option(page, "Paris");
  assert.equal(await address(page), "/v1/geocoding/autocomplete?q=par&limit=6");
  await openOptions(page);
  await page.keyboard.press("Tab");
  for (let box = 0; box < 3; box += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.ok(await page.getByLabel("city", { exact: true }).isChecked(), "by keyboard alone");
  await page.getByLabel("Countries").fill("us,ca");
  await page.getByLabel("Limit", { exact: true }).fill("3");
  await page.keyboard.press("Tab");
  await page.locator("#http li").filter({ hasText: "United States" }).first().waitFor();
  assert.equal(await address(page), "/v1/geocoding/autocomplete?q=par&types=city&countrycodes=us,ca&limit=3");
  for (const side of ["offline", "http"]) {
    const answers = await page.locator(`#${side} li`).allTextContents();
    assert.equal(answers.length, 3, side);
    assert.ok(answers.every((one) => /(United States|Canada) \((city|town|village)/.test(one)), answers.join());
  }
  assert.deepEqual(complaints, []);
  await picture(page, "playground-options");
  await close();
});

test("a box, an area, a language and GeoJSON", async () => {
  const { page, complaints, close } = await visit();
  await withToken(page);
  await openOptions(page);
  await page.getByLabel("Box: west,south,east,north").fill("177,-20,-178,-15");
  await page.getByLabel("Language").fill("de");
  await page.getByLabel("as GeoJSON").check();
  await page.locator("#place input").fill("suva");
  await page.locator("#http pre").filter({ hasText: "FeatureCollection" }).waitFor();
  assert.equal(await address(page), "/v1/geocoding/autocomplete?q=suva&bbox=177,-20,-178,-15&lang=de&limit=6&format=geojson");
  const [suva] = (await shown(page)).features;
  assert.match(suva.properties.display_name, /Fidschi$/);
  const offline = JSON.parse(await page.locator("#offline pre").textContent());
  assert.deepEqual([offline.type, offline.features[0].geometry.type], ["FeatureCollection", "Point"]);
  await page.getByLabel("Box: west,south,east,north").fill("");
  await page.getByLabel("as GeoJSON").uncheck();
  // Bavaria's neighbour.
  await page.getByLabel("Within, a place_id").fill("2782113");
  await page.getByLabel("Language").fill("auto");
  await page.locator("#place input").fill("wien");
  await page.locator("#http li").filter({ hasText: "Austria" }).first().waitFor();
  assert.equal(await address(page), "/v1/geocoding/autocomplete?q=wien&within=2782113&lang=auto&limit=6");
  assert.ok((await listed(page)).every((one) => one.includes("Austria")));
  assert.deepEqual(complaints, []);
  await close();
});

test("facts", async () => {
  const { page, complaints, close } = await visit();
  await withToken(page);
  await openOptions(page);
  await page.getByLabel("Facts").fill("name,timezone");
  await page.getByLabel("A place_id, or a code").fill("iata:CDG");
  await page.keyboard.press("Enter");
  await page.locator("#http pre").filter({ hasText: "Europe/Paris" }).waitFor();
  assert.equal(await address(page), "/v1/geocoding/place?ref=iata:CDG&fields=name,timezone");
  assert.match(JSON.parse(await page.locator("#offline pre").textContent()).name, /^Charles de Gaulle/);
  await page.getByLabel("Facts").fill("all");
  await page.keyboard.press("Tab");
  await page.locator("#http pre").filter({ hasText: "LFPG" }).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("errors of the API are shown as they are", async () => {
  const { page, close } = await visit();
  await withToken(page);
  await openOptions(page);
  await page.getByLabel("Box: west,south,east,north").fill("1,2,3");
  await page.locator("#place input").fill("par");
  await page.locator("#http").filter({ hasText: "400 Bad Request: bbox must be west,south,east,north: degrees between" }).waitFor();
  await page.locator("#offline").filter({ hasText: "bbox must be an array of four numbers" }).waitFor();
  await page.getByLabel("Box: west,south,east,north").fill("");
  await page.getByLabel("Other types").fill("pub");
  await page.keyboard.press("Tab");
  await page.locator("#http").filter({ hasText: "400 Bad Request: types must be kinds of places" }).waitFor();
  await page.getByLabel("Other types").fill("");
  await page.getByLabel("A place_id, or a code").fill("iata:QQQ");
  await page.keyboard.press("Enter");
  await page.locator("#http").filter({ hasText: "404 Not Found: " }).waitFor();
  await page.locator("#offline").filter({ hasText: "Nothing found" }).waitFor();
  await close();
});

test("fields in place of a text", async () => {
  const { page, complaints, close } = await visit();
  await withToken(page);
  await openOptions(page);
  await page.getByLabel("City", { exact: true }).fill("Paris");
  await page.getByLabel("State", { exact: true }).fill("TX");
  await page.getByRole("button", { name: "Search by fields" }).press("Enter");
  for (const side of ["offline", "http"]) {
    await page.locator(`#${side} pre`).filter({ hasText: '"state": "Texas"' }).waitFor();
  }
  assert.equal(await address(page), "/v1/geocoding/forward?city=Paris&state=TX&limit=1");
  assert.match(await page.locator("#signals-help").textContent(), /“Paris, TX” as a whole text/);
  await page.getByLabel("Country", { exact: true }).fill("France");
  await page.keyboard.press("Enter");
  await page.locator("#http").filter({ hasText: "Nothing found" }).waitFor();
  assert.deepEqual(complaints, []);
  await picture(page, "playground-fields");
  await close();
});

test("a place by its id or code", async () => {
  const { page, complaints, close } = await visit();
  await withToken(page);
  await openOptions(page);
  const field = page.getByLabel("A place_id, or a code");
  for (const [reference, path, name] of [
    ["iata:CDG", "place?ref=iata:CDG", "Charles de Gaulle"],
    ["iso:US-TX", "place?ref=iso:US-TX", "Texas"],
    ["2988507", "place/2988507", "Paris"],
  ]) {
    await field.fill(reference);
    await page.getByRole("button", { name: "Look up" }).click();
    for (const side of ["offline", "http"]) {
      await page.locator(`#${side} pre`).filter({ hasText: `"display_name": "${name}` }).waitFor();
    }
    assert.equal(await address(page), `/v1/geocoding/${path}`);
  }
  assert.equal(await page.locator("#marks circle").count(), 1);
  assert.deepEqual(complaints, []);
  await close();
});

test("the nearest places of a kind on the map", async () => {
  const { page, complaints, close } = await visit();
  await withToken(page);
  await openOptions(page);
  await page.getByLabel("airport", { exact: true }).check();
  await page.getByLabel("On the map: limit").fill("3");
  await page.getByLabel("On the map: radius in metres").fill("500000");
  await page.locator("#map").focus();
  for (const key of ["Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.locator("#http li").first().waitFor();
  assert.equal(await address(page), "/v1/geocoding/reverse?lat=50.0000000&lon=0.0000000&types=airport&limit=3&radius=500000");
  const answers = await listed(page);
  assert.ok(answers.length === 3 && answers.every((one) => one.endsWith("(aerodrome)")), answers.join());
  await page.locator("#where").filter({ hasText: /^50\.000, 0\.000: .*Airport/ }).waitFor();
  assert.equal(await page.locator("#marks circle").count(), 3);
  assert.deepEqual(complaints, []);
  await close();
});

test("the address of the page is a question to share", async () => {
  const path = "/v1/geocoding/forward?city=Paris&state=TX&types=city,museum&countrycodes=us&limit=2";
  const { page, complaints, close } = await open(browser, new URL(`/playground/#${path}`, service.url).href);
  await page.locator("#offline pre").filter({ hasText: '"state": "Texas"' }).waitFor();
  assert.equal(await address(page), path);
  const values = await page.locator("#more input").evaluateAll((inputs) => inputs.map(({ type, name, value, checked }) => type === "checkbox" ? checked && value : value && `${name}=${value}`).filter(Boolean));
  assert.deepEqual(values, ["city", "types=museum", "countrycodes=us", "limit=2", "city=Paris", "state=TX"]);
  assert.equal(await page.locator("#http").textContent(), "");
  await withToken(page);
  await page.locator("#http pre").filter({ hasText: '"state": "Texas"' }).waitFor();
  for (const [other, hasText] of [
    ["/v1/geocoding/place/2988507?format=geojson", "FeatureCollection"],
    ["/v1/geocoding/reverse?lat=48.8584&lon=2.2945", "Eiffel Tower"],
    ["/v1/geocoding/autocomplete?q=100%25+par+%26", "Par"],
  ]) {
    await page.evaluate((hash) => (location.hash = hash), other);
    await page.locator("#http").filter({ hasText }).waitFor();
    assert.equal((await page.locator("#address").textContent()).replace(new URL(service.url).origin, ""), other.includes("reverse") || other.includes("place") ? other : `${other}&limit=6`);
  }
  assert.equal(await page.locator("#place input").inputValue(), "100% par &");
  await page.locator("#place input").fill("oslo");
  await option(page, "Oslo");
  await page.locator("#address").click();
  await page.waitForURL(/#\/v1\/geocoding\/autocomplete\?q=oslo&limit=6$/);
  assert.deepEqual(complaints, []);
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
    await openOptions(page);
    const within = await page.evaluate(async () => [(await axe.run()).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), document.documentElement.scrollWidth - innerWidth]);
    assert.deepEqual(within, [[], 0]);
    await picture(page, `playground-${name}-options`);
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
