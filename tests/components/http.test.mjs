// Tests `toponym/http` against the service on workerd: the same answers as over plain HTTP, tokens, errors, cancellation;
// and the search field over it in Chromium.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { freePort, start } from "../live/harness.mjs";
import { HttpGeocoder } from "../../build/npm/http.js";
import { Project, Site, browser, watched } from "./harness.mjs";

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
  ["autocomplete", (one) => one.autocomplete("par", { limit: 3, lang: "de" }), "autocomplete?q=par&limit=3&lang=de"],
  ["filters", (one) => one.autocomplete("par", { countries: ["US", "GB"], types: ["city"], bbox: [-125, 20, 5, 60] }), "autocomplete?q=par&countrycodes=us,gb&types=city&bbox=-125,20,5,60"],
  ["within and fields", (one) => one.autocomplete("saint", { within: 3017382, fields: ["name", "matched"] }), "autocomplete?q=saint&within=3017382&fields=name,matched"],
  ["focus", (one) => one.forward("Springfield", { focus: { lat: 39.8, lon: -89.6 }, fields: "all" }), "forward?query=Springfield&lat=39.8&lon=-89.6&fields=all"],
  ["fields of a question", (one) => one.forward({ city: "Paris", state: "TX" }), "forward?city=Paris&state=TX"],
  ["another script", (one) => one.forward("東京 & 大阪?"), `forward?query=${encodeURIComponent("東京 & 大阪?")}`],
  ["reverse", (one) => one.reverse(48.8584, 2.2945), "reverse?lat=48.8584&lon=2.2945"],
  ["reverse, several", (one) => one.reverse(48.8584, 2.2945, { limit: 3, radius: 2000, types: ["station"] }), "reverse?lat=48.8584&lon=2.2945&limit=3&radius=2000&types=station"],
  ["place by id", (one) => one.place(2988507, { lang: "it" }), "place/2988507?lang=it"],
  ["place by code", (one) => one.place("iata:CDG"), "place?ref=iata:CDG"],
]) {
  test(`as the service answers: ${what}`, async () => {
    const answer = await ask(geo);
    assert.ok(answer && (!Array.isArray(answer) || what === "another script" || answer.length > 0), "there is an answer to compare");
    assert.deepEqual(answer, await plain(address));
  });
}

test("nothing there is null", async () => {
  assert.equal(await geo.reverse(0, -140), null);
  assert.equal(await geo.place("iata:QQQ"), null);
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
  for (let request = 0; request <= 30 && !error; request += 1) error = await limited.place(2988507).then(() => undefined, (reason) => reason);
  assert.deepEqual([error?.code, error?.status], ["rate_limited", 429]);
  assert.ok(error.retryAfter >= 1 && error.retryAfter <= 60, String(error.retryAfter));
});

test("a token that expired is asked for again, once", async () => {
  const asked = [];
  const tokens = async (state) => (asked.push(state.isExpired), state.isExpired ? token : "expired");
  assert.ok((await new HttpGeocoder(service.url, { token: tokens }).forward("Rome")).length > 0);
  assert.deepEqual(asked, [false, true]);
  const never = [];
  const error = await refused(new HttpGeocoder(service.url, { token: (state) => (never.push(state.isExpired), "no") }).forward("Rome"));
  assert.deepEqual([error.code, never], ["unauthorized", [false, true]]);
});

test("the newest autocomplete wins, and a signal cancels", async () => {
  const settled = await Promise.allSettled(["p", "pa", "par"].map((text) => geo.autocomplete(text, { limit: 1 })));
  assert.deepEqual(settled.map(({ value, reason }) => reason?.code ?? value[0].display_name.split(",")[0]), ["superseded", "superseded", "Paris"]);
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

test("the search field asks the service, after a pause, and loads no pack", async () => {
  const project = new Project(["npm"]);
  project.write("index.html", PAGE);
  const [site, chromium] = await Promise.all([Site.of(project.folder), browser()]);
  const page = await watched(await chromium.newContext());
  const asked = [];
  page.on("request", (request) => request.method() === "GET" && request.url().includes("/autocomplete") && asked.push(new URL(request.url()).searchParams.get("q")));
  await page.goto(site.url);
  await page.waitForFunction(() => window.connect);
  await page.evaluate(([url, given]) => window.connect(url, given), [service.url, token]);
  const field = page.locator("#field");
  await field.locator("input").pressSequentially("monaco di bav");
  const first = field.locator("[role=option]").first();
  await first.filter({ hasText: "Munich — " }).waitFor();
  await first.click();
  assert.equal(await page.evaluate(() => document.querySelector("#field").place.country), "Germany");
  assert.equal(asked.at(-1), "monaco di bav");
  assert.ok(asked.length < "monaco di bav".length, `fewer requests than keys: ${asked.length}`);
  assert.equal(site.count(".bin"), 0);
  // The service goes away.
  await page.evaluate((given) => window.connect("http://127.0.0.1:9", given), token);
  await field.locator("input").fill("rome");
  await field.getByRole("status").filter({ hasText: "cannot be loaded" }).waitFor();
  await chromium.close();
  await site.close();
  project.remove();
});
