// Tests the output and effects of `cargo xtask deploy --dry-run`, with the pinned wrangler and without an account.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./harness.mjs";

/** The expected output, in this order: every step, and wrangler's lines about the bundle. */
const SHOWN = [
  /^1\/6 ask which of the secrets TOPONYM_SIGNING_KEYS, TOPONYM_PEPPER, TOPONYM_ADMIN_SECRET the deployment has: wrangler secret list$/m,
  /^2\/6 take those it lacks from \.deploy\.vars, or make them at random and keep them there$/m,
  /^3\/6 hand those over on the standard input of wrangler secret bulk$/m,
  /^4\/6 build the Worker and upload it: wrangler deploy$/m,
  /Total Upload: [\d.]+ KiB/,
  /env\.KEYS \(ApiKey\)/,
  /--dry-run: exiting now\./,
  /^5\/6 wait until \/health answers 200$/m,
  /^6\/6 make the first API key, and show its secret this once$/m,
  /^This was a dry run: the account was neither read nor changed\.$/m,
];

const secrets = () => (existsSync(join(ROOT, ".deploy.vars")) ? readFileSync(join(ROOT, ".deploy.vars"), "utf8") : null);

test("a dry run shows every step, asks no account and writes nothing", async () => {
  // A home without a wrangler login, where a step that needs the account would fail.
  const home = mkdtempSync(join(tmpdir(), "toponym-deploy-"));
  const { CLOUDFLARE_API_TOKEN: _token, CLOUDFLARE_API_KEY: _key, ...inherited } = process.env;
  const toolchain = {
    CARGO_HOME: inherited.CARGO_HOME ?? join(homedir(), ".cargo"),
    RUSTUP_HOME: inherited.RUSTUP_HOME ?? join(homedir(), ".rustup"),
  };
  const before = secrets();
  try {
    const child = spawn("cargo", ["xtask", "deploy", "--dry-run", "--first-key"], {
      cwd: ROOT,
      env: { ...inherited, ...toolchain, HOME: home, XDG_CONFIG_HOME: home, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err, [status]] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, "exit")]);
    const shown = Buffer.concat(out).toString();
    assert.equal(status, 0, `${shown}\n${Buffer.concat(err)}`);
    let from = 0;
    for (const part of SHOWN) {
      const at = shown.slice(from).search(part);
      assert.ok(at >= 0, `${part} is missing or out of order in\n${shown}`);
      from += at;
    }
    assert.equal(secrets(), before, "no secret was made");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
