// Runs the service without installing it, from a registry, and goes on with the next version.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../../servers.mjs";
import { EARLIER, QUESTION, Registry, VERSION, bytesOf, emptyFolder, measured, released, up } from "./harness.mjs";

const TARBALLS = ["toponym", "toponym-full", "toponym-serve"].map((name) => released(new RegExp(`^${name}-\\d.*\\.tgz$`)));

let registry;

after(() => registry?.stop());

before(async () => {
  registry = await Registry.start();
  for (const tarball of TARBALLS) await registry.publishEarlier(tarball);
  for (const tarball of TARBALLS) await registry.publish(tarball);
});

test("npx toponym-serve serves within a minute, and the next version goes on with its keys", async (context) => {
  const home = emptyFolder(context);
  const env = { ...registry.env, TOPONYM_HOME: home };
  const start = async (version) => {
    const port = await freePort();
    const child = spawn("npx", ["--yes", `toponym-serve@${version}`, `--port=${port}`], { cwd: home, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"], detached: true });
    const ended = once(child, "close");
    const stop = async () => (process.kill(-child.pid, "SIGTERM"), ended);
    context.after(() => child.exitCode === null && child.signalCode === null && process.kill(-child.pid, "SIGKILL"));
    await up(`http://127.0.0.1:${port}/health`, child);
    return { url: `http://127.0.0.1:${port}`, stop };
  };
  const ask = async (url, credentials) => {
    const { token } = await (await fetch(`${url}/api-clients/token`, { method: "POST", body: JSON.stringify(credentials) })).json();
    const response = await fetch(`${url}/v1/geocoding/forward?query=${encodeURIComponent(QUESTION)}`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json())[0]?.display_name;
  };
  const demo = { apiKey: "gck_localdemo", apiSecret: "gcs_localdemo" };

  const first = await measured("npx toponym-serve", "first answer, and workerd from npm", bytesOf(...TARBALLS), async () => {
    const service = await start(EARLIER);
    assert.equal(await ask(service.url, demo), "Munich, Bavaria, Germany");
    return service;
  });
  assert.match(await (await fetch(first.url)).text(), /<!doctype html>/i);
  const { TOPONYM_ADMIN_SECRET: admin } = JSON.parse(readFileSync(join(home, "serve/secrets.json")));
  if (process.platform !== "win32") assert.equal(statSync(join(home, "serve/secrets.json")).mode & 0o777, 0o600);
  const created = await fetch(`${first.url}/admin/keys`, { method: "POST", headers: { authorization: `Bearer ${admin}` }, body: JSON.stringify({ name: "kept", account: "a", plan: "free" }) });
  const { apiKey, apiSecret } = await created.json();
  await assert.rejects(start(VERSION), /ended with 1/, "two would count in one folder");
  await first.stop();

  const next = await measured("npx toponym-serve", "start of the next version", 0, () => start(VERSION));
  assert.equal(await ask(next.url, { apiKey, apiSecret }), "Munich, Bavaria, Germany");
  await next.stop();
});
