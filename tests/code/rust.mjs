// Makes tests of Rust from code to copy: each runs as it is, on the index of the core pack, and its first place is that of the
// package.

/** What opens the index in the code, and in the tests. */
const OPEN = 'Engine::open(std::fs::read("index.toponym")?)?';
const OWN = "Engine::open(crate::code_to_copy::index())?";

const HEAD = `// The Rust that the playground offers to copy, as tests. Written by \`UPDATE_EXPECT=1 node --test tests/code/code.test.mjs\`.
`;

/** `cases` have a name, a question and its code; `answer(asked)` is what the code must find. */
export function rustTests(cases, answer) {
  return `${HEAD}\n${cases.map(({ name, asked, code }) => rustTest(name, code, firstOf(answer(asked)))).join("\n")}`;
}

function rustTest(name, code, first) {
  if (!code.includes(OPEN)) throw new Error(`${name} opens no index:\n${code}`);
  const body = code.replace(OPEN, OWN).split("\n").map((line) => (line ? `    ${line}` : line)).join("\n");
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
