// Tests the cron triggers and the pages of the service on a machine of one's own.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT, start } from "../live/harness.mjs";
import { Machine } from "./machine.mjs";

let machine, running, platform;
before(async () => {
  machine = new Machine();
  [running, platform] = await Promise.all([machine.start(), start()]);
});
after(async () => {
  await platform?.stop();
  await machine.remove();
});

test("the pages are those of the platform, with the same headers", async () => {
  const site = join(ROOT, "build/site");
  const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => `/${relative(site, join(parentPath, name))}`);
  assert.ok(paths.length > 20);
  const others = ["/", "/playground", "/playground/", "/playground/index", "/index", "/index.html?a=b", "/nowhere", "/status", "/status/", "/..%2ftoponym.capnp", "//"];
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

test("the service probes itself every minute, also after a kill", async () => {
  const probes = () => {
    rmSync(join(machine.folder, "copy"), { recursive: true, force: true });
    // A copy: the service holds a lock on its own.
    const folder = join(machine.folder, "copy");
    cpSync(join(machine.variables.TOPONYM_STATE, "objects/toponym-MetricsBoard"), folder, { recursive: true });
    const [file] = readdirSync(folder).filter((name) => /^[0-9a-f]+\.sqlite$/.test(name));
    // The board is made by the first probe.
    if (!file) return [];
    const database = new DatabaseSync(join(folder, file));
    try {
      return database.prepare("SELECT * FROM probes").all().map((row) => Object.values(row));
    } finally {
      database.close();
    }
  };
  // Nobody asks the service after this start: the clock that was set before the kill has to be there.
  await running.stop("SIGKILL");
  running = await machine.start();
  let found = [];
  for (let look = 0; look < 75 && found.length === 0; look++) {
    await wait(1_000);
    found = probes();
  }
  assert.ok(found.length > 0, "no probe in a minute");
  const [minute, worked] = found.at(-1);
  assert.ok(Math.abs(minute - Date.now() / 60_000) < 2, `${minute}`);
  assert.equal(worked, 1);
});
