// Tests the folder for a machine of one's own without a server: whom the Worker sees for each connection and header, what start.sh
// refuses before it runs anything, and who may read the folder.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { arrived, proxies } from "../../edge-worker/selfhost/arrival.mjs";
import { configuration } from "../../edge-worker/selfhost/configuration.mjs";
import { check, isDue } from "../../edge-worker/selfhost/crons.mjs";
import { Limit } from "../../edge-worker/selfhost/limit.mjs";
import { share } from "../../edge-worker/selfhost/modes.mjs";
import { Pages } from "../../edge-worker/selfhost/pages.mjs";

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

const START = resolve(import.meta.dirname, "../../edge-worker/selfhost/start.sh");

/** The status of start.sh for a configuration that is wrong. */
const EX_CONFIG = 78;

/** What start.sh says with these proxies. It always ends: the folder of state is none. */
function said(trusted) {
  const env = { PATH: process.env.PATH, TOPONYM_SIGNING_KEYS: "x", TOPONYM_PEPPER: "x", TOPONYM_STATE: "/dev/null/state", TRUSTED_PROXIES: trusted };
  const { status, stderr } = spawnSync("sh", [START], { env, encoding: "utf8" });
  assert.equal(status, EX_CONFIG, stderr);
  return stderr;
}

const NETWORKS = [
  "", " , ", "127.0.0.1", "127.0.0.1, 10.0.0.0/8 ::1", "255.255.255.255/32", "0.0.0.0/0", "192.168.10.19/30", "::", "::/0", "::1/128", "2001:db8::/32", "2001:DB8:aa::9", "1:2:3:4:5:6:7:8/64",
  "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8", "1:2:3:4:5:6::8", "1::3:4:5:6:7:8", "fe80::1:2", "::ffff:10.0.0.1", "::10.0.0.1",
];

for (const text of NETWORKS) {
  test(`start.sh takes the proxies "${text}", as the Worker does`, () => {
    proxies(text);
    assert.match(said(text), /^toponym: the folder \/dev\/null\/state cannot be made/m);
  });
}

const WRONG = [
  "localhost", "proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "1.2.3", "1.2.3.4.5", "01.2.3.4", "300.1.1.1", "256.1.1.1", "1.2.3.4:80", "[::1]", "::1/129", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", ":1", "1:", ":::", "12345::", "g::1", "*", "/8", "2001:db8::/x",
];

for (const wrong of WRONG) {
  test(`start.sh names the proxy "${wrong}", which the Worker cannot read`, () => {
    assert.throws(() => proxies(wrong), /TRUSTED_PROXIES/);
    assert.ok(said(`127.0.0.1 ${wrong},::1`).includes(`, not "${wrong}"`), said(wrong));
  });
}

test("the Worker finds a page of the index by its address, as at the platform", async () => {
  const disk = { fetch: async (url) => new Response(new URL(url).pathname, { headers: { "content-length": "9" } }) };
  const pages = new Pages(disk, { "/places/aa": { file: "places/aa", headers: {} } });
  const found = await pages.fetch("https://assets.invalid/places/aa");
  assert.deepEqual([found.status, await found.text()], [200, "/places/aa"]);
  assert.equal((await pages.fetch("https://assets.invalid/places/bb")).status, 404);
  assert.equal((await pages.fetch(new Request("https://assets.invalid/places/aa", { method: "HEAD" }))).status, 200);
});

test("the operator's variables reach the Worker", () => {
  const text = configuration({ compatibility_date: "2026-10-01", durable_objects: { bindings: [] }, name: "toponym" }, ["index.js"]);
  for (const name of ["AUTH_HOST", "PUBLISH_PLACES", "TOPONYM_KEY_MARK", "UNMARKED_KEYS"]) assert.ok(text.includes(`(name = "${name}", fromEnvironment = "${name}")`), name);
});

test("everybody may read the folder, whatever the umask of its maker", () => {
  const folder = mkdtempSync(join(tmpdir(), "toponym-modes-"));
  mkdirSync(join(folder, "site/deep"), { recursive: true, mode: 0o700 });
  for (const file of ["start.sh", "toponym.capnp", "site/deep/page.js"]) writeFileSync(join(folder, file), "", { mode: 0o600 });
  share(folder, ["start.sh"]);
  const modes = ["", ...readdirSync(folder, { recursive: true })].map((path) => [path, (statSync(join(folder, path)).mode & 0o777).toString(8)]);
  assert.deepEqual(Object.fromEntries(modes), { "": "755", "start.sh": "755", "toponym.capnp": "644", site: "755", "site/deep": "755", "site/deep/page.js": "644" });
  rmSync(folder, { recursive: true });
});
