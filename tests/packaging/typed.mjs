// Checks answers against the types of the packages: writes them as literals of TypeScript into a project, and has tsc assign them.
// A field that the types lack, that an answer lacks, or that has another type fails, and so does `undefined` in place of no field.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./harness.mjs";

const TSC = join(ROOT, "tests/node_modules/typescript/bin/tsc");

const FLAGS = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable,esnext.disposable", "--types", ""];

/** Compiles a file of a project. Returns what tsc finds wrong, or an empty text. */
export function typeErrors(folder, file) {
  try {
    execFileSync(process.execPath, [TSC, ...FLAGS, file], { cwd: folder, encoding: "utf8" });
    return "";
  } catch (error) {
    return error.stdout || String(error);
  }
}

/**
 * The types of the answers, closed: an address of the package may have any key, and here the declared ones alone and its category;
 * a kind may be any text.
 */
const CLOSED = `
type Declared<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
type Closed<T> = T extends { address: Address } ? Omit<T, "address"> & { address: Declared<Address> } : T;
`;

/** Writes `answers`, each `[type, value]`, as assignments to those types, and compiles them. Returns as `typeErrors`. */
export function answerErrors(folder, imports, answers) {
  const assignments = answers.map(([type, value], at) => `export const answer${at}: ${type} = ${literal(value)};`);
  const file = "answers.ts";
  writeFileSync(join(folder, file), [imports, CLOSED, ...assignments].join("\n"));
  return typeErrors(folder, file);
}

/** A value as a literal. JSON would drop `undefined`. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${literal(field)}`);
  return `{ ${fields.join(", ")} }`;
}

/** A place without the key of its address that is its category, which any place of `reverse` may have. */
export function withoutCategory({ address, ...place }) {
  const { [place.category]: _, ...declared } = address;
  return { ...place, address: declared };
}
