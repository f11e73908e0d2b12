// Runs the real Worker on real workerd: wrangler's bundle of the built crate, real objects, the real index.
//
// Needs the output of `cargo xtask build worker`: `edge-worker/build`, `build/index.toponym`, `build/site`, and the npm
// packages of `edge-worker`. Run it with the Node of those packages:
//
//     edge-worker/node_modules/.bin/node --test 'tests/live/*.test.mjs'
//
// Each test file starts its own service with its own storage, in a temporary folder that it removes.

import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** The repository. */
export const ROOT = resolve(import.meta.dirname, "../..");
const EDGE = join(ROOT, "edge-worker");
const TOOLS = createRequire(join(EDGE, "package.json"));

/** wrangler, which uses the Node of its packages. */
export const WRANGLER = join(ROOT, "edge-worker/node_modules/wrangler/bin/wrangler.js");

// Environment in which wrangler sends no telemetry, looks nothing up, and writes no local traces.
const QUIET = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  X_LOCAL_OBSERVABILITY: "false",
};
Object.assign(process.env, QUIET);
const { createTestHarness } = TOOLS("wrangler");

/** What the wrangler.toml of a script begins with. */
const SCRIPT_CONFIGURATION = 'name = "t"\nmain = "worker.js"\ncompatibility_date = "2026-10-01"\n';

/** The secret of the admin routes. */
const ADMIN_SECRET = randomBytes(32).toString("hex");

/**
 * Starts the service. `secrets` are added to signing key, pepper, mark of keys, admin secret and demo keys. With `faults` it is the
 * service of faults.mjs, which fails on demand; with `indexes`, paths from the root, these answer together. `store` is where the
 * pages of one in pages lie: "assets", or "r2", a bucket that is empty at first.
 */
export async function start({ secrets = {}, faults = false, indexes, store } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "toponym-live-"));
  const configPath = bundle(folder, { faults, indexes, store });
  const worker = {
    configPath,
    prebuiltWorkerDir: join(folder, "worker"),
    secrets: {
      ...deployed(),
      ...secrets,
    },
  };
  const server = createTestHarness({ root: ROOT, workers: [worker] });
  const { url } = await server.listen();
  return new Service(server, url, folder);
}

/** Starts the Worker of a script in a project of the npm package, with what else its wrangler.toml says. */
export async function startScript(project, script, configuration = "") {
  project.write("worker.js", script);
  const configPath = project.write("wrangler.toml", SCRIPT_CONFIGURATION + configuration);
  const server = createTestHarness({ root: project.folder, workers: [{ configPath }] });
  const { url } = await server.listen();
  return { url, stop: () => server.close() };
}

/** A running service at `url`. */
export class Service {
  #folder;

  constructor(server, url, folder) {
    this.server = server;
    this.url = url;
    this.#folder = folder;
  }

  /** Sends `METHOD /path`, without normalising the path. */
  send(line, { headers = {}, body } = {}) {
    const [method, target] = line.split(" ");
    return fetch(new URL(target, this.url), { method, headers, body });
  }

  /** Sends with a bearer token. */
  sendAs(token, line, body) {
    return this.send(line, { headers: { authorization: `Bearer ${token}` }, body });
  }

  exchange(name, rest = {}) {
    const body = JSON.stringify({ apiKey: `gck_${name}`, apiSecret: `gcs_${name}`, ...rest });
    return this.send("POST /api-clients/token", { body });
  }

  /** A token of the demo key `gck_<name>`, or of other credentials. */
  async token(name, { apiKey = `gck_${name}`, apiSecret = `gcs_${name}` } = {}) {
    const response = await this.send("POST /api-clients/token", { body: JSON.stringify({ apiKey, apiSecret }) });
    const { token, message } = await response.json();
    if (!token) throw new Error(`no token for ${apiKey}: ${response.status} ${message}`);
    return token;
  }

  /** Sends to an admin route. */
  admin(line, body) {
    return this.sendAs(ADMIN_SECRET, line, body && JSON.stringify(body));
  }

  /** Creates a key and returns its credentials. */
  async create(plan, rest = {}) {
    const response = await this.admin("POST /admin/keys", { name: "live", account: "test", plan, ...rest });
    if (response.status !== 201) throw new Error(`no key: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Evicts a key's object from memory. Its storage stays. */
  evict(key) {
    return this.server.getWorker().evictDurableObject("ApiKey", { name: key });
  }

  /** The bindings of the Worker. */
  bindings() {
    return this.server.getWorker().getEnv();
  }

  async stop() {
    await this.server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A key ring with one random key, in the format of `edge-worker/src/auth/keyring.rs`. */
export function keyring() {
  return JSON.stringify({ active: "k1", keys: { k1: randomBytes(32).toString("base64") } });
}

/** The variables of a deployment with the demo keys. */
export function deployed() {
  return {
    TOPONYM_SIGNING_KEYS: keyring(),
    TOPONYM_PEPPER: keyring(),
    TOPONYM_KEY_MARK: randomBytes(32).toString("hex"),
    TOPONYM_ADMIN_SECRET: ADMIN_SECRET,
    TOPONYM_DEMO: "true",
  };
}

/**
 * Writes a wrangler.toml for the existing build, without `[build]`, which would build it again; `main` is another entry,
 * `indexes` are others than the default one, and `store` is where their pages lie.
 */
export function configure(folder, { faults = false, main, indexes, store } = {}) {
  const module = faults ? "build/faults/index.js" : "edge-worker/build/index.js";
  for (const made of [module, "edge-worker/build/made.json", "edge-worker/build/indexes.mjs", "build/index.toponym", "build/site/index.html"]) {
    if (!existsSync(join(ROOT, made))) throw new Error(`${made} is missing: run \`cargo xtask build worker --faults\` first`);
  }
  for (const index of indexes ?? []) {
    if (!existsSync(resolve(ROOT, index))) throw new Error(`${index} is missing: build it with \`cargo toponym index\``);
  }
  const configPath = join(folder, "wrangler.toml");
  let toml = withoutBuild(readFileSync(join(ROOT, "wrangler.toml"), "utf8"));
  const places = indexes ? { "./build/indexes.mjs": importing(folder, indexes) } : {};
  const entry = main ?? (faults ? withFaults(folder, join(ROOT, module), places) : indexes && place(join(EDGE, "entry.mjs"), folder, places));
  if (entry) toml = toml.replace(/^main = .*$/m, `main = ${JSON.stringify(entry)}`);
  if (store) toml = withStore(folder, toml, store, indexes[0]);
  if (faults) toml = toml.replace(/^compatibility_date = .*$/m, `$&\ncompatibility_flags = ${JSON.stringify(FAULTS_FLAGS)}`);
  writeFileSync(configPath, toml);
  return configPath;
}

/** What the Worker of faults.mjs needs besides: limits.mjs knows by it in which invocation a call is made. */
export const FAULTS_FLAGS = ["nodejs_als"];

/** The bucket of pages. */
const BUCKET = `
[[r2_buckets]]
binding = "PLACES"
bucket_name = "toponym-places"
`;

// The configuration with the pages of an index in a store: among the assets, where nothing else is, or in a bucket.
function withStore(folder, toml, store, index) {
  const site = join(folder, "site");
  mkdirSync(site);
  cpSync(join(EDGE, "site/_headers"), join(site, "_headers"));
  if (store === "assets") cpSync(resolve(ROOT, index), join(site, "places"), { recursive: true });
  const assets = toml.replace(/^directory = .*$/m, `directory = ${JSON.stringify(site)}`);
  return store === "assets" ? assets : assets + BUCKET;
}

/**
 * Bundles the existing build into `worker` below `folder`. Returns the path of its wrangler.toml. What has no indexes of its own is
 * bundled once for each build: it takes as long as all else that a file of tests does until its service answers.
 */
export function bundle(folder, options = {}) {
  const configPath = configure(folder, options);
  const { faults = false, main, indexes, store } = options;
  if (main || indexes || store) {
    runWrangler(configPath, join(folder, "worker"));
    return configPath;
  }
  const shared = join(BUNDLES, `${faults ? "faults" : "plain"}-${digestOfBuild()}`);
  if (!existsSync(shared)) {
    const made = join(folder, "made");
    runWrangler(configPath, made);
    removeOthers(shared);
    keep(made, shared);
  }
  symlinkSync(shared, join(folder, "worker"));
  return configPath;
}

function runWrangler(configPath, out) {
  const arguments_ = [WRANGLER, "deploy", "-c", configPath, "--dry-run", "--outdir", out];
  const run = spawnSync(process.execPath, arguments_, { cwd: ROOT, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`wrangler cannot bundle the Worker:\n${run.stdout}${run.stderr}`);
}

const BUNDLES = join(ROOT, "build/bundles");

/** What bundles are made of, besides the indexes that the Worker imports. */
const BUNDLED = ["build/faults", "edge-worker/build", "edge-worker/entry.mjs", "edge-worker/package-lock.json", "edge-worker/places", "edge-worker/src", "tests/live", "wrangler.toml"];

/** A digest of the files that bundles are made of: their paths, sizes and times. */
function digestOfBuild() {
  const imported = readFileSync(join(EDGE, "build/indexes.mjs"), "utf8").matchAll(/import\("(.*)"\)/g);
  const indexes = [...imported].map(([, path]) => resolve(EDGE, "build", path));
  const below = (path) => (statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).sort().map((file) => join(path, file)) : [path]);
  const files = [...BUNDLED.map((path) => join(ROOT, path)), ...indexes].filter(existsSync).flatMap(below);
  const digest = createHash("sha256");
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    digest.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return digest.digest("hex").slice(0, 16);
}

/** Removes the bundles of earlier builds: each holds the index. */
function removeOthers(shared) {
  const [kind] = basename(shared).split("-");
  mkdirSync(BUNDLES, { recursive: true });
  const others = readdirSync(BUNDLES).filter((name) => name.startsWith(`${kind}-`) && !name.startsWith(basename(shared)));
  for (const name of others) rmSync(join(BUNDLES, name), { recursive: true, force: true });
}

/** Keeps a bundle that was made, unless another process was faster. It appears whole or not at all. */
function keep(made, shared) {
  const whole = `${shared}.${process.pid}`;
  cpSync(made, whole, { recursive: true });
  try {
    renameSync(whole, shared);
  } catch (error) {
    if (!existsSync(shared)) throw error;
    rmSync(whole, { recursive: true });
  }
}

function withoutBuild(toml) {
  const sections = toml.split(/^(?=\[)/m).filter((section) => !section.startsWith("[build]"));
  return sections.join("").replace(/^(main|directory) = "(.*)"/gm, (_, key, path) => `${key} = ${JSON.stringify(join(ROOT, path))}`);
}

// Writes a file of the Worker's sources to `folder`, with its imports where they are; `places` has those that are elsewhere.
function place(file, folder, places) {
  const imports = (_, how, path) => `${how}${JSON.stringify(places[path] ?? resolve(EDGE, path))}`;
  const placed = join(folder, basename(file));
  writeFileSync(placed, readFileSync(file, "utf8").replace(/(from |import\()"(\.[^"]*)"/g, imports));
  return placed;
}

// The Worker's entry with the module with faults, wrapped by faults.mjs.
function withFaults(folder, module, others) {
  const limits = join(import.meta.dirname, "limits.mjs");
  const places = { ...others, "./build/index.js": module, "./entry.mjs": join(folder, "entry.mjs"), "./limits.mjs": limits };
  place(join(EDGE, "entry.mjs"), folder, places);
  return place(join(import.meta.dirname, "faults.mjs"), folder, places);
}

// Writes the module that imports each index; of one in pages its root.
function importing(folder, indexes) {
  const imports = join(folder, "indexes.mjs");
  const file = (index) => (statSync(resolve(ROOT, index)).isDirectory() ? join(index, "root.toponym") : index);
  const lines = indexes.map((index) => `  () => import(${JSON.stringify(resolve(ROOT, file(index)))}),\n`);
  writeFileSync(imports, `export default [\n${lines.join("")}];\n`);
  return imports;
}
