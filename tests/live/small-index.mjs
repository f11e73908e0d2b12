// A small index in one file and in pages, and the service over it with its pages in a store.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, start } from "./harness.mjs";

/** Compiles the program that makes small indexes, with the features that `cargo test` compiles its crates with. */
const COMPILE = ["build", "--quiet", "--bins"];

/** Pages that are written into a bucket at once. */
const AT_ONCE = 16;

/** Two versions of an index, of which the later lacks the place `id`. Its folder has the pages of both, as a build leaves them. */
export class TwoVersions {
  #folder = mkdtempSync(join(tmpdir(), "toponym-places-"));

  constructor(id) {
    this.earlier = makeSmall(join(this.#folder, "earlier"));
    this.later = makeSmall(join(this.#folder, "later"), id);
    for (const [one, other] of [["earlier", "later"], ["later", "earlier"]]) {
      const [from, to] = [one, other].map((name) => join(this.#folder, name, "index.pages"));
      for (const page of pagesOf(from)) cpSync(join(from, page), join(to, page));
    }
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Makes a small index in a folder, without the place with an id, in pages of so many bytes. Returns its files. */
export function makeSmall(folder, without = 0, bytes = undefined) {
  const run = (program, options) => execFileSync(program, options, { cwd: ROOT, stdio: "pipe" });
  run("cargo", COMPILE);
  run(join(ROOT, "target/debug/small_paged"), [folder, `${without}`, ...(bytes ? [`${bytes}`] : [])]);
  return { whole: join(folder, "whole.toponym"), pages: join(folder, "index.pages"), own: join(folder, "own.toponym") };
}

/** The files of pages in a folder. */
export function pagesOf(folder) {
  return readdirSync(folder).filter((name) => /^[0-9a-f]{16}$/.test(name));
}

/**
 * Starts the service of faults.mjs over an index in pages, and `others` in one file each. All pages of the folder are in the store.
 * `secrets` are variables beside those of a deployment.
 */
export async function startOver(pages, store, others = [], secrets = {}) {
  const service = await start({ faults: true, indexes: [pages, ...others], store, secrets });
  if (store === "r2") {
    const { PLACES } = await service.bindings();
    const rest = pagesOf(pages).values();
    const fill = async () => {
      for (const page of rest) await PLACES.put(page, readFileSync(join(pages, page)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fill));
  }
  return service;
}
