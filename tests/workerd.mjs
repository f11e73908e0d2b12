// Runs workerd without the proxies of wrangler and miniflare, so that measurements and faults concern only the Worker.
// Objects are stored in memory if the system has a folder for that, so that no disk hides differences. One process is
// one isolate, of the Worker and of all its objects.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./servers.mjs";
import { Inspector } from "./inspector.mjs";
import { FAULTS_FLAGS, ROOT, Service, bundle, deployed } from "./live/harness.mjs";

const WORKERD = join(ROOT, "edge-worker/node_modules/workerd/bin/workerd");

/** Binding and class of each object, as in wrangler.toml. */
const OBJECTS = { KEYS: "ApiKey", DIRECTORY: "Directory", BOARD: "MetricsBoard" };

/** The network of `fetch`, which by itself is only that of public addresses. */
const NETWORK = `, (name = "internet", network = (allow = ["public", "private"]))`;

/** The assets of a Worker, from a server. */
const external = (address) => `, (name = "assets", external = (address = ${JSON.stringify(address)}, http = ()))`;

/** A Worker that keeps what `wrangler tail` would show of another one, as the service "tail" at a port of its own. */
const TAIL = `
const seen = [];
export default {
  tail: (events) => void seen.push(...events.map(({ entrypoint, event, logs }) => ({ entrypoint, request: event?.request && { ...event.request }, logs }))),
  fetch: () => Response.json(seen),
};
`;

const tail = (port) => ({
  service: ', (name = "tail", worker = .tail)',
  socket: `, (name = "tail", address = "127.0.0.1:${port}", http = (), service = "tail")`,
  worker: `const tail :Workerd.Worker = (compatibilityDate = "${compatibilityDate()}", modules = [(name = "tail.js", esModule = embed "tail.js")]);\n`,
});

/** A folder in memory. */
const MEMORY = "/dev/shm";
const folderOf = () => mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "toponym-load-"));

/**
 * Starts the service, bundled as for deployment, or with `faults` that of live/faults.mjs, or with the entry `main`, or with
 * other `indexes`. `assets` is the address of a server with the pages of one in pages. `variables` are added to those of a deployment with demo keys. `inspected` adds an `inspector`
 * (inspector.mjs), `quiet` drops the logs, `network` lets it reach this machine. `restart` kills it without giving it a
 * chance to write, and starts it again on the same storage. With `tail` it has `tailed`, which returns what `wrangler tail` would show.
 */
export async function startService({ faults = false, main, indexes, variables = {}, ...how } = {}) {
  const folder = folderOf();
  bundle(folder, { faults, main, indexes });
  const modules = readdirSync(join(folder, "worker")).map((file) => join("worker", file));
  const flags = faults ? FAULTS_FLAGS : [];
  const started = await start(folder, modules, OBJECTS, { ...deployed(), ...variables }, { ...how, flags });
  return Object.assign(started, { service: new Service(null, started.url, folder), bundle: join(folder, "worker") });
}

/** Starts another Worker: one module, and its objects by binding. */
export async function startModule(file, objects) {
  const folder = folderOf();
  copyFileSync(file, join(folder, basename(file)));
  return start(folder, [basename(file)], objects, {});
}

async function start(folder, modules, objects, variables, how = {}) {
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
    ...(how.assets ? ['(name = "PAGES", service = "assets")'] : []),
  ];
  const tailPort = how.tail && (await freePort());
  const tailing = how.tail ? tail(tailPort) : { service: "", socket: "", worker: "" };
  if (how.tail) writeFileSync(join(folder, "tail.js"), TAIL);
  const classes = Object.values(objects).map((name) => `(className = ${text(name)}, uniqueKey = ${text(name)}, enableSql = true)`);
  const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "disk", disk = (path = ${text(join(folder, "objects"))}, writable = true))${how.network ? NETWORK : ""}${how.assets ? external(how.assets) : ""}${tailing.service}],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")${tailing.socket}]
);
${tailing.worker}
const worker :Workerd.Worker = (
  compatibilityDate = ${text(compatibilityDate())},
  compatibilityFlags = ${text(how.flags ?? [])},
  modules = [${listed.map(module).join(", ")}],
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [${classes.join(", ")}],
  durableObjectStorage = (localDisk = "disk")${how.tail ? ', tails = ["tail"]' : ""}
);
`;
  mkdirSync(join(folder, "objects"));
  writeFileSync(join(folder, "config.capnp"), configuration);
  const url = new URL(`http://127.0.0.1:${port}`);
  let [child, inspector] = await listening(url, join(folder, "config.capnp"), how);
  // Not SIGTERM: workerd then waits for requests that never end, and with an inspector it sometimes does not end at all.
  const end = async () => {
    inspector?.close();
    // Who has ended says so once.
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  let restarting = Promise.resolve();
  const stop = async () => {
    await restarting.catch(() => {});
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  const restart = () => {
    restarting = (async () => {
      await end();
      [child, inspector] = await listening(url, join(folder, "config.capnp"), how);
    })();
    return restarting;
  };
  const tailed = async () => (await fetch(`http://127.0.0.1:${tailPort}`)).json();
  return { url, stop, restart, tailed, pid: child.pid, inspector, processorMs: () => processorMs(child.pid) };
}

/** Maximum number of starts until workerd listens: with an inspector it sometimes deadlocks before that. */
const STARTS = 5;

/** Polls of 50 ms until the next start. */
const LOOKS = 200;

async function listening(url, configuration, { inspected = false, quiet = false, tail = false }) {
  for (let start = 0; start < STARTS; start++) {
    const inspector = inspected && (await freePort());
    const options = inspected ? [`--inspector-addr=127.0.0.1:${inspector}`] : [];
    const child = spawn(WORKERD, ["serve", configuration, ...(tail ? ["--experimental"] : []), ...options], { stdio: ["ignore", "ignore", quiet ? "ignore" : "inherit"] });
    for (let look = 0; look < LOOKS; look++) {
      if (await fetch(url).catch(() => null)) return [child, inspected ? await Inspector.connect(inspector) : undefined];
      if (child.exitCode !== null) throw new Error("workerd ended by itself; what it said is above");
      await wait(50);
    }
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  throw new Error(`workerd does not listen after ${STARTS} starts`);
}

function compatibilityDate() {
  return readFileSync(join(ROOT, "wrangler.toml"), "utf8").match(/^compatibility_date = "(.*)"$/m)[1];
}

/** Processor time of all threads of a process, in milliseconds. Only Linux reports it this precisely. */
function processorMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
  return threads.reduce((sum, stat) => sum + Number(stat.split(" ")[0]), 0) / 1e6;
}
