//! Spelling variants of a name that get a key of their own, because their edit distance is too large: `Saint` and `St`,
//! `ü` as `ue`, a dropped leading article.

use unicode_normalization::UnicodeNormalization;

use super::fold;

/// Words and their abbreviations; either may be written.
const ABBREVIATIONS: [(&str, &str); 6] =
    [("saint", "st"), ("sainte", "ste"), ("sankt", "st"), ("mount", "mt"), ("fort", "ft"), ("international", "intl")];

/// German, Nordic and Estonian letters that may be written as two letters.
const DIGRAPHS: [(char, &str); 6] = [('ä', "ae"), ('ö', "oe"), ('ü', "ue"), ('ø', "oe"), ('å', "aa"), ('ő', "oe")];

/// Returns the folded variants of `name`, without duplicates and without its folded form, which is `folded`.
pub(crate) fn variants(name: &str, folded: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |variant: String| {
        if variant != folded && !variant.is_empty() && !found.contains(&variant) {
            found.push(variant);
        }
    };
    if !name.is_ascii() {
        add(fold(&with_digraphs(name)));
    }
    for (long, short) in ABBREVIATIONS {
        for (from, to) in [(long, short), (short, long)] {
            if folded.split(' ').any(|word| word == from) {
                add(replace_word(folded, from, to));
            }
        }
    }
    if let Some(rest) = folded.strip_prefix("the ") {
        add(rest.to_owned());
    }
    if folded.contains(" and ") {
        add(folded.replace(" and ", " "));
    }
    found
}

fn with_digraphs(name: &str) -> String {
    fn spell(c: char) -> Option<&'static str> {
        DIGRAPHS.iter().find(|(letter, _)| *letter == c).map(|&(_, pair)| pair)
    }
    let mut text = String::with_capacity(name.len() + 2);
    // The name may be decomposed: a letter and its mark as two characters.
    for c in name.nfc().flat_map(char::to_lowercase) {
        match spell(c) {
            Some(pair) => text.push_str(pair),
            None => text.push(c),
        }
    }
    text
}

fn replace_word(folded: &str, from: &str, to: &str) -> String {
    let words: Vec<&str> = folded.split(' ').map(|word| if word == from { to } else { word }).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        fn check(input: &str, expect: &[&str]) {
            assert_eq!(variants(input, &fold(input)), expect, "{input:?}");
            let apart: String = input.nfd().collect();
            assert_eq!(variants(&apart, &fold(&apart)), expect, "{apart:?}");
        }
        check("München", &["muenchen"]);
        check("Saint-Étienne", &["st etienne"]);
        check("St. Louis", &["saint louis", "sankt louis"]);
        check("The Hague", &["hague"]);
        check("Tromsø", &["tromsoe"]);
        check("Paris", &[]);
    }
}
