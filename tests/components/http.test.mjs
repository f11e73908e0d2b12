// Tests `toponym/http` against the service on workerd: the same answers as over plain HTTP, tokens, errors, cancellation;
// and the search field over it in Chromium.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { BROWSER, test } from "../browsers.mjs";
import { freePort } from "../servers.mjs";
import { start } from "../live/harness.mjs";
import { PACKAGE, Project, Site, launch, watched } from "./harness.mjs";
import { answerErrors, withoutCategory } from "../packaging/typed.mjs";

const { HttpGeocoder } = await import(pathToFileURL(join(PACKAGE, "http.js")));

/** What every suggestion of the service has. */
const SUGGESTION = ["country", "display_name", "lat", "lon", "name", "type"];

let service, token, geo;

before(async () => {
  service = await start();
  token = await service.token("localdemo");
  geo = new HttpGeocoder(service.url, { token });
});

after(() => service?.stop());

/** What the service answers itself. */
const plain = async (address) => (await service.sendAs(token, `GET /v1/geocoding/${address}`)).json();

for (const [what, ask, address] of [
  ["autocomplete", (one) => one.autocomplete("par", { limit: 3, lang: "de" }), "autocomplete?q=par&limit=3&lang=de&fields=name"],
  ["filters", (one) => one.autocomplete("par", { countries: ["US", "GB"], types: ["city"], bbox: [-125, 20, 5, 60] }), "autocomplete?q=par&countrycodes=us,gb&types=city&bbox=-125,20,5,60&fields=name"],
  ["other fields", (one) => one.autocomplete("par", { fields: ["ancestors"] }), "autocomplete?q=par&fields=name,ancestors"],
  ["all fields", (one) => one.autocomplete("par", { fields: "all" }), "autocomplete?q=par&fields=all"],
  ["within and fields", (one) => one.autocomplete("saint", { within: 3017382, fields: ["name", "matched"] }), "autocomplete?q=saint&within=3017382&fields=name,matched"],
  ["focus", (one) => one.forward("Springfield", { focus: { lat: 39.8, lon: -89.6 }, fields: "all" }), "forward?query=Springfield&lat=39.8&lon=-89.6&fields=all"],
  ["focus on the caller", (one) => one.forward("Springfield", { focus: "auto", fields: ["distance"] }), "forward?query=Springfield&near=auto&fields=distance"],
  ["suggestions near the caller", (one) => one.autocomplete("spring", { focus: "auto", fields: ["name", "distance"] }), "autocomplete?q=spring&near=auto&fields=name,distance"],
  ["fields of a question", (one) => one.forward({ city: "Paris", state: "TX" }), "forward?city=Paris&state=TX"],
  ["another script", (one) => one.forward("東京 & 大阪?"), `forward?query=${encodeURIComponent("東京 & 大阪?")}`],
  ["reverse", (one) => one.reverse(48.8584, 2.2945), "reverse?lat=48.8584&lon=2.2945"],
  ["reverse, several", (one) => one.reverse(48.8584, 2.2945, { limit: 3, radius: 2000, types: ["station"] }), "reverse?lat=48.8584&lon=2.2945&limit=3&radius=2000&types=station"],
  ["reverse, as the search field asks for coordinates", (one) => one.reverse(48.8584, 2.2945, { fields: ["name", "matched"] }), "reverse?lat=48.8584&lon=2.2945&fields=name,matched"],
  ["place by id", (one) => one.place(2988507, { lang: "it" }), "place/2988507?lang=it"],
  ["place by code", (one) => one.place("iata:CDG"), "place?ref=iata:CDG"],
]) {
  test(`as the service answers: ${what}`, async () => {
    const answer = await ask(geo);
    assert.ok(answer && (!Array.isArray(answer) || what === "another script" || answer.length > 0), "there is an answer to compare");
    assert.deepEqual(answer, withBox(await plain(address)));
  });
}

/** What the service says, with the box of each place in the package's order too. */
function withBox(answer) {
  if (Array.isArray(answer)) return answer.map(withBox);
  if (!answer?.boundingbox) return answer;
  const [south, north, west, east] = answer.boundingbox;
  return { ...answer, bbox: [west, south, east, north] };
}

test("nothing there is null", async () => {
  assert.equal(await geo.reverse(0, -140), null);
  assert.equal(await geo.place("iata:QQQ"), null);
});

test("suggestions have what the types promise", async () => {
  for (const suggestion of [...(await geo.autocomplete("par")), ...(await geo.autocomplete("atlantic oc")), ...(await geo.autocomplete("franc"))]) {
    const { city, ...rest } = suggestion;
    assert.deepEqual(Object.keys(rest).sort(), SUGGESTION, suggestion.display_name);
  }
});

const TYPES = `
import type { About, Address, BatchResult, Place } from "toponym";
import type { BasicSuggestion, HttpError } from "toponym/http";
`;

test("the types fit every answer, and every error", async () => {
  const answers = [];
  const add = (type, value) => answers.push([type, value]);
  const refusal = ({ code, status, retryAfter, message, name }) => ({ code, ...(status && { status }), ...(retryAfter && { retryAfter }), message, name });
  for (const shown of [{}, { fields: "all" }]) {
    for (const text of ["Germany", "Texas", "Paris", "CDG", "Gare du Nord", "Eiffel Tower", "Lake Constance", "Atlantic Ocean"]) {
      add("BasicSuggestion[]", await geo.autocomplete(text, shown));
      add("Closed<Place>[]", (await geo.forward(text, { ...shown, focus: { lat: 48, lon: 2 } })).map(withoutCategory));
    }
    add("Closed<Place> | null", withoutCategory(await geo.reverse(48.8584, 2.2945, shown)));
    add("Closed<Place>[]", (await geo.reverse(48.8584, 2.2945, { ...shown, limit: 5 })).map(withoutCategory));
    add("Closed<Place> | null", withoutCategory(await geo.place("iata:CDG", shown)));
    add("BatchResult[]", await geo.batch(["Rome", "xqzzvkj", " ", { city: "Paris" }, { lat: 48.86, lon: 2.29 }], shown));
  }
  add("Closed<Place> | null", await geo.reverse(0, -140));
  add("About", await geo.about());
  add("HttpError", refusal(await refused(geo.forward("Rome", { limit: 1000 }))));
  add("HttpError", refusal(await refused(new HttpGeocoder(service.url, { token: "nonsense" }).forward("Rome"))));
  add("HttpError", refusal(await refused(answering("", { status: 429, headers: { "retry-after": "3" } }).forward("Rome"))));
  add("HttpError", refusal(await refused(answering("", { status: 503 }).forward("Rome"))));
  const project = new Project(["npm"]);
  const errors = answerErrors(project.folder, TYPES, answers);
  project.remove();
  assert.equal(errors, "");
});

test("a batch, and the credits", async () => {
  const results = await geo.batch(["Rome", "xqzzvkj", " ", { city: "Paris", state: "TX" }, { lat: 48.86, lon: 2.29 }], { lang: "fr", fields: ["name"] });
  assert.deepEqual(results.map(({ status }) => status), ["ok", "not_found", "error", "ok", "ok"]);
  assert.deepEqual([results[0].query, results[0].country, results[3].query], ["Rome", "Italie", { city: "Paris", state: "TX" }]);
  const about = await geo.about();
  assert.match(about.data_date, /^\d{4}-\d\d-\d\d$/);
  assert.ok(about.title && about.attribution.some((line) => line.includes("GeoNames")));
});

/** A client of a service that answers so. */
const answering = (...given) => new HttpGeocoder("https://example.com", { token: "t", fetch: async () => new Response(...given) });

const missing = (message, statusCode = 404) => [JSON.stringify({ statusCode, error: "Not Found", message }), { status: 404 }];

for (const [what, given] of [
  ["another path", missing("Cannot GET /v2/geocoding/reverse")],
  ["what is nothing elsewhere", missing("No such API key")],
  ["another status in the body", missing("No such place", 400)],
  ["a page", ["<!doctype html>Not found", { status: 404 }]],
  ["an empty body", ["", { status: 404 }]],
]) {
  test(`a 404 that is not the service's own is an error: ${what}`, async () => {
    const one = answering(...given);
    for (const call of [one.reverse(1, 2), one.place(3), one.forward("a"), one.autocomplete("a"), one.batch(["a"])]) {
      const { code, status } = await refused(call);
      assert.deepEqual([code, status], ["unavailable", 404]);
    }
  });
}

test("only reverse and place answer null, each to its own message", async () => {
  for (const [method, message] of [["reverse", "No location found at these coordinates"], ["place", "No such place"]]) {
    const one = answering(...missing(message));
    const others = { reverse: () => one.reverse(1, 2), place: () => one.place(3), forward: () => one.forward("a"), autocomplete: () => one.autocomplete("a") };
    for (const [name, call] of Object.entries(others)) {
      const answer = await call().catch(({ code }) => code);
      assert.equal(answer, name === method ? null : "unavailable", `${name}: ${message}`);
    }
  }
});

test("an answer that is cut short or none of the service's", async () => {
  for (const body of ['[{"display_name": "Pa', "<!doctype html>"]) {
    const { code, message } = await refused(answering(body).forward("a"));
    assert.equal(code, "unavailable");
    assert.match(message, /example\.com/);
  }
  const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
  assert.equal((await refused(answering(cut).forward("a"))).code, "unavailable");
});

/** What a call is rejected with. */
const refused = (call) => call.then(() => assert.fail("was answered"), (error) => error);

test("errors say what to do", async () => {
  const invalid = await refused(geo.forward("Rome", { limit: 1000 }));
  assert.deepEqual([invalid.code, invalid.status], ["invalid_argument", 400]);
  assert.match(invalid.message, /limit/);
  const unauthorized = await refused(new HttpGeocoder(service.url, { token: "nonsense" }).forward("Rome"));
  assert.deepEqual([unauthorized.code, unauthorized.status], ["unauthorized", 401]);
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const unavailable = await refused(new HttpGeocoder(nobody, { token }).forward("Rome"));
  assert.equal(unavailable.code, "unavailable");
  assert.ok(unavailable.message.includes(nobody));
  assert.throws(() => new HttpGeocoder("http://", { token }), { code: "invalid_argument" });
  assert.throws(() => new HttpGeocoder(service.url), { code: "invalid_argument" });
});

test("a key over its limit says when to ask again", async () => {
  const credentials = await service.create("free");
  const limited = new HttpGeocoder(service.url, { token: await service.token("", credentials) });
  let error;
  // The plan has 30; a few more, because a busy machine may answer some with 503, which costs nothing.
  for (let request = 0; request < 40 && error?.code !== "rate_limited"; request += 1) error = await limited.place(2988507).then(() => undefined, (reason) => reason);
  assert.deepEqual([error?.code, error?.status], ["rate_limited", 429]);
  // A minute, and the tenth of a second in which the first request was counted, in whole seconds.
  assert.ok(error.retryAfter >= 1 && error.retryAfter <= 61, String(error.retryAfter));
});

test("a token that expired is asked for again, once", async () => {
  const asked = [];
  const tokens = async (state) => (asked.push(state), state.isExpired ? token : "expired");
  assert.ok((await new HttpGeocoder(service.url, { token: tokens }).forward("Rome")).length > 0);
  assert.deepEqual(asked, [{ isExpired: false }, { isExpired: true, refused: "expired" }]);
  const never = [];
  const error = await refused(new HttpGeocoder(service.url, { token: (state) => (never.push(state.isExpired), "no") }).forward("Rome"));
  assert.deepEqual([error.code, never], ["unauthorized", [false, true]]);
});

/** A client whose requests wait: `waiting[text]` answers the one for a text, or lets it fail. `asked` are the texts. */
function controlled() {
  const waiting = {};
  const asked = [];
  const fetch = (_, { signal, body }) =>
    new Promise((answer, fail) => {
      const text = JSON.parse(body).q;
      asked.push(text);
      signal?.addEventListener("abort", () => fail(signal.reason));
      waiting[text] = { fail, answer: () => answer(Response.json([{ name: text }])), isGivenUp: () => signal?.aborted ?? false };
    });
  return { one: new HttpGeocoder("https://example.com", { token: "t", fetch }), waiting, asked };
}

/** Until all that can happen without an answer has happened. */
const settled = () => new Promise((done) => setImmediate(done));

/** Asks for one text after the other, each in its group. Then answers what is not aborted, or lets it fail. */
async function overlapping(texts, groups, outcome = "answer") {
  const { one, waiting, asked } = controlled();
  const calls = [];
  for (const [at, text] of texts.entries()) {
    const call = one.autocomplete(text, { group: groups[at] });
    calls.push(call.then((found) => found.map(({ name }) => name).join(), ({ code }) => code));
    await settled();
  }
  const aborted = texts.filter((text) => waiting[text]?.isGivenUp());
  for (const text of texts) waiting[text]?.[outcome](new TypeError("no network"));
  return { found: await Promise.all(calls), aborted, asked };
}

/** What `overlapping` gets: a name, nothing for a blank text, or a code. */
for (const [what, texts, groups, expected] of [
  ["without a group each has its own answer", ["p", "pa", "par"], [undefined, null, undefined], ["p", "pa", "par"]],
  ["of one group the newest is answered", ["p", "pa", "par"], ["from", "from", "from"], ["superseded", "superseded", "par"]],
  ["each group has its newest", ["p", "r", "pa", "ro"], ["from", "to", "from", "to"], ["superseded", "superseded", "pa", "ro"]],
  ["a call without a group supersedes none", ["p", "pa"], ["from", undefined], ["p", "pa"]],
  ["a blank text supersedes too", ["p", "pa", ""], ["from", "from", "from"], ["superseded", "superseded", ""]],
]) {
  test(`autocompletes that overlap: ${what}`, async () => {
    const { found, aborted, asked } = await overlapping(texts, groups);
    assert.deepEqual(found, expected);
    assert.deepEqual(aborted, texts.filter((_, at) => expected[at] === "superseded"), "requests of superseded calls");
    assert.deepEqual(asked, texts.filter(Boolean), "a blank text is not a request");
  });
}

test("autocompletes that overlap: only the newest of a group fails", async () => {
  const { found } = await overlapping(["p", "pa", "par"], ["from", "from", "from"], "fail");
  assert.deepEqual(found, ["superseded", "superseded", "unavailable"]);
});

test("a call that is superseded at once is never asked, nor is one with a wrong argument", async () => {
  const { one, waiting, asked } = controlled();
  const calls = ["", "p", "pa"].map((text) => one.autocomplete(text, { group: "from" }));
  const older = await Promise.all(calls.slice(0, 2).map(refused));
  assert.deepEqual(older.map(({ code }) => code), ["superseded", "superseded"]);
  assert.equal((await refused(one.autocomplete(5, { group: "from" }))).code, "invalid_argument");
  await settled();
  waiting.pa.answer();
  assert.equal((await calls[2])[0].name, "pa", "a wrong argument supersedes nothing");
  assert.deepEqual(asked, ["pa"]);
});

test("a signal gives up at once, whatever the call waits for", async () => {
  const { one, waiting } = controlled();
  const stop = new AbortController();
  const gone = { signal: stop.signal };
  const never = new HttpGeocoder("https://example.com", { token: () => new Promise(() => {}), fetch: () => assert.fail("without a token") });
  const other = one.autocomplete("pa");
  const calls = [one.autocomplete("p", gone), one.autocomplete("par", { ...gone, group: "from" }), never.forward("a", gone), never.autocomplete("a", gone), never.reverse(1, 2, gone), never.place(3, gone), never.batch(["a"], gone)];
  stop.abort("enough");
  const reasons = await Promise.all(calls.map(refused));
  assert.deepEqual(reasons, reasons.map(() => "enough"));
  await settled();
  waiting.pa.answer();
  assert.equal((await other)[0].name, "pa");
  assert.equal(await refused(one.about(gone)), "enough");
});

test("each caller gets its own answer, and a signal cancels", async () => {
  const found = await Promise.all(["berlin", "tokyo"].map((text) => geo.autocomplete(text, { limit: 1 })));
  assert.deepEqual(found.map(([{ name }]) => name), ["Berlin", "Tokyo"]);
  const stop = new AbortController();
  const cancelled = refused(geo.forward("Rome", { signal: stop.signal }));
  stop.abort(new Error("left"));
  assert.equal((await cancelled).message, "left");
});

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<script type="module">
  import "/node_modules/toponym/element.js";
  import { HttpGeocoder } from "/node_modules/toponym/http.js";
  window.connect = (url, token) => { document.querySelector("#field").geocoder = new HttpGeocoder(url, { token }); };
</script>
<toponym-autocomplete id="field" label="Where to?" delay="200"></toponym-autocomplete>`;

/** The service behind a server that notes preflights and texts: no page shows the former, Firefox not the latter. */
async function counting(service) {
  const preflights = [];
  const asked = [];
  const server = createServer((from, to) => {
    if (from.method === "OPTIONS") preflights.push(from.url);
    const body = [];
    from.on("data", (part) => body.push(part)).on("end", () => from.method === "POST" && asked.push(JSON.parse(Buffer.concat(body)).q));
    const on = request(new URL(from.url, service), { method: from.method, headers: from.headers }, (answer) => answer.pipe(to.writeHead(answer.statusCode, answer.headers)));
    from.pipe(on.on("error", () => to.destroy()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A test that fails before it stops the server must not keep its file from ending.
  server.unref();
  return { url: `http://127.0.0.1:${server.address().port}`, preflights, asked, server };
}

test("the search field asks the service, after a pause, and loads no pack", async () => {
  const project = new Project(["npm"]);
  project.write("index.html", PAGE);
  const [site, chromium] = await Promise.all([Site.of(project.folder), launch()]);
  const page = await watched(await chromium.newContext());
  await page.goto(site.url);
  await page.waitForFunction(() => window.connect);
  const counted = await counting(service.url);
  const { asked } = counted;
  await page.evaluate(([url, given]) => window.connect(url, given), [counted.url, token]);
  const field = page.locator("#field");
  const first = field.locator("[role=option]").first();
  // A preflight that a newer text gives up before its answer would be another one.
  await field.locator("input").fill("oslo");
  await first.filter({ hasText: "Oslo" }).waitFor();
  await field.locator("input").fill("");
  await field.locator("input").pressSequentially("monaco di bav");
  await first.filter({ hasText: "Munich — " }).waitFor();
  await first.click();
  assert.equal(await page.evaluate(() => document.querySelector("#field").place.country), "Germany");
  assert.equal(asked.at(-1), "monaco di bav");
  assert.ok(asked.length < "monaco di bav".length, `fewer requests than keys: ${asked.length}`);
  assert.equal(site.count(".bin"), 0);
  await field.locator("input").fill("lisb");
  await field.locator("[role=option]").first().filter({ hasText: "Lisbon" }).waitFor();
  assert.ok(asked.length >= 2, "several texts were asked for");
  // Firefox keeps no answer to a preflight while it is driven by a program.
  if (BROWSER !== "firefox") assert.deepEqual(counted.preflights, ["/v1/geocoding/suggest"], "the browser asks once whether it may send");
  counted.server.close();
  // The service goes away.
  await page.evaluate((given) => window.connect("http://127.0.0.1:9", given), token);
  await field.locator("input").fill("rome");
  await field.getByRole("status").filter({ hasText: "cannot be loaded" }).waitFor();
  await chromium.close();
  await site.close();
  project.remove();
});
