// Tests the types of the package: what callers may write (types.ts), that they describe what the package answers, with every option and
// for every kind of place, and that their examples compile and run.

import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { examplesIn, program } from "./documented.mjs";
import { Project, ROOT } from "./harness.mjs";
import { pagesOfCore } from "./paged-index.mjs";
import { answerErrors, typeErrors, withoutCategory } from "./typed.mjs";

const IMPORTS = `
import type { About, Address, BatchResult, ErrorCode, Explanation, Facts, Place, Prefetched, Progress, Suggestion } from "toponym";
import type { FeatureCollection } from "toponym/geojson";
`;

/** Of each kind one, and places that lack what others have. */
const QUERIES = ["Germany", "Texas", "Lamar County, Texas", "Paris", "Montmartre", "CDG", "Gare du Nord", "Eiffel Tower", "Lake Constance", "Atlantic Ocean", "Fiji", "75001 Paris", "monaco di baviera", "Βρέμερτον"];

const POINTS = [[48.8584, 2.2945], [49.0097, 2.5479], [48.8809, 2.3553], [0, -30], [-17.8, 178], [71, -40]];

let project, toponym, geo;

before(async () => {
  project = new Project();
  const use = ["toponym", "toponym/geojson"].map((name) => `export * from "${name}";`);
  toponym = await import(pathToFileURL(project.write("use.mjs", use.join("\n"))));
  const packs = ["index", "postcodes"].map((name) => ({ bytes: readFileSync(join(ROOT, `build/${name}.toponym`)) }));
  geo = await toponym.Geocoder.load({ packs });
});

after(() => {
  geo?.free();
  project?.remove();
});

test("the types fit what callers write", () => {
  cpSync(join(import.meta.dirname, "types.ts"), project.path("types.ts"));
  assert.equal(typeErrors(project.folder, "types.ts"), "");
});

/** The host of an index in pages in the examples. */
const HOST = "https://places.example.com/";

/** The fewest examples that the declarations have. */
const FEWEST_EXAMPLES = 20;

test("the examples of the declarations compile, and answer what they say", async (t) => {
  const found = examplesIn(project.package);
  assert.ok(found.length >= FEWEST_EXAMPLES, `${found.length} examples`);
  for (const { file, title, code } of found) assert.ok(title && code.includes(";"), `an example in ${file} lacks its title or its code`);
  const text = program(found);
  // The functions of a program have parameters without types, which are those of the first two lines here.
  const typed = text.replaceAll("async (geo, equal)", "async (geo: Geocoder, equal: (found: unknown, expected: unknown) => void)");
  project.write("examples.ts", typed);
  assert.equal(typeErrors(project.folder, "examples.ts"), "");
  const { examples } = await import(pathToFileURL(project.write("examples.mjs", text)));
  const host = pagesOfCore();
  t.mock.method(globalThis, "fetch", async (url) => new Response(readFileSync(join(host, String(url).slice(HOST.length)))));
  const core = await toponym.Geocoder.load();
  for (const [title, example] of Object.entries(examples)) {
    await example(core, (found, expected) => assert.deepEqual(found, expected, title));
  }
  core.free();
});

/** All answers of a geocoder that answers at once, with the types that the package promises. */
function answersOf(geo) {
  const answers = [];
  const add = (type, value) => answers.push([type, value]);
  const places = (found) => found.map(withoutCategory);
  for (const shown of [{}, { fields: "all", focus: { lat: 48, lon: 2 }, limit: 10 }]) {
    for (const query of QUERIES) {
      add("Suggestion[]", geo.autocomplete(query, shown));
      add("Closed<Place>[]", places(geo.forward(query, shown)));
      add("Explanation[]", geo.explain(query, shown));
      add("Explanation[]", geo.explain(query.slice(0, -2), { ...shown, unfinished: true }));
    }
    for (const [lat, lon] of POINTS) {
      const { fields } = shown;
      const here = geo.reverse(lat, lon, { fields });
      add("Closed<Place> | null", here && withoutCategory(here));
      add("Closed<Place>[]", places(geo.reverse(lat, lon, { fields, limit: 5 })));
      add("BatchResult[]", geo.batch([{ lat, lon }, { city: "Paris", state: "TX" }, "Rome", "xqzzvkj", " "], { fields }));
    }
    for (const reference of [2988507, "iata:CDG", 1]) {
      const place = geo.place(reference, { fields: shown.fields });
      add("Closed<Place> | null", place && withoutCategory(place));
    }
  }
  add("About", geo.about());
  add("FeatureCollection<Closed<Place>>", toponym.featureCollection(places(geo.forward("Fiji"))));
  add("FeatureCollection<Closed<Place>>", toponym.featureCollection(null));
  add("FeatureCollection<BatchResult>", toponym.featureCollection(geo.batch(["Rome", "xqzzvkj", " "])));
  return answers;
}

/** The fields of all values, as a record: it has the type `Record<keyof T, true>` only if T has these fields and no other. */
const fieldsOf = (values) => Object.fromEntries(values.flatMap((value) => Object.keys(value)).map((name) => [name, true]));

/** The plain answers among those of a type. */
const ofType = (answers, ...types) => answers.filter(([type]) => types.includes(type)).flatMap(([, value]) => value ?? []);

test("the types fit every answer, and promise no field that no answer has", () => {
  const answers = answersOf(geo);
  const all = {
    Suggestion: fieldsOf(ofType(answers, "Suggestion[]")),
    Place: fieldsOf(ofType(answers, "Closed<Place>[]", "Closed<Place> | null")),
    Explanation: fieldsOf(ofType(answers, "Explanation[]")),
  };
  for (const [type, fields] of Object.entries(all)) answers.push([`Record<keyof ${type}, true>`, fields]);
  const codes = ofType(answers, "Closed<Place>[]").map(({ codes }) => codes ?? {});
  answers.push(['Record<keyof NonNullable<Facts["codes"]>, true>', fieldsOf(codes)]);
  assert.equal(answerErrors(project.folder, IMPORTS, answers), "");
});

test("the types fit progress, and what is prefetched", async () => {
  const seen = { pack: [], root: [], region: [] };
  const tell = (name) => ({ onProgress: (progress) => seen[name].push(progress) });
  (await toponym.Geocoder.load(tell("pack"))).free();
  const pages = pathToFileURL(join(pagesOfCore(), "root"));
  const paged = await toponym.Geocoder.load({ pages, ...tell("root") });
  const found = await paged.prefetch({ countries: ["LU"], ...tell("region") });
  paged.free();
  const answers = [["Progress[]", [...seen.pack, ...seen.root]], ["Prefetched[]", [found, ...seen.region]]];
  assert.ok(answers.every(([, values]) => values.length > 0));
  assert.equal(answerErrors(project.folder, IMPORTS, answers), "");
});

test("the types have the codes of errors", async () => {
  const freed = await toponym.Geocoder.load();
  freed.free();
  const failures = [
    () => geo.forward(""),
    () => freed.forward("a"),
    () => toponym.Geocoder.load({ bytes: new Uint8Array(9) }),
    () => toponym.Geocoder.load({ url: "file:///no/such/pack.bin" }),
  ];
  const codes = [];
  for (const failure of failures) await (async () => failure())().catch((error) => codes.push(error.code));
  assert.equal(new Set(codes).size, failures.length);
  assert.equal(answerErrors(project.folder, IMPORTS, [["ErrorCode[]", codes]]), "");
});

test("what the types lack, or have otherwise, is seen", () => {
  const [place] = geo.forward("Paris", { limit: 1 }).map(withoutCategory);
  const { city, ...others } = place;
  for (const [wrong, expected] of [
    [{ ...place, more: 1 }, /"more"' does not exist/],
    [{ ...place, lat: "48" }, /'string' is not assignable to type 'number'/],
    [{ ...place, city: undefined }, /exactOptionalPropertyTypes/],
    [{ ...place, address: { ...place.address, hamlet: "x" } }, /"hamlet"' does not exist/],
    [(({ lat, ...rest }) => rest)(others), /'lat' is missing|missing the following properties/],
  ]) {
    assert.match(answerErrors(project.folder, IMPORTS, [["Closed<Place>", wrong]]), expected);
  }
});
