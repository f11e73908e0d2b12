// Tests the cron triggers and the pages of the service on a machine of one's own.

import assert from "node:assert/strict";
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
  for (const path of [...paths, ...others]) {
    const ask = (service) => fetch(`${new URL(service.url).origin}${path}`, { redirect: "manual" });
    const [own, other] = await Promise.all([ask(running.service), ask(platform)]);
    const shown = ({ status, headers }) => {
      const kept = ["content-type", "location", "cache-control", "content-security-policy", "x-content-type-options", "referrer-policy", "access-control-allow-origin"];
      return { status, ...Object.fromEntries(kept.map((name) => [name, headers.get(name)])) };
    };
    assert.deepEqual(shown(own), shown(other), path);
    if (own.status === 200) assert.deepEqual(Buffer.from(await own.arrayBuffer()), Buffer.from(await other.arrayBuffer()), path);
  }
});

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
    // A copy: the service holds a lock on its own.
    const folder = join(machine.folder, "copy");
    cpSync(join(machine.variables.TOPONYM_STATE, "objects/toponym-MetricsBoard"), folder, { recursive: true });
    const [file] = readdirSync(folder).filter((name) => /^[0-9a-f]+\.sqlite$/.test(name));
    const database = new DatabaseSync(join(folder, file));
    try {
      return database.prepare("SELECT * FROM probes").all().map((row) => Object.values(row));
    } finally {
      database.close();
      rmSync(folder, { recursive: true });
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
