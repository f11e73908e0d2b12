//! Terms that are not names: those that name a kind of place (`airport`), and fillers (`of`).

use super::terms::Terms;
use crate::index::Prefix;
use crate::query::Mode;
use crate::record::{Lexicon, Role};

/// Minimum length in characters of an unfinished last term that stands for a term that names a kind.
const MIN_KIND_PREFIX_CHARS: usize = 3;

/// Removes the terms that name kinds. Returns the remaining terms and the roles of the kinds, without duplicates; `None` if
/// there are no such terms or no others. With `unfinished`, the last term may be a prefix, and no kind of region is meant:
/// names of regions have their kind in them, and `lake tah` would find Tahiti as well.
pub(crate) fn without_kinds(lexicon: &Lexicon, terms: &Terms, unfinished: bool) -> Option<(Terms, Vec<Role>)> {
    let mut roles: Vec<Role> = Vec::new();
    let last = terms.last()?;
    let is_open = unfinished && terms.prefix(Mode::Autocomplete) == Some(Prefix::Letters);
    let prefix =
        if is_open && last.chars().count() >= MIN_KIND_PREFIX_CHARS { kind_with_prefix(lexicon, last) } else { None };
    let rest = terms.rewritten(|term| match prefix.filter(|_| std::ptr::eq(term, last)) {
        Some(of_kind) => {
            roles.extend(of_kind);
            None
        }
        None => rewrite(lexicon, term, &mut roles),
    });
    roles.sort_unstable();
    roles.dedup();
    roles.retain(|&role| !unfinished || role != Role::Region);
    (!roles.is_empty() && !rest.is_empty()).then_some((rest, roles))
}

/// Returns the terms behind those for kinds at the beginning, and behind all fillers but one: `el paraiso` of
/// `departamento de el paraiso`, where the article is part of the name. `None` if there are no two such fillers, counting
/// those that are gone already: the `d'` of `département d'El Paraíso`.
pub(crate) fn beginning_with_filler(lexicon: &Lexicon, terms: &Terms, fillers_gone: usize) -> Option<Terms> {
    let kinds = (0..terms.len()).take_while(|&at| kind_of(lexicon, terms.term(at)).is_some()).count();
    let fillers = (kinds..terms.len()).take_while(|&at| is_filler(lexicon, terms.term(at))).count();
    let first = (kinds + fillers).checked_sub(1).filter(|_| kinds > 0 && fillers > 0 && fillers + fillers_gone > 1)?;
    Some(terms.part(first..terms.len()))
}

/// Returns the terms that are left without a kind at one end: `ile de france` of `region ile de france`, of which
/// [`without_kinds`] leaves `france`, because an island is a kind too. Only what has further kinds or fillers in it.
pub(crate) fn without_kind_at_an_end(lexicon: &Lexicon, terms: &Terms) -> Vec<Terms> {
    let all = 0..terms.len();
    let is_kind = |at: usize| kind_of(lexicon, terms.term(at)).is_some();
    let mut ends = Vec::new();
    if all.clone().next().is_some_and(is_kind) {
        let fillers = (1..all.end).take_while(|&at| is_filler(lexicon, terms.term(at))).count();
        ends.push(1 + fillers..all.end);
    }
    if all.clone().next_back().is_some_and(is_kind) {
        ends.push(0..all.end - 1);
    }
    ends.retain(|span| span.clone().any(|at| is_no_name(lexicon, terms.term(at))) && !terms.has_comma(span.clone()));
    ends.into_iter().map(|span| terms.part(span)).collect()
}

/// Returns the roles that a term names; none if it names no kind.
pub(crate) fn roles_of<'l>(lexicon: &'l Lexicon, term: &str) -> &'l [Role] {
    kind_of(lexicon, term).unwrap_or_default()
}

/// Iterates over the roles of each kind that begins with a text.
pub(crate) fn kinds_beginning_with<'l>(lexicon: &'l Lexicon, text: &str) -> impl Iterator<Item = &'l [Role]> {
    let at = lexicon.kinds.partition_point(|(kind, _)| kind.as_str() < text);
    lexicon.kinds[at..].iter().take_while(move |(kind, _)| kind.starts_with(text)).map(|(_, roles)| roles.as_slice())
}

fn kind_with_prefix<'l>(lexicon: &'l Lexicon, prefix: &str) -> Option<&'l [Role]> {
    let at = lexicon.kinds.partition_point(|(kind, _)| kind.as_str() < prefix);
    lexicon.kinds.get(at).filter(|(kind, _)| kind.starts_with(prefix)).map(|(_, roles)| roles.as_slice())
}

fn rewrite<'w>(lexicon: &Lexicon, term: &'w str, roles: &mut Vec<Role>) -> Option<&'w str> {
    match name_and_kind(lexicon, term) {
        (rest, Some(of_kind)) => {
            roles.extend(of_kind);
            rest
        }
        (rest, None) => rest.filter(|term| !is_filler(lexicon, term)),
    }
}

pub(crate) fn is_filler(lexicon: &Lexicon, term: &str) -> bool {
    lexicon.fillers.binary_search_by(|filler| filler.as_str().cmp(term)).is_ok()
}

/// Tells whether a term by itself cannot be a name.
pub(crate) fn is_no_name(lexicon: &Lexicon, term: &str) -> bool {
    is_filler(lexicon, term) || kind_of(lexicon, term).is_some()
}

/// Splits a term into a name and a kind: `airport` has only a kind, `東京駅` has both.
fn name_and_kind<'w, 'l>(lexicon: &'l Lexicon, term: &'w str) -> (Option<&'w str>, Option<&'l [Role]>) {
    if let Some(roles) = kind_of(lexicon, term) {
        return (None, Some(roles));
    }
    if term.is_ascii() {
        return (Some(term), None);
    }
    let attached = lexicon.kinds.iter().filter_map(|(kind, roles)| {
        let before = term.strip_suffix(kind.as_str()).filter(|_| is_suffix(kind));
        let name = before.or_else(|| term.strip_prefix(kind.as_str()).filter(|_| is_prefix(kind)));
        Some((name?, roles))
    });
    let longest = attached.filter(|(name, _)| name.chars().count() > 1).min_by_key(|(name, _)| name.len());
    longest.map_or((Some(term), None), |(name, roles)| (Some(name), Some(roles)))
}

fn kind_of<'l>(lexicon: &'l Lexicon, term: &str) -> Option<&'l [Role]> {
    let at = lexicon.kinds.binary_search_by(|(kind, _)| kind.as_str().cmp(term)).ok()?;
    Some(&lexicon.kinds[at].1)
}

/// Iterates over the words for states in scripts that append them to the name.
pub(crate) fn state_suffixes(lexicon: &Lexicon) -> impl Iterator<Item = &str> {
    let of_states = lexicon.kinds.iter().filter(|(kind, roles)| is_suffix(kind) && roles.contains(&Role::State));
    of_states.map(|(kind, _)| kind.as_str())
}

/// Tells whether a kind is written in a script that appends it to the name: Han, kana, Hangul (decomposed).
fn is_suffix(kind: &str) -> bool {
    kind.chars().all(|c| matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'))
}

/// Tells whether a kind is written in a script that puts it before the name without a space: Thai.
fn is_prefix(kind: &str) -> bool {
    kind.chars().all(|c| matches!(c, '\u{0e00}'..='\u{0e7f}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        let kinds = [
            ("airport", vec![Role::Airport]),
            ("estacion", vec![Role::Station, Role::Landmark]),
            ("province", vec![Role::State]),
            ("provinces", vec![Role::County]),
            ("都", vec![Role::State]),
            ("駅", vec![Role::Station]),
            ("駅前", vec![Role::Landmark]),
        ];
        let fillers = ["de", "of"].map(str::to_owned).to_vec();
        Lexicon { kinds: kinds.map(|(term, roles)| (term.to_owned(), roles)).to_vec(), fillers, types: Vec::new() }
    }

    /// Checks `rest: roles`, which is nothing where the terms name no kind, or nothing else.
    #[test]
    fn words_without_those_that_name_a_kind() {
        let lexicon = lexicon();
        let check = |text: &str, unfinished: bool, expect: &str| {
            let found = without_kinds(&lexicon, &Terms::of(text), unfinished);
            let shown = found.map(|(rest, roles)| format!("{}: {roles:?}", rest.phrase(0..rest.len())));
            assert_eq!(shown.unwrap_or_default(), expect, "{text}");
        };
        check("airport", false, "");
        check("lisbon", false, "");
        check("", false, "");
        check("airport of lisbon", false, "lisbon: [Airport]");
        check("province airport of lisbon airport", false, "lisbon: [State, Airport]");
        check("estacion de atocha", false, "atocha: [Station, Landmark]");
        check("airport of", false, "");
        // The last term may be unfinished, from three letters on.
        check("lisbon airp", false, "");
        check("lisbon airp", true, "lisbon: [Airport]");
        check("lisbon air", true, "lisbon: [Airport]");
        check("lisbon ai", true, "");
        check("lisbon airp ", true, "");
        check("lisbon airport ", true, "lisbon: [Airport]");
        check("lisbon airports", true, "");
        // One that is finished stands for itself.
        check("lisbon province", true, "lisbon: [State]");
        check("lisbon provinces", true, "lisbon: [County]");
        check("airp lisbon", true, "");
        check("airp airp", true, "airp: [Airport]");
        check("lisbon zzz", true, "");
        // Some scripts write the kind onto the name: the longest that leaves a name of two letters.
        check("東京駅", false, "東京: [Station]");
        check("東京駅前", false, "東京: [Landmark]");
        check("京駅", false, "");
        check("京駅前", false, "");
        check("lisbonairport", false, "");
        check("lisböairport", false, "");
        check("éairport", false, "");
        check("москваairport", false, "");
    }

    #[test]
    fn words_that_alone_name_nothing() {
        let lexicon = lexicon();
        let check = |term: &str, filler: bool, nothing: bool| {
            assert_eq!((is_filler(&lexicon, term), is_no_name(&lexicon, term)), (filler, nothing), "{term}");
        };
        check("de", true, true);
        check("of", true, true);
        check("airport", false, true);
        check("駅", false, true);
        check("lisbon", false, false);
        check("東京駅", false, false);
    }
}
