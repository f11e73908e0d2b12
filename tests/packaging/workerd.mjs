// Runs a Worker of a project in workerd, as wrangler bundles it.

import { pathToFileURL } from "node:url";

import { startWorker } from "../live/harness.mjs";

const CONFIGURATION = 'name = "t"\nmain = "worker.js"\ncompatibility_date = "2026-10-01"\n';

/** Starts the Worker of a script, with what else its wrangler.toml says. Returns its `url`, and `stop()`. */
export function startScript(project, script, configuration = "") {
  project.write("worker.js", script);
  return startWorker(pathToFileURL(project.write("wrangler.toml", CONFIGURATION + configuration)));
}
