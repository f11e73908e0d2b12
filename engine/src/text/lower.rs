//! Lower case.
//!
//! The standard library has a table of every capital, which is 12 kB of a module of wasm. `capitals.bin` has one entry per run of
//! capitals that are equally far from their small letters and from one another, in a sixth of that:
//!
//! ```text
//! u24 first capital, u8 number of capitals, u24 small letter of the first, u8 step from each to the next
//! ```
//!
//! All numbers are little-endian. A test compares every character with the standard library, and writes the table anew for another
//! version of Unicode.

static CAPITALS: &[u8] = include_bytes!("capitals.bin");

/// Bytes of a run.
const RUN: usize = 8;

/// Returns a text in lower case, each character by itself: a capital sigma at the end of a word becomes `σ`, and `İ` becomes `i`.
pub(crate) fn to_lower(text: &str) -> String {
    text.chars().map(lower).collect()
}

/// Returns a character in lower case.
pub(super) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    small_letter(u32::from(c)).and_then(char::from_u32).unwrap_or(c)
}

/// Returns the small letter of a capital.
fn small_letter(code: u32) -> Option<u32> {
    let runs = CAPITALS.as_chunks::<RUN>().0;
    fn start(run: &[u8; RUN]) -> u32 {
        u32::from_le_bytes([run[0], run[1], run[2], 0])
    }
    let run = &runs[runs.partition_point(|run| start(run) <= code).checked_sub(1)?];
    let behind = code - start(run);
    let step = u32::from(run[7]);
    let is_in = behind.is_multiple_of(step) && behind / step < u32::from(run[3]);
    is_in.then(|| u32::from_le_bytes([run[4], run[5], run[6], 0]) + behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the small letter of a capital as the standard library has it.
    fn standard(c: char) -> Option<char> {
        c.to_lowercase().next().filter(|&small| small != c)
    }

    #[test]
    fn the_table_is_that_of_the_standard_library() {
        let mut runs: Vec<[u32; 4]> = Vec::new();
        for c in '\u{80}'..=char::MAX {
            let Some(small) = standard(c) else { continue };
            let code = u32::from(c);
            let small = u32::from(small);
            if let Some([first, count, first_small, step]) = runs.last_mut() {
                let next = if *count == 1 { code - *first } else { *step };
                let fits =
                    matches!(next, 1 | 2) && *first + *count * next == code && *first_small + code == *first + small;
                if fits && *count < u32::from(u8::MAX) {
                    (*count, *step) = (*count + 1, next);
                    continue;
                }
            }
            runs.push([code, 1, small, 1]);
        }
        let mut bytes = Vec::new();
        for [code, count, small, step] in runs {
            let run = u64::from(code) | u64::from(count) << 24 | u64::from(small) << 32 | u64::from(step) << 56;
            bytes.extend(run.to_le_bytes());
        }
        super::super::check_table("capitals.bin", &bytes);
    }

    #[test]
    fn every_character_is_as_in_the_standard_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(lower(c), standard(c).unwrap_or(c), "{}", c.escape_unicode());
        }
    }

    #[test]
    fn texts() {
        fn check(text: &str, expect: &str) {
            assert_eq!(to_lower(text), expect)
        }
        check("ÎLE-DE-FRANCE", "île-de-france");
        check("ΑΘΗΝΑΣ Αθήνας", "αθηνασ αθήνας");
        check("İSTANBUL", "istanbul");
        check("МОСКВА 東京", "москва 東京");
    }
}
