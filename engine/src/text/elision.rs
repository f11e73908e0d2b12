//! Elided articles and prepositions before a name: `l'Ardèche`, `d'Alsace`, `dell'Umbria`. Folding joins them to the name,
//! which is right for `L'Aquila` and wrong for these.

use super::fold::is_apostrophe;

/// Words that lose their vowel before a name, in French, Italian, Catalan and Occitan, with `d` also in Portuguese.
const ELIDED: [&str; 8] = ["l", "d", "un", "dell", "all", "nell", "dall", "sull"];

/// Removes the elided words before the names of `text`; `None` if it has none.
pub(crate) fn without_elisions(text: &str) -> Option<String> {
    let mut kept = String::with_capacity(text.len());
    // Of the word at the end of `kept`.
    let mut start = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_elided = is_apostrophe(c)
            && ELIDED.iter().any(|word| word.eq_ignore_ascii_case(&kept[start..]))
            && chars.peek().is_some_and(|next| next.is_alphabetic());
        if is_elided {
            kept.truncate(start);
            continue;
        }
        kept.push(c);
        if !c.is_alphanumeric() && !is_apostrophe(c) {
            start = kept.len();
        }
    }
    (kept.len() < text.len()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elisions() {
        fn check(text: &str, expect: &str) {
            assert_eq!(without_elisions(text).unwrap_or_default(), expect, "{text:?}")
        }
        check("l'Ardèche", "Ardèche");
        check("L’Aquila", "Aquila");
        check("Privas, l'Ardèche", "Privas, Ardèche");
        check("Département de l'Ardèche", "Département de Ardèche");
        check("regione dell`Umbria", "regione Umbria");
        check("Conca d'Or", "Conca Or");
        check("Val-d'Isère", "Val-Isère");
        check("d'Alsace et d'Aquitaine", "Alsace et Aquitaine");
        // Other words with an apostrophe are one word.
        check("N'Djamena", "");
        check("Xi'an", "");
        check("'s-Hertogenbosch", "");
        check("O'Fallon", "");
        check("Sant'Angelo", "");
        check("l'", "");
        check("d'42", "");
        check("Paris", "");
        check("", "");
        check("l'l'Ardèche", "Ardèche");
    }
}
