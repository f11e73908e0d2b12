#!/usr/bin/env node
// The command `toponym-serve`: runs the service on workerd on this machine, from files of npm packages alone.
//
// The Worker is that of `cargo xtask build selfhost`; edge-worker/SELFHOST.md describes what is around it. The index is that of the package
// toponym-full, unpacked once. Keys, their counts and the secrets stay in a folder of the user, so that the next version goes on.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import full from "toponym-full";
import workerd from "workerd";
import { inflated } from "./inflate.js";

const HERE = import.meta.dirname;

/** The exit code for wrong arguments. */
const WRONG_USAGE = 2;

/** Pause between looks at whether the service is up: it takes a second or two. */
const LOOK_MS = 100;

/** Bytes of a secret: the output size of HMAC-SHA256. */
const SECRET_BYTES = 32;

/** Digits of a checksum that tell one index from another. */
const NAME_DIGITS = 16;

const HELP = `Runs the geocoding service on this machine, with all places.

usage: toponym-serve [--port NUMBER]

  --port NUMBER  port on 127.0.0.1 [8787]
  --help, --version

Keys, their counts and the secrets stay in .toponym/serve of your home folder, or in serve of the folder TOPONYM_HOME.`;

class Stop extends Error {}

try {
  await run();
} catch (error) {
  const isUsage = error.code?.startsWith("ERR_PARSE_ARGS");
  if (!(error instanceof Stop) && !isUsage) throw error;
  console.error(`toponym-serve: ${error.message}${isUsage ? `\n\n${HELP}` : ""}`);
  process.exitCode = isUsage ? WRONG_USAGE : 1;
}

async function run() {
  const text = { type: "string" };
  const flag = { type: "boolean" };
  const { values } = parseArgs({ options: { port: { ...text, default: "8787" }, help: { ...flag, short: "h" }, version: flag } });
  if (values.help) return console.log(HELP);
  if (values.version) return console.log(JSON.parse(readFileSync(join(HERE, "package.json"), "utf8")).version);
  const port = Number(values.port);
  await requireFree(port, values.port);
  const home = join(process.env.TOPONYM_HOME || join(homedir(), ".toponym"), "serve");
  mkdirSync(join(home, "objects"), { recursive: true });
  const unlock = lock(join(home, "lock"));
  try {
    await serve(home, port, await unpacked(home));
  } finally {
    unlock();
  }
}

async function requireFree(port, given) {
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Stop(`--port must be a number between 1 and 65535, not ${given}`);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Stop(`port ${port} of 127.0.0.1 cannot be used (${error.code}): stop what runs there, or choose another with --port`);
  }
  server.close();
  await once(server, "close");
}

/** Takes the folder for this process, as two would both count and overwrite each other. Returns what gives it back. */
function lock(file) {
  const take = () => writeFileSync(file, String(process.pid), { flag: "wx" });
  try {
    take();
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    const owner = Number(readFileSync(file, "utf8"));
    if (isRunning(owner)) throw new Stop(`process ${owner} serves from this folder already: stop it first, or set TOPONYM_HOME to another folder`);
    rmSync(file);
    take();
  }
  return () => rmSync(file, { force: true });
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Returns the folder with the index, unpacked by the first run of a version. Those of other versions go. */
async function unpacked(home) {
  const folder = join(home, `index-${full.sha256.slice(0, NAME_DIGITS)}`);
  const others = readdirSync(home).filter((name) => name.startsWith("index-") && join(home, name) !== folder);
  for (const name of others) rmSync(join(home, name), { recursive: true });
  try {
    if (readdirSync(folder).length > 0) return folder;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const next = join(home, "index-next");
  mkdirSync(next, { recursive: true });
  writeFileSync(join(next, "index.toponym"), await inflated(readFileSync(full.url)));
  renameSync(next, folder);
  return folder;
}

/** Returns the secrets of this machine, which the first run makes. */
function secrets(home) {
  const file = join(home, "secrets.json");
  const ring = () => JSON.stringify({ active: "k1", keys: { k1: randomBytes(SECRET_BYTES).toString("base64") } });
  const text = () => randomBytes(SECRET_BYTES).toString("hex");
  const fresh = () => ({ TOPONYM_SIGNING_KEYS: ring(), TOPONYM_PEPPER: ring(), TOPONYM_KEY_MARK: text(), TOPONYM_ADMIN_SECRET: text() });
  try {
    writeFileSync(file, `${JSON.stringify(fresh(), null, 2)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

async function serve(home, port, index) {
  const arguments_ = ["serve", join(HERE, "toponym.capnp"), `--import-path=${index}`, `--socket-addr=http=127.0.0.1:${port}`];
  arguments_.push(`--directory-path=objects=${join(home, "objects")}`, `--directory-path=site=${join(HERE, "site")}`);
  const env = { ...process.env, ...secrets(home), TOPONYM_DEMO: "true" };
  // A group of its own on Unix: Ctrl-C reaches this process only, which then stops workerd in order.
  const child = spawn(workerd.default, arguments_, { env, stdio: ["ignore", "ignore", "inherit"], detached: process.platform !== "win32" });
  const ended = once(child, "close");
  let isStopped = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => ((isStopped = true), child.kill()));
  const url = `http://127.0.0.1:${port}`;
  let health;
  while (!isStopped && child.exitCode === null && !(health = await healthOf(url))) await wait(LOOK_MS);
  if (health?.ok) console.log(welcome(url, home));
  else if (health) child.kill();
  const [code, signal] = await ended;
  if (health && !health.ok) throw new Stop(`the service cannot answer: ${health.message}`);
  if (!isStopped) throw new Stop(`workerd ended by itself (${signal ?? code}); what it printed is above`);
}

/** Returns what the service says of itself; nothing while it does not answer yet. */
async function healthOf(url) {
  try {
    return await (await fetch(`${url}/health`)).json();
  } catch {
    return undefined;
  }
}

function welcome(url, home) {
  return `Toponym answers on ${url}: a playground at /, the state of the service at /status. Ctrl-C stops it.
The demo key gck_localdemo has the secret gcs_localdemo; the admin secret is in ${join(home, "secrets.json")}.`;
}
