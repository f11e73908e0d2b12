//! Initials with dots, which people also write without: `D.C.`, `N. Y.`, `N.S.W.`. Folding makes a word of each letter. That is
//! right for a name that is stored so (`O. R. Tambo`), and wrong for an abbreviation.

use super::decomposition::is_combining_mark;

/// The dot, and the one of full width.
const DOTS: [char; 2] = ['.', '．'];

/// Returns `text` with the letters of initials joined, `DC` for `D.C.`; `None` if it has none. Initials are two letters or more,
/// each with a dot. There may be spaces between them, and if there are none, the last one needs no dot.
pub(crate) fn with_initials_joined(text: &str) -> Option<String> {
    if !DOTS.iter().any(|&dot| text.contains(dot)) {
        return None;
    }
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_at_word = true;
    let mut has_initials = false;
    while let Some(c) = rest.chars().next() {
        let found = if is_at_word { Initials::read(rest) } else { None };
        match found {
            Some(initials) => {
                joined.extend(initials.letters);
                rest = initials.rest;
                if rest.starts_with(char::is_alphanumeric) {
                    joined.push(' ');
                }
                has_initials = true;
            }
            None => {
                joined.push(c);
                is_at_word = !is_part_of_word(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    has_initials.then_some(joined)
}

/// Initials at the beginning of a text.
struct Initials<'t> {
    /// Each with its marks.
    letters: Vec<&'t str>,
    /// Text behind the initials.
    rest: &'t str,
}

impl<'t> Initials<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let (first, behind) = split_letter(text)?;
        let mut letters = vec![first];
        let mut rest = behind.strip_prefix(DOTS)?;
        while let Some((letter, behind)) = split_letter(rest.trim_start()) {
            let is_adjacent = !rest.starts_with(char::is_whitespace);
            if let Some(behind_dot) = behind.strip_prefix(DOTS) {
                letters.push(letter);
                rest = behind_dot;
            } else if is_adjacent && !behind.starts_with(is_part_of_word) {
                letters.push(letter);
                rest = behind;
                break;
            } else {
                break;
            }
        }
        (letters.len() > 1).then_some(Self { letters, rest })
    }
}

/// Splits off a letter with its marks. It has an upper and a lower case: only such scripts abbreviate by initials, and none of
/// them writes a letter as several when decomposed.
fn split_letter(text: &str) -> Option<(&str, &str)> {
    let letter = text.chars().next().filter(|&c| (c.is_lowercase() || c.is_uppercase()) && !is_combining_mark(c))?;
    let marks = text[letter.len_utf8()..].chars().take_while(|&c| is_combining_mark(c));
    Some(text.split_at(letter.len_utf8() + marks.map(char::len_utf8).sum::<usize>()))
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn initials_are_joined() {
        fn check(text: &str, expect: &str) {
            assert_eq!(with_initials_joined(text).unwrap_or_default(), expect, "{text:?}");
            let apart: String = text.nfd().collect();
            let expect: String = expect.nfd().collect();
            assert_eq!(with_initials_joined(&apart).unwrap_or_default(), expect, "{apart:?}");
        }
        check("Washington, D.C.", "Washington, DC");
        check("washington, d.c.", "washington, dc");
        check("Amenia, N. Y.", "Amenia, NY");
        check("Sydney, N.S.W., Australia", "Sydney, NSW, Australia");
        check("U.S. Virgin Islands", "US Virgin Islands");
        check("Київ, У.Р.С.Р.", "Київ, УРСР");
        check("É.U.", "ÉU");
        check("Ｄ．Ｃ．", "ＤＣ");
        check("C.P.Ramaswamy", "CP Ramaswamy");
        check("(D.C.)", "(DC)");
        check("l'U.R.S.S.", "l'URSS");
        // The last dot may be missing, but not before a space: `St. J. à Paris`.
        check("Washington, D.C", "Washington, DC");
        check("D.C USA", "DC USA");
        check("D. C", "");
        check("N.Novgorod", "");
        check("A.B.Cd", "AB Cd");
        // A letter alone, longer abbreviations and dots of other kinds stay.
        check("John F. Kennedy", "");
        check("St. Louis", "");
        check("St. John's, Nfld.", "");
        check("W. Va.", "");
        check("St.L.", "");
        check("Praha hl.n.", "");
        check("7.5 km", "");
        check("1.2.3", "");
        check("www.ab.cd", "");
        check("東.京.", "");
        check("한.국.", "");
        check("...", "");
        check(".D.C.", ".DC");
        check("Paris", "");
        check("", "");
    }
}
