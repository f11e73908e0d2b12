// Tests the cron triggers and the pages of the service on a machine of one's own.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, start } from "../live/harness.mjs";
import { soon } from "../soon.mjs";
import { Machine, OBJECT, hoursOfBoard, within } from "./machine.mjs";

let machine, running, platform;
before(async () => {
  machine = new Machine();
  [running, platform] = await Promise.all([machine.start(), start()]);
});
after(async () => {
  await platform?.stop();
  await machine.remove();
});

/** The tiles of the map are a thousand pages of one kind. */
const ONE_TILE_OF = 100;

test("the pages are those of the platform, with the same headers", async () => {
  const site = join(ROOT, "build/site");
  const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const isCompared = ({ name }, at) => !name.endsWith(".pbf") || at % ONE_TILE_OF === 0;
  const paths = files.filter(isCompared).map(({ parentPath, name }) => `/${relative(site, join(parentPath, name))}`);
  assert.ok(paths.length > 20);
  const others = ["/", "/playground", "/playground/", "/playground?a=b", "/playground/index", "/index", "/index.html?a=b", "/nowhere", "/status", "/status/", "/status?a=b", "/status.html?a=b", "/status/index", "/status/index.html", "/..%2ftoponym.capnp"];
  const shown = async (service, path) => {
    const { status, headers, ...response } = await fetch(`${new URL(service.url).origin}${path}`, { redirect: "manual" }).then(whole);
    return { path, status, ...Object.fromEntries(COMPARED.map((name) => [name, headers.get(name)])), ...response };
  };
  const all = (service) => Promise.all([...paths, ...others].map((path) => shown(service, path)));
  assert.deepEqual(await all(running.service), await all(platform));
});

const COMPARED = ["content-type", "location", "cache-control", "content-security-policy", "x-content-type-options", "referrer-policy", "access-control-allow-origin"];

/** Status, headers, and the digest of the body of a page; errors of the API have ids of their own. */
async function whole(response) {
  const digest = createHash("sha256").update(Buffer.from(await response.arrayBuffer())).digest("hex");
  return { status: response.status, headers: response.headers, digest: response.status === 200 && digest };
}

test("a page that the caller has is not sent again", async () => {
  const first = await running.service.send("GET /status/page.js");
  const again = await running.service.send("GET /status/page.js", { headers: { "if-none-match": `W/${first.headers.get("etag")}` } });
  assert.deepEqual([again.status, await again.text()], [304, ""]);
  const head = await running.service.send("HEAD /status/page.js");
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  assert.equal(head.headers.get("content-length"), `${(await first.arrayBuffer()).byteLength}`);
});

/** Nanoseconds, as workerd stores times. */
const nanoseconds = (ms) => BigInt(ms) * 1_000_000n;

test("the clock goes on after a kill, and the service probes itself", async () => {
  await running.stop("SIGKILL");
  const at = within(machine.stored("Clock"), /^metadata/, (alarms) => {
    const statement = alarms.prepare("SELECT * FROM _cf_ALARM");
    statement.setReadBigInts(true);
    return Object.values(statement.get()).find((value) => typeof value === "bigint");
  });
  const next = Number(at / 1_000_000n) - Date.now();
  assert.ok(next > -60_000 && next <= 60_000 && Number(at / 1_000_000n) % 60_000 === 0, `the clock is set for the next minute: ${next}`);

  // Instead of a wait for the minute: as if it had passed while the service was down.
  const past = nanoseconds(Date.now() - 1_000);
  within(machine.stored("Clock"), /^metadata/, (alarms) => alarms.prepare(`UPDATE _cf_ALARM SET ${column(alarms, "_cf_ALARM", at)} = ?`).run(past));
  within(machine.stored("Clock"), OBJECT, (object) => object.prepare(`UPDATE _cf_METADATA SET ${column(object, "_cf_METADATA", at)} = ?`).run(past));
  running = await machine.start();
  const [{ hour, probed, good }] = await soon(() => hoursOfBoard(machine.stored("MetricsBoard")), ([latest]) => latest?.probed > 0);
  await running.stop();
  // A probe is a bit, its minute the number of the bit.
  const minute = 60 * hour + Math.floor(Math.log2(probed));
  assert.ok(Math.abs(minute - Date.now() / 60_000) < 2, `${minute}`);
  assert.equal(good, probed);
});

/** The column of a table that holds `value`. */
function column(database, table, value) {
  const statement = database.prepare(`SELECT * FROM ${table}`);
  statement.setReadBigInts(true);
  return Object.entries(statement.get()).find(([, held]) => held === value)[0];
}
