// Tests the page at `/status` in real Chromium with the real service: it shows the figures of the endpoints without traffic,
// with a day of traffic, and while an endpoint is down; in light and dark, on a phone, by keyboard, and with axe.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { test } from "../browsers.mjs";
import { start } from "../live/harness.mjs";
import { AXE, launch, open, picture } from "./browser.mjs";
import { BUCKET_MS, tellADay } from "./traffic.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let service, browser;
before(async () => {
  [service, browser] = await Promise.all([start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const figures = async (path) => (await service.send(`GET ${path}`)).json();

/** Opens the page, scrolls through it, and waits until every part of it has been asked for. */
async function visit(options) {
  const visited = await open(browser, new URL("/status", service.url).href, options);
  await visited.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await visited.page.waitForFunction(() => document.querySelectorAll('[aria-busy="true"]').length === 0);
  await visited.page.waitForFunction(() => document.querySelector("#state").dataset.state !== "asking");
  return visited;
}

const figuresOf = (page, id) =>
  page.$$eval(`#${id} > div`, (pairs) => Object.fromEntries(pairs.map((pair) => [...pair.children].map((child) => child.textContent))));

const rowsOf = (page, id) =>
  page.$$eval(`#${id} tbody tr`, (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

/** Opens what holds a table, whose rows are made when it is open, and reads them. */
async function openRows(page, summary, id) {
  await page.click(summary);
  await page.locator(`#${id} tbody tr`).first().waitFor();
  return rowsOf(page, id);
}

const percent = (value) => `${new Intl.NumberFormat("en", { maximumFractionDigits: 3 }).format(value)} %`;
const count = (value) => new Intl.NumberFormat("en").format(value);
const milliseconds = (value) => `${count(value)} ms`;

/** The figures of /sla-metrics that the page must show. */
const day = ({ latency, requests, availability }) => ({
  Uptime: percent(availability.uptime),
  Requests: count(requests.total),
  "Success rate": percent(requests.successRate),
  "Error rate": percent(requests.errorRate),
  "Latency p50": milliseconds(latency.p50),
  "Latency p95": milliseconds(latency.p95),
  "Latency p99": milliseconds(latency.p99),
});

/** The figures of /sla-metrics/metering that the page must show. */
const cost = ({ object, rest, lostUnits }) => ({
  "Requests that waited": percent(rest.requests === 0 ? 0 : (object.requests / rest.requests) * 100),
  "Waiting p50": milliseconds(object.latency.p50),
  "Waiting p99": milliseconds(object.latency.p99),
  "Rest p50": milliseconds(rest.latency.p50),
  "Rest p99": milliseconds(rest.latency.p99),
  "Lost units": count(lostUnits),
});

/** Violations of the rules of axe, such as contrast, names, landmarks and headings. */
async function faults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

test("without traffic", async () => {
  const { page, complaints, close } = await visit();
  assert.equal(await page.textContent("#state"), "The service works");
  assert.deepEqual(await figuresOf(page, "figures"), day(await figures("/sla-metrics")));
  assert.deepEqual(await figuresOf(page, "metering-figures"), cost(await figures("/sla-metrics/metering")));
  assert.match(await page.textContent("#history-note"), /no traffic/);
  assert.equal(await page.locator(".chart").count(), 0);
  assert.equal(await page.locator("#history-details").isVisible(), false);
  assert.deepEqual(await faults(page), []);
  assert.deepEqual(complaints, []);
  await picture(page, "status-no-traffic");
  await close();
});

test("coverage is that of the endpoints, on the map too", async () => {
  const { page, complaints, close } = await visit();
  const { regions, global, totalCountries } = await figures("/coverage");
  assert.deepEqual(await figuresOf(page, "global"), {
    "Countries and territories": count(totalCountries),
    "People in known places": percent(global.addressCoverage),
    "Cities with points of interest": percent(global.poiCoverage),
    Roads: percent(global.roadCoverage),
  });
  const shown = Object.values(regions).map((region) => [count(region.countries), percent(region.coverage), region.topCountries.join(", ")]);
  assert.deepEqual((await rowsOf(page, "regions")).map(([, ...cells]) => cells), shown);
  const { countries } = await figures("/coverage/countries");
  await page.click("#countries-details summary");
  await page.locator("#countries tbody tr").first().waitFor();
  const rows = await rowsOf(page, "countries");
  const byName = new Map(rows.map(([name, , ...cells]) => [name, cells]));
  assert.equal(rows.length, countries.length);
  for (const { name, coverage, population, cities, poiCoverage, placesByKind } of countries) {
    const shown = [percent(coverage), count(population), count(cities), percent(poiCoverage), ...Object.values(placesByKind).map(count)];
    assert.deepEqual(byName.get(name), shown, name);
  }
  const shapes = await page.$$eval("#map path", (paths) => paths.map(({ dataset: { code, step } }) => ({ code, step: Number(step) })));
  const known = new Map(countries.map((country) => [country.code, country.coverage]));
  const low = [0, 20, 40, 60, 80];
  const expected = (code) => (known.has(code) ? low.filter((least) => known.get(code) >= least).length : 0);
  assert.ok(shapes.length > 170, `${shapes.length} shapes`);
  assert.deepEqual(shapes.filter(({ code, step }) => step !== expected(code)), []);
  const [france] = countries.filter(({ code }) => code === "FR");
  await page.locator('#map path[data-code="FR"]').dispatchEvent("pointerover");
  const { coverage, places, sites } = france;
  assert.equal(await page.textContent("#country"), `${france.name}: ${percent(coverage)}, ${count(places)} places, ${count(sites)} points of interest`);
  const { sources } = await figures("/attribution");
  assert.deepEqual(await page.$$eval("#sources li", (items) => items.map((item) => item.textContent)), sources);
  assert.deepEqual(complaints, []);
  await close();
});

test("while an endpoint is down, the rest is shown", async () => {
  const body = JSON.stringify({ statusCode: 503, error: "Service Unavailable", message: "Service temporarily unavailable" });
  const down = (path) => (page) => page.route(path, (route) => route.fulfill({ status: 503, contentType: "application/json", body }));
  const notes = (page) => page.$$eval(".failure", (found) => found.map((note) => note.textContent));
  const check = async (path, expect, rest) => {
    const { page, close } = await visit({ before: down(path) });
    assert.deepEqual(await notes(page), expect.map((what) => `${what} cannot be shown: Service temporarily unavailable`), path);
    for (const id of rest) assert.ok((await page.innerHTML(`#${id}`)).length > 0, `${id} without ${path}`);
    assert.deepEqual(await faults(page), []);
    if (path === "**/sla-*") await picture(page, "status-metrics-down");
    await close();
  };
  await check("**/sla-metrics", ["The figures"], ["global", "regions", "sources"]);
  await check("**/sla-*", ["The figures", "The history"], ["global", "regions", "sources"]);
  await check("**/sla-metrics/metering", ["The figures of metering"], ["figures", "global", "sources"]);
  await check("**/coverage", ["Coverage"], ["figures", "map", "sources"]);
  await check("**/coverage/countries", ["The map of coverage"], ["figures", "global", "regions"]);
  await check("**/attribution", ["The sources"], ["figures", "global", "map"]);
});

test("the state is that of /health", async () => {
  const check = async (answer, expect) => {
    const { page, close } = await visit({ before: (page) => page.route("**/health", answer) });
    assert.equal(await page.textContent("#state"), expect);
    assert.equal(await page.getAttribute("#state", "data-state"), "bad");
    await close();
  };
  const body = JSON.stringify({ ok: false, message: "Service temporarily unavailable" });
  const unhealthy = (route) => route.fulfill({ status: 503, contentType: "application/json", body });
  await check(unhealthy, "The service does not work: Service temporarily unavailable");
  await check((route) => route.abort(), "The service does not answer: no connection to the service");
  await check((route) => route.fulfill({ status: 502, body: "<html>" }), "The service does not answer: the answer of /health is not JSON (status 502)");
});

test("with a day of traffic", async (t) => {
  await tellADay(service);
  // Answers to the page of an earlier test are cached for 15 s.
  const end = Date.now() + 30_000;
  const areCurrent = async () => {
    const [metrics, metering] = await Promise.all([figures("/sla-metrics"), figures("/sla-metrics/metering")]);
    return metrics.requests.total > 0 && metering.object.requests > 0;
  };
  while (!(await areCurrent()) && Date.now() < end) await new Promise((done) => setTimeout(done, 250));

  await t.test("figures and points are those of the endpoints", async () => {
    const { page, complaints, close } = await visit();
    const metrics = await figures("/sla-metrics");
    assert.ok(metrics.requests.total > 10_000 && metrics.requests.errorRate > 0 && metrics.availability.uptime < 100);
    assert.deepEqual(await figuresOf(page, "figures"), day(metrics));
    const metering = await figures("/sla-metrics/metering");
    assert.ok(metering.lostUnits === 70 && metering.object.requests >= 400);
    assert.deepEqual(await figuresOf(page, "metering-figures"), cost(metering));
    const steps = metering.histogram.map(({ upToMs, object, rest }) => [`up to ${milliseconds(upToMs)}`, count(object), count(rest)]);
    assert.deepEqual(await openRows(page, "#metering summary", "histogram"), steps);
    const { points } = await figures("/sla-history?hours=24");
    const rows = await openRows(page, "#history-details summary", "history-table");
    const shown = points.toReversed().map(({ p95, successRate }) => [milliseconds(p95), percent(successRate)]);
    assert.deepEqual(rows.map(([, ...cells]) => cells), shown);
    await page.waitForFunction(() => document.querySelectorAll(".chart canvas").length === 2);
    const labels = await page.$$eval(".chart", (charts) => charts.map((chart) => chart.getAttribute("aria-label")));
    const largest = Math.max(...points.map(({ p95 }) => p95));
    assert.equal(labels.length, 2);
    assert.ok(labels[0].startsWith(`Latency, 95th percentile: ${points.length} points`) && labels[0].includes(`to ${milliseconds(largest)}`), labels[0]);
    assert.ok(await hasInk(page), "the chart is drawn");
    assert.deepEqual(await faults(page), []);
    assert.deepEqual(complaints, []);
    await close();
  });

  await t.test("the period is chosen by keyboard", async () => {
    const { page, close } = await visit();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
    const asked = page.waitForResponse((response) => response.url().includes("/sla-history?hours="));
    await page.focus("#hours");
    await page.keyboard.press("ArrowUp");
    assert.match((await asked).url(), /hours=6$/);
    const { points } = await figures("/sla-history?hours=6");
    await page.focus("#history-details summary");
    await page.keyboard.press("Enter");
    const isShown = (n) => page.waitForFunction((rows) => document.querySelectorAll("#history-table tbody tr").length === rows, n);
    await isShown(points.length);
    await page.focus("#hours");
    await page.keyboard.press("ArrowDown");
    await isShown((await figures("/sla-history?hours=24")).points.length);
    await page.focus("#countries-details summary");
    await page.keyboard.press("Enter");
    await page.locator("#countries").waitFor();
    await close();
  });

  await t.test("light, dark, and on a phone, with a point for every five minutes of the day", async () => {
    const now = Math.floor(Date.now() / BUCKET_MS);
    const points = Array.from({ length: 288 }, (_, n) => ({
      timestamp: new Date((now - 287 + n) * BUCKET_MS).toISOString(),
      p95: Math.round(40 + 25 * Math.sin(n / 40) + 8 * Math.sin(n * 2.3) + (n === 200 ? 900 : 0)),
      successRate: n === 200 ? 97.5 : 100,
    })).filter((_, n) => n < 60 || n > 75);
    const body = JSON.stringify({ period: "last_24h", window: "5m", points });
    const before = (page) => page.route("**/sla-history?hours=24", (route) => route.fulfill({ contentType: "application/json", body }));
    for (const colorScheme of ["light", "dark"]) {
      for (const [name, size] of [["wide", {}], ["phone", PHONE]]) {
        const { page, complaints, close } = await visit({ colorScheme, ...size, before });
        assert.equal((await openRows(page, "#history-details summary", "history-table")).length, points.length);
        await page.locator("#history-details > summary").click();
        const [width, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(width <= shown, `${name}: ${width} wide on ${shown}`);
        assert.deepEqual(await faults(page), [], `${colorScheme} ${name}`);
        assert.deepEqual(complaints, []);
        await picture(page, `status-${colorScheme}-${name}`);
        await close();
      }
    }
  });
});

/** Whether the first chart shows a line: pixels in the line's colour. */
function hasInk(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector(".chart canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let inked = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue, alpha] = data.subarray(at, at + 4);
      if (alpha > 200 && red === 0x0b && green === 0x6e && blue === 0x6e) inked++;
    }
    return inked > 100;
  });
}
