// Tests `toponym/map`, and the adapter for MapLibre where it needs no map: every option of the control, offline.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { suggester, view } from "../../pkg-build/npm/src/map.js";
import { Project } from "./harness.mjs";

let project, geo, adapter, HttpGeocoder;

before(async () => {
  project = new Project(["npm", "npm-maplibre"]);
  project.write("use.mjs", 'export * as adapter from "toponym-maplibre";\nexport { Geocoder } from "toponym";\nexport { HttpGeocoder } from "toponym/http";\n');
  const { Geocoder, ...others } = await import(pathToFileURL(project.path("use.mjs")));
  ({ adapter, HttpGeocoder } = others);
  geo = await Geocoder.load();
});

after(() => {
  geo?.free();
  project?.remove();
});

for (const [what, place, box] of [
  ["its own box", { boundingbox: [48.7, 49, 2.2, 2.5], lat: 48.8, lon: 2.3, type: "city" }, [2.2, 48.7, 2.5, 49]],
  ["over the date line", { boundingbox: [-23, -11, 174, -176], lat: -17, lon: 178, type: "country" }, [174, -23, 184, -11]],
  ["a city", { lat: 0, lon: 10, type: "city" }, [9.91, -0.09, 10.09, 0.09]],
  ["a kind before its type is known", { lat: 0, lon: 10, kind: "country", type: "administrative" }, [6.41, -3.59, 13.59, 3.59]],
  ["wider in degrees in the north", { lat: 60, lon: 10, type: "city" }, [9.82, 59.91, 10.18, 60.09]],
  ["at the pole", { lat: 90, lon: 0, type: "station" }, [-0.1, 89.99, 0.1, 90.01]],
  ["any type", { lat: 0, lon: 0, type: "castle" }, [-0.02, -0.02, 0.02, 0.02]],
]) {
  test(`a map shows ${what}`, () => {
    assert.deepEqual(view(place).map((degrees) => Math.round(degrees * 100) / 100 + 0), box.map((degrees) => degrees + 0));
  });
}

const named = (place_id) => ({ place_id, display_name: `place ${place_id}` });

test("suggestions are complete where that fetches nothing", async () => {
  const source = { autocomplete: () => [named(3), { display_name: "no id" }], place: async (id) => ({ ...named(id), boundingbox: [1, 2, 3, 4] }) };
  assert.deepEqual(await suggester(source)("p"), [{ ...named(3), boundingbox: [1, 2, 3, 4] }, { display_name: "no id" }]);
  for (const kind of ["remote", "paged"]) {
    const fetching = { ...source, [kind]: true, place: () => assert.fail("a request for each suggestion") };
    assert.deepEqual(await suggester(fetching)("p"), [named(3), { display_name: "no id" }], kind);
  }
});

test("of the first places only those that are written so are shown", async () => {
  const first = [{ display_name: "Monaco" }, { display_name: "Monaco-Ville, Monaco" }];
  const all = [named(1)];
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const source = {
    isComplete: false,
    autocomplete: () => (source.isComplete ? all : first),
    complete: () => arrived.then(() => void (source.isComplete = true)),
    place: async () => null,
  };
  const ask = suggester(source);
  assert.deepEqual(await ask("monaco v"), [first[1]]);
  const [older, newer] = [ask("monaco di"), ask("monaco di bav")];
  arrive();
  assert.deepEqual(await Promise.all([older, newer]), [all, all]);
});

test("the first places are shown if no others come", async () => {
  const first = [{ display_name: "Monaco" }];
  const source = { isComplete: false, autocomplete: () => first, complete: () => Promise.reject(new Error("offline")) };
  assert.deepEqual(await suggester(source)("monaco di bav"), first);
});

test("each suggester asks in a group of its own", async () => {
  const groups = [];
  const source = { autocomplete: (_, { group }) => (groups.push(group), []) };
  const [one, another] = [suggester(source), suggester(source)];
  for (const ask of [one, another, one]) await ask("p");
  assert.ok(groups[0] === groups[2] && groups[0] !== groups[1] && groups[0], String(groups));
});

test("white space at the end of a text that is being typed is kept", async () => {
  const asked = [];
  const api = adapter.geocoderApi({ autocomplete: (text) => (asked.push(text), []) }, { typing: true });
  for (const query of ["san ", " "]) await api.forwardGeocode({ query });
  assert.deepEqual(asked, ["san "]);
});

test("a question that a newer one supersedes gets its answer", async () => {
  const waiting = {};
  const source = { remote: true, autocomplete: (text) => new Promise((answer, fail) => (waiting[text] = { answer, fail })) };
  const ask = suggester(source);
  const [older, newer] = [ask("p"), ask("pa")];
  waiting.p.fail(Object.assign(new Error("a newer one"), { code: "superseded" }));
  waiting.pa.answer([named(1)]);
  assert.deepEqual(await Promise.all([older, newer]), [[named(1)], [named(1)]]);
  const failing = ask("par");
  waiting.par.fail(new Error("broken"));
  await assert.rejects(failing, /broken/);
});

const names = ({ features }) => features.map(({ place_name }) => place_name);

test("MapLibre: a finished text and an unfinished one", async () => {
  const finished = await adapter.geocoderApi(geo).forwardGeocode({ query: "Paris, Texas", limit: 1 });
  const [{ type, text, place_name, place_type, center, bbox, geometry, properties }] = finished.features;
  assert.deepEqual([type, text, place_name], ["Feature", "Paris", "Paris, Texas, United States"]);
  assert.deepEqual(center, [properties.lon, properties.lat]);
  assert.deepEqual(geometry, { type: "Point", coordinates: center });
  assert.ok(bbox[0] < center[0] && center[0] < bbox[2] && bbox[1] < center[1] && center[1] < bbox[3]);
  assert.ok(place_type[0]);
  const typed = await adapter.geocoderApi(geo, { typing: true }).forwardGeocode({ query: "monaco di bav" });
  assert.deepEqual(names(typed), ["Munich, Bavaria, Germany"]);
  for (const query of ["", "  ", undefined]) assert.deepEqual(names(await adapter.geocoderApi(geo).forwardGeocode({ query })), []);
});

test("MapLibre: a text that a newer one supersedes is not an error, and shows what the newer one finds", async () => {
  const fetch = async (_, { body }) => Response.json([{ display_name: JSON.parse(body).q, lat: 1, lon: 2 }]);
  const api = adapter.geocoderApi(new HttpGeocoder("https://example.com", { token: "t", fetch }), { typing: true });
  const found = await Promise.all(["p", "pa"].map((query) => api.forwardGeocode({ query })));
  assert.deepEqual(found.map(names), [["pa"], ["pa"]]);
});

// The control's types say texts, it passes arrays.
for (const [what, config, expected] of [
  ["countries", { query: "Paris", countries: "us" }, /United States$/],
  ["countries as the control passes them", { query: "Paris", countries: ["us", "ca"] }, /United States$|Canada$/],
  ["types", { query: "Oslo", types: ["airport"] }, /Airport/],
  ["language", { query: "Munich", language: ["de-CH", "fr"], limit: 1 }, /^München, /],
  ["bbox", { query: "Paris", bbox: [-100, 30, -90, 40] }, /Texas|Arkansas|Missouri/],
  ["no proximity", { query: "Springfield", limit: 1 }, /Illinois/],
  ["proximity", { query: "Springfield", proximity: [-72.59, 42.1], limit: 1 }, /Massachusetts/],
]) {
  test(`MapLibre: ${what}`, async () => {
    const found = names(await adapter.geocoderApi(geo).forwardGeocode(config));
    assert.ok(found.length > 0, "something is found");
    for (const name of found) assert.match(name, expected);
  });
}

test("MapLibre: how many, of which there are at most ten for an unfinished text and a point", async () => {
  const counts = async (limit) => {
    const [finished, typing] = [adapter.geocoderApi(geo), adapter.geocoderApi(geo, { typing: true })];
    const found = [finished.forwardGeocode({ query: "Santa Cruz", limit }), typing.forwardGeocode({ query: "san", limit }), finished.reverseGeocode({ query: [2.3488, 48.8534], limit })];
    return (await Promise.all(found)).map(({ features }) => features.length);
  };
  assert.deepEqual(await counts(2), [2, 2, 2]);
  assert.deepEqual(await counts(12), [12, 10, 10]);
});

test("MapLibre: what is at a point, and nothing at sea", async () => {
  const api = adapter.geocoderApi(geo);
  assert.match(names(await api.reverseGeocode({ query: [2.3488, 48.8534], limit: 1 }))[0], /Paris/);
  assert.deepEqual(names(await api.reverseGeocode({ query: [-140, 0], limit: 1 })), []);
});

test("MapLibre: a name is not read as HTML, and may contain commas", () => {
  const { display } = adapter;
  const feature = { text: "Washington, <b>D.C.</b>", place_name: "Washington, <b>D.C.</b>, United States" };
  const html = display.render(feature);
  assert.ok(!html.includes("<b>"), html);
  assert.ok(html.includes(">Washington, &lt;b&gt;D.C.&lt;/b&gt;<"), html);
  assert.ok(html.includes(">United States<"), html);
  assert.equal(display.getItemValue(feature), feature.place_name);
  assert.match(display.popupRender(feature), /popup-suggestion-title/);
});
