//! Cleans the names of places that are merged already, by rules that look at all places. The display name of a place is never
//! touched.
//!
//! | rule | a name | becomes |
//! |---|---|---|
//! | markup | with signs that no name has (`<exemplarCity>`), or a translator's mark (`IwateGeneric`) | dropped |
//! | code | of an area or a site that is the code of another place, or an ISO 3166-2 code (`BNA`, `SE-06`) | dropped |
//! | script | in Latin letters in a language that is not written in them | dropped |
//! | common words | in Latin letters, that is a word for a kind (`station`, `commune`) or of many places that are called otherwise (`Fraccionamiento`) | dropped |
//! | surroundings | of a site, that is a name of what it lies in (`Notting Hill` for a market) | dropped |
//! | neighbour | of a settlement, without a language, that is the first name of a greater one nearby | weak |
//! | far greater | of a settlement, of unknown language, that is a proper name of a far more important place (`Athens` for Oshkosh) | weak |

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use toponym_engine::geo::Coordinate;
use toponym_engine::{Name, NameClass, Record, Role, fold};
use unicode_script::Script;

use crate::names::is_code;
use crate::progress;
use crate::sources::tables::is_written;
use crate::text::{key_hash, script};

/// Signs that come from a program's text, not from a name.
const MARKUP: &[char] = &['<', '>', '{', '}', '='];

/// Word that translators of ISO 3166-2 wrote behind a name of no special form.
const MARK: &str = "Generic";

/// A word that so many places of different names have as another name is not a name.
const COMMON_WORD: usize = 5;

/// The rest of a landmark's name without its kind is not a name if so many landmarks of different names have it: `National`,
/// `Royal`, `Blue`.
const COMMON_BARE_NAME: usize = 3;

/// Farther apart, a place is not a neighbour.
const NEIGHBOUR_M: f64 = 30_000.0;

/// A site lies in a place if it is at most as far from its centre as the extents of both and this.
const BESIDE_M: f64 = 2_000.0;

/// A place may be this much less important than a site in it and still own the name: a quarter, and the market in it.
const SITE_LEAD: f64 = 0.1;

/// Least difference in importance between a far greater place and another.
const FAR: f64 = 0.15;

/// Why a name is dropped or made weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    Markup,
    Code,
    Script,
    CommonWord,
    Surroundings,
    Neighbour,
    FarGreater,
}

impl Rule {
    fn drops(self) -> bool {
        self < Self::Neighbour
    }

    fn text(self) -> &'static str {
        match self {
            Self::Markup => "markup",
            Self::Code => "codes",
            Self::Script => "another script",
            Self::CommonWord => "common words",
            Self::Surroundings => "surroundings",
            Self::Neighbour => "of a neighbour",
            Self::FarGreater => "of a far greater place",
        }
    }
}

/// Number of names that each rule met.
pub(crate) type Counts = BTreeMap<Rule, usize>;

/// Drops and weakens the names of a place that rules meet.
fn carry_out(verdicts: Vec<(usize, Rule)>, record: &mut Record) {
    let names = &mut record.names;
    for (index, rule) in verdicts.into_iter().rev() {
        if rule.drops() {
            names.remove(index);
        } else {
            names[index].class = NameClass::Weak;
        }
    }
    names[1..].sort_by_key(|name| name.class == NameClass::Weak);
}

/// Says how many names each rule met.
pub(crate) fn say(counts: &Counts) {
    let said = |drops: bool| {
        let of = counts.iter().filter(|(rule, _)| rule.drops() == drops);
        of.map(|(rule, count)| format!("{count} {}", rule.text())).collect::<Vec<_>>().join(", ")
    };
    if !counts.is_empty() {
        progress::say(&format!("  names dropped: {}; weak: {}", said(true), said(false)));
    }
}

/// A place as the rules for other places see it.
#[derive(Debug)]
struct Other {
    id: u64,
    /// The key of its first name.
    first: u64,
    position: Coordinate,
    importance: f64,
    extent_m: f64,
}

/// Collects the names of places for [`Others`].
pub(crate) struct Calling<'t> {
    others: Others<'t>,
    /// Keys of the further names of sites.
    of_sites: HashSet<u64>,
    /// Names of settlements and areas, by key.
    around: Vec<(u64, u32)>,
    /// First names of the places that have a further name, by whether they are landmarks, and by that name.
    users: HashMap<(bool, u64), BTreeSet<u64>>,
}

/// Names of places, as the rules for other places see them.
pub(crate) struct Others<'t> {
    places: Vec<Other>,
    scripts: &'t HashMap<String, Vec<Script>>,
    kinds: &'t BTreeSet<String>,
    /// Settlements by their first name.
    settlements: HashMap<u64, Vec<u32>>,
    /// Settlements and areas by the names that are also further names of a site, in order of the names.
    around: Vec<(u64, u32)>,
    /// The greatest importance of a place of a proper name.
    greatest: HashMap<u64, f64>,
    /// Hashes of the keys of common words, each with `true` if landmarks have it without their kind.
    common_words: HashSet<(bool, u64)>,
    codes: HashSet<String>,
}

impl<'t> Calling<'t> {
    /// Creates a collection without places. `scripts` are those of languages that are not written in Latin letters alone, `kinds` the folded words for
    /// kinds of places.
    pub fn new(scripts: &'t HashMap<String, Vec<Script>>, kinds: &'t BTreeSet<String>) -> Self {
        let others = Others {
            places: Vec::new(),
            scripts,
            kinds,
            settlements: HashMap::new(),
            around: Vec::new(),
            greatest: HashMap::new(),
            common_words: HashSet::new(),
            codes: HashSet::new(),
        };
        Self { others, of_sites: HashSet::new(), around: Vec::new(), users: HashMap::new() }
    }

    /// Takes the names of a place.
    pub fn take(&mut self, place: &Record) {
        let keys: Vec<u64> = place.names.iter().map(|name| key_hash(&name.text)).collect();
        let role = place.kind.role;
        let at = self.others.places.len() as u32;
        if is_settlement(role) {
            self.others.settlements.entry(keys[0]).or_default().push(at);
        }
        if is_site(role) {
            self.of_sites.extend(&keys[1..]);
        }
        for (index, (name, &key)) in place.names.iter().zip(&keys).enumerate() {
            if name.class <= NameClass::English {
                let best = self.others.greatest.entry(key).or_default();
                *best = best.max(place.importance);
            }
            if may_hold_sites(role) && name.class < NameClass::Weak {
                self.around.push((key, at));
            }
            if index > 0 && may_be_word(place, name) {
                self.users.entry((role == Role::Landmark, key)).or_default().insert(keys[0]);
            }
        }
        self.others.codes.extend(place.codes.iter().map(|code| code.text.clone()));
        let Record { id, position, importance, extent_m, .. } = *place;
        self.others.places.push(Other { id, first: keys[0], position, importance, extent_m });
    }

    /// Returns the names of all places that were taken.
    pub fn finish(mut self) -> Others<'t> {
        self.around.retain(|(key, _)| self.of_sites.contains(key));
        self.around.sort_unstable();
        let least = |of_landmarks: bool| if of_landmarks { COMMON_BARE_NAME } else { COMMON_WORD };
        self.users.retain(|&(of_landmarks, _), users| users.len() >= least(of_landmarks));
        Others { around: self.around, common_words: self.users.into_keys().collect(), ..self.others }
    }
}

impl Others<'_> {
    /// Drops and weakens names of a place, and counts them.
    pub fn clean(&self, place: &mut Record, counts: &mut Counts) {
        let verdicts = self.verdicts(place);
        verdicts.iter().for_each(|(_, rule)| *counts.entry(*rule).or_default() += 1);
        if !verdicts.is_empty() {
            carry_out(verdicts, place);
        }
    }

    /// Returns the further names of a place that a rule meets: the index of each, and the rule.
    fn verdicts(&self, record: &Record) -> Vec<(usize, Rule)> {
        let names = record.names.iter().enumerate().skip(1);
        names.filter_map(|(index, name)| Some((index, self.verdict(record, name)?))).collect()
    }

    /// Returns the first rule that a further name of `record` meets.
    fn verdict(&self, record: &Record, name: &Name) -> Option<Rule> {
        if name.text.contains(MARKUP) || name.lang.is_some() && name.text.ends_with(MARK) {
            return Some(Rule::Markup);
        }
        if is_subdivision_code(&name.text) || self.is_code_of_another(record, name) {
            return Some(Rule::Code);
        }
        if self.is_in_another_script(record, name) {
            return Some(Rule::Script);
        }
        let key = key_hash(&name.text);
        let role = record.kind.role;
        let rules = [
            (Rule::CommonWord, may_be_word(record, name) && self.common_words.contains(&(role == Role::Landmark, key))),
            (Rule::CommonWord, self.is_kind(record, name)),
            (Rule::Surroundings, is_site(role) && self.is_of_surroundings(record, key)),
            (Rule::Neighbour, is_guess(record, name) && self.is_of_neighbour(record, key)),
            (Rule::FarGreater, is_guess(record, name) && self.is_of_far_greater(record, name, key)),
        ];
        rules.into_iter().find(|&(_, meets)| meets).map(|(rule, _)| rule)
    }

    fn is_code_of_another(&self, record: &Record, name: &Name) -> bool {
        let is_own = || record.codes.iter().any(|code| code.text == name.text);
        name.class >= NameClass::Other
            && !is_settlement(record.kind.role)
            && is_code(&name.text)
            && self.codes.contains(&name.text)
            && !is_own()
    }

    /// Tells whether a name is a word that a source wrote in place of a name: without a language, or for a division and not
    /// even capitalised. Weak names are kept: Tyre is also `Sur`.
    fn is_kind(&self, record: &Record, name: &Name) -> bool {
        let is_state = record.kind.role == Role::State;
        let is_small = || name.text.starts_with(char::is_lowercase);
        let may_be =
            if name.lang.is_none() { is_state || is_settlement(record.kind.role) } else { is_state && is_small() };
        may_be
            && name.class < NameClass::Weak
            && script(&name.text) == Some(Script::Latin)
            && self.kinds.contains(&fold(&name.text))
    }

    /// Tells whether a name is in Latin letters, in which its language is not written. Sites may be written in them anywhere:
    /// `SoFi`, `K11 MUSEA`.
    fn is_in_another_script(&self, record: &Record, name: &Name) -> bool {
        let Some(lang) = &name.lang else { return false };
        // `sr-Latn` says what it is written in.
        let says_script = lang.split('-').skip(1).any(|part| part.len() == 4);
        !is_site(record.kind.role)
            && record.kind.role != Role::Airport
            && !says_script
            && script(&name.text) == Some(Script::Latin)
            && !is_written(&name.text, lang.split('-').next().unwrap_or(lang), self.scripts)
    }

    /// Tells whether a name of a site is that of the place around it. A site whose first name is that of the place keeps
    /// the names of the place.
    fn is_of_surroundings(&self, site: &Record, key: u64) -> bool {
        let first = key_hash(&site.names[0].text);
        let from = self.around.partition_point(|(other, _)| *other < key);
        let around = self.around[from..].iter().take_while(|(other, _)| *other == key);
        around.map(|&(_, at)| &self.places[at as usize]).any(|place| {
            let distance = place.position.distance_m(site.position);
            place.importance >= site.importance - SITE_LEAD
                && distance <= NEIGHBOUR_M
                && distance <= place.extent_m + site.extent_m + BESIDE_M
                && place.first != first
        })
    }

    fn is_of_neighbour(&self, settlement: &Record, key: u64) -> bool {
        self.settlements.get(&key).into_iter().flatten().map(|&at| &self.places[at as usize]).any(|other| {
            other.id != settlement.id
                && other.importance >= settlement.importance
                && other.position.distance_m(settlement.position) <= NEIGHBOUR_M
        })
    }

    fn is_of_far_greater(&self, settlement: &Record, name: &Name, key: u64) -> bool {
        name.class == NameClass::Other
            && self.greatest.get(&key).is_some_and(|greatest| greatest - settlement.importance >= FAR)
    }
}

fn is_settlement(role: Role) -> bool {
    matches!(role, Role::City | Role::Quarter)
}

fn is_site(role: Role) -> bool {
    matches!(role, Role::Station | Role::Landmark)
}

fn may_hold_sites(role: Role) -> bool {
    is_settlement(role) || role.is_area() && role != Role::Country
}

/// Tells whether a name may be a word beside the name: of unknown language, and written by a source or, for a landmark, the
/// rest of its name without its kind.
fn may_be_word(record: &Record, name: &Name) -> bool {
    let may_be = match record.kind.role {
        Role::City | Role::Quarter | Role::Airport => name.class <= NameClass::English,
        // Several words are a name with the city as a context: `notre dame paris`.
        Role::Landmark => name.class == NameClass::Weak && !fold(&name.text).contains(' '),
        _ => false,
    };
    may_be && name.lang.is_none() && script(&name.text) == Some(Script::Latin)
}

/// Tells whether it is only a guess that a settlement has this name.
fn is_guess(record: &Record, name: &Name) -> bool {
    is_settlement(record.kind.role) && name.lang.is_none() && name.class < NameClass::Weak
}

/// Tells whether a text is the code of a subdivision, such as `SE-06`.
fn is_subdivision_code(text: &str) -> bool {
    let Some((country, part)) = text.split_once('-') else { return false };
    country.len() == 2
        && country.bytes().all(|byte| byte.is_ascii_uppercase())
        && (1..=3).contains(&part.len())
        && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use toponym_engine::{Code, CodeScheme, Kind};

    use super::*;

    /// A place: role, importance, longitude in kilometres from the first, codes, and names (`=` English, `~` other, `-` weak, with a
    /// language before `:`).
    type Line = (Role, f64, f64, &'static str, &'static str);

    const WORLD: [Line; 27] = [
        (Role::City, 0.8, 9_000.0, "", "Athens|~fr:Athènes"),
        (Role::City, 0.55, 0.0, "", "Oshkosh|~Athens|~Athènes|~Osh"),
        (Role::City, 0.5, 3_000.0, "", "Osh"),
        (Role::City, 0.5, 300.0, "", "Athenai|~en:Athens"),
        (Role::City, 0.5, 10.0, "", "Valga"),
        (Role::City, 0.45, 12.0, "", "Valka|~Valga|~et:Valga"),
        (Role::City, 0.6, 14.0, "", "Walk|~Valga"),
        (Role::Quarter, 0.5, 500.0, "", "Notting Hill|~ja:ノッティング・ヒル"),
        (Role::Landmark, 0.52, 501.0, "", "Portobello Market|en:Notting Hill|~ja:ノッティング・ヒル|en:The Market"),
        (Role::Landmark, 0.7, 501.0, "", "Great Museum|en:Notting Hill"),
        (Role::Landmark, 0.4, 900.0, "", "Far Museum|en:Notting Hill"),
        (Role::Landmark, 0.5, 500.0, "", "Notting Hill|~ja:ノッティング・ヒル"),
        (Role::Airport, 0.5, 800.0, "BNA", "Nashville Airport"),
        (Role::Country, 0.9, 700.0, "US USA", "United States|~is:BNA|~de:USA|=UAE"),
        (Role::State, 0.6, 700.0, "", "Jönköping|hi:SE-06|hi:Jönköping Laen|sr-Latn:Jenčeping|~kxv:<name>J</name>"),
        (Role::City, 0.2, 0.0, "", "A|Fraccionamiento"),
        (Role::City, 0.2, 0.0, "", "B|Fraccionamiento"),
        (Role::City, 0.2, 0.0, "", "C|Fraccionamiento"),
        (Role::City, 0.2, 0.0, "", "D|Fraccionamiento|Dorf"),
        (Role::Quarter, 0.2, 0.0, "", "E|Fraccionamiento|Dorf"),
        (Role::City, 0.2, 5_000.0, "", "Dorfkern|Dorf"),
        (Role::City, 0.2, 5_000.0, "", "Dorfkern|Dorf"),
        (Role::Landmark, 0.4, 0.0, "", "National Gallery|-National|National"),
        (Role::Landmark, 0.4, 0.0, "", "National Archive|-National|-Archive"),
        (Role::Landmark, 0.4, 0.0, "", "National Museum|-National|-Archive"),
        (Role::City, 0.2, 4_000.0, "", "Bubikon|Station|~en:Station"),
        (Role::State, 0.2, 4_000.0, "", "Saldus|~fr:commune|~fr:Commune|ga:SaldusGeneric"),
    ];

    fn record(id: u64, &(role, importance, km, codes, names): &Line) -> Record {
        Record {
            id,
            kind: Kind { role, category: "place".into(), r#type: "place".into() },
            names: names.split('|').map(name).collect(),
            codes: codes
                .split_whitespace()
                .map(|text| Code { scheme: CodeScheme::Iata, text: text.to_owned() })
                .collect(),
            position: Coordinate::new(0.0, km * 1_000.0 / toponym_engine::geo::METRES_PER_DEGREE).expect("in range"),
            parent: None,
            country: *b"XX",
            importance,
            extent_m: 500.0,
            bounds: None,
        }
    }

    fn name(text: &str) -> Name {
        let (class, text) = match text.split_at(1) {
            ("=", text) => (NameClass::English, text),
            ("~", text) => (NameClass::Other, text),
            ("-", text) => (NameClass::Weak, text),
            _ => (NameClass::Primary, text),
        };
        let (lang, text) = text.split_once(':').map_or((None, text), |(lang, text)| (Some(lang.to_owned()), text));
        Name { text: text.to_owned(), class, lang }
    }

    #[test]
    fn names_of_other_places_and_words() {
        let mut records: Vec<Record> = (1..).zip(&WORLD).map(|(id, line)| record(id, line)).collect();
        let scripts = HashMap::from([("hi".to_owned(), vec![Script::Devanagari])]);
        let kinds = ["commune", "station"].map(str::to_owned).into();
        let mut calling = Calling::new(&scripts, &kinds);
        records.iter().for_each(|record| calling.take(record));
        let others = calling.finish();
        let mut counts = Counts::new();
        records.iter_mut().for_each(|record| others.clean(record, &mut counts));
        let check = |first: &str, expect: &str| {
            let record = records.iter().find(|record| record.names[0].text == first).expect("it is there");
            let shown = record.names[1..].iter().map(|name| {
                let weak = if name.class == NameClass::Weak { "weak " } else { "" };
                format!("{weak}{}", name.text)
            });
            assert_eq!(shown.collect::<Vec<_>>().join(", "), expect, "{first}");
        };
        // Far greater: of unknown language, and only a proper name of the other.
        check("Oshkosh", "Athènes, Osh, weak Athens");
        check("Athenai", "Athens");
        // Neighbours: only the lesser one gives up its name, and only what is guessed.
        check("Valka", "Valga, weak Valga");
        check("Walk", "Valga");
        // Surroundings: in every language, unless the site is far greater, elsewhere, or called so itself.
        check("Portobello Market", "The Market");
        check("Great Museum", "Notting Hill");
        check("Far Museum", "Notting Hill");
        check("Notting Hill", "ノッティング・ヒル");
        check("United States", "USA, UAE");
        check("Jönköping", "Jenčeping");
        check("A", "");
        check("D", "Dorf");
        check("Dorfkern", "Dorf");
        check("National Gallery", "National");
        check("National Museum", "weak Archive");
        check("Bubikon", "Station");
        check("Saldus", "Commune");
        let expect = [
            (Rule::Markup, 2),
            (Rule::Code, 2),
            (Rule::Script, 1),
            (Rule::CommonWord, 10),
            (Rule::Surroundings, 2),
            (Rule::Neighbour, 1),
            (Rule::FarGreater, 1),
        ];
        assert_eq!(counts, expect.into());
    }

    #[test]
    fn codes_of_subdivisions() {
        check("SE-06", true);
        check("FR-ARA", true);
        check("US-T", true);
        check("SE-", false);
        check("SE-0600", false);
        check("Se-06", false);
        check("SE-ab", false);
        check("SEE-06", false);
        check("SE06", false);
    }

    fn check(text: &str, expect: bool) {
        assert_eq!(is_subdivision_code(text), expect, "{text}");
    }
}
