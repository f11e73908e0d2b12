// Tests unencrypted requests to a deployment: they are refused or redirected to HTTPS, except in local development.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";

const YEAR = "max-age=31536000";

/** Pages, of which no other site may use any. */
const PAGES = ["/", "/index.html", "/status/page.css"];

let service;
before(async () => (service = await start({ secrets: { TOPONYM_DEMO: "false" } })));
after(() => service.stop());

const CASES = [
  // address, status, Strict-Transport-Security
  ["https://api.test/health", 200, YEAR],
  ["https://api.test/nope", 404, YEAR],
  ["https://api.test/v1/geocoding/forward?query=x", 401, YEAR],
  ["https://api.test/", 200, YEAR],
  ["https://api.test/status/page.css", 200, YEAR],
  ["https://api.test/index.html", 307, YEAR],
  ["http://api.test/health", 403, null],
  ["http://api.test/v1/geocoding/forward?query=x", 403, null],
  ["http://127.0.0.1.api.test:8787/health", 403, null],
  ["http://api.test/", 308, null],
  ["http://localhost.api.test/", 308, null],
  ["http://127.0.0.1.api.test/", 308, null],
  ["http://api.test/nope?x=http", 308, null],
  ["http://127.0.0.1:8787/health", 200, null],
  ["http://localhost/", 200, null],
  ["http://[::1]:8787/health", 200, null],
];

for (const [address, status, strict] of CASES) {
  test(`${address}: ${status}`, async () => {
    const response = await service.server.getWorker().fetch(address, { redirect: "manual" });
    const text = await response.text();
    assert.equal(response.status, status, text);
    const isPage = status === 308 || PAGES.includes(new URL(address).pathname);
    assert.equal(response.headers.get("access-control-allow-origin"), isPage ? null : "*");
    assert.equal(response.headers.get("strict-transport-security"), strict);
    if (status === 308) assert.equal(response.headers.get("location"), address.replace("http:", "https:"));
    if (status === 403) assert.deepEqual(JSON.parse(text), { statusCode: 403, error: "Forbidden", message: "HTTPS is required" });
  });
}
