// Tests the MCP server offline, with the pack that is included: its tools, what they find, and what their errors say.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Project, ROOT } from "./harness.mjs";

const run = promisify(execFile);

let project, server;
before(async () => {
  project = new Project();
  server = await project.connect();
});
after(() => project?.remove());

const names = ({ structuredContent }) => structuredContent.places.map(({ display_name }) => display_name);

test("the tarball holds what belongs there and nothing else", () => {
  const sources = ["answers.js", "fault.js", "http.js", "main.js", "offline.js", "options.js", "schemas.js", "server.js", "service.js", "tokens.js"];
  assert.deepEqual(project.packed.sort(), [...sources, "LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json"].sort());
  const read = (path) => JSON.parse(readFileSync(path, "utf8"));
  const manifest = read(join(project.folder, "node_modules/toponym-mcp/package.json"));
  assert.equal(manifest.dependencies.toponym, read(join(project.folder, "node_modules/toponym/package.json")).version);
  const { toponym, ...others } = manifest.dependencies;
  assert.deepEqual(others, read(join(ROOT, "tests/mcp/package.json")).devDependencies, "tested with the same versions");
});

test("the tools say what they take and return", () => {
  assert.deepEqual(server.tools.map(({ name }) => name), ["geocode", "reverse", "autocomplete", "place"]);
  for (const { name, title, description, inputSchema, outputSchema, annotations } of server.tools) {
    assert.ok(title && description.length > 100, name);
    assert.equal(inputSchema.additionalProperties, false, name);
    for (const [property, schema] of Object.entries(inputSchema.properties)) assert.ok(schema.description || schema.properties, `${name}.${property}`);
    assert.ok(outputSchema.properties.credits, name);
    assert.deepEqual(annotations, { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
  }
  const [geocode, reverse] = server.tools.map(({ inputSchema }) => inputSchema.properties);
  assert.deepEqual([geocode.limit.minimum, geocode.limit.maximum, geocode.limit.default], [1, 10, 5]);
  assert.deepEqual([reverse.lat.minimum, reverse.lat.maximum, reverse.lon.minimum, reverse.lon.maximum], [-90, 90, -180, 180]);
  assert.ok(geocode.types.items.enum.includes("station"));
  assert.match(server.client.getInstructions(), /Use geocode for a name/);
});

test("a name that is clear", async () => {
  const found = await server.call("geocode", { query: "Monaco di Baviera", limit: 1 });
  const { certainty, places, credits } = found.structuredContent;
  assert.deepEqual([certainty, places.length], ["clear", 1]);
  const [munich] = places;
  assert.equal(munich.place_id, 2867714);
  assert.deepEqual([munich.name, munich.country_code, munich.type, munich.lat, munich.lon], ["Munich", "DE", "city", 48.13743, 11.57549]);
  assert.match(munich.matched, /monaco/i);
  assert.deepEqual(munich.lies_in.map(({ name }) => name), ["Bavaria", "Germany"]);
  assert.ok(munich.bounds.south < munich.lat && munich.lat < munich.bounds.north);
  assert.ok(credits.some((line) => line.includes("GeoNames")));
  const [{ text }] = found.content;
  assert.match(text, /^Munich, Bavaria, Germany is very probably meant\.\n1\. Munich, .* \(city\): 48\.13743, 11\.57549; .*place_id 2867714\nCredits/);
});

test("a name that several places have, even if only one is asked for", async () => {
  const { structuredContent } = await server.call("geocode", { query: "Springfield", limit: 1 });
  assert.deepEqual([structuredContent.certainty, structuredContent.places.length], ["ambiguous", 1]);
  assert.match(structuredContent.advice, /Ask the user.* is it Springfield, Illinois, .*; or Springfield, /);
  const [first, second] = (await server.call("geocode", { query: "Georgia" })).structuredContent.places;
  assert.deepEqual([first.type, second.type].sort(), ["country", "state"]);
});

test("a slip is the best guess", async () => {
  const { structuredContent } = await server.call("geocode", { query: "Brimignham" });
  assert.equal(structuredContent.certainty, "unsure");
  assert.match(structuredContent.advice, /best guess is Birmingham, England/);
});

test("nothing found is not an error, and says what to try", async () => {
  const found = await server.call("geocode", { query: "Qwxzzkjh" });
  assert.deepEqual([found.isError, found.structuredContent.certainty, names(found)], [undefined, "none", []]);
  assert.match(found.content[0].text, /Check the spelling, drop filters/);
});

test("fields and filters", async () => {
  const first = async (arguments_) => names(await server.call("geocode", arguments_))[0];
  assert.match(await first({ city: "Paris", state: "TX" }), /^Paris, Texas/);
  assert.match(await first({ query: "Paris", countries: ["US"] }), /^Paris, Texas/);
  assert.match(await first({ query: "London", near: { lat: 43, lon: -81 }, countries: ["CA"] }), /^London, Ontario/);
  assert.match(await first({ query: "Paris", types: ["airport"] }), /Airport/);
  assert.equal(await first({ query: "Paris", bbox: [0, 60, 10, 70] }), undefined);
  const { places } = (await server.call("geocode", { query: "Texas", types: ["state"] })).structuredContent;
  assert.match(await first({ query: "Paris", within: places[0].place_id }), /^Paris, Texas/);
});

test("the place at a point, the nearest ones, and nothing at sea", async () => {
  assert.match(names(await server.call("reverse", { lat: 48.8584, lon: 2.2945 }))[0], /^Eiffel Tower/);
  const near = (await server.call("reverse", { lat: 48.8584, lon: 2.2945, limit: 3, types: ["station"] })).structuredContent.places;
  assert.equal(near.length, 3);
  assert.deepEqual(near.map(({ distance }) => distance), near.map(({ distance }) => distance).toSorted((a, b) => a - b));
  const sea = await server.call("reverse", { lat: 0, lon: -30 });
  assert.deepEqual(names(sea), []);
  assert.match(sea.content[0].text, /at sea .*lat and lon are not swapped/);
});

test("a text that is being typed", async () => {
  const { suggestions } = (await server.call("autocomplete", { text: "san fr", limit: 2 })).structuredContent;
  assert.match(suggestions[0].display_name, /^San Francisco, California/);
  assert.equal(suggestions.length, 2);
  // A finished word begins no longer one.
  const finished = (await server.call("autocomplete", { text: "san " })).structuredContent.suggestions;
  assert.ok(finished.length > 0 && finished.every(({ display_name }) => !display_name.startsWith("Santiago")), JSON.stringify(finished));
});

test("a place by its id, as number or text, and by a code", async () => {
  const name = async (reference) => names(await server.call("place", { reference }))[0];
  const paris = "Paris, Île-de-France, France";
  assert.deepEqual([await name(2988507), await name("2988507"), await name("geonames:2988507")], [paris, paris, paris]);
  assert.match(await name("iata:CDG"), /Charles de Gaulle/);
  assert.match((await server.call("place", { reference: 1 })).content[0].text, /No place has this id/);
});

const WRONG = [
  // tool, arguments, what the error says
  ["geocode", {}, /^query is missing: give the name/],
  ["geocode", { query: "Paris", city: "Paris" }, /^query and city exclude each other/],
  ["geocode", { query: "" }, /query/],
  ["geocode", { query: "x".repeat(501) }, /500/],
  ["geocode", { query: "Paris", limit: 11 }, /limit[^]*10|10[^]*limit/],
  ["geocode", { query: "Paris", types: ["town"] }, /"country"\|"state"/],
  ["geocode", { query: "Paris", countrycodes: ["US"] }, /countrycodes/],
  ["geocode", { query: "Paris", countries: ["USA"] }, /countries/],
  ["geocode", { query: "Paris", bbox: [0, 50, 10, 40] }, /bbox[^]*south at most north|south at most north[^]*bbox/],
  ["geocode", { query: "Paris", language: "auto-" }, /language/],
  ["reverse", { lat: 91, lon: 0 }, /lat[^]*90|90[^]*lat/],
  ["reverse", { lat: "48" }, /lat/],
  ["place", { reference: "CDG" }, /reference/],
  ["place", { reference: "iso:ABCDEFG" }, /Change that argument and ask again/],
  ["autocomplete", { text: "par", limit: 0.5 }, /limit/],
  ["autocomplete", { text: " " }, /text/],
];

for (const [tool, arguments_, expect] of WRONG) {
  test(`${tool} ${JSON.stringify(arguments_).slice(0, 60)} is an error that helps`, async () => {
    const { isError, content } = await server.call(tool, arguments_);
    assert.equal(isError, true);
    assert.match(content[0].text, expect);
  });
}

test("the credits are a resource, the same as in each result", async () => {
  const { resources } = await server.client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri), ["toponym://attribution"]);
  const { contents } = await server.client.readResource({ uri: resources[0].uri });
  const [title, ...lines] = contents[0].text.split("\n");
  assert.match(title, /^Places: core, data as of 20\d\d-/);
  assert.deepEqual(lines, (await server.call("place", { reference: "iso:FR" })).structuredContent.credits);
});

test("a language by option, and by question", async () => {
  const french = await project.connect(["--pack", join(ROOT, "build/index.toponym"), "--language", "fr"]);
  const name = async (rest) => (await french.call("place", { reference: "iso:DE", ...rest })).structuredContent.places[0].display_name;
  assert.deepEqual([await name({}), await name({ language: "it" })], ["Allemagne", "Germania"]);
});

test("a pack that is broken: the question says so, and the server lives", async () => {
  const broken = await project.connect(["--pack", join(project.folder, "package.json")]);
  for (let n = 0; n < 2; n++) {
    const { isError, content } = await broken.call("geocode", { query: "Paris" });
    assert.equal(isError, true);
    assert.match(content[0].text, /^The places cannot be loaded: .*option --pack/);
  }
  assert.match(broken.said(), /^toponym-mcp: The places cannot be loaded/);
});

test("nothing but the protocol comes out", () => {
  assert.deepEqual([server.faults, server.said()], [[], ""]);
});

const USAGE = [
  // arguments, variables, exit code, what it says
  [["--help"], {}, 0, /^Finds places for assistants/],
  [["--version"], {}, 0, /^\d+\.\d+\.\d+\n$/],
  [["--pack", "nowhere.bin"], {}, 64, /the pack .*nowhere\.bin is not there/],
  [["--nope"], {}, 64, /'--nope'/],
  [["--url", "https://api.test"], {}, 64, /set TOPONYM_API_KEY/],
  [["--url", "http://api.test"], { TOPONYM_API_KEY: "k", TOPONYM_API_SECRET: "hush" }, 64, /must begin with https/],
  [["--url", "https://u:hush@api.test"], {}, 64, /holds a password/],
  [["--url", "https://api.test", "--pack", "core"], {}, 64, /exclude each other/],
  [["--language", "french!"], {}, 64, /must be a language tag/],
];

for (const [args, env, code, expect] of USAGE) {
  test(`toponym-mcp ${args.join(" ")}`, async () => {
    const ended = await run(project.command, args, { env: { PATH: process.env.PATH, ...env } }).catch((error) => error);
    assert.equal(ended.code ?? 0, code);
    const said = `${ended.stdout}${ended.stderr}`;
    assert.match(said, code ? new RegExp(`^toponym-mcp: .*${expect.source}`) : expect);
    assert.ok(!said.includes("hush"), said);
  });
}

test("the example of the README runs", async () => {
  const file = join(ROOT, "pkg-build/mcp/example/ask.mjs");
  const text = readFileSync(file, "utf8");
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", text, "--", "Springfield"], { cwd: project.folder });
  assert.match(stdout, /^tools: geocode, reverse, autocomplete, place\nSeveral places may be meant\./);
});
