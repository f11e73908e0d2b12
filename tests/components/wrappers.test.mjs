// Tests the wrappers for React and Vue: their examples, built by Vite and opened in Chromium, are the same page and pass the
// same cases; and a server renders them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before } from "node:test";

import { test } from "../browsers.mjs";
import { looked } from "./accessibility.mjs";
import { Project, answered, launch, opened } from "./harness.mjs";

let project, chromium;

before(async () => {
  project = new Project(["npm", "npm-react", "npm-vue"]);
  chromium = await launch();
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

/** Props of every kind, for both frameworks. */
const PROPS = {
  name: "where", label: "Where to?", required: true, disabled: false, recent: false, locate: true, icons: true, delay: 0, minLength: 2, limit: 3,
  countries: ["FR", "BE"], types: ["city"], bbox: [-5, 41, 10, 51], within: 3017382, focus: { lat: 48.8, lon: 2.3 }, fields: ["population"],
};

/** The attributes that they are. */
const ATTRIBUTES = {
  name: "where", label: "Where to?", required: "", locate: "", icons: "", delay: "0", minlength: "2", limit: "3",
  countries: "FR BE", types: "city", bbox: "-5,41,10,51", within: "3017382", "focus-at": "48.8,2.3", fields: "population",
};

/**
 * Pages that render the component with `props` of the window whenever \`show(props)\` is called. `told` are its events.
 */
const SETTABLE = {
  react: `
    import { createElement } from "react";
    import { flushSync } from "react-dom";
    import { createRoot } from "react-dom/client";
    import { EVENTS } from "toponym/element";
    import { ToponymAutocomplete } from "toponym-react";
    window.told = [];
    const events = Object.fromEntries(EVENTS.map((type) => ["on" + type[0].toUpperCase() + type.slice(1), (detail, event) => told.push([type, detail === event.detail])]));
    const root = createRoot(document.querySelector("main"));
    window.EVENTS = EVENTS;
    window.show = (props) => flushSync(() => root.render(createElement(ToponymAutocomplete, { ...props, ...events })));`,
  vue: `
    import { createApp, h, nextTick, shallowRef } from "vue";
    import { EVENTS } from "toponym/element";
    import { ToponymAutocomplete } from "toponym-vue";
    window.told = [];
    const events = Object.fromEntries(EVENTS.map((type) => ["on" + type[0].toUpperCase() + type.slice(1), (detail, event) => told.push([type, detail === event.detail])]));
    const props = shallowRef({});
    createApp(() => h(ToponymAutocomplete, { ...props.value, ...events })).mount("main");
    window.EVENTS = EVENTS;
    window.show = (given) => ((props.value = given), nextTick());`,
};

for (const [name, script] of Object.entries(SETTABLE)) {
  test(`${name}: every setting, property and event of the element`, async () => {
    const site = await project.page(`${name}-settable`, script);
    const { page, close } = await opened(chromium, site.url, { wait: () => window.show });
    const attributes = () =>
      page.evaluate(() => Object.fromEntries([...document.querySelector("toponym-autocomplete").attributes].map(({ name, value }) => [name, value === "true" ? "" : value])));
    await page.evaluate((props) => show(props), PROPS);
    assert.deepEqual(await attributes(), ATTRIBUTES);
    assert.deepEqual(await page.evaluate(() => document.querySelector("toponym-autocomplete").focusAt), PROPS.focus);
    await page.evaluate((props) => show({ ...props, recent: true, limit: undefined, required: false }), PROPS);
    const { limit, required, ...others } = ATTRIBUTES;
    assert.deepEqual(await attributes(), { ...others, recent: "" }, "what changes, and what is taken back");
    const objects = await page.evaluate(async () => {
      const field = document.querySelector("toponym-autocomplete");
      const given = { geocoder: { autocomplete: () => [] }, messages: { none: "rien" }, template: () => "x", options: { limit: 1 } };
      const seen = () => [field.geocoder === given.geocoder, field.messages.none, field.template === given.template, field.options.limit];
      await show(given);
      const before = seen();
      await show({});
      return [before, seen()];
    });
    assert.deepEqual(objects, [[true, "rien", true, 1], [false, "No place found", false, null]].map((row) => row.map((value) => value ?? undefined)));
    const told = await page.evaluate(() => {
      const field = document.querySelector("toponym-autocomplete");
      for (const type of EVENTS) field.dispatchEvent(new CustomEvent(type, { detail: {} }));
      return told;
    });
    assert.deepEqual(told, (await page.evaluate(() => EVENTS)).map((type) => [type, true]));
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
    const field = createElement(ToponymAutocomplete, { name: "where", required: true, disabled: false, recent: true, countries: ["FR", "BE"], className: "wide" });
    console.log(renderToString(field));`,
  vue: `
    import { createSSRApp, h } from "vue";
    import { renderToString } from "vue/server-renderer";
    import { ToponymAutocomplete } from "toponym-vue";
    const field = { render: () => h(ToponymAutocomplete, { name: "where", required: "", recent: "", countries: ["FR", "BE"], class: "wide" }) };
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
    await answered(page.locator("toponym-autocomplete"));
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
    for (const attribute of [/name="where"/, /required/, /recent(=""| |>)/, /class="wide"/, /countries="FR BE"/]) assert.match(html, attribute);
    assert.doesNotMatch(html, /disabled|\[object/);
  });
}
