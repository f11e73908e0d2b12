//! Folding: the normal form in which names are stored and looked up.
//!
//! Folding resolves compatibility forms and lowers case. It drops marks that only decorate a letter (Latin, Greek,
//! Cyrillic, Arabic, Hebrew) and keeps those that are part of the spelling (Indic vowels, kana voicing). Every run of
//! other characters becomes one space. Apostrophes are removed, so that `L'Aquila`, `LAquila` and `l’aquila` are one name.
//! The result is decomposed (NFKD): a Hangul syllable becomes its letters, so that a half-typed syllable is a prefix of
//! the complete one. Folding is idempotent, and the same for all canonical forms of a text (NFC, NFD).

use super::decomposition::{decompose, in_canonical_order};
use super::lower::lower;

/// Folds `text` into words separated by single spaces. The result is empty if nothing is left.
///
/// # Example: compare names as the index does
///
/// ```
/// use toponym_engine::fold;
///
/// assert_eq!(fold("Île-de-France"), "ile de france");
/// assert_eq!(fold("L’Aquila"), fold("laquila"));
/// ```
pub fn fold(text: &str) -> String {
    let mut folded = Folded { text: String::with_capacity(text.len()), gap: false };
    let mut rest = text;
    while !rest.is_empty() {
        let (plain, others) = rest.split_at(rest.find(|c| !is_plain(c)).unwrap_or(rest.len()));
        let (others, behind) = others.split_at(others.find(is_plain).unwrap_or(others.len()));
        plain.chars().for_each(|c| folded.push_plain(c));
        // No mark is reordered across a plain character, so what lies between two of them can be ordered separately.
        in_canonical_order(&decompose_all(others)).for_each(|c| folded.push(c));
        rest = behind;
    }
    folded.text
}

/// Tells whether a character is ASCII and is not removed.
fn is_plain(c: char) -> bool {
    c.is_ascii() && !matches!(c, '\'' | '`')
}

/// Decomposes `text` in lower case, without dropped characters. Marks are not in canonical order yet.
fn decompose_all(text: &str) -> String {
    let mut parts = String::with_capacity(2 * text.len());
    for c in text.chars().filter(|&c| !is_silent(c)) {
        decompose(c, |part| {
            let part = lower(part);
            if !is_silent(part) && !is_decoration(part) {
                parts.push(part);
            }
        });
    }
    parts
}

/// The folded text so far, and whether a space is due before the next letter.
struct Folded {
    text: String,
    gap: bool,
}

impl Folded {
    /// Adds a [plain](is_plain) character.
    fn push_plain(&mut self, c: char) {
        if !c.is_ascii_alphanumeric() {
            return self.end_word();
        }
        self.begin_letter();
        self.text.push(c.to_ascii_lowercase());
    }

    /// Adds a lower-case, decomposed character.
    fn push(&mut self, c: char) {
        if is_silent(c) {
            return;
        }
        let spelled = spelled_out(c);
        if spelled.is_none() && !c.is_alphanumeric() && !is_spelling_mark(c) {
            return self.end_word();
        }
        self.begin_letter();
        match spelled {
            Some(spelled) => self.text.push_str(spelled),
            None => self.text.push(c),
        }
    }

    /// Ends a word.
    fn end_word(&mut self) {
        self.gap = !self.text.is_empty();
    }

    /// Adds the space that is due.
    fn begin_letter(&mut self) {
        if std::mem::take(&mut self.gap) {
            self.text.push(' ');
        }
    }
}

/// Returns the beginning of `text` that decomposes into at most `letters` characters.
pub(crate) fn beginning(text: &str, letters: usize) -> &str {
    let mut read = 0;
    let end = text.char_indices().find(|&(_, c)| {
        if c.is_ascii() {
            read += 1
        } else {
            decompose(c, |_| read += 1)
        }
        read > letters
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// Separators between a name and its context.
const SEPARATORS: [char; 10] = [',', ';', '\u{37e}', '|', '\n', '，', '、', '،', '；', '/'];

/// Splits a query into its parts between commas, semicolons (including the Greek question mark), slashes, bars and line
/// ends, each folded; without empty parts.
pub fn segments(text: &str) -> Vec<String> {
    text.split(SEPARATORS).map(fold).filter(|part| !part.is_empty()).collect()
}

/// Tells if a separator is the last character of a text.
pub(crate) fn ends_with_separator(text: &str) -> bool {
    text.ends_with(SEPARATORS)
}

/// Returns the usual spelling of a letter that has no decomposition in Unicode.
fn spelled_out(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'ħ' => "h",
        'ı' => "i",
        'ŋ' => "n",
        'þ' => "th",
        'ŧ' => "t",
        'ə' => "e",
        'ɓ' => "b",
        'ɗ' => "d",
        'ƙ' => "k",
        'ƴ' => "y",
        // Farsi and Urdu keyboards type these instead of the Arabic letters.
        'ی' | 'ى' => "ي",
        'ک' => "ك",
        'ہ' | 'ە' | 'ة' => "ه",
        'ٱ' => "ا",
        'ς' => "σ",
        _ => return None,
    })
}

/// Tells whether a character is one that people omit inside a word: apostrophes of all kinds, joiners, the tatweel,
/// directional marks.
fn is_silent(c: char) -> bool {
    is_apostrophe(c)
        || matches!(
            c,
            '\u{ad}' | '\u{640}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}'
        )
}

/// Tells whether a character is an apostrophe, or one of the signs that people type or sources use for them.
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´' | '\u{1ffd}' | 'ʻ' | 'ʼ' | 'ʾ' | 'ʿ' | '′' | '＇' | 'ˈ' | 'ʹ')
}

/// Tells whether a character is a combining mark that only decorates a letter and that people omit.
fn is_decoration(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}' // Latin, Greek, Cyrillic
            | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5c7}' // Hebrew points
            | '\u{610}'..='\u{61a}' // Arabic
            | '\u{64b}'..='\u{65f}'
            | '\u{670}'
            | '\u{6d6}'..='\u{6ed}'
            | '\u{93c}' | '\u{9bc}' | '\u{a3c}' | '\u{abc}' // nuktas, which not everybody writes
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Marks that Unicode does not count as alphanumeric but that are part of the spelling: Indic and South-East Asian signs,
/// kana voicing, Tibetan stacking.
fn is_spelling_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{1cff}' | '\u{3099}' | '\u{309a}' | '\u{a8e0}'..='\u{a8ff}' | '\u{aa29}'..='\u{aabf}')
        && !matches!(c, '\u{964}' | '\u{965}' | '\u{f0b}'..='\u{f14}' | '\u{104a}' | '\u{104b}' | '\u{17d4}'..='\u{17da}')
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn the_beginning_of_a_text_is_counted_decomposed() {
        fn check(text: &str, letters: usize, expect: &str) {
            assert_eq!(beginning(text, letters), expect, "{text}")
        }
        check("paris", 5, "paris");
        check("paris", 4, "pari");
        check("", 0, "");
        check("é", 1, "");
        check("né", 3, "né");
        check("한국", 5, "한");
        check("한국", 6, "한국");
        check("\u{fdfa}\u{fdfa}", 35, "\u{fdfa}");
        check("\u{fdfa}\u{fdfa}", 36, "\u{fdfa}\u{fdfa}");
    }

    #[test]
    fn names_are_folded() {
        fn check(input: &str, expect: &str) {
            let expect: String = expect.nfkd().collect();
            assert_eq!(fold(input), expect, "{input:?}");
            assert_eq!(fold(&expect), expect, "folding {input:?} twice");
        }
        check("  São  Paulo ", "sao paulo");
        check("MÜNCHEN", "munchen");
        check("Straße", "strasse");
        check("Łódź", "lodz");
        check("İstanbul", "istanbul");
        check("Diyarbakır", "diyarbakir");
        check("L’Aquila", "laquila");
        check("Saint-Denis (Réunion)", "saint denis reunion");
        check("Hawaiʻi", "hawaii");
        check("Йошкар-Ола", "иошкар ола");
        check("Αθήνα", "αθηνα");
        check("Χανιάς", "χανιασ");
        check("القَاهِرَة", "القاهره");
        check("تهران", "تهران");
        check("北京市", "北京市");
        check("ガーナ", "ガーナ");
        check("ｷﾞﾘｼｬ", "ギリシャ");
        check("서울", "서울");
        check("दिल्ली", "दिल्ली");
        check("กรุงเทพ", "กรุงเทพ");
        check("ལྷ་ས", "ལྷ ས");
        check("10th of Ramadan", "10th of ramadan");
        check("--- !", "");
        check("", "");
    }

    #[test]
    fn texts_are_split() {
        assert_eq!(segments("Paris, Île-de-France ,, France"), ["paris", "ile de france", "france"]);
        assert_eq!(segments("北京，中国"), ["北京", "中国"]);
        assert_eq!(segments(" , "), Vec::<String>::new());
        assert_eq!(
            ["Paris,", "パリ、", "Paris, ", "Paris", ""].map(ends_with_separator),
            [true, true, false, false, false]
        );
    }

    /// Checks that folding is idempotent and the same for all canonical forms.
    fn check_properties(text: &str) {
        let folded = fold(text);
        let codes = text.escape_unicode();
        assert_eq!(fold(&folded), folded, "folding {text:?} twice, {codes}");
        for form in [text.nfc().collect::<String>(), text.nfd().collect()] {
            assert_eq!(fold(&form), folded, "{text:?} in another form, {codes}");
        }
        assert!(!folded.starts_with(' ') && !folded.ends_with(' ') && !folded.contains("  "), "{text:?}");
    }

    #[test]
    fn every_character_folds_once() {
        for c in '\0'..=char::MAX {
            check_properties(&c.to_string());
            let inside = format!("a{c}b");
            check_properties(&inside);
            assert_eq!(segments(&inside.nfc().collect::<String>()), segments(&inside), "{c:?}");
        }
    }

    #[test]
    fn texts_fold_once() {
        let class = unicode_normalization::char::canonical_combining_class;
        fn all() -> impl Iterator<Item = char> {
            '\0'..=char::MAX
        }
        fn decomposes(c: char) -> bool {
            std::iter::once(c).nfkd().ne([c])
        }
        // Marks that are kept and reordered, dropped characters, characters that decompose or are spelled out, anything.
        let kinds: [Vec<char>; 4] = [
            all().filter(|&c| class(c) > 0 && !is_decoration(c)).collect(),
            all().filter(|&c| is_silent(c) || is_decoration(c)).collect(),
            all().filter(|&c| decomposes(c) || !c.is_ascii() && spelled_out(c).is_some()).collect(),
            all().collect(),
        ];
        let mut rng = fastrand::Rng::with_seed(10);
        for _ in 0..100_000 {
            let length = rng.usize(2..8);
            let mut text = String::new();
            for _ in 0..length {
                let kind = &kinds[rng.usize(0..kinds.len())];
                text.push(kind[rng.usize(0..kind.len())]);
            }
            check_properties(&text);
        }
    }

    /// The writer folds the keys of an index, the reader folds queries: both must use the tables that FORMAT.md names.
    #[test]
    fn the_format_names_the_versions_of_unicode() {
        let format = include_str!("../../FORMAT.md").split_whitespace().collect::<Vec<_>>().join(" ");
        let (major, minor, update) = unicode_normalization::UNICODE_VERSION;
        let decomposed = format!("order of marks are those of Unicode {major}.{minor}.{update},");
        assert!(format.contains(&decomposed), "FORMAT.md does not say: {decomposed}");
        assert!(format.contains("what counts as a letter those of Unicode 17.0.0 or later"));
        assert!(char::UNICODE_VERSION >= (17, 0, 0), "{:?}", char::UNICODE_VERSION);
    }
}
