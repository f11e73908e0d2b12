//! Writes Japanese names in hiragana, as people type them before they choose the characters: Kyōto is きょうと.

/// The syllables of the Hepburn romanization, the longest first.
const SYLLABLES: &[(&str, &str)] = &[
    ("sha", "しゃ"),
    ("shu", "しゅ"),
    ("sho", "しょ"),
    ("shi", "し"),
    ("cha", "ちゃ"),
    ("chu", "ちゅ"),
    ("cho", "ちょ"),
    ("chi", "ち"),
    ("tsu", "つ"),
    ("kya", "きゃ"),
    ("kyu", "きゅ"),
    ("kyo", "きょ"),
    ("gya", "ぎゃ"),
    ("gyu", "ぎゅ"),
    ("gyo", "ぎょ"),
    ("nya", "にゃ"),
    ("nyu", "にゅ"),
    ("nyo", "にょ"),
    ("hya", "ひゃ"),
    ("hyu", "ひゅ"),
    ("hyo", "ひょ"),
    ("bya", "びゃ"),
    ("byu", "びゅ"),
    ("byo", "びょ"),
    ("pya", "ぴゃ"),
    ("pyu", "ぴゅ"),
    ("pyo", "ぴょ"),
    ("mya", "みゃ"),
    ("myu", "みゅ"),
    ("myo", "みょ"),
    ("rya", "りゃ"),
    ("ryu", "りゅ"),
    ("ryo", "りょ"),
    ("ja", "じゃ"),
    ("ju", "じゅ"),
    ("jo", "じょ"),
    ("ji", "じ"),
    ("fu", "ふ"),
    ("ka", "か"),
    ("ki", "き"),
    ("ku", "く"),
    ("ke", "け"),
    ("ko", "こ"),
    ("ga", "が"),
    ("gi", "ぎ"),
    ("gu", "ぐ"),
    ("ge", "げ"),
    ("go", "ご"),
    ("sa", "さ"),
    ("su", "す"),
    ("se", "せ"),
    ("so", "そ"),
    ("za", "ざ"),
    ("zu", "ず"),
    ("ze", "ぜ"),
    ("zo", "ぞ"),
    ("ta", "た"),
    ("te", "て"),
    ("to", "と"),
    ("da", "だ"),
    ("de", "で"),
    ("do", "ど"),
    ("na", "な"),
    ("ni", "に"),
    ("nu", "ぬ"),
    ("ne", "ね"),
    ("no", "の"),
    ("ha", "は"),
    ("hi", "ひ"),
    ("he", "へ"),
    ("ho", "ほ"),
    ("ba", "ば"),
    ("bi", "び"),
    ("bu", "ぶ"),
    ("be", "べ"),
    ("bo", "ぼ"),
    ("pa", "ぱ"),
    ("pi", "ぴ"),
    ("pu", "ぷ"),
    ("pe", "ぺ"),
    ("po", "ぽ"),
    ("ma", "ま"),
    ("mi", "み"),
    ("mu", "む"),
    ("me", "め"),
    ("mo", "も"),
    ("ya", "や"),
    ("yu", "ゆ"),
    ("yo", "よ"),
    ("ra", "ら"),
    ("ri", "り"),
    ("ru", "る"),
    ("re", "れ"),
    ("ro", "ろ"),
    ("wa", "わ"),
    ("a", "あ"),
    ("i", "い"),
    ("u", "う"),
    ("e", "え"),
    ("o", "お"),
];

/// Endings that romanizations put behind a name for its kind.
const KINDS: [&str; 6] = ["-shi", "-ken", "-fu", "-to", "-machi", "-ku"];

/// Returns the reading of a romanized name; `None` if it is not in Hepburn's romanization. A long `o` is written おう, but おお where
/// a name begins with it: Ōsaka.
pub(super) fn reading(name: &str) -> Option<String> {
    let name = name.to_lowercase();
    let name = KINDS.iter().find_map(|kind| name.strip_suffix(kind)).unwrap_or(&name);
    let mut plain = String::new();
    let mut is_first = true;
    for letter in name.chars() {
        match letter {
            'ō' if is_first => plain.push_str("oo"),
            'ō' => plain.push_str("ou"),
            'ū' => plain.push_str("uu"),
            '-' | '\'' | '’' | ' ' => {}
            _ => plain.push(letter),
        }
        is_first = false;
    }
    let mut rest = plain.as_str();
    let mut kana = String::new();
    while !rest.is_empty() {
        if let Some((syllable, sign)) = SYLLABLES.iter().find(|(syllable, _)| rest.starts_with(syllable)) {
            kana.push_str(sign);
            rest = &rest[syllable.len()..];
            continue;
        }
        let mut letters = rest.chars();
        let first = letters.next()?;
        let second = letters.next();
        let is_doubled = second == Some(first) || rest.starts_with("tch");
        match first {
            // Before b, m and p it is written m.
            'n' => kana.push('ん'),
            'm' if second.is_some_and(|next| "bmp".contains(next)) => kana.push('ん'),
            _ if is_doubled && first.is_ascii_alphabetic() => kana.push('っ'),
            _ => return None,
        }
        rest = &rest[1..];
    }
    (!kana.is_empty()).then_some(kana)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_spoken() {
        check("Tōkyō", Some("とうきょう"));
        check("Ōsaka", Some("おおさか"));
        check("Kyūshū", Some("きゅうしゅう"));
        check("Shinjuku", Some("しんじゅく"));
        check("Sapporo", Some("さっぽろ"));
        check("Kumamoto", Some("くまもと"));
        check("Gumma", Some("ぐんま"));
        check("Nara-shi", Some("なら"));
        check("Hatchōbori", Some("はっちょうぼり"));
        check("Köln", None);
        check("", None);
    }

    fn check(name: &str, expect: Option<&str>) {
        assert_eq!(reading(name).as_deref(), expect, "{name}");
    }
}
