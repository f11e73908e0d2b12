// Counts the samples of traffic that are lost when workerd is killed: `node tests/bench/service/lost-samples.mjs [ROUNDS]`,
// after `cargo xtask build worker`. Each round sends at a steady rate for some seconds, kills everything without warning,
// restarts on the same storage, and compares the responses with /sla-metrics.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT, Service, WRANGLER, configure, deployed } from "../../live/harness.mjs";

const PORT = 18790;
const EVERY_MS = 20;
const ROUNDS = Number(process.argv[2] ?? 6);

// An isolate sends after 20 s, and an answer is cached for 15 s.
const SETTLED_MS = 45_000;

const folder = mkdtempSync(join(tmpdir(), "toponym-lost-"));
configure(folder);
writeFileSync(join(folder, ".dev.vars"), Object.entries(deployed()).map(([name, value]) => `${name}='${value}'\n`).join(""));
const service = new Service(null, new URL(`http://127.0.0.1:${PORT}`), folder);

async function serve() {
  const arguments_ = ["dev", "-c", join(folder, "wrangler.toml"), "--local", "--ip", "127.0.0.1", "--port", `${PORT}`];
  const persisted = ["--inspector-port", `${PORT + 1}`, "--persist-to", join(folder, "state"), "--show-interactive-dev-session=false"];
  const child = spawn(process.execPath, [WRANGLER, ...arguments_, ...persisted], { cwd: ROOT, detached: true, stdio: "ignore" });
  while ((await service.send("GET /health").catch(() => null))?.status !== 200) await wait(100);
  return child;
}

async function kill(child) {
  process.kill(-child.pid, "SIGKILL");
  await once(child, "exit");
}

const total = async () => (await (await service.send("GET /sla-metrics")).json()).requests.total;

let child = await serve();
try {
  const token = await service.token("localdemo");
  let counted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const answered = [];
    const lasts_ms = 6_000 + (round * 1_300) % 8_000;
    const start = Date.now();
    while (Date.now() - start < lasts_ms) {
      const response = await service.sendAs(token, "GET /v1/geocoding/forward?query=Paris").catch(() => null);
      if (response?.status === 200) answered.push(Date.now());
      await wait(EVERY_MS);
    }
    const killed = Date.now();
    await kill(child);
    child = await serve();
    await wait(SETTLED_MS);
    const kept = (await total()) - counted;
    counted += kept;
    const lost = answered.length - kept;
    const since = lost > 0 ? (killed - answered[kept]) / 1000 : 0;
    console.log(`round ${round + 1}: ${answered.length} answered in ${lasts_ms} ms, ${lost} lost: those of the last ${since.toFixed(2)} s`);
  }
} finally {
  await kill(child);
  rmSync(folder, { recursive: true, force: true });
}
