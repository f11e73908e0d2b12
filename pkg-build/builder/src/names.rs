//! Classifies names that no source tags with a language, by their script, their shape and their similarity to the
//! primary name.
//!
//! An alternate name must never displace a primary one, so a name gets only the class that its form supports:
//!
//! | the alternate | becomes |
//! |---|---|
//! | no letters, one letter, over 60 characters, signs of a note (`=`, `:`, `№`) | dropped |
//! | only capitals, up to five (`PAR`, `MOW`): a code | dropped, unless the place has this code |
//! | Latin letters without a capital (`moseukeuba`): a machine transliteration of another name | dropped |
//! | several scripts in one name (`Moscoƿ`) | weak |
//! | a script that the country writes | primary; in alphabetic scripts only the names that sound most like the primary one, the rest other |
//! | another script that is not Latin | other |
//! | the primary name with `ue` for `ü` and similar | English |
//! | Latin, in a country that does not write Latin, similar to the primary name: another romanisation | English |
//! | Latin, unlike the primary name, or very short: a nickname or an old name | weak |
//! | other Latin names | other |

use strsim::{jaro_winkler, normalized_damerau_levenshtein};
use toponym_engine::NameClass;
use unicode_script::Script;

use crate::text::{key, script};

/// Longer alternates are descriptions, not names.
const LONGEST: usize = 60;

/// All-capital names up to this length are codes.
const LONGEST_CODE: usize = 5;

/// Minimum similarity (share of unchanged letters, 0 to 1) of a Latin name that counts as a spelling of the primary
/// name: one letter in six may differ.
const SPELLING: f64 = 0.8;

/// Below this similarity (Jaro-Winkler, 0 to 1) a Latin name is unrelated to the primary name.
const STRANGER: f64 = 0.55;

/// Keys of Latin names up to this length are abbreviations.
const SHORTEST_LATIN: usize = 3;

/// Alphabets that transliterate to Latin well enough to compare the sound of two names.
const ALPHABETS: &[Script] = &[Script::Cyrillic, Script::Greek, Script::Armenian, Script::Georgian, Script::Hangul];

/// Greatest gap between the likeness of a local spelling to the primary name and the likeness of the most similar one:
/// Kharkiv is both Харків and Харьков.
const LOCAL_SPREAD: f64 = 0.2;

/// Characters that occur in notes, not in names.
const NOTE_SIGNS: &[char] = &['=', ':', ';', '№', '@', '#', '|', '<', '>', '{', '}', '"', '?', '_', '\\', '~', '%'];

/// The context for classifying an alternate name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    /// The name that is displayed.
    pub primary: &'a str,
    /// Names as good as the primary one, such as the local name.
    pub equals: &'a [&'a str],
    /// Scripts of the country's languages.
    pub scripts: &'a [Script],
    /// Codes that count as names of this place.
    pub codes: &'a [&'a str],
}

/// Returns the names in `alternates` with their classes, without junk.
pub(crate) fn classify_all<'t>(alternates: &'t [String], setting: Setting) -> Vec<(&'t str, NameClass)> {
    let mut names: Vec<(&str, NameClass)> = alternates.iter().filter_map(|text| classify(text, setting)).collect();
    let local = |(text, class): &(&str, NameClass)| {
        (*class == NameClass::Primary && script(text).is_some_and(|script| ALPHABETS.contains(&script)))
            .then(|| sound(text, setting.primary))
    };
    let best = names.iter().filter_map(local).fold(0.0, f64::max);
    for name in &mut names {
        if local(name).is_some_and(|likeness| likeness < best - LOCAL_SPREAD) {
            name.1 = NameClass::Other;
        }
    }
    names
}

/// Returns how similar a name in another alphabet sounds to `primary`, 0 to 1.
fn sound(text: &str, primary: &str) -> f64 {
    jaro_winkler(&key(&any_ascii::any_ascii(text)), &key(primary))
}

/// Returns the name in `alternate` with its class, or `None` for junk.
fn classify<'t>(alternate: &'t str, setting: Setting) -> Option<(&'t str, NameClass)> {
    let (text, note) = without_note(alternate);
    // "Moscow, Idaho" in any script, "Luebbenau/Spreewald": the rest is a location, not a part of the name.
    let text =
        text.split(['/', ',', '،', '，', '、']).next().unwrap_or(text).trim().trim_end_matches(['*', '.']).trim_end();
    // "Liège (Angleur)" is a name of the city that Angleur is in, not of Angleur.
    if note.is_some_and(|note| key(note) == key(setting.primary)) || is_junk(text, setting) {
        return None;
    }
    let is_dated = note.is_some_and(|note| note.contains(|c: char| c.is_ascii_digit()) || note == "historical");
    let class = if is_dated { NameClass::Weak } else { class(text, setting) };
    Some((text, class))
}

/// Splits a text into the part before a note in round or square brackets, and the note.
pub(crate) fn without_note(text: &str) -> (&str, Option<&str>) {
    let Some(open) = text.find(['(', '[', '（']) else { return (text.trim(), None) };
    let (before, after) = text.split_at(open);
    let note = after.trim_matches(|c: char| matches!(c, '(' | ')' | '[' | ']' | '（' | '）') || c.is_whitespace());
    if before.trim().is_empty() { (note, None) } else { (before.trim(), Some(note)) }
}

fn is_junk(text: &str, setting: Setting) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if letters < 2 || text.chars().count() > LONGEST || text.contains(NOTE_SIGNS) {
        return true;
    }
    is_code(text) && !setting.codes.contains(&text) && text != setting.primary || is_transliteration(text)
}

/// Tells whether a text looks like a code: `PAR`, `MOW`.
pub(crate) fn is_code(text: &str) -> bool {
    text.len() <= LONGEST_CODE && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Tells whether a name in Latin letters is as short as an abbreviation, and unlike the primary name.
pub(crate) fn is_short_and_strange(text: &str, primary: &str) -> bool {
    let name = key(text);
    let is_short = script(text) == Some(Script::Latin) && name.chars().count() <= SHORTEST_LATIN;
    is_short && jaro_winkler(&name, &key(primary)) < STRANGER
}

/// Tells whether a name is one of GeoNames' machine transliterations, which have no capitals; people capitalise at
/// least one letter.
fn is_transliteration(text: &str) -> bool {
    script(text) == Some(Script::Latin) && !text.contains(char::is_uppercase)
}

fn class(text: &str, setting: Setting) -> NameClass {
    match script(text) {
        Some(Script::Common) => NameClass::Weak,
        Some(Script::Latin) => latin_class(text, setting),
        Some(script) if setting.scripts.contains(&script) => NameClass::Primary,
        _ => NameClass::Other,
    }
}

fn latin_class(text: &str, setting: Setting) -> NameClass {
    let name = key(text);
    let primary = key(setting.primary);
    let equals = || setting.equals.iter().chain([&setting.primary]);
    let is_respelled =
        name == primary || key(&spelled_out(text)) == primary || equals().any(|equal| name == key(&spelled_out(equal)));
    let is_romanised = || {
        let foreign = !setting.scripts.contains(&Script::Latin);
        foreign && normalized_damerau_levenshtein(&name, &primary) >= SPELLING
    };
    if is_respelled || is_romanised() {
        NameClass::English
    } else if jaro_winkler(&name, &primary) < STRANGER || name.chars().count() <= SHORTEST_LATIN {
        NameClass::Weak
    } else {
        NameClass::Other
    }
}

/// Spells letters with marks out: `München` is `Muenchen`, `Tromsø` is `Tromsoe`, `Århus` is `Aarhus`.
pub(crate) fn spelled_out(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ä' | 'æ' => spelled.push_str("ae"),
            'ö' | 'ø' | 'œ' => spelled.push_str("oe"),
            'ü' => spelled.push_str("ue"),
            'å' => spelled.push_str("aa"),
            'Ä' | 'Æ' => spelled.push_str("Ae"),
            'Ö' | 'Ø' | 'Œ' => spelled.push_str("Oe"),
            'Ü' => spelled.push_str("Ue"),
            'Å' => spelled.push_str("Aa"),
            other => spelled.push(other),
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        use NameClass::{English, Other, Primary, Weak};
        let latin: &[Script] = &[Script::Latin];
        let cyrillic: &[Script] = &[Script::Cyrillic];
        let arabic: &[Script] = &[Script::Arabic];
        let japanese: &[Script] = &[Script::Han, Script::Hiragana, Script::Katakana];
        // Another language, and other spellings of the same name.
        check_class("Munich", latin, "Monaco di Baviera", Some(("Monaco di Baviera", Other)));
        check_class("München", latin, "Muenchen", Some(("Muenchen", English)));
        check_class("Tromsø", latin, "Tromsoe", Some(("Tromsoe", English)));
        check_class("Moscow", cyrillic, "Moskow", Some(("Moskow", English)));
        check_class("Moscow", cyrillic, "Moscou", Some(("Moscou", English)));
        check_class("Moscow", cyrillic, "Mosca", Some(("Mosca", Other)));
        check_class("Cologne", latin, "Koeln", Some(("Koeln", English)));
        check_class("Moscow", latin, "ماسکو، ایڈاہو", Some(("ماسکو", Other)));
        check_class("Munich", latin, "Мюнхен", Some(("Мюнхен", Other)));
        // Scripts of the country.
        check_class("Moscow", cyrillic, "Москва", Some(("Москва", Primary)));
        check_class("Tokyo", japanese, "東京都", Some(("東京都", Primary)));
        check_class("Moscow", cyrillic, "莫斯科", Some(("莫斯科", Other)));
        check_class("Cairo", arabic, "القاهرة", Some(("القاهرة", Primary)));
        // Nicknames, old names, mixtures.
        check_class("New York City", latin, "Big Apple", Some(("Big Apple", Weak)));
        check_class("Paris", latin, "Lutetia", Some(("Lutetia", Weak)));
        check_class("Moscow", cyrillic, "Məskəү", Some(("Məskəү", Weak)));
        check_class("Sehnde", latin, "Senethe [a. 1147]", Some(("Senethe", Weak)));
        // Notes.
        check_class("Hengelo", latin, "Hengelo (Gld)", Some(("Hengelo", English)));
        check_class("Angleur", latin, "Liège (Angleur)", None);
        check_class("Lübbenau", latin, "Luebbenau/Spreewald", Some(("Luebbenau", English)));
        check_class("Pojoaque", latin, "Pojuaque *", Some(("Pojuaque", Other)));
        // Junk.
        check_class("Moscow", cyrillic, "moseukeuba", None);
        check_class("Saga", japanese, "sagha i", None);
        check_class("Moscow", cyrillic, "MOW", None);
        check_class("New York City", latin, "NYC", Some(("NYC", Weak)));
        check_class("'s-Hertogenbosch", latin, "'s-Hertogenbosch", Some(("'s-Hertogenbosch", English)));
        check_class("Tianjin", &[Script::Han], "津", None);
        check_class("Lidiyivka", cyrillic, "Selishhe shakhti №2", None);
        check_class("Herttoniemi", latin, "433", None);
        check_class("Vals", latin, "", None);
        check_class("Bangkok", latin, &"Krung Thep Maha Nakhon ".repeat(3), None);
    }

    #[test]
    fn short_names_unlike_the_primary_one() {
        let check = |text: &str, primary: &str, expect: bool| {
            assert_eq!(is_short_and_strange(text, primary), expect, "{text}");
        };
        check("Poo", "United States", true);
        check("Lao", "Laos", false);
        check("Čad", "Chad", false);
        check("Kina", "China", false);
        check("미국", "United States", false);
    }

    fn check_class(primary: &str, scripts: &[Script], alternate: &str, expect: Option<(&str, NameClass)>) {
        let setting = Setting { primary, equals: &["Köln"], scripts, codes: &["NYC"] };
        assert_eq!(classify(alternate, setting), expect, "{alternate:?} of {primary:?}");
    }

    #[test]
    fn local_names_sound_like_the_primary_one() {
        check_local("Lviv", &["Лемберг", "Львов", "Львів", "利沃夫"], &["Львов", "Львів", "利沃夫"]);
        check_local("Kamyanobridskyi", &["Камбрід", "Кам'янобрідський", "Кембридж"], &["Камбрід", "Кам'янобрідський"]);
        check_local("Moscow", &["Москва"], &["Москва"]);
    }

    fn check_local(primary: &str, alternates: &[&str], expect: &[&str]) {
        let setting = Setting { primary, equals: &[], scripts: &[Script::Cyrillic, Script::Han], codes: &[] };
        let alternates: Vec<String> = alternates.iter().map(|&text| text.to_owned()).collect();
        let names = classify_all(&alternates, setting);
        let local: Vec<&str> = names.iter().filter(|name| name.1 == NameClass::Primary).map(|name| name.0).collect();
        assert_eq!(local, expect, "{primary:?}");
    }

    #[test]
    fn notes() {
        check_note("Paris", ("Paris", None));
        check_note("Emiliano Zapata (El Ranchito)", ("Emiliano Zapata", Some("El Ranchito")));
        check_note("Cartagena [Fraccionamiento]", ("Cartagena", Some("Fraccionamiento")));
        check_note("Zabaykalskiy (Transbaikal) Kray", ("Zabaykalskiy", Some("Transbaikal) Kray")));
        check_note("(Paris)", ("Paris", None));
    }

    fn check_note(text: &str, expect: (&str, Option<&str>)) {
        assert_eq!(without_note(text), expect, "{text:?}");
    }
}
