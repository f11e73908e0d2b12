// The golden cases, for the scripts that measure.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../live/harness.mjs";

/** The values of some columns in each line of `tests/golden/NAME.csv`. Columns are found by name, because files get new ones. */
export function golden(name, ...columns) {
  const [header, ...rows] = readFileSync(join(ROOT, "tests/golden", `${name}.csv`), "utf8").trim().split("\n").map(fields);
  const at = columns.map((column) => header.indexOf(column));
  if (at.includes(-1)) throw new Error(`tests/golden/${name}.csv has no column of ${columns.join(", ")}`);
  return rows.map((row) => at.map((column) => row[column]));
}

/** The fields of a line of CSV. */
function fields(line) {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
}
