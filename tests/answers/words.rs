//! Checks what a program can see of the words: docs begin with their subject, and those of functions with a verb.

use std::path::{Path, PathBuf};

/// Folders with code of the project.
const FOLDERS: [&str; 4] = ["edge-worker", "engine", "pkg-build", "tests"];

/// Folders of what is built or installed.
const NOT_OURS: [&str; 4] = ["target", "node_modules", "work", "build"];

/// Beginnings of docs that lean on the doc before, or do not name what they are about.
const WEAK: [&str; 12] =
    ["That", "Whether", "What", "The same", "Its", "It", "Those", "This", "These", "Which", "Same", "They"];

/// Most docs with a weak beginning, of all docs of a folder.
const MOST_WEAK: f64 = 0.02;

/// Fewest functions of a folder whose docs begin with a verb, of all that have docs.
const LEAST_VERBS: f64 = 0.75;

/// Counts of docs.
#[derive(Debug, Default)]
struct Docs {
    all: usize,
    of_functions: usize,
    with_verb: usize,
    weak: Vec<String>,
}

impl Docs {
    /// Counts the docs of a file.
    fn read(&mut self, file: &Path) {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let mut at = 0;
        while at < lines.len() {
            let Some(mark) = ["///", "//!"].into_iter().find(|mark| lines[at].starts_with(mark)) else {
                at += 1;
                continue;
            };
            let first = lines[at][mark.len()..].trim();
            let is_doc = |line: &&&str| line.starts_with(mark) || (mark == "///" && line.starts_with("#["));
            let behind = at + lines[at..].iter().take_while(is_doc).count();
            let item = lines.get(behind).copied().unwrap_or_default();
            self.count(first, mark == "///" && is_function(item), || format!("{}:{}: {first}", file.display(), at + 1));
            at = behind;
        }
    }

    fn count(&mut self, first: &str, is_function: bool, place: impl Fn() -> String) {
        self.all += 1;
        if begins_with_one_of(first, &WEAK) {
            self.weak.push(place());
        } else if is_function && begins_with_verb(first) {
            self.with_verb += 1;
        }
        self.of_functions += usize::from(is_function);
    }
}

/// Tells whether a line declares a function.
fn is_function(line: &str) -> bool {
    let words = line.split_whitespace().map(|word| word.split('(').next().unwrap_or_default());
    words.take_while(|word| ["pub", "const", "async", "fn"].contains(word)).any(|word| word == "fn")
}

fn begins_with_one_of(text: &str, words: &[&str]) -> bool {
    let is_it = |word: &&str| text.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    words.iter().any(is_it)
}

/// Tells whether the first word looks like a verb in the third person: `Returns`, `Finds`.
fn begins_with_verb(text: &str) -> bool {
    let word: String = text.chars().take_while(|c| c.is_alphabetic()).collect();
    word.len() > 2 && word.starts_with(char::is_uppercase) && word.ends_with('s')
}

/// Lists the Rust files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !NOT_OURS.contains(&&*name) && !name.starts_with('.') {
            files.extend(files_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn docs_begin_with_their_subject() {
    for folder in FOLDERS {
        let mut docs = Docs::default();
        files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder))
            .iter()
            .for_each(|file| docs.read(file));
        let Docs { all, of_functions, with_verb, weak } = docs;
        println!(
            "{folder}: {} of {all} docs are weak, {with_verb} of {of_functions} of functions begin with a verb",
            weak.len()
        );
        assert!(all > 100, "{folder} has {all} docs");
        assert!(weak.len() as f64 <= MOST_WEAK * all as f64, "docs without their subject:\n{}", weak.join("\n"));
        assert!(
            with_verb as f64 >= LEAST_VERBS * of_functions as f64,
            "{folder}: the docs of {with_verb} functions of {of_functions} begin with a verb"
        );
    }
}

#[test]
fn beginnings() {
    let check = |first: &str, weak: bool, verb: bool| {
        assert_eq!((begins_with_one_of(first, &WEAK), begins_with_verb(first)), (weak, verb), "{first}");
    };
    check("Returns the row of a place.", false, true);
    check("The same for two letters.", true, false);
    check("Item of a list.", false, false);
    check("It is so.", true, false);
    check("Number of rows.", false, false);
    for (line, expect) in [
        ("pub(crate) fn a() {", true),
        ("fn a<T>(t: T)", true),
        ("pub struct A(u8);", false),
        ("const A: u8 = 1;", false),
        ("pub const fn a() {", true),
    ] {
        assert_eq!(is_function(line), expect, "{line}");
    }
}
