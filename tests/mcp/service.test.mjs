// Tests the MCP server on a service: the same answers as offline, and what it makes of limits, refusals and failures.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../servers.mjs";
import { start } from "../live/harness.mjs";
import { Project, ROOT } from "./harness.mjs";
import { soon } from "../soon.mjs";

let project, service;
before(async () => {
  [project, service] = await Promise.all([new Project(), start()]);
});
after(async () => {
  await service?.stop();
  await project?.remove();
});

const credentials = ({ apiKey, apiSecret }) => ({ TOPONYM_API_KEY: apiKey, TOPONYM_API_SECRET: apiSecret });
const connect = (key, url = service.url) => project.connect(["--url", `${url}`], credentials(key));

const QUESTIONS = [
  ["geocode", { query: "Monaco di Baviera" }],
  ["geocode", { query: "Springfield", limit: 10, countries: ["US", "CA"] }],
  ["geocode", { query: "paris", language: "ja", near: { lat: 33, lon: -95 } }],
  ["geocode", { city: "Paris", state: "TX" }],
  ["geocode", { name: "Mont Blanc", types: ["landmark", "region"] }],
  ["geocode", { query: "s", bbox: [177, -20, -178, -15], types: ["airport"] }],
  ["geocode", { query: "Qwxzzkjh" }],
  ["geocode", { query: "Paris & Söhne 100 %?" }],
  ["reverse", { lat: 48.8584, lon: 2.2945 }],
  ["reverse", { lat: 48.8584, lon: 2.2945, limit: 3, radius: 5000, types: ["station"] }],
  ["reverse", { lat: 0, lon: -30 }],
  ["reverse", { lat: 0, lon: -30, limit: 2 }],
  ["autocomplete", { text: "san fr", limit: 3, near: { lat: 37.7, lon: -122.4 } }],
  ["autocomplete", { text: "san " }],
  ["autocomplete", { text: "zzzzqqq" }],
  ["place", { reference: 2988507, language: "fr" }],
  ["place", { reference: "2988507" }],
  ["place", { reference: "iata:CDG" }],
  ["place", { reference: "iata:QQQ" }],
  ["geocode", { query: "Paris", bbox: [0, 50, 10, 40] }],
];

test("the same answers as offline, with the same index", async () => {
  const remote = await connect(await service.create("growth"));
  const local = await project.connect(["--pack", join(ROOT, "build/index.toponym")]);
  for (const [tool, arguments_] of QUESTIONS) {
    const [far, near] = await Promise.all([remote.call(tool, arguments_), local.call(tool, arguments_)]);
    assert.deepEqual(far, near, `${tool} ${JSON.stringify(arguments_)}`);
  }
  const read = async ({ client }) => (await client.readResource({ uri: "toponym://attribution" })).contents;
  assert.deepEqual(await read(remote), await read(local));
  assert.ok(remote.tools.every(({ annotations }) => annotations.openWorldHint));
  assert.equal(remote.said(), "");
});

test("a limit that is used up says when to ask again", async () => {
  const key = await service.create("free");
  const server = await connect(key);
  const answers = await Promise.all(Array.from({ length: 31 }, () => server.call("place", { reference: "iso:FR" })));
  const refused = answers.filter(({ isError }) => isError);
  assert.equal(refused.length, 1);
  assert.match(refused[0].content[0].text, /used up its limit of requests\. Ask again in \d+ seconds/);
});

test("a key that is wrong, disabled or deleted: nothing secret is said", async () => {
  const key = await service.create("growth");
  const wrong = await connect({ ...key, apiSecret: "gcs_hush" });
  const text = async (server) => {
    const { isError, content } = await server.call("place", { reference: "iso:FR" });
    assert.equal(isError, true);
    return content[0].text;
  };
  assert.match(await text(wrong), /^The service refuses key and secret: Invalid API secret\. The user has to check/);
  assert.match(wrong.said(), /^toponym-mcp: The service refuses key and secret/);
  const server = await connect(key);
  assert.equal((await server.call("place", { reference: "iso:FR" })).isError, undefined);
  await service.admin(`PATCH /admin/keys/${key.apiKey}`, { enabled: false });
  assert.match(await text(server), /refuses the key: API key disabled\. Asking again is in vain/);
  await service.admin(`DELETE /admin/keys/${key.apiKey}`);
  assert.match(await text(server), /refuses key and secret: Invalid API key/);
  for (const { said } of [wrong, server]) assert.ok(!said().includes("hush") && !said().includes(key.apiSecret));
});

test("a service that is not there", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const server = await connect({ apiKey: "gck_x", apiSecret: "gcs_hush" }, url);
  const { isError, content } = await server.call("geocode", { query: "Paris" });
  assert.equal(isError, true);
  assert.match(content[0].text, /^The service http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/);
});

/** Stands before the service: `fault(request, response, path)` may answer first, by returning true. */
async function failing(fault) {
  let exchanged = 0;
  const server = createServer(async (request, response) => {
    const path = request.url.split("?")[0];
    if (path === "/api-clients/token") exchanged += 1;
    if (fault(request, response, path, exchanged)) return;
    const body = request.method === "POST" ? await new Response(request).text().catch(() => undefined) : undefined;
    const answer = await fetch(new URL(request.url, service.url), { method: request.method, headers: { authorization: request.headers.authorization ?? "" }, body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => (server.closeAllConnections(), new Promise((done) => server.close(done)));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    get exchanged() {
      return exchanged;
    },
    stop,
  };
}

const REASONS = {
  "a limit that is free again in a second": { status: 429, headers: { "retry-after": "1" }, exchanges: 1, tries: 3 },
  "a failure": { status: 500, headers: {}, exchanges: 1, tries: 3 },
  "an object that does not answer": { status: 503, headers: { "retry-after": "1" }, exchanges: 1, tries: 3 },
  "a token that has expired": { status: 401, headers: {}, exchanges: 2, tries: 2 },
};

for (const [name, { status, headers, exchanges, tries }] of Object.entries(REASONS)) {
  test(`${name}, once: the question is asked again; always: an error`, async () => {
    let left = 1;
    const proxy = await failing((_, response, path) => path.startsWith("/v1") && left-- > 0 && (response.writeHead(status, headers).end('{"message":"no"}'), true));
    const server = await connect(await service.create("growth"), proxy.url);
    const found = await server.call("place", { reference: "iso:FR" });
    assert.equal(found.isError, undefined, found.content[0].text);
    assert.equal(proxy.exchanged, exchanges);
    left = 100;
    assert.equal((await server.call("place", { reference: "iso:FR" })).isError, true);
    assert.equal(100 - left, tries, "tries");
    await proxy.stop();
  });
}

test("an address that is not the service's is not an answer that there is nothing", async () => {
  const proxy = await failing((_, response, path) => path.startsWith("/v1") && (response.writeHead(404).end('{"statusCode":404,"message":"Cannot GET that"}'), true));
  const server = await connect(await service.create("growth"), proxy.url);
  for (const [tool, arguments_] of [["geocode", { query: "Paris" }], ["reverse", { lat: 48.8, lon: 2.3 }], ["place", { reference: "iso:FR" }]]) {
    const { isError, content } = await server.call(tool, arguments_);
    assert.equal(isError, true, tool);
    assert.match(content[0].text, /^The service failed \(Cannot GET that\)\. .*--url/);
  }
  await proxy.stop();
});

test("an answer is given without the credits' text where the service does not say it", async () => {
  let isSaid = false;
  const proxy = await failing((_, response, path) => path === "/attribution" && !isSaid && (response.writeHead(500).end(), true));
  const server = await connect(await service.create("growth"), proxy.url);
  const ask = async () => (await server.call("place", { reference: "iso:FR" })).structuredContent;
  const { places, credits } = await ask();
  assert.deepEqual([places[0].name, credits], ["France", [`The sources are named at ${proxy.url}/attribution`]]);
  isSaid = true;
  const said = (await ask()).credits;
  assert.ok(said.some((line) => line.includes("GeoNames")));
  isSaid = false;
  assert.deepEqual((await ask()).credits, said, "kept");
  await proxy.stop();
});

test("a token is renewed before it ends, and shared until then", async () => {
  const until = (ms) => new Date(Date.now() + ms).toISOString();
  // The first is used for the half of its four seconds, the others live for an hour.
  const proxy = await failing((request, response, path, count) => {
    if (path !== "/api-clients/token") return false;
    const exchange = async () => {
      const answer = await fetch(new URL(path, service.url), { method: "POST", body: await new Response(request).text() });
      response.end(JSON.stringify({ ...(await answer.json()), expiresAt: until(count === 1 ? 4_000 : 3_600_000) }));
    };
    exchange();
    return true;
  });
  const server = await connect(await service.create("growth"), proxy.url);
  const ask = () => server.call("place", { reference: "iso:FR" });
  await ask();
  assert.equal(proxy.exchanged, 1);
  await soon(async () => (await ask(), proxy.exchanged), (exchanges) => exchanges === 2);
  await Promise.all([ask(), ask(), ask()]);
  assert.equal(proxy.exchanged, 2);
  await proxy.stop();
});

test("questions at the same time share one exchange", async () => {
  const proxy = await failing(() => false);
  const server = await connect(await service.create("growth"), proxy.url);
  await Promise.all(Array.from({ length: 3 }, () => server.call("place", { reference: "iso:FR" })));
  assert.equal(proxy.exchanged, 1);
  await proxy.stop();
});

test("a question that its caller gives up is not a failure of the server", async () => {
  const giveUp = new AbortController();
  const arrivals = [];
  const waits = { "/v1/geocoding/forward": { status: 429, headers: { "retry-after": "9" } }, "/v1/geocoding/autocomplete": null };
  const proxy = await failing((_, response, path) => {
    if (path === "/api-clients/token") return response.end(JSON.stringify({ token: "x", expiresAt: new Date(Date.now() + 3_600_000).toISOString() })), true;
    // One question waits for its limit, and the other one for an answer.
    const { promise: answered, resolve: done } = Promise.withResolvers();
    if (waits[path]) response.writeHead(waits[path].status, waits[path].headers).end("{}", done);
    else done();
    arrivals.push(answered);
    if (arrivals.length === Object.keys(waits).length) Promise.all(arrivals).then(() => giveUp.abort());
    return true;
  });
  const server = await connect({ apiKey: "gck_x", apiSecret: "gcs_hush" }, proxy.url);
  const ask = (name, arguments_) => assert.rejects(server.client.callTool({ name, arguments: arguments_ }, undefined, { signal: giveUp.signal }), /abort/i);
  await Promise.all([ask("geocode", { query: "Paris" }), ask("autocomplete", { text: "par" })]);
  // The server reads in order: with this answer it has seen the end of both.
  await server.client.ping();
  assert.equal(server.said(), "");
  await proxy.stop();
});

test("a redirect is not followed: it would take the secret elsewhere", async () => {
  let elsewhere = 0;
  const other = await failing((_, response) => (elsewhere++, response.writeHead(500).end(), true));
  const proxy = await failing((_, response) => (response.writeHead(307, { location: `${other.url}/x` }).end(), true));
  const server = await connect({ apiKey: "gck_x", apiSecret: "gcs_hush" }, proxy.url);
  assert.match((await server.call("geocode", { query: "Paris" })).content[0].text, /cannot be reached \(unexpected redirect\)/);
  assert.equal(elsewhere, 0);
  await Promise.all([proxy.stop(), other.stop()]);
});
