// The question's options on a search field: the element, and its components for React and Vue.

import { escapeHtml } from "../../../../build/npm/label.js";
import { isText, typedOptions } from "../question.mjs";
import { literal } from "./javascript.mjs";
import { indented, tag } from "./text.mjs";

/** `undefined` for a question that no search field asks. */
export function element(asked) {
  if (!isText(asked)) return undefined;
  const { focus, ...options } = typedOptions(asked);
  const given = { id: "where", name: "where", ...options, ...(focus && { "focus-at": [focus.lat, focus.lon] }) };
  const attributes = Object.entries(given).map(([name, value]) => `${name}="${escapeHtml(String(value))}"`);
  return `<script type="module">import "toponym/element";</script>

<label for="where">Where to?</label>
${tag("toponym-autocomplete", attributes, "></toponym-autocomplete>")}`;
}

export function react(asked) {
  if (!isText(asked)) return undefined;
  const props = Object.entries(typedOptions(asked)).map(([name, value]) => (isWord(value) ? `${name}="${value}"` : `${name}={${literal(value)}}`));
  return `import { useState } from "react";
import { ToponymAutocomplete } from "toponym-react";

export function Where() {
  const [place, setPlace] = useState(null);
  return (
    <>
      <label htmlFor="where">Where to?</label>
${indented(tag("ToponymAutocomplete", ['id="where"', 'name="where"', ...props, "place={place}", "onChange={setPlace}"], " />"), "      ")}
      <output>{place?.display_name}</output>
    </>
  );
}`;
}

export function vue(asked) {
  if (!isText(asked)) return undefined;
  const bound = (value) => escapeHtml(literal(value, singleQuoted));
  const props = Object.entries(typedOptions(asked)).map(([name, value]) => (isWord(value) ? `${name}="${value}"` : `:${name}="${bound(value)}"`));
  return `<script setup>
import { ref } from "vue";
import { ToponymAutocomplete } from "toponym-vue";

const place = ref(null);
</script>

<template>
  <label for="where">Where to?</label>
${indented(tag("ToponymAutocomplete", ['id="where"', 'v-model="place"', 'name="where"', ...props], " />"))}
  <output>{{ place?.display_name }}</output>
</template>`;
}

/** Needs no quotation marks of a language in an attribute. */
const isWord = (value) => typeof value === "string" && /^[\w-]+$/.test(value);

const singleQuoted = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
