// Tests the adapter for Leaflet Control Geocoder, offline in Chromium: every option, reverse, and what the control asks on Enter.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { test } from "../browsers.mjs";
import { Project, launch, opened } from "./harness.mjs";

const SCRIPT = `
import L from "leaflet";
import { Geocoder } from "leaflet-control-geocoder";
import "leaflet/dist/leaflet.css";
import { toponymGeocoder } from "toponym-leaflet";
import { GeocoderWorker } from "toponym/worker";
const main = document.querySelector("main");
main.style.blockSize = "400px";
const geo = await GeocoderWorker.load();
const map = L.map(main, { zoomAnimation: false, fadeAnimation: false }).setView([42.1, -72.59], 8);
const scale = (zoom) => map.options.crs.scale(zoom);
new Geocoder({ geocoder: toponymGeocoder(geo, { limit: 1 }), collapsed: false }).addTo(map);
// The markers of Leaflet are images, which a bundler moves.
L.Marker.prototype.options.icon = L.divIcon();
Object.assign(window, { L, map, geo, scale, toponymGeocoder });`;

let project, chromium, site, page;

before(async () => {
  project = new Project(["npm", "npm-leaflet"]);
  [site, chromium] = await Promise.all([project.page("leaflet", SCRIPT), launch()]);
  ({ page } = await opened(chromium, site.url, { wait: () => window.map }));
});

after(async () => {
  await chromium?.close();
  await site?.close();
  project?.remove();
});

/** The names of what the adapter finds, with `options`, for a text. */
const found = (method, options, text) =>
  page.evaluate(
    async ([name, given, query]) => (await toponymGeocoder(geo, given)[name](query, { map })).map((result) => result.name),
    [method, options, text],
  );

for (const [what, options, text, expected] of [
  ["countries", { countries: ["US", "CA"] }, "Paris", /United States$|Canada$/],
  ["types", { types: ["airport"] }, "Oslo", /Airport/],
  ["lang", { lang: "de-CH", limit: 1 }, "Munich", /^München, /],
  ["bbox", { bbox: [-100, 30, -90, 40] }, "Paris", /Texas|Arkansas|Missouri/],
  ["within", { within: 3017382, types: ["city"] }, "Paris", /France$/],
  ["anywhere", { limit: 1 }, "Springfield", /Illinois/],
  ["nearby", { nearby: true, limit: 1 }, "Springfield", /Massachusetts/],
]) {
  for (const method of ["geocode", "suggest"]) {
    test(`${method}: ${what}`, async () => {
      const names = await found(method, options, text);
      assert.ok(names.length > 0, "something is found");
      for (const name of names) assert.match(name, expected);
    });
  }
}

test("a finished text and an unfinished one", async () => {
  assert.deepEqual(await found("geocode", { limit: 1 }, "Paris, Texas"), ["Paris, Texas, United States"]);
  assert.deepEqual(await found("suggest", {}, "monaco di bav"), ["Munich, Bavaria, Germany"]);
  for (const method of ["geocode", "suggest"]) assert.deepEqual(await found(method, {}, "  "), []);
});

/** What the adapter finds at a point, with `options`, at a zoom of the map. */
const at = (options, lat, lng, zoom) =>
  page.evaluate(
    async ([given, point, level]) => (await toponymGeocoder(geo, given).reverse(point, scale(level))).map((result) => result.name),
    [options, { lat, lng }, zoom],
  );

test("how many, of which there are at most ten for an unfinished text and a point", async () => {
  const counts = async (options) =>
    [await found("geocode", options, "Santa Cruz"), await found("suggest", options, "san"), await at(options, 48.8534, 2.3488, 4)].map(({ length }) => length);
  assert.deepEqual(await counts({}), [5, 5, 1]);
  assert.deepEqual(await counts({ limit: null }), [5, 5, 1]);
  assert.deepEqual(await counts({ limit: 2 }), [2, 2, 2]);
  assert.deepEqual(await counts({ limit: 12 }), [12, 10, 10]);
});

for (const [what, options, point, zoom, expected] of [
  ["a city", {}, [48.8534, 2.3488], 12, /Paris/],
  ["east of the date line", {}, [48.8534, 362.3488], 12, /Paris/],
  ["of a kind", { types: ["airport"] }, [48.8534, 2.3488], 4, /Airport|Air Base/],
  ["in a language", { lang: "de" }, [48.1372, 11.5755], 12, /Deutschland$/],
  ["the sea", {}, [0, -140], 3, undefined],
  ["too far away for a map so close", { types: ["airport"] }, [48.8534, 2.3488], 16, undefined],
]) {
  test(`reverse: ${what}`, async () => {
    const [name] = await at(options, ...point, zoom);
    if (expected) assert.match(name, expected);
    else assert.equal(name, undefined);
  });
}

test("a result is what the control takes", async () => {
  const result = await page.evaluate(async () => {
    const [{ name, html, center, bbox, properties }] = await toponymGeocoder(geo).geocode("Paris, Texas");
    return { name, html, isCentre: center instanceof L.LatLng, isBox: bbox instanceof L.LatLngBounds && bbox.contains(center), id: properties.place_id };
  });
  const { id, ...rest } = result;
  assert.deepEqual(rest, { name: "Paris, Texas, United States", html: "<strong>Paris</strong>, Texas, United States", isCentre: true, isBox: true });
  assert.ok(Number.isSafeInteger(id));
});

test("a name is not read as HTML", async () => {
  const html = await page.evaluate(async () => {
    const place = { name: "<b>D.C.</b>", display_name: '<b>D.C.</b>, "US"', lat: 1, lon: 2, type: "city" };
    return (await toponymGeocoder({ forward: () => [place] }).geocode("dc"))[0].html;
  });
  assert.equal(html, "<strong>&lt;b&gt;D.C.&lt;/b&gt;</strong>, &quot;US&quot;");
});

test("the control asks for a finished text on Enter", async () => {
  const input = page.locator(".leaflet-control-geocoder-form input");
  // Without an event, for which the control would look for suggestions.
  await input.evaluate((element) => (element.value = "Reykjavik"));
  await input.press("Enter");
  await page.locator(".leaflet-popup-content").filter({ hasText: "Iceland" }).waitFor();
  const { lat, lng } = await page.evaluate(() => map.getCenter());
  assert.ok(Math.abs(lat - 64.1) < 1 && Math.abs(lng + 21.9) < 1, `${lat}, ${lng}`);
  assert.deepEqual(page.errors, []);
});

test("a server that renders pages can import the adapter", async () => {
  project.write("use.mjs", 'export * from "toponym-leaflet";\n');
  const { toponymGeocoder } = await import(pathToFileURL(project.path("use.mjs")));
  assert.deepEqual(Object.keys(toponymGeocoder({})), ["geocode", "suggest", "reverse"]);
});
