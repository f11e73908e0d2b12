// Tests `usePlaces` for React and Vue: the recipes with a combobox of another library, and pages that a server renders, hydrated in
// Chromium, with two fields that share a thread.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { build } from "vite";

import { BROWSER, test } from "../browsers.mjs";
import { looked } from "./accessibility.mjs";
import { Project, ROOT, Site, launch, opened } from "./harness.mjs";

let project, chromium;

before(async () => {
  project = new Project(["npm", "npm-react", "npm-vue"]);
  chromium = await launch();
});

after(async () => {
  await chromium?.close();
  project?.remove();
});

/** axe-core on a page of a recipe. Firefox 153 breaks down there: its process of the page ends with signal 11. */
const audited = BROWSER === "firefox" ? () => {} : looked;

for (const name of ["react", "vue"]) {
  test(`${name}: the recipe with a combobox of another library`, async () => {
    const root = project.path(`${name}-recipe`);
    cpSync(join(ROOT, "pkg-build", name, "recipe"), root, { recursive: true });
    await build({ root, logLevel: "error" });
    const site = await Site.of(join(root, "dist"));
    const { page, close } = await opened(chromium, site.url, { wait: () => document.querySelector("input") });
    const output = page.locator("output");
    for (const [label, text, place] of [["From", "oslo", "Oslo"], ["To", "rom", "Rome"]]) {
      await page.getByRole("combobox", { name: label }).click();
      await page.keyboard.type(text);
      await page.getByRole("option").first().filter({ hasText: place }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.getByRole("option").locator("strong").first().waitFor();
      await audited(page, `${name}-recipe-${label}`);
      await page.keyboard.press("Home");
      await page.getByRole("option").first().click();
    }
    await output.filter({ hasText: /^Oslo.* to Rome/ }).waitFor();
    assert.equal(site.requests.filter((path) => /first\..*\.bin$/.test(path)).length, 1, "two fields share a thread");
    assert.deepEqual(page.errors, []);
    await close();
    await site.close();
  });
}

/** A page with the element and two fields of one's own. `Page` is the component, which sets `isHydrated` of the window. */
const PAGES = {
  react: `
    import { StrictMode, createElement as h, useEffect, useState } from "react";
    import { ToponymAutocomplete } from "toponym-react";
    import { usePlaces } from "toponym-react/use-places";
    function Box({ label, countries }) {
      const [text, setText] = useState("");
      const { items, status } = usePlaces(text, { countries, limit: 3 });
      return h("section", null,
        h("input", { "aria-label": label, value: text, onChange: (event) => setText(event.target.value) }),
        h("ol", { "data-status": status }, items.map((place) => h("li", { key: place.place_id }, place.display_name))));
    }
    export const Page = () => {
      useEffect(() => void (window.isHydrated = true), []);
      return h(StrictMode, null,
        h(ToponymAutocomplete, { label: "Element", limit: 2, required: true, recent: true, focus: { lat: 48, lon: 2 } }),
        h(Box, { label: "One" }), h(Box, { label: "Two", countries: ["US"] }));
    };`,
  vue: `
    import { h, ref } from "vue";
    import { ToponymAutocomplete } from "toponym-vue";
    import { usePlaces } from "toponym-vue/use-places";
    const Box = {
      props: ["label", "countries"],
      setup(props) {
        const text = ref("");
        const { items, status } = usePlaces(text, () => ({ countries: props.countries, limit: 3 }));
        return () => h("section", [
          h("input", { "aria-label": props.label, value: text.value, onInput: (event) => (text.value = event.target.value) }),
          h("ol", { "data-status": status.value }, items.value.map((place) => h("li", { key: place.place_id }, place.display_name))),
        ]);
      },
    };
    export const Page = { mounted: () => (window.isHydrated = true), render: () => [
      h(ToponymAutocomplete, { label: "Element", limit: 2, required: true, recent: true, focus: { lat: 48, lon: 2 } }),
      h(Box, { label: "One" }), h(Box, { label: "Two", countries: ["US"] })] };`,
};

const SERVERS = {
  react: `
    import { createElement } from "react";
    import { renderToString } from "react-dom/server";
    import { Page } from "./react-page.mjs";
    console.log(renderToString(createElement(Page)));`,
  vue: `
    import { createSSRApp } from "vue";
    import { renderToString } from "vue/server-renderer";
    import { Page } from "./vue-page.mjs";
    console.log(await renderToString(createSSRApp(Page)));`,
};

const CLIENTS = {
  react: (html) => `
    import { createElement } from "react";
    import { hydrateRoot } from "react-dom/client";
    import { Page } from "../react-page.mjs";
    const main = document.querySelector("main");
    main.innerHTML = ${JSON.stringify(html)};
    window.input = main.querySelector("input");
    const root = hydrateRoot(main, createElement(Page), { onRecoverableError: (error) => console.error(error.message) });
    window.unmount = () => root.unmount();`,
  vue: (html) => `
    import { createSSRApp } from "vue";
    import { Page } from "../vue-page.mjs";
    const main = document.querySelector("main");
    main.innerHTML = ${JSON.stringify(html)};
    window.input = main.querySelector("input");
    const app = createSSRApp(Page);
    app.mount(main);
    window.unmount = () => app.unmount();`,
};

for (const name of ["react", "vue"]) {
  test(`${name}: what a server renders is hydrated, and works`, async () => {
    project.write(`${name}-page.mjs`, PAGES[name]);
    project.write(`${name}-server.mjs`, SERVERS[name]);
    const html = execFileSync(process.execPath, [project.path(`${name}-server.mjs`)], { encoding: "utf8" }).trim();
    assert.match(html, /data-status="idle"/);
    const site = await project.page(`${name}-hydrated`, CLIENTS[name](html));
    const { page, close } = await opened(chromium, site.url, { wait: () => window.isHydrated });
    const list = (at) => page.locator("ol").nth(at);
    assert.ok(await page.evaluate(() => window.input === document.querySelector("main input")), "the server's nodes stay");
    // By keys: React hears of no value that playwright sets in Firefox.
    const one = page.getByRole("textbox", { name: "One" });
    await one.pressSequentially("paris");
    await list(0).locator("li").first().filter({ hasText: "France" }).waitFor();
    await page.getByRole("textbox", { name: "Two" }).pressSequentially("paris");
    await list(1).locator("li").first().filter({ hasText: "United States" }).waitFor();
    assert.match(await list(0).locator("li").first().textContent(), /France$/, "the other field keeps its own");
    await page.locator("ol[data-status=ready]").nth(1).waitFor();
    for (const key of ["End", ...Array("paris".length).fill("Backspace"), " "]) await one.press(key);
    await page.locator("ol[data-status=idle]").first().waitFor({ state: "attached" });
    assert.equal(await list(0).locator("li").count(), 0);
    await page.getByRole("combobox", { name: "Element" }).fill("paris");
    await page.getByRole("option").first().filter({ hasText: "Paris" }).waitFor();
    assert.equal(await page.getByRole("option").count(), 2);
    assert.equal(site.requests.filter((path) => /first\..*\.bin$/.test(path)).length, 1, "all share a thread");
    await page.evaluate(() => unmount());
    assert.deepEqual(page.errors, []);
    await close();
    await site.close();
  });
}
