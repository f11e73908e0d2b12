//! Messages say what was expected, what came, and how to mend it; none says that something "is no" other thing.

use super::source::{Source, files_below};
use super::{PARTS, refuse, sources, tree};

/// Parts whose messages are not in Rust.
const OTHER_PARTS: [&str; 7] = [
    "edge-worker/places",
    "edge-worker/selfhost",
    "edge-worker/site",
    "edge-worker/src",
    "engine/python",
    "pkg-build/mcp",
    "pkg-build/npm",
];

/// Code before a text that says that the text is a message.
const BEFORE: [&str; 14] = [
    "#[error(",
    "bail!(",
    "anyhow!(",
    "ensure!(",
    "context(",
    "Fault::new(",
    "fault(",
    "error(",
    "Error(",
    "invalid(",
    "new_err(",
    "write!(f,",
    "WrongOptions(",
    "stop ",
];

/// Words that may follow "is no".
const COMPARISONS: [&str; 6] = ["longer", "more", "less", "better", "larger", "farther"];

/// Lists the lines, code or comment, in which something is no other thing.
pub fn with_no(files: &[Source]) -> Vec<String> {
    let others = files.iter().filter(|file| !file.name.contains("answers/words"));
    let lines = others.flat_map(|file| (1..).zip(&file.lines).map(move |(at, line)| (file, at, line)));
    let found = lines.filter(|(_, _, line)| says_no(line));
    found.map(|(file, at, line)| format!("{}:{at}: {}", file.name, line.trim())).collect()
}

/// Tells whether a line says that something is no other thing: "there is no page" is good English.
fn says_no(line: &str) -> bool {
    [" is no ", " are no "].into_iter().any(|words| {
        line.match_indices(words).any(|(at, _)| {
            let before = line[..at].trim_end().to_lowercase();
            let behind = line[at + words.len()..].split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            !before.ends_with("there") && !before.is_empty() && !COMPARISONS.contains(&behind) && !before.ends_with('"')
        })
    })
}

/// Lists the messages of the sources: the texts behind code that reports something.
fn messages() -> Vec<String> {
    let mut found = Vec::new();
    for part in PARTS.iter().filter(|part| **part != "tests") {
        for file in sources(part) {
            for (line, text) in &file.texts {
                let before: String = file.code[line.saturating_sub(3)..*line].concat();
                let is_sentence = text.trim().contains(' ');
                if *line < file.tests_begin() && is_sentence && BEFORE.iter().any(|code| before.contains(code)) {
                    found.push(format!("{}:{line}: {text}", file.name));
                }
            }
        }
    }
    for part in OTHER_PARTS {
        for path in files_below(&tree().join(part), &["js", "mjs", "py"]) {
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            let lines = (1..).zip(text.lines());
            let reporting = lines.filter(|(_, line)| BEFORE.iter().any(|code| line.contains(code)));
            found.extend(reporting.map(|(at, line)| format!("{}:{at}: {}", path.display(), line.trim())));
        }
    }
    found
}

/// Prints all messages, to be read aloud.
#[test]
fn list() {
    let all = messages();
    all.iter().for_each(|message| println!("{message}"));
    assert!(all.len() > 200, "there are {} messages", all.len());
    let wrong: Vec<String> = all.into_iter().filter(|message| says_no(message)).collect();
    assert!(wrong.is_empty(), "messages say \"is no\":\n{}", wrong.join("\n"));
}

#[test]
fn nothing_is_no_other_thing() {
    refuse("lines that say \"is no\"", 0, with_no);
}

#[test]
fn refusals_are_recognised() {
    for (line, expect) in [
        ("An empty text is no name.", true),
        ("There is no page.", false),
        ("it is no longer there", false),
        ("The rows are no places.", true),
        ("It is not a name.", false),
    ] {
        assert_eq!(says_no(line), expect, "{line}");
    }
}
