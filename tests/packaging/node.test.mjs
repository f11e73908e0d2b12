// Tests the package in Node: its contents, every method, every error, and that it remains usable after errors.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import { check as parseGeoJson } from "@placemarkio/check-geojson";

import { EXPORTS, IMPORTS, Project, ROOT, Site, bytesOf } from "./harness.mjs";
import { answers, check } from "./questions.mjs";

let project, Geocoder, geo;

before(async () => {
  project = new Project();
  const use = project.write("use.mjs", 'export * from "toponym";\n');
  ({ Geocoder } = await import(pathToFileURL(use)));
  geo = await Geocoder.load();
});

after(() => {
  geo?.free();
  project?.remove();
});

function detached() {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

/** The code of what `work` throws. */
async function code(work) {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof Error, String(error));
    assert.ok(error.message.length > 10, `a message that helps: ${error.message}`);
    return typeof error.code === "string" ? error.code : error.name;
  }
  return "nothing";
}

test("the tarball holds what belongs there and nothing else", () => {
  const sources = ["about.js", "arguments.js", "attempts.js", "box.js", "calls.js", "coordinates.js", "core-module.js", "core.js", "command.js", "element-form.js", "element-highlight.js", "element-keys.js", "element-known.js", "element-languages.js", "element-list.js", "element-messages.js", "element-option.js", "element-options.js", "element-points.js", "element-popup.js", "element-recent.js", "element-source.js", "element-states.js", "element-style.js", "element-table.js", "element-threads.js", "element-tree.js", "element.d.ts", "element.js", "engine-pages.js", "engine-pages_bg.wasm", "engine.js", "engine_bg.wasm", "fault.js", "first.js", "geocoder.js", "geojson.d.ts", "geojson.js", "groups.js", "http.d.ts", "http.js", "in-place.js", "index.d.ts", "index.js", "inflate.js", "kept.js", "label.js", "languages.js", "map.d.ts", "map.js", "node.js", "pack.js", "paged.js", "pages.js", "places.d.ts", "places.js", "worker-thread.js", "worker.d.ts", "worker.js", "workerd.js"];
  const others = ["LICENSE-APACHE", "LICENSE-MIT", "NOTICES.txt", "README.md", "package.json", project.core, project.first];
  assert.deepEqual(project.packed.sort(), [...sources, ...others].sort());
  const readme = readFileSync(join(project.package, "README.md"), "utf8");
  for (const line of geo.about().attribution) assert.ok(readme.includes(line), line);
  const notices = readFileSync(join(project.package, "NOTICES.txt"), "utf8");
  for (const line of geo.about().attribution) assert.ok(notices.includes(line), line);
  const manifest = JSON.parse(readFileSync(join(project.package, "package.json"), "utf8"));
  assert.deepEqual([manifest.dependencies, manifest.scripts], [undefined, undefined]);
});

// The wasm of local runs is larger than that of a release, whose size tests/snapshots/size.txt keeps; so are packs, by 6 %.
test("the packs are as small as they should be", () => {
  for (const [pack, most] of [[project.core, 2.9e6], [project.first, 4.8e5]]) {
    const { length } = bytesOf(project, pack);
    assert.ok(length <= most, `${pack}: ${length} bytes`);
  }
});

test("the first pack answers as the core pack does, with the places that it has", async () => {
  const first = await Geocoder.load({ bytes: bytesOf(project, project.first) });
  assert.equal(first.about().title, "first");
  assert.deepEqual(first.about().attribution, geo.about().attribution);
  for (const text of ["par", "new york", "münchen", "calif", "日本", "mount everest"]) {
    const [place] = first.autocomplete(text);
    assert.deepEqual(place, geo.autocomplete(text)[0], text);
  }
  first.free();
});

test("all places are there at once", async () => {
  assert.equal(geo.isComplete, true);
  assert.equal(await geo.complete(), undefined);
  await assert.rejects(geo.complete({ signal: AbortSignal.abort("enough") }), (reason) => reason === "enough");
});

test("every query is answered", async () => {
  check(await answers(geo));
});

test("the package can be required", () => {
  const script = 'const { Geocoder } = require("toponym"); console.log(typeof Geocoder.load)';
  assert.equal(execFileSync(process.execPath, ["-e", script], { cwd: project.folder, encoding: "utf8" }).trim(), "function");
});

test("an engine that could not be read is read again for the next geocoder", () => {
  const script = project.write("again.mjs", `import { renameSync } from "node:fs";
import { Geocoder } from "toponym";
const wasm = process.argv[2];
renameSync(wasm, wasm + ".gone");
const first = await Geocoder.load().then(() => "loaded", () => "failed");
renameSync(wasm + ".gone", wasm);
console.log(first, await Geocoder.load().then(() => "loaded", () => "failed"));
`);
  const said = execFileSync(process.execPath, [script, join(project.package, "engine_bg.wasm")], { encoding: "utf8" });
  assert.equal(said.trim(), "failed loaded");
});

test("a pack by bytes, plain or packed, and by address", async () => {
  const packed = bytesOf(project);
  const { inflated } = await import(pathToFileURL(join(project.package, "inflate.js")));
  const plain = await inflated(packed);
  assert.equal(Buffer.from(plain.subarray(0, 7)).toString(), "TOPONYM");
  const site = await Site.of(project.package);
  const sources = [
    { bytes: packed },
    { bytes: plain },
    { bytes: plain.buffer },
    { bytes: gzipSync(plain, { level: 1 }) },
    { bytes: gunzipSync(packed) },
    { url: pathToFileURL(join(project.package, project.core)) },
    { url: `${site.url}/${project.core}` },
  ];
  for (const source of sources) {
    const other = await Geocoder.load(source);
    assert.deepEqual(other.forward("Rome", { limit: 1 }), geo.forward("Rome", { limit: 1 }));
    other.free();
  }
  await site.close();
});

test("packs answer together", async () => {
  const bytes = bytesOf(project);
  const both = await Geocoder.load({ packs: ["core", { bytes }] });
  for (const query of ["Rome", "Paris, Texas", "CDG", "nothing like it"]) {
    assert.deepEqual(both.forward(query), geo.forward(query));
  }
  assert.deepEqual(both.autocomplete("ber"), geo.autocomplete("ber"));
  assert.deepEqual(both.reverse(48.86, 2.35), geo.reverse(48.86, 2.35));
  assert.deepEqual(both.about(), geo.about());
  both.free();
  assert.equal(await code(() => Geocoder.load({ packs: ["core", { bytes: new Uint8Array(9) }] })), "invalid_index");
});

test("postal codes beside the core pack", async () => {
  const bytes = readFileSync(join(ROOT, "build/postcodes.toponym"));
  const both = await Geocoder.load({ packs: ["core", { bytes }] });
  const first = (query) => both.forward(query)[0];
  const [code, alone] = [first("75001 Paris"), first("Paris")];
  assert.deepEqual([code.type, code.address.postcode, code.address.city], ["postal_code", "75001", "Paris"]);
  assert.equal(alone.place_id, geo.forward("Paris")[0].place_id);
  assert.equal(both.autocomplete("75001")[0].display_name, code.display_name);
  assert.deepEqual(both.reverse(48.8627, 2.3363), geo.reverse(48.8627, 2.3363));
  const credits = both.about().attribution;
  for (const line of geo.about().attribution) assert.ok(credits.includes(line), line);
  assert.ok(credits.some((line) => line.includes("Open Database License")), credits.join("\n"));
  both.free();
});

test("progress is reported", async () => {
  const site = await Site.of(project.package);
  const seen = [];
  (await Geocoder.load({ url: `${site.url}/${project.core}`, onProgress: (progress) => seen.push(progress) })).free();
  const size = bytesOf(project).length;
  assert.deepEqual(seen[0], { loaded: 0, total: size, cached: false });
  assert.deepEqual(seen.at(-1), { loaded: size, total: size, cached: false });
  assert.ok(seen.every(({ loaded }, at) => at === 0 || loaded >= seen[at - 1].loaded));
  await site.close();
});

test("bad arguments are errors with a code, and the next call answers", async () => {
  const expected = JSON.stringify(geo.forward("Rome"));
  const throws = { get limit() { throw new RangeError("a getter of the caller's"); } };
  const cases = [
    () => geo.forward(),
    () => geo.forward(null),
    () => geo.forward(42),
    () => geo.forward({}),
    () => geo.forward(Symbol("a")),
    () => geo.forward(""),
    () => geo.forward(" \t\n"),
    () => geo.forward("a".repeat(501)),
    () => geo.forward("a".repeat(1e6)),
    () => geo.forward("🏔".repeat(501)),
    () => geo.forward("a", "b"),
    () => geo.forward("a", []),
    () => geo.forward("a", { limit: 0 }),
    () => geo.forward("a", { limit: 51 }),
    () => geo.forward("a", { limit: 1.5 }),
    () => geo.forward("a", { limit: NaN }),
    () => geo.forward("a", { limit: Infinity }),
    () => geo.forward("a", { limit: "5" }),
    () => geo.forward("a", { limit: 5n }),
    () => geo.forward("a", { lang: 1 }),
    () => geo.forward("a", { lang: "x".repeat(1000) }),
    () => geo.forward("a", { countries: "FR" }),
    () => geo.forward("a", { countries: ["FRA"] }),
    () => geo.forward("a", { countries: [1] }),
    () => geo.forward("a", { countries: new Array(1e5).fill("FR") }),
    () => geo.forward("a", { focus: 1 }),
    () => geo.forward("a", { focus: {} }),
    () => geo.forward("a", { focus: { lat: 91, lon: 0 } }),
    () => geo.forward("a", { focus: { lat: NaN, lon: 0 } }),
    () => geo.autocomplete("a", { limit: 11 }),
    () => geo.autocomplete(),
    () => geo.reverse(),
    () => geo.reverse("48", "2"),
    () => geo.reverse(91, 0),
    () => geo.reverse(0, 180.1),
    () => geo.reverse(NaN, NaN),
    () => geo.batch(),
    () => geo.batch("Rome"),
    () => geo.batch([]),
    () => geo.batch(new Array(101).fill("a")),
    () => geo.batch([1]),
    () => geo.batch([,]),
    () => geo.batch({ length: 1e9 }),
    () => new Geocoder({}),
    () => Geocoder.load({ bytes: "no bytes" }),
    () => Geocoder.load({ bytes: [1, 2, 3] }),
    () => Geocoder.load({ bytes: new SharedArrayBuffer(8) }),
    () => Geocoder.load({ bytes: detached() }),
    () => Geocoder.load("core"),
    () => Geocoder.load({ url: 5 }),
    () => Geocoder.load({ packs: [] }),
    () => Geocoder.load({ packs: "core" }),
    () => Geocoder.load({ packs: ["full"] }),
    () => Geocoder.load({ packs: [null] }),
    () => Geocoder.load({ packs: new Array(17).fill("core") }),
    () => Geocoder.load({ packs: ["core"], url: "http://127.0.0.1/" }),
    () => Geocoder.load({ url: "no/address/without/a/page" }),
    () => Geocoder.load({ url: "http://127.0.0.1/", sha256: "ab" }),
    () => Geocoder.load({ url: "http://127.0.0.1/", size: "3" }),
    () => Geocoder.load({ signal: {} }),
    () => Geocoder.load({ onProgress: "often" }),
    () => geo.forward({}),
    () => geo.forward({ city: " " }),
    () => geo.forward({ city: 5 }),
    () => geo.forward({ city: "a".repeat(501) }),
    () => geo.autocomplete({ city: "Paris" }),
    () => geo.forward("a", { types: "city" }),
    () => geo.forward("a", { types: ["pub"] }),
    () => geo.forward("a", { types: [5] }),
    () => geo.forward("a", { fields: "name" }),
    () => geo.forward("a", { fields: ["names"] }),
    () => geo.reverse(1, 2, { fields: [5] }),
    () => geo.batch(["a"], { fields: [""] }),
    () => geo.place(4, { fields: ["all", "name"] }),
    () => geo.forward("a", { bbox: [1, 2, 3] }),
    () => geo.forward("a", { bbox: [1, 9, 3, 4] }),
    () => geo.forward("a", { bbox: [1, 2, 3, NaN] }),
    () => geo.forward("a", { within: "France" }),
    () => geo.forward("a", { within: 0.5 }),
    () => geo.reverse(1, 2, { limit: 11 }),
    () => geo.reverse(1, 2, { radius: 0 }),
    () => geo.reverse(1, 2, { types: ["pub"] }),
    () => geo.batch([{}]),
    () => geo.batch([{ lat: 1 }]),
    () => geo.batch([null]),
    () => geo.batch(["a"], { lang: 5 }),
    () => geo.place(),
    () => geo.place("CDG"),
    () => geo.place(0),
    () => geo.place(1.5),
    () => geo.explain(),
    () => geo.explain(" "),
    () => geo.explain("a".repeat(501)),
    () => geo.explain("a", "b"),
    () => geo.explain("a", { limit: 51 }),
    () => geo.explain("a", { unfinished: 1 }),
    () => geo.forward("a", { signal: true }),
    () => geo.about({ signal: {} }),
  ];
  for (const work of cases) {
    assert.equal(await code(work), "invalid_argument", String(work));
    assert.equal(JSON.stringify(geo.forward("Rome")), expected, `after ${work}`);
  }
  assert.equal(await code(() => geo.forward("a", throws)), "RangeError");
  assert.equal(JSON.stringify(geo.forward("Rome")), expected);
});

test("what is allowed is not refused", () => {
  const allowed = [
    ["a", undefined],
    ["a", null],
    ["a", {}],
    ["a", { limit: null, lang: undefined, countries: null, focus: null, other: 1 }],
    ["🏔".repeat(500), {}],
    ["\ud800 lone", {}],
    ["\0\u202e", {}],
    ["a", { countries: ["fr", "BE"], lang: "no-such-language", focus: { lat: -90, lon: 180, alt: 3 } }],
  ];
  for (const [query, options] of allowed) assert.ok(Array.isArray(geo.forward(query, options)), JSON.stringify(query));
  // A field that is empty again.
  for (const nothing of ["", " \t"]) assert.deepEqual(geo.autocomplete(nothing), []);
  const [long] = geo.batch(["a".repeat(1e6)]);
  assert.deepEqual([long.status, long.query.length], ["error", 1e6]);
});

test("no text makes it fail", () => {
  // A fixed seed: a text that fails once fails always.
  let state = 12345;
  const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  const letters = [..."aeiounrst  ,-.'ßÅéñ東京дМ한עم\u0301\u200d\ud83c\udfd4\0\uffff(5"];
  for (let round = 0; round < 3000; round += 1) {
    const text = Array.from({ length: 1 + random(40) }, () => letters[random(letters.length)]).join("") + "x";
    assert.ok(geo.forward(text, { limit: 1 + random(50) }).length <= 50, text);
    assert.ok(geo.autocomplete(text).length <= 5, text);
    geo.reverse(random(181) - 90, random(361) - 180);
  }
});

test("damaged and cut packs are errors, never an index", async () => {
  const packed = bytesOf(project);
  const changed = (bytes, at) => (bytes = Buffer.from(bytes), (bytes[at] ^= 1), bytes);
  const plain = gunzipSync(packed);
  const cases = [
    Buffer.alloc(0),
    Buffer.from([0x1f, 0x8b]),
    Buffer.from("<!doctype html><title>Not Found</title>"),
    packed.subarray(0, packed.length - 1),
    packed.subarray(0, packed.length >> 1),
    changed(packed, packed.length >> 1),
    changed(packed, packed.length - 6),
    plain.subarray(0, 10),
    plain.subarray(0, 100),
    plain.subarray(0, plain.length - 8),
    ...[8, 12, 16, 20, 200, 5000, plain.length - 9].map((at) => changed(plain, at)),
  ];
  for (const [at, bytes] of cases.entries()) {
    assert.equal(await code(() => Geocoder.load({ bytes })), "invalid_index", `case ${at}`);
  }
  check(await answers(geo));
});

test("a file that is not there is an error with a code", async () => {
  assert.equal(await code(() => Geocoder.load({ url: "file:///no/such/pack.bin" })), "download_failed");
});

test("a pack is what its hash says, in digits of either case", async () => {
  const url = pathToFileURL(join(project.package, project.core));
  const sha256 = createHash("sha256").update(bytesOf(project)).digest("hex").toUpperCase();
  (await Geocoder.load({ url, sha256 })).free();
  assert.equal(await code(() => Geocoder.load({ url, sha256: "0".repeat(64) })), "invalid_index");
});

test("candidates have their signals", () => {
  const [paris, ...others] = geo.explain("parsi, france", { limit: 3, lang: "fr", countries: ["FR"] });
  assert.match(paris.display_name, /^Paris, .*France$/);
  const { place_id, cost, importance, confidence, ...signals } = paris;
  assert.equal(place_id, geo.forward("Paris, France")[0].place_id);
  assert.ok([importance, confidence].every((share) => share >= 0 && share <= 1) && cost > 1 - importance);
  const expected = { class: "Primary", edits: 1, prefix: false, context: [1, 0], dropped: 0, respelled: false, code: false };
  delete signals.display_name;
  assert.deepEqual(signals, expected);
  assert.ok(others.length <= 2 && others.every((other) => other.cost >= cost));
  const unfinished = geo.explain("pari", { unfinished: true });
  assert.deepEqual(unfinished.map((each) => each.display_name), geo.autocomplete("pari").map((each) => each.display_name));
  assert.equal(unfinished[0].prefix, true);
  const [airport] = geo.explain("airport CDG");
  assert.deepEqual([airport.code, airport.role], [true, "Airport"]);
  assert.deepEqual(geo.explain("xqzzvkj"), []);
});

test("loading can be given up", async () => {
  assert.equal(await code(() => Geocoder.load({ signal: AbortSignal.abort() })), "AbortError");
  const site = await Site.of(project.package);
  const controller = new AbortController();
  const loading = Geocoder.load({
    url: `${site.url}/${project.core}`,
    signal: controller.signal,
    onProgress: ({ loaded }) => loaded > 0 && controller.abort(),
  });
  await assert.rejects(loading, { name: "AbortError" });
  await site.close();
});

test("a call with an aborted signal fails with its reason, and every method takes one", () => {
  const { signal } = new AbortController();
  assert.deepEqual(geo.forward("Rome", { signal }), geo.forward("Rome"));
  const gone = { signal: AbortSignal.abort("enough") };
  const calls = [
    () => geo.forward("a", gone),
    () => geo.autocomplete("a", gone),
    () => geo.explain("a", gone),
    () => geo.reverse(1, 2, gone),
    () => geo.batch(["a"], gone),
    () => geo.place(4, gone),
    () => geo.about(gone),
  ];
  for (const call of calls) assert.throws(call, (reason) => reason === "enough", String(call));
});

test("using frees the memory", async () => {
  // Not `using` itself, which Node 22 does not know.
  for (const dispose of [Symbol.dispose, Symbol.asyncDispose]) {
    const other = await Geocoder.load();
    await other[dispose]();
    assert.equal(await code(() => other.forward("a")), "freed");
  }
});

test("a suggestion of a place in no country has no country code", () => {
  const [ocean] = geo.autocomplete("atlantic oc", { limit: 1 });
  assert.deepEqual([ocean.name, ocean.kind, "country_code" in ocean], ["Atlantic Ocean", "region", false]);
});

test("the id of a suggestion is that of its place", () => {
  for (const text of ["par", "lond", "CDG", "eiffel", "texa"]) {
    for (const { place_id, display_name, lat, kind } of geo.autocomplete(text)) {
      const place = geo.place(place_id);
      assert.deepEqual([place?.display_name, place?.lat], [display_name, lat], `${text}: ${place_id}`);
      assert.ok(geo.forward(display_name, { types: [kind], limit: 10 }).some((found) => found.place_id === place_id), display_name);
    }
  }
});

test("a trap of the engine is an error with a code, and others still answer", async () => {
  const { Geocoder: Engine } = await import(pathToFileURL(join(project.package, "engine.js")));
  const { inflated } = await import(pathToFileURL(join(project.package, "inflate.js")));
  const plain = await inflated(bytesOf(project));
  const codes = new Set();
  for (let part = 0; part < 20; part += 1) {
    // What a checksum would have refused: this is what trusted bytes must not be. A fixed seed, as above.
    const damaged = plain.slice();
    const start = 4096 + Math.floor((damaged.length * part) / 20);
    let state = 1;
    const noise = () => (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16;
    damaged.subarray(start, start + 200_000).forEach((_, at, bytes) => (bytes[at] = noise()));
    let other;
    try {
      other = new Geocoder(new Engine(damaged, true));
    } catch {
      continue;
    }
    for (const work of [() => other.forward("Paris"), () => other.autocomplete("lon"), () => other.reverse(48.85, 2.35), () => other.explain("amstredam")]) {
      codes.add(await code(work));
    }
  }
  assert.deepEqual([...codes].filter((each) => !["nothing", "internal"].includes(each)), []);
  assert.ok(codes.has("internal"), "at least one of them traps");
  check(await answers(geo));
});

test("lang: auto is the first language of the user that the pack has", async () => {
  const all = await Geocoder.load({ bytes: readFileSync(join(ROOT, "build/index.toponym")) });
  const answers = (lang) => [
    all.forward("Munich", { lang }),
    all.forward({ city: "Munich" }, { lang }),
    all.autocomplete("munic", { lang }),
    all.explain("Munich", { lang }),
    all.reverse(48.1372, 11.5755, { lang }),
    all.reverse(48.1372, 11.5755, { lang, limit: 3, types: ["city"] }),
    all.batch(["Munich", { lat: 48.1372, lon: 11.5755 }], { lang }),
    all.place(2867714, { lang }),
  ];
  const own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const preferring = (navigator) => Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  try {
    for (const [languages, expected] of [
      [["de-CH", "fr"], "de-CH"],
      [["tlh", "x-klingon", "fr-CA", "de"], "fr-CA"],
      [["zh-Hant-TW", "ja"], "zh-Hant"],
      [["tlh"], undefined],
      [[...Array(16).fill("tlh"), "de"], undefined],
    ]) {
      preferring({ languages });
      assert.deepEqual(answers("auto"), answers(expected), languages.join());
    }
    preferring({ languages: ["ja"] });
    assert.match(all.place("iso:DE", { lang: "auto" }).display_name, /ドイツ/);
    // Without a navigator, as in Node 20, or with one that knows no languages: the language of the system.
    const { locale } = Intl.DateTimeFormat().resolvedOptions();
    for (const navigator of [undefined, {}, { languages: [] }]) {
      preferring(navigator);
      assert.deepEqual(answers("auto"), answers(locale));
    }
  } finally {
    if (own) Object.defineProperty(globalThis, "navigator", own);
    else delete globalThis.navigator;
    all.free();
  }
});

test("lang: auto follows the locale of the system", () => {
  const use = project.write("auto.mjs", `import { Geocoder } from "toponym";
import { readFileSync } from "node:fs";
const geo = await Geocoder.load({ bytes: readFileSync(process.argv[2]) });
console.log(geo.place("iso:DE", { lang: "auto" }).display_name);
`);
  for (const [locale, expected] of [["de_AT.UTF-8", "Deutschland"], ["fr_FR.UTF-8", "Allemagne"], ["C", "Germany"]]) {
    const env = { ...process.env, LC_ALL: locale, LANG: locale };
    assert.equal(execFileSync(process.execPath, [use, join(ROOT, "build/index.toponym")], { env, encoding: "utf8" }).trim(), expected);
  }
});

test("answers as GeoJSON are valid", async () => {
  const use = project.write("geojson.mjs", 'export * from "toponym/geojson";\n');
  const { featureCollection } = await import(pathToFileURL(use));
  const all = {
    forward: geo.forward("Paris", { limit: 50 }),
    autocomplete: geo.autocomplete("par", { limit: 10 }),
    "a box over the date line": geo.forward("Fiji"),
    "one place": geo.reverse(48.8584, 2.2945),
    "no place": geo.reverse(0, -30),
    nothing: [],
    batch: geo.batch(["Rome", "xqzzvkj", " "]),
  };
  for (const [name, given] of Object.entries(all)) {
    const collection = featureCollection(given);
    assert.deepEqual(parseGeoJson(JSON.stringify(collection)), collection, name);
    const list = Array.isArray(given) ? given : given ? [given] : [];
    assert.deepEqual(collection.features.map(({ properties }) => properties), list.map(({ bbox, ...answer }) => answer), name);
  }
  const [paris] = featureCollection(all["one place"]).features;
  assert.deepEqual([paris.id, paris.bbox], [all["one place"].place_id, all["one place"].bbox]);
  const [rome, ...missed] = featureCollection(all.batch).features;
  assert.ok(Math.abs(rome.geometry.coordinates[1] - 41.9) < 0.2, "longitude comes first");
  assert.deepEqual(missed.map(({ geometry }) => geometry), [null, null]);
});

test("the page of names has every field of every answer", () => {
  const page = readFileSync(join(ROOT, "edge-worker/FIELDS.md"), "utf8");
  const [place] = geo.forward("Paris, Texas");
  const answers = [place, geo.reverse(48.8584, 2.2945), geo.autocomplete("par")[0], ...geo.batch(["Rome", "xqzzvkj", " "])];
  const names = new Set(answers.flatMap((answer) => Object.keys(answer)));
  assert.ok(names.size > 15);
  const kinds = ["Paris", "Bavaria", "CDG", "Berlin Hauptbahnhof", "Eiffel Tower", "Sahara", "Lake Geneva", "Rhine"];
  const categories = kinds.map((text) => geo.forward(text, { limit: 1 })[0].category);
  assert.equal(new Set(categories).size, kinds.length, categories.join());
  const places = kinds.flatMap((text) => geo.autocomplete(text, { limit: 1 }));
  for (const name of [...names, ...categories, ...places.map(({ kind }) => kind)]) assert.ok(page.includes(`\`${name}\``), name);
});

test("where there are no threads and no pages every entry can be imported", async () => {
  const use = project.write("others.mjs", `${IMPORTS}export { exported };\nexport * from "toponym/worker";\n`);
  const { GeocoderWorker, exported } = await import(pathToFileURL(use));
  assert.deepEqual(exported, EXPORTS);
  assert.equal(await code(() => GeocoderWorker.load()), "internal");
});

test("a freed geocoder says so", async () => {
  const other = await Geocoder.load();
  other.free();
  other.free();
  for (const work of [() => other.forward("a"), () => other.reverse(0, 0), () => other.batch(["a"]), () => other.explain("a"), () => other.about()]) {
    assert.equal(await code(work), "freed");
  }
  check(await answers(geo));
});
