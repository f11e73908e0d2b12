// Tests the language of <toponym-autocomplete>: that of the page, or else of the browser, for its texts and for the names of places.

import assert from "node:assert/strict";

import { test } from "../browsers.mjs";
import { LANGUAGES, messagesFor } from "../../pkg-build/npm/src/element-languages.js";
import { MESSAGES } from "../../pkg-build/npm/src/element-messages.js";
import { open, search, site } from "./field.mjs";

test("every language has every text", () => {
  assert.ok(LANGUAGES.length >= 20, `${LANGUAGES.length} languages`);
  for (const language of LANGUAGES) {
    const { count, ...texts } = messagesFor([language]);
    const { count: english, ...others } = MESSAGES;
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(others).sort(), language);
    for (const [name, text] of Object.entries(texts)) assert.ok(text && text !== MESSAGES[name], `${language}: ${name}`);
    for (const number of [0, 1, 2, 3, 5, 10, 11, 21, 100]) assert.doesNotMatch(count(number), /undefined|#/, `${language}: ${number}`);
    assert.equal(Intl.PluralRules.supportedLocalesOf(language).length, 1, language);
  }
});

for (const [tags, label] of [
  [["de-AT"], "Ort"],
  [["pt-BR", "en"], "Lugar"],
  [["no"], "Sted"],
  [["zh-TW"], "地點"],
  [["zh-HK"], "地點"],
  [["zh-CN"], "地点"],
  [["eo", "fr"], "Lieu"],
  [["en-GB", "fr"], undefined],
  [["eo"], undefined],
  [["not a tag", "de"], "Ort"],
  [[], undefined],
]) {
  test(`the first language that is known: ${tags}`, () => assert.equal(messagesFor(tags)?.label, label));
}

for (const [number, text] of [[1, "1 вариант"], [2, "2 варианта"], [5, "5 вариантов"], [21, "21 вариант"]]) {
  test(`plural forms: ${text}`, () => assert.equal(messagesFor(["ru"]).count(number), text));
}

/** In the page: the label of the field's button, which is there in each language. */
const spoken = ({ field }, label) => field.getByRole("button", { name: label, exact: true, includeHidden: true }).first();

/** Opens the page in a browser of a language. `of` says where the page says one. */
async function openIn(locale, prepare) {
  return open({ locale, prepare, before: (context) => context.addInitScript(() => document.addEventListener("DOMContentLoaded", () => document.documentElement.removeAttribute("lang"), { once: true })) });
}

test("a page that says no language speaks that of the browser, names too", async () => {
  const opened = await openIn("de-DE");
  await opened.input.focus();
  await spoken(opened, "Leeren").waitFor({ state: "attached" });
  await search(opened, "rom, ital", "Rom, Latium, Italien");
  assert.match(await opened.status.textContent(), /^\d Vorschl(ag|äge)$/);
  await opened.close();
});

for (const [where, prepare] of [
  ["the page", () => (document.documentElement.lang = "fr")],
  ["a part of the page", (field) => (field.closest("main").lang = "fr")],
  ["the field", (field) => (field.lang = "fr")],
  ["what is around the shadow", (field) => {
    const host = document.createElement("div");
    host.lang = "fr";
    document.querySelector("main").append(host);
    host.attachShadow({ mode: "open" }).append(field);
  }],
]) {
  test(`the language of ${where} comes first`, async () => {
    const opened = await openIn("de-DE", prepare);
    await opened.input.focus();
    await spoken(opened, "Effacer").waitFor({ state: "attached" });
    await opened.input.fill("londre");
    await opened.options.first().filter({ hasText: /^Londres, .*Royaume-Uni$/ }).waitFor();
    await opened.close();
  });
}

test("the page's own texts come before those of a language", async () => {
  const opened = await open({ prepare: (field) => ((field.lang = "fr"), (field.messages = { reset: "Vider" })) });
  await spoken(opened, "Vider").waitFor({ state: "attached" });
  assert.deepEqual(await opened.field.evaluate(async (field) => {
    while (field.messages.label !== "Lieu") await new Promise((resume) => setTimeout(resume, 20));
    return [field.messages.reset, field.messages.recent];
  }), ["Vider", "Lieux récents"]);
  await opened.close();
});

test("who speaks English loads no other language", async () => {
  const before = site.count("element-languages.js");
  const opened = await open();
  await search(opened, "rome", "Rome");
  assert.equal(site.count("element-languages.js"), before);
  await opened.close();
});

test("without the file of languages it speaks English", async () => {
  const opened = await open({ before: (context) => context.route("**/element-languages.js", (route) => route.fulfill({ status: 404 })), prepare: (field) => (field.lang = "fr") });
  await search(opened, "londre", "Londres");
  assert.match(await opened.status.textContent(), /suggestion/);
  await opened.close();
});
