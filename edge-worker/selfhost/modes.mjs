// Who may read the folder: everybody, as nothing in it is secret and the service runs as a user of its own. What makes the
// folder may have a umask that keeps its files to their owner.

import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";

const READ = 0o644;
const READ_AND_RUN = 0o755;

/** Lets everybody read `folder` and all in it, and run the files named in `programs`. */
export function share(folder, programs) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  chmodSync(folder, READ_AND_RUN);
  for (const entry of entries) chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? READ_AND_RUN : READ);
  for (const program of programs) chmodSync(join(folder, program), READ_AND_RUN);
}
