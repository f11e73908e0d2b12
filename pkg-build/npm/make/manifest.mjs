// package.json of the packages: with the version of the workspace, and the address of the repository, where it has a public one.
// npm publishes with provenance only if the package names the repository that it was built from.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, "../../..");

/** The placeholder for the version, also where a package asks for another of its own version. */
const NO_VERSION = '"0.0.0"';

/** How git reaches repositories that others can reach, too. */
const SCHEMES = ["https:", "http:", "ssh:", "git:"];

/** Last parts of names that are never public: RFC 6761, RFC 6762, and the one that ICANN keeps for private networks. */
const PRIVATE = ["internal", "invalid", "local", "localhost", "test"];

/** Completes the manifest `file` of a folder below the root. `page` is the repository's address for a browser, if it is public. */
export function manifest(directory, file, version, page) {
  const text = readFileSync(join(ROOT, directory, file), "utf8");
  assert.ok(text.includes(NO_VERSION), `${directory}/${file} has no placeholder for the version`);
  const written = JSON.parse(text.replaceAll(NO_VERSION, JSON.stringify(version)));
  const repository = page && {
    repository: { type: "git", url: `git+${page}.git`, directory },
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
  };
  return `${JSON.stringify({ ...written, ...repository }, null, 2)}\n`;
}

/**
 * Returns `https://host/owner/name` for an address as git takes it: `https://host/owner/name.git`, `ssh://git@host/owner/name`,
 * `git@host:owner/name`. Undefined if it is a folder, or a host of a private network.
 */
export function pageOf(address) {
  const url = URL.parse(address.includes("://") ? address : `ssh://${address.replace(":", "/")}`);
  if (!SCHEMES.includes(url?.protocol) || !isPublic(url.hostname)) return;
  const path = url.pathname.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  return /^[^/]+(\/[^/]+)+$/.test(path) ? `https://${url.hostname}/${path}` : undefined;
}

/** Tells whether a host can be one of the public internet: a name, not a number, and not one of a private network. */
function isPublic(host) {
  const [last, ...others] = host.split(".").reverse();
  return others.length > 0 && /[a-z]/i.test(last) && !PRIVATE.includes(last);
}
