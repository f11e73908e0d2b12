// Tests the wrappers for React and Vue: their examples, built by Vite and opened in Chromium, are the same page and pass the
// same cases; and a server renders them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";

import { looked } from "./accessibility.mjs";
import { Project, browser, opened } from "./harness.mjs";

let project, chromium;

before(async () => {
  project = new Project(["npm", "npm-react", "npm-vue"]);
  chromium = await browser();
});

after(async () => {
  await chromium?.close();
  project?.remove();
});

/** A geocoder with private fields, like those of the package. */
const OWN = `
    class Own {
      #name = "Own";
      autocomplete(text) {
        return [{ display_name: \`\${this.#name} \${text}\`, lat: 1, lon: 2 }];
      }
    }`;

/** Pages that give the component a geocoder. */
const WITH_GEOCODER = {
  react: `${OWN}
    import { createElement, useState } from "react";
    import { createRoot } from "react-dom/client";
    import { ToponymAutocomplete } from "toponym-react";
    function Page() {
      const [geocoder] = useState(() => new Own());
      return createElement(ToponymAutocomplete, { label: "Where to?", geocoder });
    }
    createRoot(document.querySelector("main")).render(createElement(Page));`,
  vue: `${OWN}
    import { createApp, h, ref } from "vue";
    import { ToponymAutocomplete } from "toponym-vue";
    const geocoder = ref(new Own());
    createApp(() => h(ToponymAutocomplete, { label: "Where to?", geocoder: geocoder.value })).mount("main");`,
};

for (const [name, script] of Object.entries(WITH_GEOCODER)) {
  test(`${name}: a geocoder of the page`, async () => {
    const site = await project.page(`${name}-geocoder`, script);
    const { page, close } = await opened(chromium, site.url, { wait: () => document.querySelector("toponym-autocomplete")?.matches(":defined") });
    await page.getByRole("combobox", { name: "Where to?" }).fill("par");
    await page.getByRole("option").filter({ hasText: "Own par" }).waitFor();
    assert.deepEqual(page.errors, []);
    await close();
    await site.close();
  });
}

/** Programs that render the component on a server. */
const SERVERS = {
  react: `
    import { createElement } from "react";
    import { renderToString } from "react-dom/server";
    import { ToponymAutocomplete } from "toponym-react";
    const field = createElement(ToponymAutocomplete, { name: "where", required: true, disabled: false, recent: true, countries: ["FR"], className: "wide" });
    console.log(renderToString(field));`,
  vue: `
    import { createSSRApp, h } from "vue";
    import { renderToString } from "vue/server-renderer";
    import { ToponymAutocomplete } from "toponym-vue";
    const field = { render: () => h(ToponymAutocomplete, { name: "where", required: "", recent: "", countries: ["FR"], class: "wide" }) };
    console.log(await renderToString(createSSRApp(field)));`,
};

for (const [name, script] of Object.entries(SERVERS)) {
  test(`${name}: the example`, async () => {
    const site = await project.example(name);
    const { page, close } = await opened(chromium, site.url, { wait: () => document.querySelector("toponym-autocomplete")?.matches(":defined") });
    const input = page.getByRole("combobox", { name: "Where to?" });
    const first = page.getByRole("option").first();
    const output = page.locator("output");

    await input.fill("par");
    await first.filter({ hasText: "Paris" }).waitFor();
    assert.equal(await page.getByRole("option").count(), 4, "limit");
    await looked(page, `${name}-open`);
    await page.getByText("Places: GeoNames").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await output.filter({ hasText: /^Paris, .*: 48\.8/ }).waitFor();
    await looked(page, `${name}-chosen`);

    await page.getByRole("button", { name: "Oslo" }).click();
    await output.filter({ hasText: "Oslo, Norway: 59.91273" }).waitFor();
    assert.equal(await input.inputValue(), "Oslo, Norway", "the page sets the place");
    await page.getByRole("button", { name: "Nowhere" }).click();
    await output.filter({ hasText: "no place" }).waitFor();
    assert.equal(await input.inputValue(), "", "the page empties the field");

    await page.getByLabel("only France").check();
    await page.getByRole("button", { name: "Search" }).click();
    await page.keyboard.type("vienn");
    await first.filter({ hasText: "Vienne" }).waitFor();
    // All at once, since the list grows shorter with each letter.
    for (const option of await page.getByRole("option").allTextContents()) assert.match(option, /France$/, "filters");

    await page.keyboard.press("Escape");

    // Typing drops the choice, which the page hears of when the field is left.
    await page.getByRole("button", { name: "Oslo" }).click();
    await input.fill("x");
    await page.getByRole("button", { name: "Search" }).focus();
    await output.filter({ hasText: "no place" }).waitFor();
    assert.equal(await input.inputValue(), "x", "the text of the user stays");
    const element = page.locator("toponym-autocomplete");
    assert.deepEqual(await element.evaluate((field) => [field.name, field.required, field.disabled]), ["where", true, false]);
    assert.equal(await element.getAttribute("class"), "wide");
    assert.deepEqual(page.errors, []);
    await close();
    await site.close();
  });

  test(`${name}: on a server`, () => {
    project.write(`${name}.mjs`, script);
    const html = execFileSync(process.execPath, [project.path(`${name}.mjs`)], { encoding: "utf8" });
    assert.match(html, /^<toponym-autocomplete [^>]*><\/toponym-autocomplete>\s*$/);
    for (const attribute of [/name="where"/, /required/, /recent/, /class="wide"/]) assert.match(html, attribute);
    assert.doesNotMatch(html, /disabled|countries|\[object/);
  });
}
