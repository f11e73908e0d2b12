// What outlives the end of everything: workerd is killed, without a chance to write anything down, and started again on
// the same storage.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT, Service, WRANGLER, configure, deployed, freePort } from "./harness.mjs";

const ONE = "GET /v1/geocoding/autocomplete?q=Par";

/** Longest start of workerd, in looks of 100 ms. */
const LOOKS = 1200;

const children = new Set();
let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "toponym-restart-"));
  configure(folder);
  const vars = Object.entries(deployed()).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(folder, ".dev.vars"), vars.join(""));
});
after(async () => {
  await Promise.all([...children].map(kill));
  rmSync(folder, { recursive: true, force: true });
});

// The service as `cargo xtask serve` runs it, in a process group of its own.
async function serve() {
  const port = await freePort();
  const arguments_ = ["dev", "-c", join(folder, "wrangler.toml"), "--local", "--ip", "127.0.0.1", "--port", `${port}`];
  const persisted = ["--inspector-port", `${await freePort()}`, "--persist-to", join(folder, "state")];
  const child = spawn(process.execPath, [WRANGLER, ...arguments_, ...persisted, "--show-interactive-dev-session=false"], {
    cwd: ROOT,
    detached: true,
    stdio: "ignore",
  });
  children.add(child);
  const service = new Service(null, new URL(`http://127.0.0.1:${port}`), folder);
  for (let look = 0; look < LOOKS; look++) {
    if (child.exitCode !== null) throw new Error(`wrangler ended by itself with ${child.exitCode}`);
    const health = await service.send("GET /health").catch(() => null);
    if (health?.status === 200) return { service, child };
    await wait(100);
  }
  throw new Error("the service did not become healthy");
}

async function kill(child) {
  if (!children.delete(child) || child.exitCode !== null) return;
  process.kill(-child.pid, "SIGKILL");
  await once(child, "exit");
}

test("keys, tokens, counts, the month and a disabled key outlive a kill", async () => {
  const first = await serve();
  const key = await first.service.create("free", { overrides: { perMonth: 8 } });
  const other = await first.service.create("growth");
  const token = await first.service.token("", key);
  const otherToken = await first.service.token("", other);
  for (let n = 0; n < 5; n++) assert.equal((await first.service.sendAs(token, ONE)).status, 200);
  await first.service.admin(`PATCH /admin/keys/${other.apiKey}`, { enabled: false });
  await kill(first.child);

  const { service, child } = await serve();
  const sixth = await service.sendAs(token, ONE);
  assert.equal(sixth.status, 200, "the token is still good");
  const { keys } = await (await service.admin("GET /admin/keys")).json();
  assert.deepEqual(keys.map(({ apiKey }) => apiKey).sort(), [key.apiKey, other.apiKey].sort());
  const { usage } = await (await service.admin(`GET /admin/keys/${key.apiKey}`)).json();
  assert.equal(usage[0].used, 6);
  const batch = (n) => service.sendAs(token, "POST /v1/geocoding/batch", JSON.stringify({ queries: Array(n).fill("x") }));
  assert.equal((await batch(3)).status, 403, "three more exceed the month");
  assert.equal((await batch(2)).status, 200);
  const disabled = await service.sendAs(otherToken, ONE);
  assert.deepEqual([disabled.status, (await disabled.json()).message], [403, "API key disabled"]);
  await service.token("", key);
  await kill(child);
});
