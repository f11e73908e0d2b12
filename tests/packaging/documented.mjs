// The examples in the declarations of the package, as a program. Each is titled, and stands alone but for `geo`, a geocoder of the
// core pack. `expression; // value` promises the value.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Reads the examples of a folder of declarations: the file of each, its title and its lines. */
export function examplesIn(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".d.ts"));
  return files.flatMap((file) => examplesOf(readFileSync(join(folder, file), "utf8")).map((example) => ({ file, ...example })));
}

/** Reads the examples of a text. One ends with its comment or at the next tag. */
export function examplesOf(text) {
  const comments = text.match(/\/\*\*[^]*?\*\//g) ?? [];
  return comments.flatMap((comment) => {
    const lines = comment.replace(/\*\/$/, "").split("\n").map((line) => line.replace(/^\s*\*? ?/, ""));
    const tags = lines.join("\n").split(/^@/m).filter((tag) => tag.startsWith("example"));
    return tags.map((tag) => {
      const [, title, code] = /^example(?: <caption>(.*)<\/caption>)?\n([^]*)$/.exec(tag) ?? [];
      return { title, code: code?.trim() ?? "" };
    });
  });
}

/** Writes examples as a module: `examples` has an asynchronous function of `geo` and `equal` for each title. */
export function program(examples) {
  const imports = new Set(['import { Geocoder } from "toponym";']);
  const functions = examples.map(({ title, code }) => {
    const lines = code.split("\n");
    lines.filter((line) => line.startsWith("import ")).forEach((line) => imports.add(line));
    const body = lines.filter((line) => !line.startsWith("import ")).map(promised);
    return `${JSON.stringify(title)}: async (geo, equal) => {\n${body.join("\n")}\n},`;
  });
  return `${[...imports].join("\n")}\nexport const examples = {\n${functions.join("\n")}\n};\n`;
}

/** Writes a line that promises a value as a call that compares it. */
function promised(line) {
  const [, indent, expression, value] = /^(\s*)(.+); \/\/ (.+)$/.exec(line) ?? [];
  return value === undefined ? line : `${indent}equal(${expression}, ${value});`;
}
