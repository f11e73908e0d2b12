//! Shape: short functions, loops and named functions in place of closures that are bound first, one binding a line.

use super::refuse;
use super::source::{Function, Source};

/// Most lines of a function, without those of tables.
pub const LONGEST: usize = 50;

/// Most public methods of a type that is the entrance to a part: a reader of its list has a choice to make.
const MOST_METHODS: usize = 20;

/// The entrances, each with the folder that has all of its methods.
const ENTRANCES: [(&str, &str); 4] =
    [("engine/src", "Engine"), ("engine/src", "Index"), ("engine/src", "Opened"), ("pkg-build/builder", "Contents")];

/// Lists the functions that are too long.
pub fn long_functions(files: &[Source]) -> Vec<String> {
    let mut long = Vec::new();
    for file in files {
        for function in file.functions() {
            let lines = function.length - lines_of_tables(file, &function);
            if lines > LONGEST {
                long.push(format!("{}:{}: {} has {lines} lines", file.name, function.line + 1, function.name));
            }
        }
    }
    long
}

/// Counts the lines of a function that are rows of a table: they begin as the line before or behind them does, or are literals.
fn lines_of_tables(file: &Source, function: &Function) -> usize {
    let lines = &file.lines[function.line..function.line + function.length];
    let first = |at: usize| lines.get(at).map(|line| beginning(line)).unwrap_or_default();
    let is_row = |at: usize| {
        let own = first(at);
        let is_literal = own.is_empty() && lines[at].trim_start().starts_with(['"', '(', '[', '{', 'r', '\'', '&']);
        is_literal || (!own.is_empty() && (own == first(at + 1) || at > 0 && own == first(at - 1)))
    };
    (1..lines.len().saturating_sub(1)).filter(|&at| is_row(at)).count()
}

/// Returns the word that a call begins with.
fn beginning(line: &str) -> String {
    let word: String = line.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let is_call = line.trim_start()[word.len()..].starts_with(['(', '!']);
    if is_call { word } else { String::new() }
}

/// Counts closures that are bound before they are used.
pub fn bound_closures(files: &[Source]) -> usize {
    let lines = files.iter().flat_map(|file| file.code.iter());
    lines.filter(is_bound_closure).count()
}

fn is_bound_closure(line: &&String) -> bool {
    let value = line.trim_start().strip_prefix("let ").and_then(|rest| rest.split_once("= "));
    value.is_some_and(|(_, value)| value.starts_with('|') || value.starts_with("move |"))
}

/// Counts `let`s that bind several values which stand beside each other.
pub fn tuple_lets(files: &[Source]) -> usize {
    let lines = files.iter().flat_map(|file| file.code.iter());
    lines.filter(|line| line.trim_start().starts_with("let (") && line.contains(") = (")).count()
}

/// Counts the public methods of a type, in all of its `impl` blocks.
fn public_methods(files: &[Source], name: &str) -> usize {
    let mut count = 0;
    for file in files {
        let mut is_inside = false;
        for line in &file.code {
            if line.starts_with("impl") {
                let own = line.trim_start_matches("impl").split('{').next().unwrap_or_default();
                is_inside =
                    !own.contains(" for ") && own.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
            } else if line.starts_with('}') {
                is_inside = false;
            }
            count += usize::from(is_inside && line.starts_with("    pub ") && line.contains("fn "));
        }
    }
    count
}

#[test]
fn entrances_have_few_public_methods() {
    for (part, name) in ENTRANCES {
        let count = public_methods(&super::sources(part), name);
        assert!((1..=MOST_METHODS).contains(&count), "{name} has {count} public methods, not 1 to {MOST_METHODS}");
    }
    let text =
        "impl A {\n    pub fn b() {}\n    pub const fn c() {}\n    fn d() {}\n}\n\nimpl E for A {\n    fn f() {}\n}\n";
    assert_eq!(public_methods(&[Source::new("x.rs", text)], "A"), 2);
}

#[test]
fn functions_are_short() {
    refuse("functions that are too long", 0, long_functions);
}

#[test]
fn closures_and_tuples_are_counted() {
    let text =
        "fn a() {\n    let b = |c: u8| c;\n    let (d, e) = (1, 2);\n    let f = g(|h| h);\n    let (i, j) = k();\n}\n";
    let files = [Source::new("x.rs", text)];
    assert_eq!((bound_closures(&files), tuple_lets(&files)), (1, 1));
    assert!(long_functions(&files).is_empty());
    let long = format!("fn a() {{\n{}}}\n", "    b;\n    c;\n".repeat(25));
    assert_eq!(long_functions(&[Source::new("x.rs", &long)]).len(), 1);
    let table = format!("fn a() {{\n{}}}\n", "    check(1);\n".repeat(60));
    assert!(long_functions(&[Source::new("x.rs", &table)]).is_empty());
}
