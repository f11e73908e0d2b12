// workerd by itself, without the proxies that wrangler and miniflare put in front of a Worker: what is measured there is
// the Worker. Objects are stored in memory where the system has a folder for that, so that no disk evens out what differs.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT, Service, WRANGLER, configure, deployed, freePort } from "../live/harness.mjs";

const WORKERD = join(ROOT, "edge-worker/node_modules/workerd/bin/workerd");

/** Of wrangler.toml: binding and class of each object. */
const OBJECTS = { KEYS: "ApiKey", DIRECTORY: "Directory", SHARDS: "MetricsShard", BOARD: "MetricsBoard" };

/** A folder in memory. */
const MEMORY = "/dev/shm";
const folderOf = () => mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "toponym-load-"));

/** The service, bundled as it is deployed. */
export async function startService() {
  const folder = folderOf();
  const arguments_ = [WRANGLER, "deploy", "-c", configure(folder), "--dry-run", "--outdir", join(folder, "out")];
  const run = spawnSync(process.execPath, arguments_, { cwd: ROOT, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`wrangler cannot bundle the Worker:\n${run.stdout}${run.stderr}`);
  const modules = readdirSync(join(folder, "out")).map((file) => join("out", file));
  const started = await start(folder, modules, OBJECTS, deployed());
  return Object.assign(started, { service: new Service(null, started.url, folder) });
}

/** Another Worker: one module, and its objects by binding. */
export async function startModule(file, objects) {
  const folder = folderOf();
  copyFileSync(file, join(folder, basename(file)));
  return start(folder, [basename(file)], objects, {});
}

async function start(folder, modules, objects, variables) {
  const port = await freePort();
  const text = JSON.stringify;
  const kinds = { js: "esModule", mjs: "esModule", wasm: "wasm", toponym: "data" };
  const listed = modules.map((file) => [file, kinds[file.split(".").at(-1)]]).filter(([, kind]) => kind);
  // The module of the Worker comes first.
  listed.sort(([, a], [, b]) => (b === "esModule") - (a === "esModule"));
  const module = ([file, kind]) => `(name = ${text(kind === "esModule" ? basename(file) : `./${basename(file)}`)}, ${kind} = embed ${text(file)})`;
  const bindings = [
    ...Object.entries(objects).map(([name, of]) => `(name = ${text(name)}, durableObjectNamespace = ${text(of)})`),
    ...Object.entries(variables).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`),
  ];
  const classes = Object.values(objects).map((name) => `(className = ${text(name)}, uniqueKey = ${text(name)}, enableSql = true)`);
  const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "disk", disk = (path = ${text(join(folder, "objects"))}, writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  compatibilityDate = ${text(compatibilityDate())},
  modules = [${listed.map(module).join(", ")}],
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [${classes.join(", ")}],
  durableObjectStorage = (localDisk = "disk")
);
`;
  mkdirSync(join(folder, "objects"));
  writeFileSync(join(folder, "config.capnp"), configuration);
  const child = spawn(WORKERD, ["serve", join(folder, "config.capnp")], { stdio: ["ignore", "ignore", "inherit"] });
  const url = new URL(`http://127.0.0.1:${port}`);
  while (!(await fetch(url).catch(() => null))) {
    if (child.exitCode !== null) throw new Error("workerd ended by itself; what it said is above");
    await wait(50);
  }
  const stop = async () => {
    child.kill();
    await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop, processorMs: () => processorMs(child.pid) };
}

function compatibilityDate() {
  return readFileSync(join(ROOT, "wrangler.toml"), "utf8").match(/^compatibility_date = "(.*)"$/m)[1];
}

/** Processor time that all threads of a process have had, in milliseconds: Linux alone tells it this finely. */
function processorMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
  return threads.reduce((sum, stat) => sum + Number(stat.split(" ")[0]), 0) / 1e6;
}

/** A connection that stays open, one request at a time. */
export class Connection {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** Milliseconds from asking to the end of the answer, which has to have `status`. */
  ask(url, headers = {}, status = 200) {
    return new Promise((resolve, reject) => {
      const begin = performance.now();
      const request = get(url, { agent: this.#agent, headers }, (response) => {
        if (response.statusCode !== status) reject(new Error(`${url} answers ${response.statusCode}`));
        response.resume().on("end", () => resolve(performance.now() - begin));
      });
      request.on("error", reject);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

const sorted = (numbers) => numbers.toSorted((a, b) => a - b);

/** The number that the part `share` (0 to 1) of them does not exceed. */
export const quantile = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

export const median = (numbers) => quantile(numbers, 0.5);
