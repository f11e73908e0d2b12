//! Beginnings of docs: each names its subject, and those of functions begin with a verb.

use super::source::{Source, function_name};
use super::{PARTS, sources};

/// Beginnings of docs that lean on the doc before, or do not name what they are about.
const WEAK: [&str; 12] =
    ["That", "Whether", "What", "The same", "Its", "It", "Those", "This", "These", "Which", "Same", "They"];

/// Most docs with a weak beginning, of all docs of a part.
const MOST_WEAK: f64 = 0.02;

/// Fewest functions of a part whose docs begin with a verb, of all that have docs.
const LEAST_VERBS: f64 = 0.75;

/// Fewest public functions with an example, of the engine and of the builder.
const FEWEST_EXAMPLES: [(&str, usize); 2] = [("engine/src", 45), ("pkg-build/builder", 18)];

/// Counts of docs.
#[derive(Debug, Default)]
pub struct Docs {
    all: usize,
    of_functions: usize,
    with_verb: usize,
    weak: Vec<String>,
    /// Number of public items whose docs have an example.
    pub with_example: usize,
}

impl Docs {
    /// Counts the docs of some files.
    pub fn of(files: &[Source]) -> Self {
        let mut docs = Self::default();
        files.iter().for_each(|file| docs.read(file));
        docs
    }

    /// Returns the share of docs with a weak beginning.
    pub fn weak_share(&self) -> f64 {
        self.weak.len() as f64 / self.all.max(1) as f64
    }

    /// Returns the share of the docs of functions that begin with a verb.
    pub fn verb_share(&self) -> f64 {
        self.with_verb as f64 / self.of_functions.max(1) as f64
    }

    /// Counts the docs of a file.
    fn read(&mut self, file: &Source) {
        let lines: Vec<&str> = file.lines.iter().map(|line| line.trim()).collect();
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
            self.with_example += usize::from(lines[at..behind].contains(&"/// ```") && item.starts_with("pub "));
            let is_function = mark == "///" && function_name(item).is_some();
            self.count(first, is_function, || format!("{}:{}: {first}", file.name, at + 1));
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

fn begins_with_one_of(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

/// Tells whether the first word looks like a verb in the third person: `Returns`, `Finds`.
fn begins_with_verb(text: &str) -> bool {
    let word: String = text.chars().take_while(|c| c.is_alphabetic()).collect();
    word.len() > 2 && word.starts_with(char::is_uppercase) && word.ends_with('s')
}

#[test]
fn docs_begin_with_their_subject() {
    for part in PARTS {
        let docs = Docs::of(&sources(part));
        let weak = docs.weak.join("\n");
        assert!(docs.weak_share() <= MOST_WEAK, "{part} has docs without their subject:\n{weak}");
        assert!(
            docs.verb_share() >= LEAST_VERBS,
            "{part}: the docs of {} functions of {} begin with a verb",
            docs.with_verb,
            docs.of_functions
        );
    }
}

#[test]
fn public_functions_have_examples() {
    for (part, fewest) in FEWEST_EXAMPLES {
        let found = Docs::of(&sources(part)).with_example;
        assert!(found >= fewest, "{part} has {found} examples in its docs, fewer than {fewest}");
    }
}

#[test]
fn beginnings() {
    check("Returns the row of a place.", false, true);
    check("The same for two letters.", true, false);
    check("Item of a list.", false, false);
    check("It is so.", true, false);
    check("Number of rows.", false, false);
}

fn check(first: &str, weak: bool, verb: bool) {
    assert_eq!((begins_with_one_of(first, &WEAK), begins_with_verb(first)), (weak, verb), "{first}");
}
