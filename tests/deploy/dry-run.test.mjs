// Tests the modules as they are released, and the output and effects of `cargo toponym deploy --dry-run`, with the pinned wrangler and
// without an account. It builds the Worker with other indexes, so no other test may run meanwhile.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after as afterAll, afterEach, before as beforeAll, describe, test } from "node:test";
import { ROOT, start } from "../live/harness.mjs";
import { makeSmall } from "../live/small-index.mjs";
import { answers, check as checkAnswers } from "../packaging/questions.mjs";

// The expected output, in this order: every step, and wrangler's lines about the bundle.
const BEFORE = [
  /^1\/\d ask which of the secrets TOPONYM_SIGNING_KEYS, TOPONYM_PEPPER, TOPONYM_KEY_MARK, TOPONYM_ADMIN_SECRET the deployment has: wrangler secret list$/m,
  /^2\/\d take those it lacks from \.deploy\.vars, or make them at random and keep them there$/m,
  /^3\/\d hand those over on the standard input of wrangler secret bulk$/m,
];
const IN_BUCKET = [
  /^4\/8 make the bucket of the pages if it is missing: wrangler r2 bucket info, create$/m,
  /^5\/8 upload the pages that the bucket lacks$/m,
  /index\.pages has \d+ pages; those that the bucket toponym-places has are not sent again$/m,
];
const UPLOAD = [/^\d\/\d build the Worker and upload it: wrangler deploy$/m, /Total Upload: [\d.]+ KiB/, /env\.KEYS \(ApiKey\)/];
const BINDING = [/env\.PLACES \(toponym-places\)/];
const AFTER = [
  /--dry-run: exiting now\./,
  /^\d\/\d wait until \/health answers 200$/m,
  /^(\d)\/\1 make the first API key, and show its secret this once$/m,
  /^This was a dry run: the account was neither read nor changed\.$/m,
];

/** The script alone, with and without all places, in KiB and unpacked: far apart. */
const WHOLE_KIB = 40_000;
const IN_PAGES_KIB = 10_000;

const uploaded = ({ shown }) => Number(/Total Upload: ([\d.]+) KiB/.exec(shown)?.[1]);

const secrets = () => (existsSync(join(ROOT, ".deploy.vars")) ? readFileSync(join(ROOT, ".deploy.vars"), "utf8") : null);

const TOML = readFileSync(join(ROOT, "wrangler.toml"), "utf8");

// Runs a dry run in a home without a wrangler login, where a step that needs the account would fail.
async function dryRun(...options) {
  const home = mkdtempSync(join(tmpdir(), "toponym-deploy-"));
  const { CLOUDFLARE_API_TOKEN: _token, CLOUDFLARE_API_KEY: _key, ...inherited } = process.env;
  const toolchain = {
    CARGO_HOME: inherited.CARGO_HOME ?? join(homedir(), ".cargo"),
    RUSTUP_HOME: inherited.RUSTUP_HOME ?? join(homedir(), ".rustup"),
  };
  try {
    const child = spawn("cargo", ["toponym", "deploy", "--dry-run", "--first-key", ...options], {
      cwd: ROOT,
      env: { ...inherited, ...toolchain, HOME: home, XDG_CONFIG_HOME: home, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err, [status]] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, "exit")]);
    return { status, shown: Buffer.concat(out).toString(), said: Buffer.concat(err).toString() };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function check({ status, shown, said }, parts) {
  assert.equal(status, 0, `${shown}\n${said}`);
  let from = 0;
  for (const part of parts) {
    const at = shown.slice(from).search(part);
    assert.ok(at >= 0, `${part} is missing or out of order in\n${shown}`);
    from += at;
  }
}

const before = secrets();
afterEach(() => {
  assert.equal(secrets(), before, "no secret was made");
  assert.equal(readFileSync(join(ROOT, "wrangler.toml"), "utf8"), TOML, "the configuration stays as it is");
});

// The other suites run modules that compile faster. wasm-opt has changed those that users get.
test("the package as it is released answers", async () => {
  const { Geocoder } = await import(join(ROOT, "build/npm/node.js"));
  checkAnswers(await answers(await Geocoder.load()));
});

test("the Worker as it is deployed answers", async () => {
  const service = await start();
  try {
    const token = await service.token("localdemo");
    const ask = async (route) => (await service.sendAs(token, `GET /v1/geocoding/${route}`)).json();
    const [paris] = await ask("forward?query=Paris,%20Texas&limit=1");
    assert.match(paris.display_name, /^Paris, .*Texas, United States$/);
    const [suggestion] = await ask("autocomplete?q=amstredam&limit=1");
    assert.match(suggestion.display_name, /^Amsterdam, /);
    const place = await ask("reverse?lat=48.8584&lon=2.2945");
    assert.equal(place.address.country_code, "fr");
  } finally {
    await service.stop();
  }
});

test("a dry run shows every step, asks no account and writes nothing", async () => {
  const run = await dryRun("--whole");
  check(run, [...BEFORE, ...UPLOAD, ...AFTER]);
  assert.ok(uploaded(run) > WHOLE_KIB, run.shown);
});

describe("an index in pages", () => {
  const folder = mkdtempSync(join(tmpdir(), "toponym-deploy-places-"));
  let index;
  beforeAll(() => {
    index = makeSmall(folder).pages;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    // Other tests take the Worker with the default index.
    execFileSync("cargo", ["xtask", "build", "worker"], { cwd: ROOT, stdio: "pipe" });
  });

  test("in a bucket: it is filled before the Worker is uploaded, which is bound to it", async () => {
    const run = await dryRun("--pages", "r2", "--index", index);
    check(run, [...BEFORE, ...IN_BUCKET, ...UPLOAD, ...BINDING, ...AFTER]);
    assert.ok(!existsSync(join(ROOT, "build/site/places", "root")), "the pages are not among the assets");
  });

  // What a deployment without options does with the default index, whose pages take minutes to build.
  test("among the assets", async () => {
    const run = await dryRun("--pages", "assets", "--index", index);
    check(run, [...BEFORE, ...UPLOAD, ...AFTER]);
    assert.ok(uploaded(run) < IN_PAGES_KIB, run.shown);
    assert.ok(!/env\.PLACES|bucket/.test(run.shown), run.shown);
    assert.match(run.said, /only the Worker fetches the pages of the index: \/places\/ is a 404 for everybody else/);
    assert.ok(existsSync(join(ROOT, "build/site/places", "root")), "the pages are among the assets");
  });

  test("with an index of one's own places beside it", async () => {
    const run = await dryRun("--pages", "assets", "--index", index, "--index", join(folder, "own.toponym"));
    check(run, [...BEFORE, ...UPLOAD, ...AFTER]);
    const imports = readFileSync(join(ROOT, "edge-worker/build/indexes.mjs"), "utf8");
    assert.match(imports, /index-0\.toponym[^]*index-1\.toponym/);
  });

  test("one behind another index is refused", async () => {
    const { status, said } = await dryRun("--pages", "assets", "--index", join(folder, "own.toponym"), "--index", index);
    assert.equal(status, 1);
    assert.match(said, /is in pages, which only the first of several indexes can be/);
  });

  test("what is not an index in pages is refused", async () => {
    const { status, said } = await dryRun("--pages", "r2", "--index", folder);
    assert.equal(status, 1);
    assert.match(said, /is not an index in pages: write one with `cargo toponym index --paged`/);
  });
});
