// The folder of an index in pages, as `toponym index --paged` writes it.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The names of its pages, those of the version before, and what reads one. */
export function pagesOf(folder) {
  let list;
  try {
    list = JSON.parse(readFileSync(join(folder, "pages.json"), "utf8"));
  } catch (error) {
    throw new Error(`${folder} is not an index in pages: write one with \`cargo toponym index --paged\` (${error.message})`);
  }
  return { names: list.pages, before: list.before, read: (name) => readFileSync(join(folder, name)) };
}
