// Shared by the tests that install the released files as strangers do: the files, programs, a registry of npm, earlier versions.
//
// Needs `cargo xtask release VERSION --dry-run --quick`, with the version of the workspace. Run with the Node of edge-worker:
//
//     edge-worker/node_modules/.bin/node --test 'tests/packaging/installed/*.test.mjs'
//
// With TOPONYM_FIGURES set, what is measured goes into pkg-build/RELEASE.md. Measure what `--dry-run` alone made, with
// `--test-concurrency=1`.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../servers.mjs";

export const ROOT = resolve(import.meta.dirname, "../../..");

/** The version that is tested: that of the workspace. */
export const VERSION = readFileSync(join(ROOT, "Cargo.toml"), "utf8").match(/^version = "(.+)"$/m)[1];

/** The version before it, made of the same files. */
export const EARLIER = "0.0.1";

export const RELEASE = join(ROOT, "build/release", VERSION);

/** What is asked first, and what every command answers. */
export const QUESTION = "monaco di baviera";
export const ANSWER = "Munich, Bavaria, Germany: 48.13743, 11.57549 (city)\n";

/** Places whose ids an upgrade must keep. */
export const KNOWN = ["Paris", "Monaco di Baviera", "Heathrow", "Colosseum", "Texas", "Japan"];

/** Pause between looks at whether something is up. */
const LOOK_MS = 100;

/** The table of figures. */
const FIGURES = join(ROOT, "pkg-build/RELEASE.md");

/** Returns the path of the only released file whose name matches. */
export function released(pattern) {
  const found = readdirSync(RELEASE).filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`${RELEASE} must have one file like ${pattern}: run \`cargo xtask release ${VERSION} --dry-run --quick\``);
  return join(RELEASE, found[0]);
}

/** Runs a program with no variables but those of the system and `env`, and returns what it printed; an error shows all of it. */
export async function run(program, arguments_, { cwd, env = {}, code = 0 } = {}) {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  const ended = await promisify(execFile)(program, arguments_, options).then((done) => ({ ...done, code: 0 }), (error) => error);
  if (ended.code !== code) throw new Error(`${program} ${arguments_.join(" ")} ended with ${ended.code}: ${ended.message ?? ""}\n${ended.stdout}\n${ended.stderr}`);
  return ended.stdout;
}

/** Makes an empty folder, which is removed after the test or the file `context`. */
export function emptyFolder(context) {
  const folder = mkdtempSync(join(tmpdir(), "toponym-installed-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A registry of npm on this machine, which asks the usual one for what others publish. */
export class Registry {
  folder = mkdtempSync(join(tmpdir(), "toponym-registry-"));

  static async start() {
    const registry = new Registry();
    const usual = (await run("npm", ["config", "get", "registry"])).trim();
    const rules = { access: "$all", publish: "$all" };
    const configuration = {
      storage: join(registry.folder, "storage"),
      uplinks: { usual: { url: usual, timeout: "120s" } },
      // The files of a release are tens of megabytes.
      max_body_size: "200mb",
      packages: { "toponym*": rules, "**": { access: "$all", proxy: "usual" } },
      log: { type: "stdout", level: "warn" },
    };
    const file = join(registry.folder, "config.yaml");
    writeFileSync(file, JSON.stringify(configuration));
    const port = await freePort();
    registry.url = `http://127.0.0.1:${port}/`;
    const program = join(import.meta.dirname, "node_modules/verdaccio/bin/verdaccio");
    registry.server = spawn(process.execPath, [program, "--config", file, "--listen", `127.0.0.1:${port}`], { stdio: "ignore" });
    await up(`${registry.url}-/ping`, registry.server);
    return registry;
  }

  async stop() {
    const ended = once(this.server, "close");
    this.server.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The variables by which npm uses the registry, with an empty cache: as on a machine that never had the packages. */
  get env() {
    const address = this.url.replace("http:", "");
    return { npm_config_registry: this.url, npm_config_cache: join(this.folder, "cache"), npm_config_update_notifier: "false", [`npm_config_${address}:_authToken`]: "anybody" };
  }

  npm(arguments_, cwd) {
    return run("npm", arguments_, { cwd, env: this.env });
  }

  /** Publishes a released package. */
  publish(tarball) {
    return this.npm(["publish", tarball], this.folder);
  }

  /** Publishes a released package as the version before it. */
  async publishEarlier(tarball) {
    const folder = mkdtempSync(join(this.folder, "earlier-"));
    await run("tar", ["-xzf", tarball, "-C", folder]);
    const file = join(folder, "package/package.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(`"${VERSION}"`, `"${EARLIER}"`));
    await this.npm(["publish"], join(folder, "package"));
  }
}

/** Waits until an address answers, or its server has ended. */
export async function up(url, server) {
  while (server.exitCode === null) {
    const isUp = await fetch(url).then(({ ok }) => ok, () => false);
    if (isUp) return;
    await wait(LOOK_MS);
  }
  throw new Error(`the server of ${url} ended with ${server.exitCode}`);
}

/** Makes an empty project. */
export function project(context) {
  const folder = emptyFolder(context);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  return folder;
}

/** Runs a module of a project, and returns the JSON that it prints. */
export async function answers(folder, code) {
  return JSON.parse(await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder }));
}

/** Measures the seconds until `work` is done, as the row `way` of the table, with the bytes of what is downloaded. */
export async function measured(way, step, bytes, work) {
  const start = performance.now();
  const result = await work();
  if (process.env.TOPONYM_FIGURES) write(way, step, bytes, (performance.now() - start) / 1000);
  return result;
}

function write(way, step, bytes, seconds) {
  const text = readFileSync(FIGURES, "utf8");
  const row = `| ${way} | ${step} | ${(bytes / 1e6).toFixed(1)} | ${seconds.toFixed(1)} |`;
  const lines = text.split("\n").filter((line) => !line.startsWith(`| ${way} | ${step} |`));
  const end = lines.indexOf("<!-- end of times -->");
  writeFileSync(FIGURES, lines.toSpliced(end - 1, 0, row).join("\n"));
}

/** The bytes of files. */
export const bytesOf = (...files) => files.reduce((sum, file) => sum + statSync(file).size, 0);

/** Makes a folder below another. */
export function within(folder, name) {
  mkdirSync(join(folder, name), { recursive: true });
  return join(folder, name);
}
