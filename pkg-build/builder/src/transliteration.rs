//! Latin spellings of letters of other scripts, for queries in a script in which the data has no name of the place.

use std::ops::RangeInclusive;

use any_ascii::any_ascii_char;

/// Unicode blocks of the scripts that names are written in. Hangul is listed as single letters because the engine
/// decomposes syllables.
const BLOCKS: [RangeInclusive<char>; 13] = [
    '\u{370}'..='\u{3ff}',   // Greek
    '\u{400}'..='\u{58f}',   // Cyrillic, Armenian
    '\u{5d0}'..='\u{5f4}',   // Hebrew
    '\u{620}'..='\u{6ff}',   // Arabic
    '\u{710}'..='\u{74f}',   // Syriac
    '\u{780}'..='\u{7bf}',   // Thaana
    '\u{900}'..='\u{109f}',  // Devanagari to Myanmar: the scripts of India and South-East Asia
    '\u{10a0}'..='\u{10ff}', // Georgian
    '\u{1100}'..='\u{11ff}', // Hangul letters
    '\u{1200}'..='\u{139f}', // Ethiopic
    '\u{1780}'..='\u{17ff}', // Khmer
    '\u{3041}'..='\u{30ff}', // kana
    HAN,
];

const HAN: RangeInclusive<char> = '\u{4e00}'..='\u{9fff}';

/// Returns the letters of [`BLOCKS`] in order, with their Latin spelling. Signs beside Latin letters (`k'` for an
/// ejective) are left out: people do not type them. An empty spelling marks a silent letter, such as the lengthening
/// mark of kana. Han has no silent letters: there it means that any_ascii does not know the letter, which is left out.
pub(crate) fn transliterations() -> Vec<(char, String)> {
    let letters = BLOCKS.into_iter().flatten().map(spell);
    letters.filter(|(c, latin)| !latin.is_empty() || !HAN.contains(c)).collect()
}

fn spell(c: char) -> (char, String) {
    let latin: String = any_ascii_char(c).chars().filter(char::is_ascii_alphanumeric).collect();
    (c, latin.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let letters = transliterations();
        assert!(letters.is_sorted(), "the index looks letters up by binary search");
        let latin = |text: &str| -> String {
            text.chars()
                .map(|c| letters.iter().find(|(letter, _)| *letter == c).map_or("?", |(_, latin)| latin))
                .collect()
        };
        assert_eq!(latin("москва"), "moskva");
        assert_eq!(latin("北京"), "beijing");
        assert_eq!(latin("カイロ"), "kairo");
        assert_eq!(latin("サッカー"), "satka");
        assert_eq!(latin("тольятти"), "tolyatti");
        assert_eq!(latin("თბილისი"), "tbilisi");
        assert_eq!(latin("קאהיר"), "khyr");
        assert_eq!(latin("龴"), "?");
    }
}
