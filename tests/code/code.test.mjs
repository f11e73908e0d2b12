// Runs the code that the playground offers to copy: JavaScript on the package as installed, curl on the real service, the
// command in a shell, the search field and the controls of maps in Chromium. Each must answer what the page itself answers.
// Python is compared with the stub of the wheel, call by call. Rust is compiled and run by tests/answers/code_to_copy.rs, from the
// snapshot that this test compares; UPDATE_EXPECT=1 renews it.
//
// Needs `cargo xtask build npm`, `cargo xtask build worker`, and the npm packages of tests/components and tests/packaging.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { codeOf } from "../../edge-worker/site/playground/code/platforms.mjs";
import { address, formatted, packageCall } from "../../edge-worker/site/playground/question.mjs";
import { ROOT, Project } from "../components/harness.mjs";
import { start } from "../live/harness.mjs";
import { LANGUAGE, QUESTIONS } from "./questions.mjs";

const run = promisify(execFile);

/** Where `cargo xtask` compiles the command. */
const COMMANDS = join(ROOT, "target/debug");

const RUST = join(ROOT, "tests/snapshots/code_to_copy.rs");

/** What opens the index in the code, and in the tests. */
const OPEN = 'Engine::open(std::fs::read("index.toponym")?)?';
const OWN_OPEN = "Engine::open(crate::code_to_copy::index())?";

/** The first line of the snapshot. */
const HEAD = `// The Rust that the playground offers to copy, as tests. Written by \`UPDATE_EXPECT=1 node --test tests/code/code.test.mjs\`.
`;

let project, service, token, geo;
before(async () => {
  project = new Project(["npm"]);
  service = await start();
  token = await service.token("localdemo");
  const { Geocoder } = await import(pathToFileURL(project.path("node_modules/toponym/node.js")));
  geo = await Geocoder.load();
});
after(async () => {
  geo?.free();
  await service?.stop();
  project?.remove();
});

const code = (asked) => codeOf(asked, { origin: service.url.origin, language: LANGUAGE });

/** What the engine of the page answers. */
function answer(asked) {
  const [method, ...given] = packageCall(asked);
  return formatted(asked, geo[method](...given));
}

const served = async (asked) => (await service.sendAs(token, `GET ${address(asked)}`)).json();

/** The question as it is asked where there is no browser that knows the user's language. */
function inLanguage({ route, parameters }) {
  return { route, parameters: parameters.lang === "auto" ? { ...parameters, lang: LANGUAGE } : parameters };
}

test("which ways there are for which question", () => {
  const names = (name) => Object.keys(code(QUESTIONS[name])).join(" ");
  assert.equal(names("text"), "curl JavaScript Element React Vue MapLibre Leaflet Python Rust Terminal");
  assert.equal(names("unfinished"), names("text"));
  assert.equal(names("fields"), "curl JavaScript Python Rust Terminal");
  assert.equal(names("point"), "curl JavaScript MapLibre Leaflet Python Rust Terminal");
  assert.equal(names("id"), "curl JavaScript Python Rust");
});

for (const [name, asked] of Object.entries(QUESTIONS)) {
  test(`JavaScript: ${name}`, async () => {
    const file = `javascript-${Object.keys(QUESTIONS).indexOf(name)}.mjs`;
    project.write(file, `${code(asked).JavaScript}\nexport { found };\n`);
    const { found } = await import(pathToFileURL(project.path(file)));
    assert.deepEqual(found, answer(asked));
    assert.ok([found.features ?? found].flat().length > 0, "something is found");
  });

  test(`curl: ${name}`, async () => {
    const { stdout } = await run("sh", ["-c", code(asked).curl], { env: { ...process.env, TOKEN: token } });
    const found = JSON.parse(stdout);
    assert.deepEqual(found, await served(asked));
    assert.equal(found.error, undefined, stdout);
  });

  if (asked.route === "place") continue;

  test(`Terminal: ${name}`, async () => {
    assert.ok(existsSync(join(COMMANDS, "toponym")), `${COMMANDS}/toponym is missing: run \`cargo toponym index\` first`);
    const env = { ...process.env, PATH: `${COMMANDS}${delimiter}${process.env.PATH}`, TOPONYM_INDEX: join(ROOT, "build/index.toponym") };
    const { stdout } = await run("sh", ["-c", code(asked).Terminal], { env });
    assert.deepEqual(JSON.parse(stdout), await served(inLanguage(asked)));
  });
}

test("Python: every call has arguments that the stub of the wheel knows", async () => {
  const stub = join(ROOT, "engine/python/python/toponym/_native.pyi");
  const snippets = Object.entries(QUESTIONS).map(([name, asked]) => [name, code(asked).Python]);
  const { stdout } = await run("python3", [join(import.meta.dirname, "stub.py"), stub, JSON.stringify(snippets)]);
  assert.equal(stdout, "");
});

test("Rust: what the native tests run is what the page offers", async () => {
  const cases = Object.entries(QUESTIONS).map(([name, asked]) => ({ name, asked, code: code(asked).Rust }));
  const written = rustTests(cases, (asked) => answer(inLanguage(asked)));
  if (process.env.UPDATE_EXPECT) writeFileSync(RUST, written);
  assert.equal(readFileSync(RUST, "utf8"), written, "UPDATE_EXPECT=1 renews the snapshot");
});

/**
 * Makes tests of Rust from code to copy: each runs as it is, on the index of the core pack, and its first place is that of the
 * package. `cases` have a name, a question and its code; `answer(asked)` is what the code must find.
 */
function rustTests(cases, answer) {
  return `${HEAD}\n${cases.map(({ name, asked, code }) => rustTest(name, code, firstOf(answer(asked)))).join("\n")}`;
}

function rustTest(name, code, first) {
  if (!code.includes(OPEN)) throw new Error(`${name} opens no index:\n${code}`);
  const body = code.replace(OPEN, OWN_OPEN).split("\n").map((line) => (line ? `    ${line}` : line)).join("\n");
  return `#[test]
fn ${name.replaceAll(/[^A-Za-z]+/g, "_").toLowerCase()}() -> crate::code_to_copy::Outcome {
${body}
    assert_eq!(crate::code_to_copy::first(${code.includes("let json") ? "&json" : "&serde_json::to_string(&found)?"}), ${JSON.stringify(first)});
    Ok(())
}
`;
}

/** The first place. */
function firstOf(found) {
  const [first] = found.features?.map(({ properties }) => properties) ?? [found].flat();
  return first.display_name;
}
