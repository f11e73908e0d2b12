//! Folding: the one form in which names are stored and looked up.
//!
//! Compatibility forms resolved, lower case, marks dropped where they only decorate a letter (Latin, Greek, Cyrillic,
//! Arabic, Hebrew), kept where they are part of the spelling (Indic vowels, kana voicing), every run of anything else
//! a single space. Apostrophes vanish, so that `L'Aquila`, `LAquila` and `l’aquila` are one name. Text stays decomposed
//! (NFKD): a Hangul syllable is its letters, so that a half-typed syllable is a prefix of the whole one. Folding is
//! idempotent, and gives the same for every canonical form of a text (NFC, NFD).

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_compatible;

/// The folded form of `text`: words separated by single spaces, empty when nothing is left.
pub fn fold(text: &str) -> String {
    let mut folded = Folded { text: String::with_capacity(text.len()), gap: false };
    let mut rest = text;
    while !rest.is_empty() {
        let (plain, others) = rest.split_at(rest.find(|c| !is_plain(c)).unwrap_or(rest.len()));
        let (others, behind) = others.split_at(others.find(is_plain).unwrap_or(others.len()));
        plain.chars().for_each(|c| folded.push(c.to_ascii_lowercase()));
        // No mark moves over a plain character: what lies between two of them is in order by itself.
        decomposed(others).nfd().for_each(|c| folded.push(c));
        rest = behind;
    }
    folded.text
}

/// ASCII, but for the signs that vanish.
fn is_plain(c: char) -> bool {
    c.is_ascii() && !matches!(c, '\'' | '`')
}

/// The letters and marks of `text` in small letters, without those that are left out; marks not yet in their order.
fn decomposed(text: &str) -> String {
    let mut parts = String::with_capacity(2 * text.len());
    for c in text.chars().filter(|&c| !is_silent(c)) {
        decompose_compatible(c, |part| {
            parts.extend(part.to_lowercase().filter(|&c| !is_silent(c) && !is_decoration(c)));
        });
    }
    parts
}

/// A folded text, and whether the next letter begins a word.
struct Folded {
    text: String,
    gap: bool,
}

impl Folded {
    /// Adds a character in its small, decomposed form.
    fn push(&mut self, c: char) {
        if is_silent(c) {
            return;
        }
        let spelled = if c.is_ascii() { None } else { spelled_out(c) };
        if spelled.is_none() && !c.is_alphanumeric() && !is_spelling_mark(c) {
            self.gap = !self.text.is_empty();
            return;
        }
        if std::mem::take(&mut self.gap) {
            self.text.push(' ');
        }
        match spelled {
            Some(spelled) => self.text.push_str(spelled),
            None => self.text.push(c),
        }
    }
}

/// The parts of a query between commas, semicolons (the Greek question mark is one), slashes, bars and line ends, each
/// folded; empty parts are left out.
pub fn segments(text: &str) -> Vec<String> {
    const SEPARATORS: [char; 10] = [',', ';', '\u{37e}', '|', '\n', '，', '、', '،', '；', '/'];
    text.split(SEPARATORS).map(fold).filter(|part| !part.is_empty()).collect()
}

/// Letters that have no decomposition in Unicode but one that people type.
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
        // Farsi and Urdu keyboards have letters of their own for the Arabic ones.
        'ی' | 'ى' => "ي",
        'ک' => "ك",
        'ہ' | 'ە' | 'ة' => "ه",
        'ٱ' => "ا",
        'ς' => "σ",
        _ => return None,
    })
}

/// Signs inside a word that people leave out: apostrophes of all kinds, joiners, the tatweel, directional marks.
fn is_silent(c: char) -> bool {
    matches!(
        c,
        '\'' | '’' | '‘' | '`' | '´' | '\u{1ffd}' | 'ʻ' | 'ʼ' | 'ʾ' | 'ʿ' | '′' | '＇' | 'ˈ' | 'ʹ' | '\u{ad}' | '\u{640}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}'
    )
}

/// Combining marks that decorate a letter of their script and are left out in everyday typing.
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
            | '\u{93c}' | '\u{9bc}' | '\u{a3c}' | '\u{abc}' // nuktas, written by some and not by others
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Marks that are not alphanumeric in Unicode's eyes but carry the spelling: Indic and South-East Asian signs, kana
/// voicing, Tibetan stacking.
fn is_spelling_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{1cff}' | '\u{3099}' | '\u{309a}' | '\u{a8e0}'..='\u{a8ff}' | '\u{aa29}'..='\u{aabf}')
        && !matches!(c, '\u{964}' | '\u{965}' | '\u{f0b}'..='\u{f14}' | '\u{104a}' | '\u{104b}' | '\u{17d4}'..='\u{17da}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding() {
        let check = |input: &str, expect: &str| {
            let expect: String = expect.nfkd().collect();
            assert_eq!(fold(input), expect, "{input:?}");
            assert_eq!(fold(&expect), expect, "folding {input:?} twice");
        };
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
    fn splitting() {
        assert_eq!(segments("Paris, Île-de-France ,, France"), ["paris", "ile de france", "france"]);
        assert_eq!(segments("北京，中国"), ["北京", "中国"]);
        assert_eq!(segments(" , "), Vec::<String>::new());
    }

    /// What is folded stays as it is, and how marks are put together does not matter.
    fn check_properties(text: &str) {
        let folded = fold(text);
        let codes = || text.escape_unicode().to_string();
        assert_eq!(fold(&folded), folded, "folding {text:?} twice, {}", codes());
        for form in [text.nfc().collect::<String>(), text.nfd().collect()] {
            assert_eq!(fold(&form), folded, "{text:?} in another form, {}", codes());
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
        let all = || '\0'..=char::MAX;
        let decomposes = |c: &char| std::iter::once(*c).nfkd().ne([*c]);
        // What stays and has a place in an order, what vanishes, what is taken apart or spelled out, anything.
        let kinds: [Vec<char>; 4] = [
            all().filter(|&c| class(c) > 0 && !is_decoration(c)).collect(),
            all().filter(|&c| is_silent(c) || is_decoration(c)).collect(),
            all().filter(|c| decomposes(c) || !c.is_ascii() && spelled_out(*c).is_some()).collect(),
            all().collect(),
        ];
        let mut rng = fastrand::Rng::with_seed(10);
        for _ in 0..100_000 {
            let length = rng.usize(2..8);
            let mut any = || {
                let kind = &kinds[rng.usize(0..kinds.len())];
                kind[rng.usize(0..kind.len())]
            };
            check_properties(&(0..length).map(|_| any()).collect::<String>());
        }
    }

    /// Keys of an index are folded when it is written, and texts when it is asked: both go by the tables that FORMAT.md names.
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
