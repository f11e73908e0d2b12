// Tests the adapters for MapLibre GL and Leaflet: their examples with the real controls on real maps in Chromium, over the
// packages alone and over the service on workerd.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { except, test } from "../browsers.mjs";
import { SOFTWARE_WEBGL } from "../chromium.mjs";
import { start } from "../live/harness.mjs";
import { looked } from "./accessibility.mjs";
import { Project, launch, opened } from "./harness.mjs";

let project, chromium, service, token;

before(async () => {
  project = new Project(["npm", "npm-maplibre", "npm-leaflet"]);
  [chromium, service] = await Promise.all([launch(SOFTWARE_WEBGL), start()]);
  token = await service.token("localdemo");
});

after(async () => {
  await chromium?.close();
  await service?.stop();
  project?.remove();
});

/** How each control is used. `look` returns what the map shows: centre and width in degrees. */
const MAPS = {
  maplibre: {
    // No flights: drawn without a graphics card on busy cores, one can take longer than a test waits.
    context: { reducedMotion: "reduce" },
    input: ".maplibregl-ctrl-geocoder--input",
    items: ".maplibregl-ctrl-geocoder .suggestions li",
    choose: (item) => item.click(),
    popup: ".maplibregl-popup-content",
    look: () => {
      const { map } = window.example;
      if (map.isMoving()) return null;
      const bounds = map.getBounds();
      return { lat: map.getCenter().lat, lon: map.getCenter().wrap().lng, wide: bounds.getEast() - bounds.getWest() };
    },
    // Over Paris, in the middle of the map.
    go: () => window.example.map.jumpTo({ center: [2.3488, 48.8534], zoom: 12 }),
    marked: ".maplibregl-marker",
  },
  leaflet: {
    input: ".leaflet-control-geocoder-form input",
    items: ".leaflet-control-geocoder-alternatives li",
    choose: (item) => item.click(),
    popup: ".leaflet-popup-content",
    look: () => {
      const { map } = window.example;
      const bounds = map.getBounds();
      return { lat: map.getCenter().lat, lon: map.getCenter().wrap().lng, wide: bounds.getEast() - bounds.getWest() };
    },
    go: () => window.example.map.setView([48.8534, 2.3488], 12, { animate: false }),
    marked: ".leaflet-marker-icon",
  },
};

const near = (value, expected, most, what) => assert.ok(Math.abs(value - expected) < most, `${what}: ${value}, not ${expected}`);

/** Waits until the map shows the point, and returns what it shows. */
async function arrived(page, look, { lat, lon }) {
  await page.waitForFunction(
    ([source, point]) => {
      const shown = new Function(`return (${source})()`)();
      return shown && Math.abs(shown.lat - point.lat) < 2 && Math.abs(shown.lon - point.lon) < 2;
    },
    [look.toString(), { lat, lon }],
  );
  return page.evaluate(look);
}

/** MapLibre draws by WebGL, Leaflet without. */
const DRAWS = { maplibre: except("firefox", "it has no WebGL without a graphics card") };

for (const [name, map] of Object.entries(MAPS)) {
  test(name, DRAWS[name] ?? {}, async (context) => {
    const site = await project.example(name);
    const pages = { offline: site.url, "over HTTP": `${site.url}/?service=${service.url}&token=${token}` };
    for (const [way, url] of Object.entries(pages)) {
      await context.test(way, async () => {
        const { page, close } = await opened(chromium, url, {
          wait: () => window.example,
          viewport: { width: 800, height: 600 },
          ...map.context,
        });
        const input = page.locator(map.input);
        const items = page.locator(map.items);

        await input.pressSequentially("monaco di bav");
        await items.first().filter({ hasText: "Munich" }).waitFor();
        await looked(page, `${name}-${way.replace(" ", "-")}-open`);
        await map.choose(items.first());
        const munich = await arrived(page, map.look, { lat: 48.137, lon: 11.575 });
        near(munich.lat, 48.137, 0.3, "latitude");
        assert.ok(munich.wide > 0.05 && munich.wide < 3, `a city fills the map: ${munich.wide} degrees`);
        await page.locator(map.marked).first().waitFor();

        // A country on both sides of the date line.
        await input.fill("");
        await input.pressSequentially("fiji");
        await items.first().filter({ hasText: "Fiji" }).waitFor();
        await map.choose(items.first());
        const fiji = await arrived(page, map.look, { lat: -17.5, lon: 178.6 });
        assert.ok(fiji.wide > 2 && fiji.wide < 90, `a country fills the map: ${fiji.wide} degrees`);

        await page.evaluate(map.go);
        await page.mouse.click(400, 300);
        await page.locator(map.popup).filter({ hasText: "Paris" }).last().waitFor();
        await looked(page, `${name}-${way.replace(" ", "-")}-clicked`);
        assert.deepEqual(page.errors, []);
        await close();
      });
    }
    await site.close();
  });
}
