//! The inputs of each target that the repository keeps: `inputs/TARGET.txt`, a readable file.
//!
//! ```text
//! --- dictionary words
//! "a word that a search puts into inputs, as libFuzzer writes them"
//! --- seed 00-plain
//! first line of the input
//! last line, without the line break after it
//! --- regression name-of-what-failed
//! \xff\x00 bytes that are not text, \t a tabulator, \\ a backslash
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use crate::world;

/// The line that begins an input, before its kind and its name.
const HEADER: &str = "--- ";

/// The kind of a list of words.
pub const DICTIONARY: &str = "dictionary";

/// The target whose seed is an index: made anew, because mutations of an older format would all be rejected.
const INDEXES: &str = "index_bytes";

/// An input that every run of a target tries first.
#[derive(Debug, PartialEq, Eq)]
pub struct Input {
    /// `seed`, a good input from which a search starts, `regression`, one that failed once, or `dictionary`, which is not one but a
    /// list of words for all.
    pub kind: String,
    /// A name, unique in its kind.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Reads the inputs of the target `name`.
///
/// # Errors
/// Names the file and the line that cannot be read.
pub fn of(name: &str) -> Result<Vec<Input>, String> {
    let path = file(name);
    let text = if path.is_file() {
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?
    } else {
        String::new()
    };
    let mut inputs = parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    if name == INDEXES {
        let bytes = toponym_engine::index::write(&world::gazetteer()).map_err(|error| error.to_string())?;
        inputs.push(Input { kind: "seed".into(), name: "whole".into(), bytes });
    }
    Ok(inputs)
}

/// Returns the file that keeps the inputs of the target `name`.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("inputs").join(name).with_extension("txt")
}

/// Writes an input as [`of`] reads it, to add it to the file of its target.
pub fn write(input: &Input) -> String {
    let lines = input.bytes.split(|byte| *byte == b'\n').map(|line| escape(line) + "\n");
    format!("{HEADER}{} {}\n{}", input.kind, input.name, lines.collect::<String>())
}

fn parse(text: &str) -> Result<Vec<Input>, String> {
    let mut inputs: Vec<Input> = Vec::new();
    let mut is_first_line = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(header) = line.strip_prefix(HEADER) {
            let (kind, name) = header
                .split_once(' ')
                .filter(|(kind, _)| ["seed", "regression", DICTIONARY].contains(kind))
                .ok_or_else(|| format!("line {}: expected `--- seed NAME` or `--- regression NAME`", number + 1))?;
            inputs.push(Input { kind: kind.into(), name: name.into(), bytes: Vec::new() });
            is_first_line = true;
            continue;
        }
        let input = inputs.last_mut().ok_or("line 1: expected a line `--- seed NAME`")?;
        if !is_first_line {
            input.bytes.push(b'\n');
        }
        is_first_line = false;
        input.bytes.extend(unescape(line).map_err(|error| format!("line {}: {error}", number + 1))?);
    }
    Ok(inputs)
}

fn unescape(line: &str) -> Result<Vec<u8>, String> {
    let mut parts = line.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    while let Some(part) = parts.next() {
        if part.is_empty() {
            // Two backslashes: the text after the second one is a part of its own.
            bytes.push(b'\\');
            bytes.extend(parts.next().ok_or("a single backslash at the end: write \\\\")?.as_bytes());
        } else if let Some(rest) = part.strip_prefix('t') {
            bytes.push(b'\t');
            bytes.extend(rest.as_bytes());
        } else {
            let digits = part.strip_prefix('x').and_then(|rest| rest.get(..2));
            let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            bytes.push(byte.ok_or_else(|| format!("\\{part}: expected \\xNN, \\t or \\\\"))?);
            bytes.extend(&part.as_bytes()[3..]);
        }
    }
    Ok(bytes)
}

fn escape(line: &[u8]) -> String {
    let mut text = String::new();
    for chunk in line.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' => text += "\\\\",
                '\t' => text += "\\t",
                // Marks, joiners and directions would not be seen.
                _ if character.is_control() || (!character.is_ascii() && !character.is_alphanumeric()) => {
                    text.extend(character.to_string().bytes().map(|byte| format!("\\x{byte:02x}")));
                }
                _ => text.push(character),
            }
        }
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    // A line must neither look like a header nor end in what editors strip.
    if text.starts_with(HEADER) {
        text.replace_range(..1, "\\x2d");
    }
    if text.ends_with(' ') {
        text.replace_range(text.len() - 1.., "\\x20");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_inputs_are_read_back() {
        check_round_trip(b"");
        check_round_trip(b"\n");
        check_round_trip(b"\r\n\r\n");
        check_round_trip(b"one\ntwo ");
        check_round_trip(b"--- seed x\n--- ");
        check_round_trip("北京\u{301}\u{200f}\\x41\\\\\t".as_bytes());
        check_round_trip(&(0..=255).collect::<Vec<u8>>());
    }

    fn check_round_trip(bytes: &[u8]) {
        let input = Input { kind: "regression".into(), name: "a name".into(), bytes: bytes.to_vec() };
        let text = write(&input);
        assert_eq!(parse(&text).as_deref(), Ok([input].as_slice()), "{text}");
    }

    #[test]
    fn faults_name_their_line() {
        check_fault("text", "line 1");
        check_fault("--- other x", "line 1: expected");
        check_fault("--- seed x\n\n\\x4", "line 3: \\x4: expected \\xNN");
        check_fault("--- seed x\n\\", "line 2");
        check_fault("--- seed x\n\\q", "\\q");
    }

    fn check_fault(text: &str, part: &str) {
        let error = parse(text).expect_err("the text has a fault");
        assert!(error.contains(part), "{error}");
    }
}
