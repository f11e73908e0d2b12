//! Parts of characters: their compatibility decomposition, and the canonical order of marks.
//!
//! The crate `unicode-normalization` has the same in tables for every form of normalization, which are 120 kB of a module of wasm. These
//! tables have the one form that folding needs, in a quarter of that. `decompositions.bin`:
//!
//! ```text
//! u16 number of runs; per run of neighbouring characters u32 first character, u16 its entry, u16 start of its text
//! per entry u8 length in bytes; the texts, in UTF-8
//! ```
//!
//! `marks.bin`: per run of neighbouring marks of one combining class u32 first character, u16 number of characters, u16 class. All numbers
//! are little-endian. Tests compare every character with that crate, and write the tables anew for another version of Unicode.

use std::ops::Range;
use std::sync::OnceLock;

static TABLE: &[u8] = include_bytes!("decompositions.bin");
static MARKS: &[u8] = include_bytes!("marks.bin");

/// Bytes of the number of runs, and of a run.
const HEAD: usize = 2;
const RUN: usize = 8;

/// Hangul syllables are composed by arithmetic: chapter 3.12 of the Unicode standard.
const SYLLABLES: u32 = 0xac00;
const LEADING: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
const TRAILING: u32 = 0x11a7;
const VOWEL_COUNT: u32 = 21;
const TRAILING_COUNT: u32 = 28;
const SYLLABLE_COUNT: u32 = 11_172;

/// The most marks that are written as one character with a letter: Greek has letters with three.
const MOST_MARKS: usize = 3;

/// Calls `emit` with each character of the full compatibility decomposition of `c`: with `c` itself if it has none.
pub(super) fn decompose(c: char, mut emit: impl FnMut(char)) {
    if let Some(letters) = syllable(c) {
        letters.into_iter().flatten().for_each(emit);
    } else if let Some(parts) = entry(u32::from(c)) {
        parts.chars().for_each(emit);
    } else {
        emit(c);
    }
}

/// Puts the marks behind each letter of a decomposed text in canonical order.
pub(super) fn in_canonical_order(text: &str) -> impl Iterator<Item = char> {
    let mut classed: Vec<(u8, char)> = text.chars().map(|c| (canonical_combining_class(c), c)).collect();
    for at in 1..classed.len() {
        let mut to = at;
        while to > 0 && classed[to].0 > 0 && classed[to - 1].0 > classed[to].0 {
            classed.swap(to - 1, to);
            to -= 1;
        }
    }
    classed.into_iter().map(|(_, c)| c)
}

/// Writes a text as the tables of transliterations have it: letters and marks as one character where Unicode has one, full width and
/// half width alike.
pub(crate) fn compose(text: &str) -> String {
    let mut parts = String::with_capacity(2 * text.len());
    text.chars().for_each(|c| decompose(c, |part| parts.push(part)));
    let parts: Vec<char> = in_canonical_order(&parts).collect();
    let mut composed = String::with_capacity(text.len());
    let mut at = 0;
    while at < parts.len() {
        let marks = parts[at + 1..].iter().take(MOST_MARKS).take_while(|&&mark| composes(mark));
        let behind = if parts[at].is_alphabetic() { marks.count() } else { 0 };
        let (whole, count) = syllable_of(&parts[at..])
            .or_else(|| (1..=behind).rev().find_map(|marks| Some((letter_of(&parts[at..=at + marks])?, marks + 1))))
            .unwrap_or((parts[at], 1));
        composed.push(whole);
        at += count;
    }
    composed
}

/// Tells whether a mark is written as one character with the letter before it: accents, the marks of kana, hamza and madda. Those of
/// Indian scripts stay apart in composed text.
fn composes(mark: char) -> bool {
    matches!(mark, '\u{300}'..='\u{345}' | '\u{653}'..='\u{655}' | '\u{3099}' | '\u{309a}')
}

/// Returns the first character that consists of a letter and its marks.
fn letter_of(parts: &[char]) -> Option<char> {
    // A scan of the table for each letter took a tenth of a second for a text of 500 marks.
    static LETTERS: OnceLock<Vec<(&'static str, char)>> = OnceLock::new();
    let letters = LETTERS.get_or_init(letters_with_marks);
    let text: String = parts.iter().collect();
    let at = letters.binary_search_by(|(other, _)| (*other).cmp(&text)).ok()?;
    Some(letters[at].1)
}

/// Lists the characters that consist of a letter and marks, by their decompositions. Of those with one decomposition, lists the first.
fn letters_with_marks() -> Vec<(&'static str, char)> {
    let composed = entries().filter(|&(_, text)| has_marks(text));
    let mut letters: Vec<_> = composed.filter_map(|(code, text)| Some((text, char::from_u32(code)?))).collect();
    letters.sort_unstable();
    letters.dedup_by_key(|&mut (text, _)| text);
    letters
}

fn has_marks(text: &str) -> bool {
    let mut marks = text.chars().skip(1).peekable();
    marks.peek().is_some() && marks.all(composes)
}

/// Iterates over the table: each character with its decomposition, in order.
fn entries() -> impl Iterator<Item = (u32, &'static str)> {
    let runs = number(0);
    let lengths = offset_of_run(runs);
    let texts = lengths + number(offset_of_run(runs - 1) + 4);
    (0..runs - 1).flat_map(move |run| {
        let start = start_of_run(run);
        let mut from = texts + number(offset_of_run(run) + 6);
        let numbers = number(offset_of_run(run) + 4)..number(offset_of_run(run + 1) + 4);
        (start as u32..).zip(numbers).map(move |(code, number)| {
            let end = from + usize::from(TABLE[lengths + number]);
            (code, text_of(std::mem::replace(&mut from, end)..end))
        })
    })
}

/// Returns the offset of a run in the table.
fn offset_of_run(run: usize) -> usize {
    HEAD + run * RUN
}

/// Returns the first character of a run.
fn start_of_run(run: usize) -> usize {
    number(offset_of_run(run)) | number(offset_of_run(run) + 2) << 16
}

/// Returns the Hangul syllable at the beginning of a decomposed text, and the number of its letters.
fn syllable_of(parts: &[char]) -> Option<(char, usize)> {
    fn offset(part: Option<&char>, first: u32, count: u32) -> Option<u32> {
        part.and_then(|&c| u32::from(c).checked_sub(first)).filter(|&at| at < count)
    }
    let leading = offset(parts.first(), LEADING, SYLLABLE_COUNT / VOWEL_COUNT / TRAILING_COUNT)?;
    let vowel = offset(parts.get(1), VOWELS, VOWEL_COUNT)?;
    let trailing = offset(parts.get(2), TRAILING, TRAILING_COUNT).filter(|&at| at > 0);
    let code = SYLLABLES + (leading * VOWEL_COUNT + vowel) * TRAILING_COUNT + trailing.unwrap_or(0);
    Some((char::from_u32(code)?, if trailing.is_some() { 3 } else { 2 }))
}

/// Tells whether a character is a mark that combines with the one before.
pub(super) fn is_combining_mark(c: char) -> bool {
    class_of_mark(c).is_some()
}

/// Returns the canonical combining class of a character.
fn canonical_combining_class(c: char) -> u8 {
    class_of_mark(c).unwrap_or(0)
}

/// Returns the combining class of a mark; some have 0.
fn class_of_mark(c: char) -> Option<u8> {
    let code = u32::from(c);
    let runs = MARKS.as_chunks::<RUN>().0;
    fn start(run: &[u8; RUN]) -> u32 {
        u32::from_le_bytes([run[0], run[1], run[2], run[3]])
    }
    let run = &runs[runs.partition_point(|run| start(run) <= code).checked_sub(1)?];
    let is_in = code - start(run) < u32::from(u16::from_le_bytes([run[4], run[5]]));
    is_in.then_some(run[6])
}

/// Returns the letters of a Hangul syllable.
fn syllable(c: char) -> Option<[Option<char>; 3]> {
    let at = u32::from(c).checked_sub(SYLLABLES).filter(|&at| at < SYLLABLE_COUNT)?;
    let trailing = at % TRAILING_COUNT;
    Some([
        char::from_u32(LEADING + at / TRAILING_COUNT / VOWEL_COUNT),
        char::from_u32(VOWELS + at / TRAILING_COUNT % VOWEL_COUNT),
        char::from_u32(TRAILING + trailing).filter(|_| trailing > 0),
    ])
}

/// Returns the text of a character in the table.
fn entry(code: u32) -> Option<&'static str> {
    let runs = number(0);
    // The last run that begins at the character or before.
    let mut low = 0;
    let mut high = runs;
    while low < high {
        let middle = usize::midpoint(low, high);
        if start_of_run(middle) <= code as usize {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let run = low.checked_sub(1)?;
    let first = number(HEAD + run * RUN + 4);
    let at = first + code as usize - start_of_run(run);
    let lengths = HEAD + runs * RUN;
    let entries = number(HEAD + (runs - 1) * RUN + 4);
    let behind = if run + 1 < runs { number(HEAD + (run + 1) * RUN + 4) } else { entries };
    if at >= behind {
        return None;
    }
    let before: usize = TABLE[lengths + first..lengths + at].iter().map(|&length| usize::from(length)).sum();
    let from = lengths + entries + number(HEAD + run * RUN + 6) + before;
    Some(text_of(from..from + usize::from(TABLE[lengths + at])))
}

/// Returns a text of the table.
fn text_of(range: Range<usize>) -> &'static str {
    std::str::from_utf8(&TABLE[range]).expect("the table is of texts")
}

/// Reads a number of two bytes.
fn number(at: usize) -> usize {
    usize::from(u16::from_le_bytes([TABLE[at], TABLE[at + 1]]))
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::{self as unicode, decompose_compatible};

    use super::super::check_table;
    use super::*;

    fn all() -> impl Iterator<Item = char> {
        '\0'..=char::MAX
    }

    /// Writes the decompositions of `unicode-normalization` in the form of the table. The last run has no characters: it says
    /// how many entries there are.
    fn table() -> Vec<u8> {
        let mut runs = Vec::new();
        let mut lengths = Vec::new();
        let mut texts = String::new();
        let mut next = None;
        for c in all().filter(|&c| syllable(c).is_none()) {
            let mut text = String::new();
            decompose_compatible(c, |part| text.push(part));
            if text.chars().eq([c]) {
                continue;
            }
            if next != Some(u32::from(c)) {
                runs.push((u32::from(c), lengths.len(), texts.len()));
            }
            next = Some(u32::from(c) + 1);
            lengths.push(u8::try_from(text.len()).expect("a decomposition is short"));
            texts.push_str(&text);
        }
        runs.push((u32::from(char::MAX) + 1, lengths.len(), texts.len()));
        fn short(number: usize) -> [u8; 2] {
            u16::try_from(number).expect("the table is small").to_le_bytes()
        }
        let mut table = short(runs.len()).to_vec();
        for (start, entry, text) in runs {
            table.extend(start.to_le_bytes());
            table.extend(short(entry));
            table.extend(short(text));
        }
        table.extend(lengths);
        table.extend(texts.as_bytes());
        table
    }

    #[test]
    fn tables_are_those_of_unicode() {
        check_table("decompositions.bin", &table());
        let mut runs: Vec<(u32, u16, u8)> = Vec::new();
        for c in all().filter(|&c| unicode::is_combining_mark(c)) {
            let code = u32::from(c);
            let class = unicode::canonical_combining_class(c);
            match runs.last_mut() {
                Some((start, count, of)) if *start + u32::from(*count) == code && *of == class => *count += 1,
                _ => runs.push((code, 1, class)),
            }
        }
        let mut bytes = Vec::new();
        for (start, count, class) in runs {
            bytes.extend((u64::from(start) | u64::from(count) << 32 | u64::from(class) << 48).to_le_bytes());
        }
        check_table("marks.bin", &bytes);
    }

    #[test]
    fn texts_are_composed_as_in_unicode() {
        fn check(text: &str) {
            let expect: String = text.nfkc().collect();
            assert_eq!(compose(text), expect, "{}", text.escape_unicode());
            assert_eq!(compose(&text.nfkd().collect::<String>()), expect, "{}", text.escape_unicode());
        }
        for text in ["", "plain", "Йошкар-Ола", "ﾎﾟｰﾄﾗﾝﾄﾞ", "Αθήνα", "서울", "آباده", "Ｔｏｋｙｏ", "ё́", "नई दिल्ली"]
        {
            check(text);
        }
        let kana = '\u{3040}'..='\u{30ff}';
        for c in ('\0'..='\u{6ff}')
            .chain('\u{1e00}'..='\u{1fff}')
            .chain(kana)
            .chain('\u{ff00}'..='\u{ffef}')
            .chain(('가'..='힣').step_by(37))
        {
            check(&c.to_string());
        }
    }

    #[test]
    fn letters_have_few_marks() {
        let most = letters_with_marks().iter().map(|(text, _)| text.chars().count() - 1).max();
        assert_eq!(most, Some(MOST_MARKS));
        fn e_with_marks(marks: usize) -> String {
            format!("e{}", "\u{301}".repeat(marks))
        }
        assert_eq!(compose(&e_with_marks(499)), format!("é{}", &e_with_marks(498)[1..]));
    }

    #[test]
    fn the_table_is_read_in_order() {
        let listed: Vec<(u32, &str)> = entries().collect();
        let looked_up: Vec<(u32, &str)> = all().filter_map(|c| Some((u32::from(c), entry(u32::from(c))?))).collect();
        assert_eq!(listed, looked_up);
    }

    #[test]
    fn every_character_is_as_in_unicode() {
        for c in all() {
            let mut found = Vec::new();
            let mut expect = Vec::new();
            decompose(c, |part| found.push(part));
            decompose_compatible(c, |part| expect.push(part));
            assert_eq!(found, expect, "{}", c.escape_unicode());
            assert_eq!(is_combining_mark(c), unicode::is_combining_mark(c), "{}", c.escape_unicode());
            let class = unicode::canonical_combining_class(c);
            assert_eq!(canonical_combining_class(c), class, "{}", c.escape_unicode());
        }
    }

    #[test]
    fn marks_are_ordered_as_in_unicode() {
        let marks: Vec<char> = all().filter(|&c| canonical_combining_class(c) > 0).collect();
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..20_000 {
            let any = |rng: &mut fastrand::Rng| if rng.u8(..5) == 0 { 'a' } else { marks[rng.usize(..marks.len())] };
            let text: String = std::iter::repeat_with(|| any(&mut rng)).take(8).collect::<String>().nfd().collect();
            let mut mixed: Vec<char> = text.chars().collect();
            for run in mixed.split_mut(|&c| c == 'a') {
                rng.shuffle(run);
            }
            let mixed: String = mixed.into_iter().collect();
            let expect: String = mixed.nfd().collect();
            assert_eq!(in_canonical_order(&mixed).collect::<String>(), expect, "{}", mixed.escape_unicode());
        }
    }
}
