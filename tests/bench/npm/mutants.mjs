// Changes the JavaScript of the npm package in one place after the other, and runs the suites that could notice. A fixed seed
// picks the changes: equally many of each kind as far as there are, from each file as many as `SAMPLE` says.
//
//     node tests/bench/npm/mutants.mjs [--out FILE] [--lanes N] [--only ID,ID...]
//
// Each lane has a copy of `build/npm` of its own, which the suites read by the environment variable TOPONYM_PACKAGE. The result is
// a table: file and line, the change, and the test that noticed.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { parseAst } from "vite";

const TESTS = resolve(import.meta.dirname, "../..");
const ROOT = resolve(TESTS, "..");
const SOURCES = join(ROOT, "pkg-build/npm/src");

/** Any number: it makes the same sample each time. */
const SEED = 33;

/** A suite that takes longer goes on for ever: on an idle machine, the longest takes a minute. */
const LONGEST_MS = 300_000;

const FIELD = ["packaging/element", "components/states"];
const PAGED = ["packaging/memory", "packaging/paged-index", "packaging/paged-index-failures", "packaging/callers"];
const THREAD = ["packaging/callers", "packaging/browser", "packaging/paged-index-failures"];
const GROUPS = ["packaging/memory", ...THREAD];
const PACK = ["packaging/node", "packaging/memory", "packaging/browser"];

/** How many changes of each file, and the suites that can notice them, those that most often do first. */
const SAMPLE = {
  "element.js": [14, FIELD],
  "element-option.js": [2, ["components/highlight", ...FIELD]],
  "element-options.js": [3, FIELD],
  "element-recent.js": [3, [...FIELD].reverse()],
  "element-source.js": [4, FIELD],
  "element-threads.js": [3, [...FIELD].reverse()],
  "arguments.js": [5, ["packaging/node", "packaging/paged-index"]],
  "geocoder.js": [4, PACK],
  "pack.js": [5, PACK],
  "worker.js": [5, THREAD],
  "worker-thread.js": [2, THREAD],
  "groups.js": [2, GROUPS],
  "calls.js": [2, THREAD],
  "paged.js": [5, PAGED],
  "pages.js": [5, PAGED],
  "kept.js": [4, PAGED],
  "http.js": [4, ["components/http"]],
};

const COMPARISONS = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "==": "!=", "!=": "==" };
const LOGICAL = { "&&": "||", "||": "&&" };

/** Returns all changes of a source that this program knows: `{ kind, start, end, text }`. */
function changesOf(source) {
  const changes = [];
  const add = (kind, { start, end }, text) => changes.push({ kind, start, end, text });
  const textOf = ({ start, end }) => source.slice(start, end);
  const between = (left, right, operator, other) => {
    const start = left.end + source.slice(left.end, right.start).indexOf(operator);
    return [{ start, end: start + operator.length }, other];
  };
  visit(parseAst(source), (node) => {
    const { type, test, left, right, operator, value } = node;
    if (test && (type === "IfStatement" || type === "ConditionalExpression")) add("negate", test, `!(${textOf(test)})`);
    if (type === "BinaryExpression" && COMPARISONS[operator]) add("compare", ...between(left, right, operator, COMPARISONS[operator]));
    if (type === "LogicalExpression" && LOGICAL[operator]) add("logic", ...between(left, right, operator, LOGICAL[operator]));
    if (type === "ExpressionStatement" && node.expression.callee?.type !== "Super") add("drop", node, ";");
    if (type === "AwaitExpression") add("await", node, textOf(node.argument));
    if (type === "Literal" && typeof value === "number") add("constant", node, value === 0 ? "1" : "0");
    if (type === "Literal" && typeof value === "boolean") add("constant", node, String(!value));
    if (type === "Literal" && typeof value === "string") add("constant", node, JSON.stringify(`${value}x`));
  });
  return changes;
}

/** Calls `found` with each node of a syntax tree but names of modules. */
function visit(node, found) {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, found));
  if (typeof node?.type !== "string" || node.type === "ImportDeclaration") return;
  found(node);
  for (const each of Object.values(node)) if (typeof each === "object") visit(each, found);
}

/** Returns random integers below a limit (mulberry32). */
function random(seed) {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Picks changes of a file: of each kind in turn. */
function picked(changes, count, below) {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  const chosen = [];
  for (let turn = below(kinds.length); chosen.length < count && changes.length > 0; turn += 1) {
    const ofKind = changes.filter(({ kind }) => kind === kinds[turn % kinds.length]);
    if (ofKind.length === 0) continue;
    const change = ofKind[below(ofKind.length)];
    chosen.push(change);
    changes = changes.filter((other) => other !== change);
  }
  return chosen.sort((a, b) => a.start - b.start);
}

function sample() {
  const below = random(SEED);
  return Object.entries(SAMPLE).flatMap(([file, [count, suites]]) => {
    const source = readFileSync(join(SOURCES, file), "utf8");
    return picked(changesOf(source), count, below).map(({ kind, start, end, text }, at) => ({
      id: `${file.replace(".js", "")}-${at + 1}`,
      file,
      kind,
      suites,
      line: source.slice(0, start).split("\n").length,
      from: source.slice(start, end),
      to: text,
      source: source.slice(0, start) + text + source.slice(end),
    }));
  });
}

/** Runs a suite until its first failure. Returns the test that failed, or nothing. */
async function failureOf(suite, folder) {
  const file = join(TESTS, `${suite}.test.mjs`);
  const env = { ...process.env, TOPONYM_PACKAGE: join(folder, "npm"), TMPDIR: folder };
  const options = ["--test-reporter=tap", "--test-force-exit", file];
  const child = spawn(process.execPath, options, { env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resume) => child.once("exit", resume));
  const timer = setTimeout(() => endTree(child.pid), LONGEST_MS);
  let failure;
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name] = line.match(/^not ok \d+ - (.*)$/) ?? [];
    if (name === undefined || failure !== undefined) continue;
    failure = name.startsWith("/") ? "its module cannot be loaded" : name.replaceAll("\\#", "#");
    endTree(child.pid);
  }
  const code = await ended;
  clearTimeout(timer);
  return failure ?? (code === 0 ? undefined : `it never ended, or broke off (${code})`);
}

/** Ends a process that this program started, and all that it started. */
function endTree(pid) {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const tree = [pid];
  for (const parent of tree) tree.push(...parents.filter(([, other]) => other === parent).map(([child]) => child));
  for (const each of tree) {
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}

/** Runs the suites on one change. Returns which suite and test noticed, or nothing. */
async function noticed({ file, source, suites }, folder) {
  writeFileSync(join(folder, "npm", file), source);
  try {
    for (const suite of suites) {
      const failure = await failureOf(suite, folder);
      if (failure !== undefined) return { suite, failure };
    }
    return undefined;
  } finally {
    cpSync(join(SOURCES, file), join(folder, "npm", file));
    for (const name of readdirSync(folder)) if (name !== "npm") rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** A copy of the package with the sources as they are. */
function copyOfPackage() {
  const folder = mkdtempSync(join(tmpdir(), "toponym-mutants-"));
  cpSync(join(ROOT, "build/npm"), join(folder, "npm"), { recursive: true });
  cpSync(SOURCES, join(folder, "npm"), { recursive: true });
  return folder;
}

/** One line of the table, in which `|` would begin another column. */
function row({ id, file, line, from, to }, result) {
  const shown = (text) => `\`${text.replace(/\s+/g, " ").slice(0, 60).replaceAll("|", "∣").replaceAll("`", "'")}\``;
  const outcome = result ? `${result.suite}: ${result.failure}` : "**survived**";
  return `| ${id} | ${file}:${line} | ${shown(from)} → ${shown(to)} | ${outcome.replaceAll("|", "∣")} |`;
}

/** Folders of tests that were ended lie there. */
const COMPONENTS = join(TESTS, "components");
const projects = () => readdirSync(COMPONENTS).filter((name) => name.startsWith(".project-"));
const others = new Set(projects());

const { values } = parseArgs({ options: { out: { type: "string" }, lanes: { type: "string", default: "1" }, only: { type: "string" } } });
const only = values.only?.split(",");
const changes = sample().filter(({ id }) => !only || only.includes(id));
const waiting = [...changes];
const results = new Map();
const lanes = Array.from({ length: Number(values.lanes) }, async () => {
  const folder = copyOfPackage();
  for (let change = waiting.shift(); change; change = waiting.shift()) {
    const result = await noticed(change, folder);
    results.set(change.id, result);
    console.log(row(change, result));
  }
  rmSync(folder, { recursive: true, force: true });
});
await Promise.all(lanes);
for (const name of projects()) if (!others.has(name)) rmSync(join(COMPONENTS, name), { recursive: true, force: true });
const survived = changes.filter(({ id }) => !results.get(id));
console.log(`${changes.length} changes, ${changes.length - survived.length} noticed`);
if (values.out) writeFileSync(values.out, `${changes.map((change) => row(change, results.get(change.id))).join("\n")}\n`);
