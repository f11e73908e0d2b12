//! The letters of a folded text that spellings are learned for and looked up by.

use super::decomposition::decompose;

/// Distance in Unicode from a hiragana letter to its katakana.
const KANA_APART: u32 = 0x60;

/// Returns the letters of a folded text: kana with their voicing marks, hiragana as katakana, everything else as it is. A Hangul
/// syllable stays decomposed, so that each of its letters is one.
pub fn letters(folded: &str) -> Vec<char> {
    let mut letters: Vec<char> = Vec::with_capacity(folded.len());
    for c in folded.chars() {
        let voiced = letters.last().and_then(|&last| voice(last, c));
        match voiced {
            Some(voiced) => letters.splice(letters.len() - 1.., [voiced]).for_each(drop),
            None => letters.push(in_katakana(c)),
        }
    }
    letters
}

/// Distances in Unicode from a plain kana to the voiced one: in the rows of k, s, t and h, and beyond the rows.
const VOICED_APART: [u32; 4] = [1, 2, 8, 0x4e];

/// Returns the kana that a kana and the voicing mark behind it make.
fn voice(plain: char, mark: char) -> Option<char> {
    if !matches!(mark, '\u{3099}' | '\u{309a}') {
        return None;
    }
    VOICED_APART.into_iter().filter_map(|apart| char::from_u32(u32::from(plain) + apart)).find(|&kana| {
        let mut parts = Vec::new();
        decompose(kana, |part| parts.push(part));
        parts == [plain, mark]
    })
}

/// Returns hiragana as katakana, in which foreign names are written, and any other character unchanged.
pub(crate) fn in_katakana(c: char) -> char {
    let is_hiragana = ('\u{3041}'..='\u{3096}').contains(&c);
    let katakana = is_hiragana.then(|| char::from_u32(u32::from(c) + KANA_APART)).flatten();
    katakana.unwrap_or(c)
}

/// Tells whether two letters that are not Latin are of one script, as far as the blocks of Unicode say so.
pub(crate) fn are_of_one_script(a: char, b: char) -> bool {
    block(a) == block(b)
}

/// Numbers the blocks: scripts that have several have one number.
fn block(c: char) -> u32 {
    match c {
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7ff}' => 0x11,
        '\u{3400}'..='\u{9fff}' => 0x4e,
        '\u{400}'..='\u{52f}' => 0x8,
        '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' => 0xc,
        _ => 0x1_0000 + (u32::from(c) >> 7),
    }
}

/// Returns the letter at the beginning of a Hangul syllable that is the same consonant as this one at the end of one.
pub(crate) fn first_of_syllable(last: char) -> Option<char> {
    let at = LAST_IN_SYLLABLE.iter().position(|&other| other == last)?;
    Some(FIRST_IN_SYLLABLE[at])
}

/// The consonants that may end a Hangul syllable, without pairs of two,
const LAST_IN_SYLLABLE: [char; 16] = ['ᆨ', 'ᆩ', 'ᆫ', 'ᆮ', 'ᆯ', 'ᆷ', 'ᆸ', 'ᆺ', 'ᆻ', 'ᆼ', 'ᆽ', 'ᆾ', 'ᆿ', 'ᇀ', 'ᇁ', 'ᇂ'];

/// and the same where they begin one.
const FIRST_IN_SYLLABLE: [char; 16] =
    ['ᄀ', 'ᄁ', 'ᄂ', 'ᄃ', 'ᄅ', 'ᄆ', 'ᄇ', 'ᄉ', 'ᄊ', 'ᄋ', 'ᄌ', 'ᄎ', 'ᄏ', 'ᄐ', 'ᄑ', 'ᄒ'];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    #[test]
    fn kana_are_voiced_as_in_unicode() {
        for plain in '\0'..=char::MAX {
            for mark in ['\u{3099}', '\u{309a}'] {
                let expect = unicode_normalization::char::compose(plain, mark);
                assert_eq!(voice(plain, mark), expect, "{}", plain.escape_unicode());
            }
        }
    }

    #[test]
    fn letters_of_scripts() {
        fn check(text: &str, expect: &str) {
            let found: String = letters(&fold(text)).into_iter().collect();
            assert_eq!(found, expect, "{text}");
        }
        check("Ulm 7", "ulm 7");
        check("ばーぜる", "バーゼル");
        check("ペルージャ", "ペルージャ");
        check("파", "\u{1111}\u{1161}");
        check("巴塞爾", "巴塞爾");
        check("दिल्ली", "दिल्ली");
    }
}
