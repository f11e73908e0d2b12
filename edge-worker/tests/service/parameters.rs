//! Tests that whatever describes the parameters names each of them: the description of the interface, the schemas of the MCP server,
//! and the declarations of the packages.

use toponym_engine::request::{AUTOCOMPLETE, FORWARD, Operation, Style};
use toponym_engine::{MAX_QUERY_CHARS, MAX_RADIUS_M};

/// Returns the part of a text between two marks.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("there is no {from}"));
    rest.split_once(to).map_or(rest, |(part, _)| part)
}

fn read_file(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).expect("it is in the repository")
}

/// Returns what stands below a heading, by the indentation.
fn below(text: &str, heading: &str) -> String {
    let indentation = heading.len() - heading.trim_start().len();
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let lines: Vec<&str> =
        lines.take_while(|line| line.trim().is_empty() || line.len() - line.trim_start().len() > indentation).collect();
    assert!(!lines.is_empty(), "there is no {heading}");
    lines.join("\n")
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|other| other == word)
}

#[test]
fn the_description_names_every_parameter() {
    let text = read_file("edge-worker/openapi.yaml");
    let routes = [
        ("  /v1/geocoding/forward:", Operation::Forward),
        ("  /v1/geocoding/autocomplete:", Operation::Autocomplete),
        ("  /v1/geocoding/suggest:", Operation::Autocomplete),
        ("  /v1/geocoding/reverse:", Operation::Reverse),
        ("  /v1/geocoding/batch:", Operation::Batch),
        ("  /v1/geocoding/place:", Operation::Place),
    ];
    for (path, operation) in routes {
        let route = below(&text, path);
        // What several routes have is described once, and referred to.
        let referred = route.lines().filter_map(|line| Some(line.split_once("#/components/")?.1.split_once('/')?.1));
        let referred: Vec<String> = referred.map(|line| below(&text, &format!("    {}:", name(line)))).collect();
        for parameter in operation.parameters(Style::Text) {
            let is_there =
                has_word(&route, parameter.name) || referred.iter().any(|part| has_word(part, parameter.name));
            assert!(is_there, "{path} {}", parameter.name);
        }
    }
}

fn name(line: &str) -> String {
    line.chars().take_while(char::is_ascii_alphanumeric).collect::<String>()
}

#[test]
fn the_schemas_of_assistants_have_the_ranges() {
    let schemas = read_file("pkg-build/mcp/src/schemas.js").replace('_', "");
    let check = |name: &str, value: usize| {
        assert!(schemas.contains(&format!("const {} = {value};", name.replace('_', ""))), "{name} = {value}");
    };
    check("MOST_CHARACTERS", MAX_QUERY_CHARS);
    check("MOST_METRES", MAX_RADIUS_M as usize);
    let most = between(&schemas, "const MOSTPLACES = ", ";").parse::<usize>().expect("it is a number");
    assert!(most <= AUTOCOMPLETE.max_limit.min(FORWARD.max_limit), "{most}");
}

#[test]
fn the_packages_declare_every_parameter() {
    let declared = read_file("pkg-build/npm/src/index.d.ts");
    let checked = read_file("pkg-build/npm/src/arguments.js");
    let python = read_file("engine/python/python/toponym/_native.pyi");
    for operation in [Operation::Forward, Operation::Autocomplete, Operation::Reverse, Operation::Batch] {
        for parameter in operation.parameters(Style::Options) {
            let name = parameter.option;
            assert!(has_word(&declared, name) || name == "text", "index.d.ts: {name}");
            assert!(has_word(&checked, name), "arguments.js: {name}");
        }
    }
    let methods =
        [("forward", Operation::Forward), ("autocomplete", Operation::Autocomplete), ("reverse", Operation::Reverse)];
    for (method, operation) in methods {
        let signature = between(&python, &format!("    def {method}("), ") ->");
        for parameter in operation.parameters(Style::Keywords) {
            let is_there = has_word(signature, parameter.name) || parameter.name == "q";
            assert!(is_there, "{method}: {}", parameter.name);
        }
    }
}
