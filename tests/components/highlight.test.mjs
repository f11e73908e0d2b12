// Tests what the search field marks in a name: cases of name, typed text, the parts that match, and whether they explain
// why the place was found.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { PACKAGE } from "../packaging/harness.mjs";

const { explains, matches } = await import(pathToFileURL(join(PACKAGE, "element-highlight.js")));
const { partsOf } = await import(pathToFileURL(join(PACKAGE, "element-option.js")));

for (const [name, typed, parts, isClear] of [
  ["Munich", "mun", ["Mun"], true],
  ["Munich", "MUNICH", ["Munich"], true],
  ["Köln", "kol", ["Köl"], true],
  ["Koln", "köl", ["Kol"], true],
  ["München Hauptbahnhof", "muench haupt", ["Haupt"], false],
  ["München Hauptbahnhof", "muenchen haupt", ["München", "Haupt"], true],
  ["Straße des 17. Juni", "strass", ["Straß"], true],
  ["Tromsø", "tromso", ["Tromsø"], true],
  ["Tromsø", "tromsoe", ["Tromsø"], true],
  ["New York City", "new y", ["New", "Y"], true],
  ["Newcastle", "new ", [], false],
  ["York", "or", [], false],
  ["São Tomé and Príncipe", "sao tome", ["São", "Tomé"], true],
  ["Munich", "monaco di bav", [], false],
  ["東京スカイツリー", "東京", ["東京"], true],
  ["がか", "か", [], false],
  ["서울", "서우", ["서울"], true],
  ["Washington, D.C.", "washington, d", ["Washington", "D"], true],
  ["L'Aquila", "l'aq", ["L", "Aq"], true],
  ["İstanbul", "istan", ["İstan"], true],
  ["Αθήνα", "αθηνα", ["Αθήνα"], true],
  ["القاهرة", "القَاه", ["القاه"], true],
  ["e\u0301vry", "ev", ["e\u0301v"], true],
  ["Paris", "", [], true],
  ["Paris", "?!", [], true],
]) {
  test(`"${typed}" in "${name}"`, () => {
    assert.deepEqual(matches(name, typed).map(([start, end]) => name.slice(start, end)), parts);
    assert.equal(explains(name, typed), isClear);
  });
}

const place = (display_name, name, matched) => ({ display_name, ...(name && { name }), ...(matched && { matched: { name: matched } }) });

for (const [what, given, typed, expected] of [
  ["another name is shown", place("Munich, Bavaria, Germany", "Munich", "monaco di baviera"), "monaco di bav", ["Munich", "Bavaria, Germany", "monaco di baviera"]],
  ["a slip in another name too", place("Venice, Veneto, Italy", "Venice", "venezia"), "venezzi", ["Venice", "Veneto, Italy", "venezia"]],
  ["a code is shown", place("Charles de Gaulle, Paris", "Charles de Gaulle", "CDG"), "cdg", ["Charles de Gaulle", "Paris", "CDG"]],
  ["a slip in the name is not another name", place("Paris, Texas, United States", "Paris", "Paris"), "parsi", ["Paris", "Texas, United States", undefined]],
  ["nor is its spelling", place("München Hauptbahnhof, Munich", "München Hauptbahnhof", "muenchen hauptbahnhof"), "muenchen", ["München Hauptbahnhof", "Munich", undefined]],
  ["areas explain too", place("Paris, Texas, United States", "Paris", "Paris"), "paris tex", ["Paris", "Texas, United States", undefined]],
  ["a name with a comma", place("Washington, D.C., United States", "Washington, D.C."), "wash", ["Washington, D.C.", "United States", undefined]],
  ["no name in the answer", place("Oslo, Norway"), "os", ["Oslo", "Norway", undefined]],
  ["a label that does not begin with the name", place("Berlin Ostbahnhof, Berlin", "Ostbahnhof"), "ost", ["Berlin Ostbahnhof", "Berlin", undefined]],
  ["a place without areas", place("Strait of Hormuz", "Strait of Hormuz"), "horm", ["Strait of Hormuz", "", undefined]],
]) {
  test(what, () => {
    const { name, areas, matched } = partsOf(given, typed);
    assert.deepEqual([name, areas, matched], expected);
  });
}
