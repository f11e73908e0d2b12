// Runs the folder of `cargo xtask build selfhost` as its users do: new secrets, start.sh, an own folder for the objects.
//
//     edge-worker/node_modules/.bin/node --test 'tests/selfhost/*.test.mjs'

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../servers.mjs";
import { ROOT, Service } from "../live/harness.mjs";

/** The folder that is tested. */
export const FOLDER = join(ROOT, "build/selfhost");

/** Polls of 100 ms until the service is healthy. */
const LOOKS = 600;

/** A machine with the folder, secrets and a folder of state. It can start the service again and again. */
export class Machine {
  folder = mkdtempSync(join(tmpdir(), "toponym-selfhost-"));
  #children = new Set();

  constructor(variables = {}) {
    if (!existsSync(FOLDER)) throw new Error("build/selfhost is missing: run `cargo xtask build selfhost` first");
    this.secrets = join(this.folder, "toponym.env");
    execFileSync(join(FOLDER, "new-secrets.sh"), [this.secrets]);
    this.variables = { TOPONYM_ENV: this.secrets, TOPONYM_STATE: join(this.folder, "state"), ...variables };
  }

  /** Runs start.sh, and waits until it is healthy. `stop(signal)` resolves to how it ended. */
  async start(variables = {}) {
    const port = await freePort();
    const started = this.run({ TOPONYM_LISTEN: `127.0.0.1:${port}`, ...variables });
    const service = new Service(null, new URL(`http://127.0.0.1:${port}`), this.folder);
    const admin = (line, body) => service.sendAs(this.#adminSecret(), line, body && JSON.stringify(body));
    for (let look = 0; look < LOOKS; look++) {
      if (started.child.exitCode !== null) throw new Error(`start.sh ended with ${started.child.exitCode}: ${started.said()}`);
      const health = await service.send("GET /health").catch(() => null);
      if (health?.status === 200) return Object.assign(started, { service, admin, port });
      await wait(100);
    }
    throw new Error(`the service did not become healthy: ${started.said()}`);
  }

  /** Runs start.sh with these variables only, and the path. */
  run(variables = {}) {
    const env = { PATH: process.env.PATH, ...this.variables, ...variables };
    const child = spawn(join(FOLDER, "start.sh"), { env, stdio: ["ignore", "ignore", "pipe"] });
    this.#children.add(child);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (part) => (said += part));
    const ended = once(child, "close").then(([code, signal]) => ({ code, signal, said }));
    const stop = (signal = "SIGTERM") => (child.kill(signal), ended);
    return { child, ended, stop, said: () => said };
  }

  /** The folder of the objects of a class, with the times of their alarms. */
  stored(object) {
    return join(this.variables.TOPONYM_STATE, "objects", `toponym-${object}`);
  }

  #adminSecret() {
    return readFileSync(this.secrets, "utf8").match(/^TOPONYM_ADMIN_SECRET=(.*)$/m)[1];
  }

  /** Kills what still runs, and removes the files. */
  async remove() {
    const running = [...this.#children].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(running.map((child) => (child.kill("SIGKILL"), once(child, "close"))));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Creates a key, and exchanges it for a token. */
export async function keyOf({ service, admin }, plan, rest = {}) {
  const response = await admin("POST /admin/keys", { name: "test", account: "a", plan, ...rest });
  if (response.status !== 201) throw new Error(`no key: ${response.status} ${await response.text()}`);
  const key = await response.json();
  return { ...key, token: await service.token("", key) };
}

/** Files of objects; workerd has others beside them. */
export const OBJECT = /^[0-9a-f]{64}\.sqlite$/;

/** Calls `work` with the SQLite file `name` of a folder; the service must not be running. */
export function within(folder, name, work) {
  const file = readdirSync(folder).find((file) => name.test(file));
  const database = new DatabaseSync(join(folder, file));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Reads the hours that the board of a running service has written, the latest first, in a copy of its files. */
export function hoursOfBoard(folder) {
  const copy = mkdtempSync(join(tmpdir(), "toponym-copy-"));
  try {
    cpSync(folder, copy, { recursive: true });
    const rows = within(copy, OBJECT, (board) => board.prepare("SELECT hour, json FROM hours ORDER BY hour DESC").all());
    return rows.map(({ hour, json }) => ({ hour, ...JSON.parse(json) }));
  } catch {
    // The table or its file is not there yet.
    return [];
  } finally {
    rmSync(copy, { recursive: true });
  }
}
