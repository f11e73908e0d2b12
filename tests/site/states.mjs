// The states of the pages that are looked at: pictures.mjs takes a picture of each, axe.mjs counts what axe finds in each.

import { open } from "./browser.mjs";

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

/** How pages are seen. Without motion, so that a picture does not catch the map on its way. */
const VIEWS = {
  light: {},
  dark: { colorScheme: "dark" },
  phone: PHONE,
  "phone, dark": { ...PHONE, colorScheme: "dark" },
};

/** The first drawing without a graphics card. */
const DRAWING_MS = 120_000;

const question = (path) => `/#/v1/geocoding/${path}`;

const card = (page, text) => page.locator(".card h3").filter({ hasText: text }).waitFor();

/** States of the playground: the address, and what is done there. */
const PLAYGROUND = {
  start: { path: "/" },
  suggestions: {
    path: "/",
    reach: async (page) => {
      await page.locator("#place input").fill("spring");
      await page.locator("toponym-autocomplete [role=option]").first().waitFor();
    },
  },
  answer: { path: question("forward?query=Paris"), reach: (page) => card(page, "Paris") },
  code: {
    path: question("forward?query=Springfield&types=city&countrycodes=us"),
    reach: async (page) => {
      await page.getByRole("tab", { name: "React" }).click();
      await page.locator("#code").scrollIntoViewIfNeeded();
    },
  },
  point: { path: question("reverse?lat=46.9&lon=4.2"), reach: (page) => page.locator(".card").waitFor() },
  "right to left": { path: question("forward?query=cairo&lang=ar"), reach: (page) => card(page, "القاهرة"), options: { locale: "ar" } },
  everything: {
    path: question("forward?query=Rome&types=city,airport"),
    reach: async (page) => {
      await card(page, "Rome");
      for (const part of await page.locator("details").all()) await part.evaluate((details) => (details.open = true));
    },
  },
  nothing: { path: question("forward?query=xqzzvkj"), reach: (page) => page.locator(".note").waitFor() },
  refused: { path: question("forward?query=Paris&bbox=1,2,3"), reach: (page) => page.locator(".note.bad").waitFor() },
  failed: {
    path: question("forward?query=Paris"),
    options: { before: (page) => page.route("**/*.bin", (route) => route.abort()) },
    reach: (page) => page.getByRole("button", { name: "Try again" }).waitFor(),
  },
  offline: {
    path: "/",
    reach: async (page) => {
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.reload();
      await drawn(page);
      await page.context().setOffline(true);
      await page.reload();
      await page.mouse.move(200, 300);
      await page.locator("#place input").fill("oslo");
      await page.keyboard.press("Enter");
      await card(page, "Oslo");
    },
  },
};

const STATUS = {
  status: {
    path: "/status",
    reach: async (page) => {
      // What is below a screen comes when somebody scrolls.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.waitForFunction(() => document.querySelectorAll('[aria-busy="true"]').length === 0);
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
};

/** Waits until the map is there and at rest. */
async function drawn(page) {
  // What people do first.
  await page.mouse.move(200, 300);
  await page.locator("body[data-map=ready]").waitFor({ timeout: DRAWING_MS });
  await page.evaluate(() => globalThis.toponymMap.idle());
  // The picture before the map fades away.
  await page.waitForFunction(() => getComputedStyle(document.querySelector(".globe")).opacity === "0");
}

/** Calls `seen(page, state, view)` for each state in each view, or for those that `isWanted(state, view)`. */
export async function eachState(browser, url, seen, isWanted = () => true) {
  for (const [state, { path, reach = () => {}, options }] of Object.entries({ ...PLAYGROUND, ...STATUS })) {
    for (const [view, seenAs] of Object.entries(VIEWS)) {
      if (!isWanted(state, view)) continue;
      const { page, close } = await open(browser, new URL(path, url).href, { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...seenAs, ...options });
      const isMap = !(state in STATUS);
      if (isMap) await drawn(page);
      await reach(page);
      if (isMap) await drawn(page);
      await seen(page, state, view);
      await close();
    }
  }
}
