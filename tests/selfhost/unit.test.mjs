// Tests the unit for systemd with systemd's own programs, where they are installed (Debian's package systemd). The service
// itself is started by hand in the other tests, because nothing here runs systemd.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { FOLDER, Machine } from "./machine.mjs";

const run = promisify(execFile);

const ANALYZE = "/usr/bin/systemd-analyze";
const READ_VARIABLES = "/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator";

const without = (program) => ({ skip: existsSync(program) ? false : `${program} is not installed` });

/** Largest exposure that is accepted, in tenths of systemd's scale from 0 (none) to 10. Without the hardening it is 96. */
const MOST_EXPOSED = 20;

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "toponym-unit-"))));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The unit, with the folder of this machine in place of /opt/toponym. */
function unit() {
  const file = join(folder, "toponym.service");
  writeFileSync(file, readFileSync(join(FOLDER, "toponym.service"), "utf8").replaceAll("/opt/toponym", FOLDER));
  return file;
}

test("systemd understands the unit", without(ANALYZE), async () => {
  const { stdout, stderr } = await run(ANALYZE, ["verify", unit()]);
  assert.deepEqual([stdout, stderr], ["", ""]);
});

test("the unit exposes little", without(ANALYZE), async () => {
  await run(ANALYZE, ["security", "--offline=true", `--threshold=${MOST_EXPOSED}`, "--no-pager", unit()]);
});

test("systemd reads the secrets as start.sh does", without(READ_VARIABLES), async () => {
  const machine = new Machine();
  const text = readFileSync(machine.secrets, "utf8");
  await machine.remove();
  const configured = join(folder, "environment.d");
  mkdirSync(configured);
  writeFileSync(join(configured, "toponym.conf"), text);
  const { stdout } = await run(READ_VARIABLES, [], { env: { ...process.env, XDG_CONFIG_HOME: folder } });
  for (const [, name, value] of text.matchAll(/^([A-Z_]+)=(.*)$/gm)) {
    const shown = stdout.match(new RegExp(`^${name}="?(.*?)"?$`, "m"))?.[1].replaceAll('\\"', '"');
    assert.equal(shown, value, name);
  }
});
