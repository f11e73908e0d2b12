//! Reads the Rust files of a checkout: their code without texts and comments, their texts, and their functions.

use std::path::{Path, PathBuf};

/// Folders of what is built or installed.
const NOT_OURS: [&str; 4] = ["target", "node_modules", "work", "build"];

/// Lists the files below a folder with one of these extensions.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return files };
    for entry in entries {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !NOT_OURS.contains(&&*name) && !name.starts_with('.') {
            files.extend(files_below(&path, extensions));
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|one| extension == *one)) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A file of Rust code.
pub struct Source {
    /// Path in messages.
    pub name: String,
    /// Lines as they are written.
    pub lines: Vec<String>,
    /// Lines with spaces in place of comments and of what stands between quotation marks.
    pub code: Vec<String>,
    /// Each text in quotation marks, with the number of its line from 1.
    pub texts: Vec<(usize, String)>,
}

/// A function.
pub struct Function {
    /// Name of the function.
    pub name: String,
    /// Number of its first line, from 0.
    pub line: usize,
    /// Number of lines from `fn` to the closing brace.
    pub length: usize,
    /// Tells whether it is a test.
    pub is_test: bool,
}

impl Source {
    /// Reads a file.
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        Self::new(&path.display().to_string(), &text)
    }

    /// Splits the text of a file.
    pub fn new(name: &str, text: &str) -> Self {
        let (code, texts) = split(text);
        Self { name: name.to_owned(), lines: lines(text), code: lines(&code), texts }
    }

    /// Returns the line on which the unit tests at the end of the file begin, or the number of lines.
    pub fn tests_begin(&self) -> usize {
        self.lines.iter().position(|line| line.starts_with("#[cfg(test)]")).unwrap_or(self.lines.len())
    }

    /// Finds the functions that have a body.
    pub fn functions(&self) -> Vec<Function> {
        let mut functions = Vec::new();
        for (line, code) in self.code.iter().enumerate() {
            let Some(name) = function_name(code) else { continue };
            let Some(length) = self.length_from(line) else { continue };
            let attributes = self.code[..line].iter().rev().take_while(|code| code.trim().starts_with("#["));
            let is_test = attributes.into_iter().any(|code| code.contains("test]"));
            functions.push(Function { name, line, length, is_test });
        }
        functions
    }

    /// Counts the lines of the body that begins on a line or soon after it; `None` for a declaration.
    fn length_from(&self, line: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let mut brackets = 0_i32;
        for (length, code) in (1..).zip(&self.code[line..]) {
            for character in code.chars() {
                match character {
                    '(' | '[' => brackets += 1,
                    ')' | ']' => brackets -= 1,
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ';' if depth == 0 && brackets == 0 => return None,
                    _ => {}
                }
            }
            if depth == 0 && code.contains('}') {
                return Some(length);
            }
        }
        None
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Returns the name of the function that a line declares.
pub fn function_name(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let is_before = |word: &&str| ["pub", "const", "async"].contains(word) || word.starts_with("pub(");
    let first = words.by_ref().find(|word| !is_before(word))?;
    let name: String =
        words.next().filter(|_| first == "fn")?.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(name).filter(|name| !name.is_empty())
}

/// Splits a text into code, in which texts and comments are spaces, and the texts with their lines.
fn split(text: &str) -> (String, Vec<(usize, String)>) {
    let characters: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut texts = Vec::new();
    let mut line = 1;
    let mut at = 0;
    while at < characters.len() {
        let end = match characters[at] {
            '/' if characters.get(at + 1) == Some(&'/') => end_of_line(&characters, at),
            '"' => end_of_text(&characters, at),
            'r' if !is_in_word(&characters, at) => end_of_raw_text(&characters, at),
            '\'' => end_of_character(&characters, at),
            _ => at,
        };
        if end == at {
            code.push(characters[at]);
            line += usize::from(characters[at] == '\n');
            at += 1;
            continue;
        }
        let part: String = characters[at..end].iter().collect();
        if part.starts_with(['"', 'r']) {
            let quoted = part.trim_start_matches('r').trim_matches('#');
            texts.push((line, quoted[1..].strip_suffix('"').unwrap_or_default().to_owned()));
        }
        line += part.matches('\n').count();
        code.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    (code, texts)
}

fn is_in_word(characters: &[char], at: usize) -> bool {
    at > 0 && (characters[at - 1].is_alphanumeric() || characters[at - 1] == '_')
}

fn end_of_line(characters: &[char], at: usize) -> usize {
    at + characters[at..].iter().take_while(|c| **c != '\n').count()
}

fn end_of_text(characters: &[char], at: usize) -> usize {
    let mut end = at + 1;
    while end < characters.len() && characters[end] != '"' {
        end += if characters[end] == '\\' { 2 } else { 1 };
    }
    (end + 1).min(characters.len())
}

/// Returns the end of a raw text, or `at` if none begins there.
fn end_of_raw_text(characters: &[char], at: usize) -> usize {
    let marks = characters[at + 1..].iter().take_while(|c| **c == '#').count();
    if characters.get(at + 1 + marks) != Some(&'"') {
        return at;
    }
    let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', marks)).collect();
    let from = at + marks + 2;
    let found = characters[from..].windows(close.len()).position(|window| window == close);
    found.map_or(characters.len(), |found| from + found + close.len())
}

/// Returns the end of a character in single quotation marks, or `at` for a lifetime.
fn end_of_character(characters: &[char], at: usize) -> usize {
    if characters.get(at + 1) == Some(&'\\') {
        let rest = characters[at + 3..].iter().take_while(|c| **c != '\'').count();
        return at + 4 + rest;
    }
    if characters.get(at + 2) == Some(&'\'') { at + 3 } else { at }
}

#[test]
fn functions_are_found_with_their_lengths() {
    let text = "fn a() {\n    let b = \"}\"; // }\n    let c = '{';\n}\n\n#[test]\nfn d<'t>(e: &'t str) {}\ntrait F {\n    fn g();\n}\n";
    let found: Vec<_> = Source::new("x.rs", text).functions();
    let short: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.length, one.is_test)).collect();
    assert_eq!(short, [("a", 4, false), ("d", 1, true)]);
    assert_eq!(Source::new("x.rs", text).texts, [(2, "}".to_owned())]);
    assert_eq!(Source::new("x.rs", "f(\"rather\")").texts, [(1, "rather".to_owned())]);
}

#[test]
fn raw_texts_and_declarations_are_read() {
    let source = Source::new("x.rs", "const A: &str = r#\"is no \"B\"\"#;\npub(crate) async fn c() {\n}\n");
    assert_eq!(source.texts, [(1, "is no \"B\"".to_owned())]);
    assert_eq!(source.functions()[0].name, "c");
    assert_eq!(function_name("pub const fn a<T>(t: T) -> u8 {"), Some("a".to_owned()));
    assert_eq!(function_name("pub struct A(u8);"), None);
}
