//! Builds the records of first- and second-level divisions: cleaned GeoNames names, codes and translations of ISO
//! 3166-2, and centre, bounds and population of the settlements in them. A division without settlements is left out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use strsim::jaro_winkler;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Code, CodeScheme, Kind, NameClass, Record, Role};
use unicode_script::Script;

use super::area;
use super::country_index::CountryIndex;
use super::division_names::{DivisionNames, division_names};
use super::inputs::Inputs;
use super::ranked_names::add_ranked;
use super::romanized::plain;
use super::subdivisions;
use crate::feature::Feature;
use crate::ids::{Namespace, hash_id};
use crate::importance;
use crate::name_list::NameList;
use crate::sources::rows::{Division, Iso2, Settlement, Subdivision, Tagged};
use crate::text::{key, script};

/// The divisions, by their code.
pub(crate) struct Divisions {
    states: BTreeMap<String, Record>,
    counties: BTreeMap<String, Record>,
}

impl Divisions {
    /// Returns the id of the smallest division that holds `settlement`.
    pub fn parent(&self, settlement: &Settlement) -> Option<u64> {
        let county = self.counties.get(&county_code(settlement));
        county.or_else(|| self.states.get(&state_code(settlement))).map(|record| record.id)
    }

    /// Returns the id of the state that holds `settlement`.
    pub fn state(&self, settlement: &Settlement) -> Option<u64> {
        self.state_record(settlement).map(|record| record.id)
    }

    /// Returns the state that holds `settlement`.
    pub fn state_record(&self, settlement: &Settlement) -> Option<&Record> {
        self.states.get(&state_code(settlement))
    }

    /// Creates divisions of states alone, by their codes.
    #[cfg(test)]
    pub fn of_states(states: impl IntoIterator<Item = (String, Record)>) -> Self {
        Self { states: states.into_iter().collect(), counties: BTreeMap::new() }
    }

    /// Returns the records of both levels.
    pub fn into_records(self) -> Vec<Record> {
        self.states.into_values().chain(self.counties.into_values()).collect()
    }
}

/// Returns the code of the state of `settlement`, such as `US.TX`.
pub(super) fn state_code(settlement: &Settlement) -> String {
    format!("{}.{}", String::from_utf8_lossy(&settlement.country), settlement.admin1)
}

/// Returns the id of the place of the state with this code.
pub(super) fn state_id(code: &str) -> u64 {
    hash_id(Namespace::State, code)
}

/// Returns the code of the county of `settlement`, such as `US.TX.201`.
fn county_code(settlement: &Settlement) -> String {
    format!("{}.{}", state_code(settlement), settlement.admin2)
}

/// Creates the records of both levels.
pub(crate) fn divisions(inputs: &Inputs, country_index: &CountryIndex) -> Divisions {
    let states = levels(&inputs.states, &inputs.settlements, state_code);
    let iso = iso_subdivisions(&states, &inputs.subdivisions, &inputs.tables.states);
    let names = unique_names(&states, 1, inputs);
    let record = |level: &Level| {
        let land = country_index.get(level.country)?;
        let own = importance::state(level.population(), land.importance).max(inputs.tables.fame(&level.division.code));
        let subdivision = iso.get(level.division.code.as_str()).copied();
        let by_hand = inputs.tables.english_divisions.get(&level.division.code).map(String::as_str);
        let mut list = state_names(level, &names[&level.division.code], subdivision, by_hand, country_index);
        add_names_of_seat(&mut list, level);
        add_abbreviations(&mut list, level, inputs);
        let outline = inputs.state_borders.get(&level.division.code).map_or(&[][..], Vec::as_slice);
        let mut record = level.record(Role::State, land.id, own, list, outline);
        record.codes.extend(subdivision.map(iso_code));
        Some((level.division.code.clone(), record))
    };
    let states: BTreeMap<String, Record> = states.iter().filter_map(record).collect();

    let counties = levels(&inputs.counties, &inputs.settlements, county_code);
    let names = unique_names(&counties, 2, inputs);
    let record = |level: &Level| {
        let state = level.division.code.rsplit_once('.').and_then(|(state, _)| states.get(state));
        let parent = state.map(|state| state.id).or_else(|| Some(country_index.get(level.country)?.id))?;
        let own = importance::county(level.population()).max(inputs.tables.fame(&level.division.code));
        let names = &names[&level.division.code];
        let mut list = names_of(&level.division.name, names, None, level.country, country_index);
        add_ranked(&mut list, &level.division.ranked, level.country, country_index);
        add_abbreviations(&mut list, level, inputs);
        let code = province_code(level);
        let province = inputs
            .subdivisions
            .iter()
            .filter(|other| other.country == level.country)
            .find(|subdivision| code.as_ref().is_some_and(|code| code.text == subdivision.suffix));
        add_translations(&mut list, level, province, country_index);
        let mut record = level.record(Role::County, parent, own, list, &[]);
        record.codes.extend(code);
        Some((level.division.code.clone(), record))
    };
    let counties = counties.iter().filter_map(record).collect();
    Divisions { states, counties }
}

/// A division with the settlements in it.
struct Level<'a> {
    division: &'a Division,
    country: Iso2,
    members: Vec<&'a Settlement>,
}

fn levels<'a>(
    divisions: &'a [Division],
    settlements: &'a [Settlement],
    code: impl Fn(&Settlement) -> String,
) -> Vec<Level<'a>> {
    let mut members: HashMap<String, Vec<&Settlement>> = HashMap::new();
    for settlement in settlements {
        members.entry(code(settlement)).or_default().push(settlement);
    }
    let level = |division: &'a Division| {
        let members = members.remove(&division.code)?;
        Some(Level { division, country: members.first()?.country, members })
    };
    divisions.iter().filter_map(level).collect()
}

impl Level<'_> {
    /// Returns the population of the division's settlements; parts of cities are counted with their city.
    fn population(&self) -> u64 {
        self.members.iter().filter(|member| member.feature != Feature::Section).map(|member| member.population).sum()
    }

    /// Returns the largest settlement in the division whose name is one of `names`.
    fn namesake(&self, names: &NameList) -> Option<&Settlement> {
        let named = self.members.iter().filter(|member| names.has(&member.name));
        named.max_by_key(|member| (member.population, std::cmp::Reverse(member.id))).copied()
    }

    fn record(&self, role: Role, parent: u64, own: f64, names: NameList, outline: &[Vec<Coordinate>]) -> Record {
        let positions: Vec<Coordinate> = self.members.iter().map(|member| member.position).collect();
        let cover = area::of_places(&positions, outline).expect("a level has members");
        let importance = self.namesake(&names).map_or(own, |city| {
            let value = city.importance();
            importance::beside_namesake(own, self.population(), value, city.population)
        });
        let code = &self.division.code;
        let (id, r#type) = match role {
            Role::State => (state_id(code), "state"),
            _ => (hash_id(Namespace::County, code), "administrative"),
        };
        Record {
            id,
            kind: Kind { role, category: "boundary".to_owned(), r#type: r#type.to_owned() },
            names: names.finish(),
            codes: Vec::new(),
            position: cover.centre,
            parent: Some(parent),
            country: self.country,
            importance,
            extent_m: cover.extent_m,
            bounds: cover.bounds,
        }
    }
}

/// Returns the names of divisions by code. If cleaning gives two divisions with the same parent the same name, they keep
/// their full names.
fn unique_names(levels: &[Level], parent_parts: usize, inputs: &Inputs) -> BTreeMap<String, DivisionNames> {
    let parent = |code: &str| code.split('.').take(parent_parts).collect::<Vec<_>>().join(".");
    let mut names: BTreeMap<String, DivisionNames> = BTreeMap::new();
    let mut uses: HashMap<(String, String), usize> = HashMap::new();
    for level in levels {
        let own = division_names(&level.division.name, level.country, &inputs.tables.words);
        *uses.entry((parent(&level.division.code), key(&own.display))).or_default() += 1;
        names.insert(level.division.code.clone(), own);
    }
    for level in levels {
        let own = names.get_mut(&level.division.code).expect("every level has a name");
        if uses[&(parent(&level.division.code), key(&own.display))] > 1 {
            *own = DivisionNames { display: level.division.name.clone(), others: Vec::new() };
        }
    }
    names
}

/// Returns the names of a division, of which labels show that in English, if there is one.
fn names_of(
    whole: &str,
    names: &DivisionNames,
    english: Option<&str>,
    country: Iso2,
    country_index: &CountryIndex,
) -> NameList {
    let shown = english.unwrap_or(&names.display);
    let shown = if country_index.romanizes(country) { plain(shown) } else { shown.to_owned() };
    let mut list = NameList::new(&*shown);
    list.add_tagged(&shown, "en", NameClass::Primary);
    list.add(&names.display, NameClass::Primary);
    list.add(whole, NameClass::Primary);
    names.others.iter().for_each(|(text, class)| list.add(text, *class));
    list
}

fn state_names(
    level: &Level,
    names: &DivisionNames,
    subdivision: Option<&Subdivision>,
    by_hand: Option<&str>,
    country_index: &CountryIndex,
) -> NameList {
    let of_cldr = || {
        subdivision
            .filter(|subdivision| is_of_division(subdivision, &names.display))
            .into_iter()
            .flat_map(|subdivision| &subdivision.tagged)
    };
    let english = by_hand.or_else(|| english(&names.display, subdivision?, of_cldr().find(|name| name.lang == "en")?));
    let mut list = names_of(&level.division.name, names, english, level.country, country_index);
    add_ranked(&mut list, &level.division.ranked, level.country, country_index);
    let translations = add_translations(&mut list, level, subdivision, country_index);
    let own = subdivision.map_or(&*names.display, |subdivision| subdivision.name.as_str());
    if let [own] = &iso_names(own)[..]
        && let Some(local) = country_index.local_name(level.country, own, translations.iter().map(|(_, name)| *name))
    {
        list.add_local(local);
    }
    let Some(subdivision) = subdivision else { return list };
    iso_names(&subdivision.name).iter().for_each(|name| list.add(name, NameClass::Primary));
    // ISO has one name in the language of the country, or several in those of the division.
    if let [own] = &iso_names(&subdivision.name)[..]
        && let Some(lang) = country_index.language_of(level.country, own)
    {
        list.add_tagged(own, lang, NameClass::Primary);
    }
    list
}

/// Adds the names of a division in other languages than English: those of iso-codes, of GeoNames and of CLDR. The first source that
/// has a name in a language says which one is shown. Returns them, each with the number of its source.
fn add_translations<'a>(
    list: &mut NameList,
    level: &Level<'a>,
    subdivision: Option<&'a Subdivision>,
    country_index: &CountryIndex,
) -> Vec<(u8, &'a Tagged)> {
    let of_iso = subdivision.into_iter().flat_map(|subdivision| &subdivision.translations);
    let of_cldr = subdivision.filter(|subdivision| is_of_division(subdivision, &level.division.name));
    let of_cldr = of_cldr.into_iter().flat_map(|subdivision| &subdivision.tagged);
    let numbered = of_iso.map(|name| (0, name)).chain(level.division.tagged.iter().map(|name| (1, name)));
    let numbered = numbered.chain(of_cldr.map(|name| (2, name)));
    let all: Vec<(u8, &Tagged)> = numbered.filter(|(_, name)| name.lang != "en").collect();
    let mut sources: HashMap<&str, u8> = HashMap::new();
    for &(number, translation) in &all {
        let class = country_index.class_of(level.country, &translation.lang);
        let is_shown = *sources.entry(translation.lang.as_str()).or_insert(number) == number;
        for name in iso_names(&translation.text) {
            if is_shown { list.add_tagged(&name, &translation.lang, class) } else { list.add(&name, class) }
        }
    }
    all
}

fn add_abbreviations(list: &mut NameList, level: &Level, inputs: &Inputs) {
    let short = inputs.tables.abbreviations.get(&level.division.code);
    short.into_iter().flatten().for_each(|text| list.add(text, NameClass::Weak));
}

/// Countries whose provinces are divisions of the second level, with codes of two letters that people write behind a town: `Milano MI`.
const COUNTRIES_OF_PROVINCES: [&Iso2; 2] = [b"ES", b"IT"];

/// Returns the code of a province, if the division is one.
fn province_code(level: &Level) -> Option<Code> {
    let code = level.division.code.rsplit('.').next()?;
    let is_code = code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_province = COUNTRIES_OF_PROVINCES.contains(&&level.country);
    (is_code && is_province).then(|| Code { scheme: CodeScheme::State, text: code.to_owned() })
}

/// Tells whether the names that CLDR has for a code are those of the division: codes have been given to others since.
fn is_of_division(subdivision: &Subdivision, display: &str) -> bool {
    let own: Vec<String> = iso_names(&subdivision.name).iter().map(String::as_str).chain([display]).map(key).collect();
    let is_own = |name: &str| own.iter().any(|own| *own == name || jaro_winkler(own, name) >= SAME_NAME);
    subdivision.tagged.iter().any(|name| is_own(&key(&name.text)))
}

/// Least similarity (Jaro-Winkler) of a name of CLDR to one of ISO or GeoNames if both are of one division.
const SAME_NAME: f64 = 0.9;

/// Returns the English name of a division of which `own` is the name by GeoNames: that of CLDR if GeoNames has the local name, as ISO
/// has, or leaves out diacritics. Where GeoNames has another name than ISO, it is in English.
fn english<'n>(own: &str, subdivision: &Subdivision, by_cldr: &'n Tagged) -> Option<&'n str> {
    let name = by_cldr.text.split(',').next().unwrap_or_default().trim();
    let is_local = iso_names(&subdivision.name).iter().any(|local| key(local) == key(own));
    let is_spelled_better = key(name) == key(own) && own.is_ascii() && !name.is_ascii();
    ((is_local && key(name) != key(own)) || is_spelled_better).then_some(name)
}

/// Adds the names that the seat of a state has in scripts in which the state has none: `جنيف` for the canton of Geneva. A state
/// that is called after its seat is called after it in every language. In scripts that it has, its own names are better.
fn add_names_of_seat(list: &mut NameList, level: &Level) {
    let Some(seat) = level.namesake(list).filter(|city| matches!(city.feature, Feature::Capital | Feature::FirstSeat))
    else {
        return;
    };
    let own: Vec<Script> = list.texts().filter_map(script).collect();
    seat.alternates
        .iter()
        .filter(|text| script(text).is_some_and(|script| script != Script::Common && !own.contains(&script)))
        .for_each(|text| list.add(text, NameClass::Other));
}

/// Splits a text of ISO or its translators into names: they combine several, and put the kind of division after a comma:
/// "Tokio; Tokyo", "Catalunya \[Cataluña\]", "Madrid, Comunidad de".
fn iso_names(text: &str) -> Vec<String> {
    let parts = text.split(['/', ';', '[', ']', '(', ')']).map(str::trim).filter(|part| !part.is_empty());
    let forms = parts.flat_map(|part| match part.split_once(',') {
        Some((name, kind)) => vec![name.trim().to_owned(), format!("{} {}", kind.trim(), name.trim())],
        None => vec![part.to_owned()],
    });
    forms.collect()
}

/// Returns the part of a state's ISO code after its country: `TX`, `13`.
fn iso_code(subdivision: &Subdivision) -> Code {
    Code { scheme: CodeScheme::State, text: subdivision.suffix.clone() }
}

/// Returns the ISO subdivision of each state, by GeoNames code.
fn iso_subdivisions<'a>(
    states: &'a [Level],
    list: &'a [Subdivision],
    by_hand: &BTreeMap<String, String>,
) -> BTreeMap<&'a str, &'a Subdivision> {
    let countries: BTreeSet<Iso2> = states.iter().map(|level| level.country).collect();
    let mut found = BTreeMap::new();
    for country in countries {
        let levels: Vec<&Level> = states.iter().filter(|level| level.country == country).collect();
        let list: Vec<&Subdivision> = list.iter().filter(|subdivision| subdivision.country == country).collect();
        let divisions: Vec<subdivisions::Division> = levels.iter().map(|level| to_be_matched(level, by_hand)).collect();
        for (level, index) in levels.iter().zip(subdivisions::assign(&divisions, &list)) {
            if let Some(index) = index {
                found.insert(level.division.code.as_str(), list[index]);
            }
        }
    }
    found
}

fn to_be_matched(level: &Level, by_hand: &BTreeMap<String, String>) -> subdivisions::Division {
    let name = key(&level.division.name);
    let namesakes = level.members.iter().filter(|member| {
        let own = key(&member.name);
        name == own || name.strip_prefix(own.as_str()).is_some_and(|rest| rest.starts_with(' '))
    });
    subdivisions::Division {
        suffix: level.division.code.split('.').nth(1).unwrap_or_default().to_owned(),
        names: vec![level.division.name.clone()],
        by_hand: by_hand.get(&level.division.code).and_then(|iso| Some(iso.split_once('-')?.1.to_owned())),
        namesakes: namesakes.flat_map(|member| member.alternates.iter().cloned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_settlement;
    use super::*;

    #[test]
    fn a_state_called_after_its_seat() {
        check_seat(Feature::FirstSeat, &[], &["جنيف", "Женева", "ジュネーヴ", "日内瓦"]);
        check_seat(Feature::FirstSeat, &["Женевський кантон"], &["جنيف", "ジュネーヴ", "日内瓦"]);
        check_seat(Feature::Place, &[], &[]);
    }

    fn check_seat(feature: Feature, own: &[&str], expect: &[&str]) {
        let mut seat = test_settlement(7, "Genève", (46.2, 6.1), 200_000);
        seat.feature = feature;
        seat.alternates = ["Genf", "جنيف", "Женева", "ジュネーヴ", "日内瓦", "Geneva اب"].map(str::to_owned).into();
        let division =
            Division { code: "CH.GE".into(), name: "Genève".into(), id: None, ranked: Vec::new(), tagged: Vec::new() };
        let level = Level { division: &division, country: *b"CH", members: vec![&seat] };
        let mut list = NameList::new("Genève");
        own.iter().for_each(|name| list.add(name, NameClass::Other));
        add_names_of_seat(&mut list, &level);
        assert_eq!(list.texts().skip(1 + own.len()).collect::<Vec<_>>(), expect, "{feature:?} {own:?}");
    }

    #[test]
    fn names_of_iso() {
        check_iso_names("Texas", &["Texas"]);
        check_iso_names("Tokio; Tokyo", &["Tokio", "Tokyo"]);
        check_iso_names("Catalunya [Cataluña]", &["Catalunya", "Cataluña"]);
        check_iso_names("Madrid, Comunidad de", &["Madrid", "Comunidad de Madrid"]);
        check_iso_names("Ticino / Tessin", &["Ticino", "Tessin"]);
    }

    fn check_iso_names(text: &str, expect: &[&str]) {
        assert_eq!(iso_names(text), expect, "{text:?}");
    }
}
