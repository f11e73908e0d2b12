//! Runs the examples of README.md on the built index: what they show is what they print.

use std::path::Path;

use crate::support::finish;

const README: &str = include_str!("../../README.md");

/// A command of an example, and what it prints.
struct Example {
    command: String,
    expect: String,
}

/// Reads the examples of all console blocks: a line with `$ ` is a command, those below it are what it prints.
fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let blocks = README.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    for line in blocks.flat_map(str::lines) {
        match (line.strip_prefix("$ "), examples.last_mut()) {
            (Some(command), _) => examples.push(Example { command: command.to_owned(), expect: String::new() }),
            // A command goes on behind a backslash.
            (None, Some(last)) if last.command.ends_with('\\') => last.command = format!("{}\n{line}", last.command),
            (None, Some(last)) => last.expect += &format!("{line}\n"),
            (None, None) => panic!("a block begins with a command: {line}"),
        }
    }
    examples
}

#[test]
fn the_examples_print_what_they_show() {
    let index = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/index.toponym");
    assert!(index.is_file(), "the examples need the index: build it with `cargo toponym index`");
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let programs = Path::new(env!("CARGO_BIN_EXE_toponym")).parent().expect("it is in a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let examples = examples();
    assert!(examples.len() >= 5, "the examples were not found");
    for Example { command, expect } in examples {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &command]).current_dir(folder.path()).env("PATH", &path).env("TOPONYM_INDEX", &index);
        let run = finish(shell, "");
        assert_eq!(run.code, Some(0), "{command}: {run:?}");
        assert_eq!(run.out, expect, "{command}");
    }
}
