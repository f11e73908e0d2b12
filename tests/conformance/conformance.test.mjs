// Runs schemathesis, which sends requests that edge-worker/openapi.yaml allows and requests that it forbids to the
// service on workerd: each response must match the description.
//
// Needs what tests/live needs, and schemathesis in .tools/conformance (`cargo xtask test "description of the API"` installs it).

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, start } from "../live/harness.mjs";

const PYTHON = join(ROOT, ".tools/conformance/bin/python");
const RUN = "from schemathesis.cli import schemathesis; schemathesis()";

test("the service conforms to its description", async () => {
  const service = await start();
  // It keeps files where it is started.
  const folder = mkdtempSync(join(tmpdir(), "toponym-conformance-"));
  try {
    const configuration = join(ROOT, "tests/conformance/schemathesis.toml");
    const description = new URL("/openapi.yaml", service.url).href;
    const child = spawn(PYTHON, ["-c", RUN, "--config-file", configuration, "run", description], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, TOPONYM_TOKEN: await service.token("localdemo") },
    });
    const [status] = await once(child, "exit");
    assert.equal(status, 0, "schemathesis found answers that differ from the description: see above");
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  }
});
