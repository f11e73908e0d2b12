//! Names: those of tests say subject, verb and result in few words, and those of functions are verbs, or the nouns that they return.

use super::refuse;
use super::source::Source;

/// Most words of a test's name.
const MOST_WORDS: usize = 8;

/// Functions that are called by a participle alone: of the public interface, constructors, handlers of the platform, and tools
/// that measure. Whoever renames one lowers the number.
const PARTICIPLES: usize = 21;

/// Endings of participles.
const ENDINGS: [&str; 3] = ["ed", "ing", "own"];

/// Verbs and nouns that end as participles do.
const OTHERS: [&str; 20] = [
    "beginning",
    "billing",
    "crown",
    "embed",
    "ending",
    "everything",
    "expecting",
    "feed",
    "finding",
    "meeting",
    "metering",
    "need",
    "packing",
    "reading",
    "ring",
    "seed",
    "spelling",
    "standing",
    "tiling",
    "town",
];

/// Lists the tests whose names have too many words.
pub fn long_test_names(files: &[Source]) -> Vec<String> {
    let names = files.iter().flat_map(|file| file.functions().into_iter().map(move |function| (file, function)));
    let long = names.filter(|(_, function)| function.is_test && function.name.split('_').count() > MOST_WORDS);
    long.map(|(file, function)| format!("{}:{}: {}", file.name, function.line + 1, function.name)).collect()
}

/// Lists the functions that are called by a participle alone.
pub fn participles(files: &[Source]) -> Vec<String> {
    let names = files.iter().flat_map(|file| file.functions().into_iter().map(move |function| (file, function)));
    let found = names.filter(|(_, function)| !function.is_test && is_participle(&function.name));
    found.map(|(file, function)| format!("{}:{}: {}", file.name, function.line + 1, function.name)).collect()
}

fn is_participle(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.contains('_') && !OTHERS.contains(&name)
}

#[test]
fn names_of_tests_are_short() {
    refuse("names of tests with more than eight words", 0, long_test_names);
}

#[test]
fn functions_are_called_by_verbs_or_nouns() {
    refuse("functions called by a participle", PARTICIPLES, participles);
}

#[test]
fn participles_are_recognised() {
    for (name, expect) in [("spoken", false), ("joined", true), ("having", true), ("shown", true), ("need", false)] {
        assert_eq!(is_participle(name), expect, "{name}");
    }
}
