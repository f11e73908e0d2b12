// Runs the service on persistent storage, like `cargo xtask serve`: it can be killed and restarted on the same storage.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../servers.mjs";
import { ROOT, Service, WRANGLER, configure, deployed } from "./harness.mjs";

/** Maximum number of polls of 100 ms until workerd has started. */
const LOOKS = 1200;

/** A folder with the service's configuration and storage. */
export class Persisted {
  #folder = mkdtempSync(join(tmpdir(), "toponym-persisted-"));
  #children = new Set();

  /** `options` are those of `configure` in harness.mjs. */
  constructor(options) {
    configure(this.#folder, options);
    const vars = Object.entries(deployed()).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(this.#folder, ".dev.vars"), vars.join(""));
  }

  /** The folder of the storage. */
  get state() {
    return join(this.#folder, "state");
  }

  /** Starts the service in a separate process group. */
  async serve() {
    const port = await freePort();
    const arguments_ = ["dev", "-c", join(this.#folder, "wrangler.toml"), "--local", "--ip", "127.0.0.1", "--port", `${port}`];
    const persisted = ["--inspector-port", `${await freePort()}`, "--persist-to", this.state];
    const child = spawn(process.execPath, [WRANGLER, ...arguments_, ...persisted, "--show-interactive-dev-session=false"], {
      cwd: ROOT,
      detached: true,
      stdio: "ignore",
    });
    this.#children.add(child);
    const service = new Service(null, new URL(`http://127.0.0.1:${port}`), this.#folder);
    for (let look = 0; look < LOOKS; look++) {
      if (child.exitCode !== null) throw new Error(`wrangler ended by itself with ${child.exitCode}`);
      const health = await service.send("GET /health").catch(() => null);
      if (health?.status === 200) return { service, child };
      await wait(100);
    }
    throw new Error("the service did not become healthy");
  }

  /** Kills the service without giving it a chance to write. */
  async kill(child) {
    if (!this.#children.delete(child) || child.exitCode !== null) return;
    process.kill(-child.pid, "SIGKILL");
    await once(child, "exit");
  }

  /** Calls `change` with the storage of every object that has a table `table`. The service must not be running. */
  eachStorage(table, change) {
    const files = readdirSync(this.state, { recursive: true, withFileTypes: true });
    for (const { parentPath, name } of files.filter(({ name }) => name.endsWith(".sqlite"))) {
      const database = new DatabaseSync(join(parentPath, name));
      try {
        const known = database.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = ?").get(table);
        if (known.n > 0) change(database);
      } finally {
        database.close();
      }
    }
  }

  /** Stops everything and removes the files. */
  async end() {
    await Promise.all([...this.#children].map((child) => this.kill(child)));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
