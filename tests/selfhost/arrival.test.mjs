// Tests who a request comes from, without a server: whom the Worker sees for each connection and header.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrived, proxies } from "../../edge-worker/selfhost/arrival.mjs";
import { check, isDue } from "../../edge-worker/selfhost/crons.mjs";
import { Limit } from "../../edge-worker/selfhost/limit.mjs";

const TRUSTED = "127.0.0.1, 10.0.0.0/8 ::1 2001:db8:aa::/48";

// trusted proxies, the connection, X-Forwarded-For, the caller
const CASES = [
  ["", "203.0.113.1:5000", null, "203.0.113.1"],
  ["", "203.0.113.1:5000", "198.51.100.7", "203.0.113.1"],
  ["", "127.0.0.1:5000", "198.51.100.7", "127.0.0.1"],
  ["", "[2001:db8::1]:5000", null, "2001:db8::1"],
  [TRUSTED, "127.0.0.1:5000", "198.51.100.7", "198.51.100.7"],
  [TRUSTED, "[::ffff:127.0.0.1]:5000", "198.51.100.7", "198.51.100.7"],
  [TRUSTED, "[::1]:5000", "2001:db8::7", "2001:db8::7"],
  [TRUSTED, "203.0.113.1:5000", "198.51.100.7", "203.0.113.1"],
  [TRUSTED, "127.0.0.1:5000", "1.2.3.4, 198.51.100.7", "198.51.100.7"],
  [TRUSTED, "127.0.0.1:5000", "198.51.100.7, 10.1.2.3", "198.51.100.7"],
  [TRUSTED, "127.0.0.1:5000", "1.2.3.4, 198.51.100.7, 10.1.2.3, 2001:db8:aa::9", "198.51.100.7"],
  [TRUSTED, "127.0.0.1:5000", "198.51.100.7, unknown", null],
  [TRUSTED, "127.0.0.1:5000", "10.1.2.3", null],
  [TRUSTED, "127.0.0.1:5000", "1.2.3.4, 127.1", null],
  [TRUSTED, "127.0.0.1:5000", null, null],
  [TRUSTED, undefined, "198.51.100.7", null],
  [TRUSTED, "unix:/run/socket", "198.51.100.7", "unix:/run/socket"],
];

for (const [trusted, clientIp, forwarded, expect] of CASES) {
  test(`${clientIp} for ${forwarded}, trusting ${trusted || "nobody"}`, () => {
    const headers = { "cf-connecting-ip": "192.0.2.66", "cf-ray": "forged", "x-other": "kept" };
    if (forwarded) headers["x-forwarded-for"] = forwarded;
    const request = Object.assign(new Request("http://api.test/x?y=http:", { headers }), { cf: { clientIp } });
    const changed = arrived(request, proxies(trusted));
    assert.equal(changed.headers.get("cf-connecting-ip"), expect);
    assert.deepEqual([changed.headers.get("cf-ray"), changed.headers.get("x-other")], [null, "kept"]);
    assert.equal(changed.url, "http://api.test/x?y=http:");
  });
}

test("the scheme is the proxy's word too", () => {
  const of = (clientIp, proto) => arrived(Object.assign(new Request("http://api.test/x?http:", { headers: { "x-forwarded-proto": proto } }), { cf: { clientIp } }), proxies(TRUSTED)).url;
  assert.equal(of("127.0.0.1:1", "https"), "https://api.test/x?http:");
  assert.equal(of("127.0.0.1:1", "http"), "http://api.test/x?http:");
  assert.equal(of("203.0.113.1:1", "https"), "http://api.test/x?http:");
});

test("a body travels on", async () => {
  const request = Object.assign(new Request("http://api.test/", { method: "POST", body: "text" }), { cf: {} });
  assert.equal(await arrived(request, []).text(), "text");
});

test("a network that cannot be read is named", () => {
  for (const wrong of ["localhost", "10.0.0.0/33", "1.2.3", "300.1.1.1"]) assert.throws(() => proxies(`127.0.0.1 ${wrong}`), new RegExp(`TRUSTED_PROXIES must be addresses or networks such as .*, not "${wrong}"`));
});

test("when cron triggers are due, in UTC", () => {
  const due = (cron, time) => isDue(check(cron), new Date(time));
  assert.ok(due("* * * * *", "2026-11-23T23:59:00Z"));
  assert.ok(due("17 3 * * *", "2026-11-23T03:17:00Z"));
  assert.ok(!due("17 3 * * *", "2026-11-23T04:17:00Z"));
  // A Monday, which is day 2 of the platform.
  assert.ok(due("0 0 23 11 2", "2026-11-23T00:00:00Z"));
  for (const wrong of ["*/5 * * * *", "0 0 * * MON", "* * * *"]) assert.throws(() => check(wrong), /teach/);
});

test("a limit counts each name by itself", async () => {
  const limit = new Limit({ limit: 2, period: 1e9 });
  const ask = async (key) => (await limit.limit({ key })).success;
  assert.deepEqual([await ask("a"), await ask("a"), await ask("a"), await ask("b")], [true, true, false, true]);
});
