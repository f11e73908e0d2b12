//! Matches first-level divisions of GeoNames with ISO 3166-2 subdivisions. The two share no key, so they are matched by
//! name within their country, the most reliable rule first. Each is matched once, and a rule that leaves a choice is
//! not applied.

use std::collections::BTreeSet;

use strsim::jaro_winkler;

use crate::sources::rows::Subdivision;
use crate::text::key;

/// Minimum similarity (Jaro-Winkler) of two names that count as spellings of each other, as a last resort.
const SPELLING: f64 = 0.92;

/// A division to be matched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Division {
    /// The part of the GeoNames code after the country.
    pub suffix: String,
    /// Names of the division, the full one first.
    pub names: Vec<String>,
    /// Other names of the settlement it is named after.
    pub namesakes: Vec<String>,
    /// ISO's suffix, if the tables give it.
    pub by_hand: Option<String>,
}

/// Words for kinds of divisions in the languages of the two lists, as keys.
const GENERIC: &str = "\
    al autonom autonoma autonome autonomous avtonomnaja avtonomnyj canton city comarca county da dari de del \
    departamento departement department des di distrikt district distrito do du emirate estado governorate il \
    island islands judetul kanton kommun kraj krai kray l la lan land le les lin maakunta mintaqat muhafazat \
    municipality novads oblast oblasts of okres okrug opstina ostan parish prefecture provinca province \
    provincia provincie provinsi qarku raion rayon region regione regiune republic republica respublika shahri \
    si state the tumani vilayati viloyati voblasc voivodeship welayaty wilaya wilayat wojewodztwo zupanija";

/// Returns the index of the subdivision of each division.
pub(crate) fn assign(divisions: &[Division], subdivisions: &[&Subdivision]) -> Vec<Option<usize>> {
    let mut matching = Matching { found: vec![None; divisions.len()], taken: vec![false; subdivisions.len()] };
    let left: Vec<Forms> = divisions.iter().map(Forms::of_division).collect();
    let right: Vec<Forms> = subdivisions.iter().map(|subdivision| Forms::of_subdivision(subdivision)).collect();
    matching.take(|a, b| divisions[a].by_hand.as_ref() == Some(&subdivisions[b].suffix));
    // Divisions of the first level are matched before those that are part of another.
    for nested in [false, true] {
        let open = |index: usize| subdivisions[index].nested == nested;
        matching.take(|a, b| open(b) && left[a].code == right[b].code && left[a].code.is_some());
        matching.take(|a, b| open(b) && meet(&left[a].names, &right[b].names));
        matching.take(|a, b| open(b) && meet(&left[a].names, &right[b].others));
        matching.take(|a, b| open(b) && meet(&left[a].stems, &right[b].stems));
        matching.take(|a, b| open(b) && meet(&left[a].stems, &right[b].other_stems));
        matching.take(|a, b| open(b) && meet(&left[a].others, &right[b].stems));
        matching.take(|a, b| open(b) && meet(&left[a].others, &right[b].other_stems));
        matching.take(|a, b| open(b) && alike(&left[a].stems, &right[b].stems));
    }
    matching.found
}

/// The forms of a name that are compared.
struct Forms {
    code: Option<String>,
    names: BTreeSet<String>,
    /// Translations, or names of the settlement.
    others: BTreeSet<String>,
    /// The names without generic words.
    stems: BTreeSet<String>,
    other_stems: BTreeSet<String>,
}

impl Forms {
    fn of_division(division: &Division) -> Self {
        Self::new(&division.suffix, division.names.iter(), division.namesakes.iter())
    }

    fn of_subdivision(subdivision: &Subdivision) -> Self {
        // ISO lists several languages in one name: "Ticino / Tessin", "Vlaams-Brabant [Brabant flamand]".
        let names: Vec<String> = subdivision.name.split(['/', '[', ']', '(', ')']).map(str::to_owned).collect();
        let translations = subdivision.translations.iter().map(|translation| &translation.text);
        Self::new(&subdivision.suffix, names.iter(), translations)
    }

    fn new<'a>(code: &str, names: impl Iterator<Item = &'a String>, others: impl Iterator<Item = &'a String>) -> Self {
        let names: BTreeSet<String> = names.filter_map(|name| non_empty(key(name))).collect();
        let others: BTreeSet<String> = others.filter_map(|name| non_empty(key(name))).collect();
        Self {
            code: code.bytes().all(|byte| byte.is_ascii_uppercase()).then(|| code.to_owned()),
            stems: names.iter().filter_map(|name| non_empty(stem(name))).collect(),
            other_stems: others.iter().filter_map(|name| non_empty(stem(name))).collect(),
            names,
            others,
        }
    }
}

fn non_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the words of a key that are not generic, in alphabetical order.
fn stem(key: &str) -> String {
    let mut words: Vec<&str> =
        key.split(' ').filter(|word| !GENERIC.split(' ').any(|generic| generic == *word)).collect();
    words.sort_unstable();
    words.join(" ")
}

fn meet(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    a.iter().any(|name| b.contains(name))
}

fn alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    a.iter().any(|name| b.iter().any(|other| jaro_winkler(name, other) >= SPELLING))
}

struct Matching {
    found: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl Matching {
    /// Matches the pairs that `fits` accepts if neither side fits another one.
    fn take(&mut self, fits: impl Fn(usize, usize) -> bool) {
        let free = |matching: &Self, a: usize| -> Vec<usize> {
            (0..matching.taken.len()).filter(|&b| !matching.taken[b] && fits(a, b)).collect()
        };
        let open: Vec<usize> = (0..self.found.len()).filter(|&a| self.found[a].is_none()).collect();
        let choices: Vec<(usize, Vec<usize>)> = open.into_iter().map(|a| (a, free(self, a))).collect();
        let claims = |b: usize| choices.iter().filter(|(_, free)| free.contains(&b)).count();
        let unambiguous: Vec<(usize, usize)> = choices
            .iter()
            .filter_map(|(a, free)| if let [b] = free[..] { Some((*a, b)) } else { None })
            .filter(|&(_, b)| claims(b) == 1)
            .collect();
        for (a, b) in unambiguous {
            self.found[a] = Some(b);
            self.taken[b] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::rows::Tagged;

    #[test]
    fn matching_by_name() {
        let list = [
            subdivision("BY", "Bayern", false, "Bavaria"),
            subdivision("MOW", "Moskva", false, "Moscow"),
            subdivision("MOS", "Moskovskaja oblast'", false, "Moscow Oblast"),
            subdivision("AZ", "Abū Z̧aby", false, ""),
            subdivision("TX", "Texas", false, ""),
            subdivision("CHU", "Čukotskij avtonomnyj okrug", false, ""),
            subdivision("N", "Nord", false, ""),
            subdivision("N1", "Nord", true, ""),
            subdivision("A", "Oriental", false, ""),
            subdivision("B", "Oriental", false, ""),
        ];
        let check = |suffix: &str, name: &str, namesake: &str, expect: Option<&str>| {
            let division = Division {
                suffix: suffix.into(),
                names: vec![name.into()],
                namesakes: vec![namesake.into()],
                by_hand: (name == "Saxony").then(|| "N1".into()),
            };
            let found =
                assign(&[division], &list.iter().collect::<Vec<_>>())[0].map(|index| list[index].suffix.as_str());
            assert_eq!(found, expect, "{name:?}");
        };
        check("02", "Bavaria", "", Some("BY"));
        check("48", "Moscow", "", Some("MOW"));
        check("47", "Moscow Oblast", "", Some("MOS"));
        check("01", "Abu Dhabi", "Abu Zaby", Some("AZ"));
        check("TX", "Lone Star State", "", Some("TX"));
        check("15", "Chukotskiy", "", None);
        check("15", "Cukotskiy Okrug", "", Some("CHU"));
        check("3", "Nord Province", "", Some("N"));
        check("4", "Oriental", "", None);
        check("5", "Nowhere", "", None);
        check("6", "Saxony", "", Some("N1"));
    }

    fn subdivision(suffix: &str, name: &str, nested: bool, translation: &str) -> Subdivision {
        Subdivision {
            country: *b"XX",
            suffix: suffix.into(),
            name: name.into(),
            nested,
            translations: vec![Tagged { lang: "fr".into(), text: translation.into() }],
            tagged: Vec::new(),
        }
    }
}
