//! Merges imported files into the rows of the pinned sources.
//!
//! A place is identified by its id, else by name and distance. Imported data takes precedence over pinned data, and the
//! project's own schema over other formats; the names of all are kept. Stations and landmarks are merged later, in
//! [`super::same_sites`], in the same order ([`Origin`]).

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::airports::names_agree;
use super::borders::borders;
use super::country_of_point::CountryOfPoint;
use super::inputs::Inputs;
use super::merges::{Merges, Side, Why};
use super::settlements::SAME_PLACE_M;
use crate::error::BuildError;
use crate::feature::Feature;
use crate::progress::{self, Step};
use crate::sources::airportsdata::code;
use crate::sources::import::geonames_alternate_names::{self, Alternate};
use crate::sources::import::geonames_table::{Reader, Row, TopSettlements, id_of};
use crate::sources::import::own_ids::{OwnIds, stem};
use crate::sources::import::plain::{Item, Placed, Schema};
use crate::sources::import::{Format, ImportFile, geonames_admin_codes, geonames_country_info, ourairports, recognise};
use crate::sources::rows::{Airport, Country, Division, Iso2, Origin, Settlement, Site};
use crate::spatial::Nearby;
use crate::text::key;

/// Two airports nearer than this with names that agree are the same, unless their codes differ.
const SAME_AIRPORT_M: f64 = 2_500.0;

/// If two airports this far apart have the same code, one of the files is wrong.
const FAR_AIRPORT_M: f64 = 100_000.0;

/// An imported settlement without a division gets that of the nearest settlement within this distance.
const DIVISION_REACH_M: f64 = 30_000.0;

/// Shorter names other than the first do not identify a settlement.
const SHORTEST_OTHER_NAME: usize = 3;

/// The imported files, in the order in which they are read.
#[derive(Default)]
pub(crate) struct Files(pub Vec<(Format, ImportFile)>);

impl Files {
    /// Detects the format of each file.
    pub fn recognise(files: impl IntoIterator<Item = ImportFile>) -> Result<Self, BuildError> {
        let recognised = files.into_iter().map(|file| Ok((recognise(&file)?, file)));
        let mut files = recognised.collect::<Result<Vec<_>, BuildError>>()?;
        // The sort is stable: files of one format keep their order.
        files.sort_by_key(|(format, _)| *format);
        names_differ(&files)?;
        Ok(Self(files))
    }

    /// The lines that credit the sources of the files, without duplicates.
    pub fn attribution(&self) -> Vec<String> {
        let mut lines: Vec<&str> = self.0.iter().filter_map(|(format, _)| format.attribution()).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.into_iter().map(str::to_owned).collect()
    }

    fn of(&self, wanted: Format) -> impl Iterator<Item = &ImportFile> {
        self.0.iter().filter(move |(format, _)| *format == wanted).map(|(_, file)| file)
    }
}

/// Ids come from the names of files in the plain schema, so two of them cannot share one.
fn names_differ(files: &[(Format, ImportFile)]) -> Result<(), BuildError> {
    let mut seen = HashMap::new();
    for (_, file) in files.iter().filter(|(format, _)| format.is_plain()) {
        let name = file.name();
        if let Some(other) = seen.insert(stem(&name).to_owned(), file.path()) {
            return Err(BuildError::SameName { path: file.path().to_owned(), other: other.to_owned() });
        }
    }
    Ok(())
}

/// Merges `files` into `inputs`, keeping the `max_places` most important settlements of GeoNames tables.
pub(crate) fn add(inputs: &mut Inputs, files: &Files, max_places: usize) -> Result<(), BuildError> {
    let of = |wanted| files.of(wanted);
    let settlement_ids: HashSet<u64> = if files.0.is_empty() {
        HashSet::new()
    } else {
        inputs.settlements.iter().map(|settlement| settlement.id).collect()
    };
    for file in of(Format::CountryInfo) {
        let mut ids: HashMap<u64, Iso2> = inputs.countries.iter().map(|country| (country.id, country.iso2)).collect();
        let countries = geonames_country_info::read(file, |country| {
            let other = ids.insert(country.id, country.iso2).filter(|&other| other != country.iso2);
            other.is_some() || settlement_ids.contains(&country.id)
        })?;
        countries.into_iter().for_each(|country| add_country(&mut inputs.countries, country));
    }
    for file in of(Format::Admin1) {
        add_divisions(&mut inputs.states, geonames_admin_codes::read(file, 2)?);
    }
    for file in of(Format::Admin2) {
        add_divisions(&mut inputs.counties, geonames_admin_codes::read(file, 3)?);
    }
    let known: BTreeSet<Iso2> = inputs.countries.iter().map(|country| country.iso2).collect();

    let mut ids = OwnIds::beside(inputs.countries.iter().map(|country| (country.id, country.name.clone())));
    let mut geonames = GeoNamesPlaces::default();
    let mut settlements = TopSettlements::new(max_places);
    for file in of(Format::Table) {
        geonames.read_table(&mut Reader::new(&inputs.tables, &known, &ids), file, &mut settlements)?;
    }
    geonames.keep_settlements(inputs, settlements);
    add_divisions(&mut inputs.states, std::mem::take(&mut geonames.states));
    add_divisions(&mut inputs.counties, std::mem::take(&mut geonames.counties));
    for file in of(Format::AlternateNames) {
        add_alternate_names(inputs, &mut geonames, file)?;
    }
    add_airports(&mut inputs.airports, std::mem::take(&mut geonames.airports), &mut inputs.merges);
    for file in of(Format::OurAirports) {
        let mut airports = Vec::new();
        ourairports::read(file, &known, |_, airport| airports.push(airport))?;
        add_airports(&mut inputs.airports, airports, &mut inputs.merges);
    }
    add_sites(inputs, geonames.sites);

    let plain = read_plain(inputs, files, &known, &mut ids)?;
    let matching = Matching { step: "your settlements", other_names: true, population: |_, imported| imported };
    add_plain_settlements(&mut inputs.settlements, plain.settlements, &matching, &mut inputs.merges);
    add_airports(&mut inputs.airports, plain.airports, &mut inputs.merges);
    // The first site with an id is kept, so the later file has to come first.
    add_sites(inputs, plain.sites.into_iter().rev().collect());
    Ok(())
}

/// Merges the curated parts of cities into the pinned ones. Their population stands for how well known they are, so a
/// greater population of another source is kept.
pub(crate) fn add_curated(inputs: &mut Inputs) {
    let curated = std::mem::take(&mut inputs.quarters).into_iter().map(|part| (String::new(), part)).collect();
    let matching = Matching { step: "parts of cities", other_names: false, population: u64::max };
    add_plain_settlements(&mut inputs.settlements, curated, &matching, &mut Merges::default());
}

/// Reads the files in the plain schema.
fn read_plain(
    inputs: &Inputs,
    files: &Files,
    known: &BTreeSet<Iso2>,
    ids: &mut OwnIds,
) -> Result<PlainPlaces, BuildError> {
    let countries = LazyCell::new(|| CountryOfPoint::new(&borders(&inputs.patches, &inputs.settlements)));
    let country_at = |at| countries.find(at);
    let schema = Schema {
        types: &inputs.tables.types,
        classes: &inputs.tables.classes,
        countries: known,
        country_at: &country_at,
        origin: Origin::Operator,
    };
    let mut plain = PlainPlaces::default();
    for (format, file) in files.0.iter().filter(|(format, _)| format.is_plain()) {
        schema.read(*format, file, ids, |placed| plain.keep(placed))?;
    }
    Ok(plain)
}

/// How imported settlements are compared with known ones.
struct Matching {
    /// What the progress calls them.
    step: &'static str,
    /// Whether they may also agree in a name other than the first.
    other_names: bool,
    /// Combines the known and the imported population.
    population: fn(u64, u64) -> u64,
}

/// Places of GeoNames tables other than settlements.
#[derive(Default)]
struct GeoNamesPlaces {
    states: Vec<Division>,
    counties: Vec<Division>,
    airports: Vec<Airport>,
    sites: Vec<Site>,
}

impl GeoNamesPlaces {
    fn read_table(
        &mut self,
        reader: &mut Reader,
        file: &ImportFile,
        settlements: &mut TopSettlements,
    ) -> Result<(), BuildError> {
        reader.read(file, |_, row| match row {
            Row::Settlement(settlement) => settlements.push(settlement),
            Row::State(division) => self.states.push(division),
            Row::County(division) => self.counties.push(division),
            Row::Airport(airport) => self.airports.push(airport),
            Row::Site(site) => self.sites.push(site),
        })?;
        Ok(())
    }

    fn keep_settlements(&self, inputs: &mut Inputs, settlements: TopSettlements) {
        let seen = settlements.seen;
        let kept = settlements.finish();
        if seen > kept.len() {
            let kept_len = kept.len();
            progress::say(&format!(
                "  kept the {kept_len} most important of {seen} populated places: --places keeps more"
            ));
        }
        add_settlements(&mut inputs.settlements, kept);
    }
}

/// Places in the project's own schema.
#[derive(Default)]
struct PlainPlaces {
    /// With the ids of their rows.
    settlements: Vec<(String, Settlement)>,
    airports: Vec<Airport>,
    sites: Vec<Site>,
}

impl PlainPlaces {
    fn keep(&mut self, placed: Placed) {
        match placed.item {
            Item::Settlement(settlement) => self.settlements.push((placed.id, settlement)),
            Item::Airport(airport) => self.airports.push(airport),
            Item::Site(site) => self.sites.push(site),
        }
    }
}

fn add_country(countries: &mut Vec<Country>, country: Country) {
    match countries.iter_mut().find(|known| known.iso2 == country.iso2) {
        Some(known) => *known = country,
        None => countries.push(country),
    }
    countries.sort_by_key(|country| country.iso2);
}

/// Divisions with the same code are the same.
fn add_divisions(divisions: &mut Vec<Division>, added: Vec<Division>) {
    let mut known: HashMap<String, usize> =
        divisions.iter().enumerate().map(|(index, division)| (division.code.clone(), index)).collect();
    for division in added {
        match known.get(&division.code) {
            Some(&index) => {
                let old = &mut divisions[index];
                *old = Division { ranked: std::mem::take(&mut old.ranked), ..division };
            }
            None => {
                known.insert(division.code.clone(), divisions.len());
                divisions.push(division);
            }
        }
    }
    divisions.sort_by(|a, b| a.code.cmp(&b.code));
}

/// Settlements with the same id are the same. If a table repeats an id, the last row wins.
fn add_settlements(settlements: &mut Vec<Settlement>, added: Vec<Settlement>) {
    let mut known: HashMap<u64, usize> =
        settlements.iter().enumerate().map(|(index, settlement)| (settlement.id, index)).collect();
    settlements.reserve(added.len());
    for settlement in added {
        match known.get(&settlement.id) {
            Some(&index) => renew(&mut settlements[index], settlement),
            None => {
                known.insert(settlement.id, settlements.len());
                settlements.push(settlement);
            }
        }
    }
    settlements.sort_by_key(|settlement| settlement.id);
}

/// Replaces `old` by `new`, keeping the names of both and everything that only `old` has.
fn renew(old: &mut Settlement, new: Settlement) {
    let mut alternates = std::mem::take(&mut old.alternates);
    if key(&old.name) != key(&new.name) {
        alternates.push(std::mem::take(&mut old.name));
    }
    let known: HashSet<String> = alternates.iter().cloned().collect();
    alternates.extend(new.alternates.into_iter().filter(|name| !known.contains(name)));
    let (mut tagged, mut ranked) = (std::mem::take(&mut old.tagged), std::mem::take(&mut old.ranked));
    tagged.extend(new.tagged);
    ranked.extend(new.ranked);
    let or =
        |new: &std::sync::Arc<str>, old: &std::sync::Arc<str>| if new.is_empty() { old.clone() } else { new.clone() };
    let is_vague = matches!(new.feature, Feature::Place | Feature::Unknown);
    *old = Settlement {
        id: old.id,
        alternates,
        tagged,
        ranked,
        population: if new.population > 0 { new.population } else { old.population },
        feature: if is_vague && old.feature != Feature::Unknown { old.feature } else { new.feature },
        // A second-level code is only valid within its first level.
        admin2: if new.admin1.is_empty() || new.admin1 == old.admin1 {
            or(&new.admin2, &old.admin2)
        } else {
            new.admin2.clone()
        },
        admin1: or(&new.admin1, &old.admin1),
        timezone: or(&new.timezone, &old.timezone),
        name: new.name,
        position: new.position,
        country: new.country,
        bounds: new.bounds.or(old.bounds.take()),
    };
}

/// Merges settlements in the plain schema: identified by id, else by name and distance. Of several that are near, one of
/// the same kind is preferred, then the nearest.
fn add_plain_settlements(
    settlements: &mut Vec<Settlement>,
    mut plain: Vec<(String, Settlement)>,
    matching: &Matching,
    merges: &mut Merges,
) {
    if plain.is_empty() {
        return;
    }
    let ids: HashMap<u64, usize> =
        settlements.iter().enumerate().map(|(index, settlement)| (settlement.id, index)).collect();
    let nearby = Nearby::new(settlements.iter().map(|settlement| settlement.position).enumerate());
    let step = Step::counted(matching.step, plain.len());
    for (row, settlement) in &mut plain {
        step.advance();
        let by_id = ids.get(&settlement.id).map(|&index| (index, Why::Id));
        if let Some((index, why)) = by_id.or_else(|| same_settlement(settlements, &nearby, settlement, matching)) {
            let known = &settlements[index];
            let id = known.id.to_string();
            merges.add(
                Side { id: row, name: &settlement.name, at: settlement.position },
                Side { id: &id, name: &known.name, at: known.position },
                why,
            );
            if why != Why::Id {
                settlement.id = known.id;
                settlement.population = (matching.population)(known.population, settlement.population);
            }
        }
        if settlement.admin1.is_empty() {
            let mut near = nearby.within(settlement.position, DIVISION_REACH_M).map(|(index, _)| &settlements[index]);
            if let Some(other) = near.find(|other| other.country == settlement.country) {
                (settlement.admin1, settlement.admin2) = (other.admin1.clone(), other.admin2.clone());
            }
        }
    }
    step.finish(plain.len());
    add_settlements(settlements, plain.into_iter().map(|(_, settlement)| settlement).collect());
}

/// The known settlement that an imported one is.
fn same_settlement(
    settlements: &[Settlement],
    nearby: &Nearby,
    imported: &Settlement,
    matching: &Matching,
) -> Option<(usize, Why)> {
    let own = key(&imported.name);
    let near = nearby.within(imported.position, SAME_PLACE_M).filter_map(|(index, _)| {
        let known = &settlements[index];
        let why = if known.country != imported.country || known.position.distance_m(imported.position) >= SAME_PLACE_M {
            None
        } else if key(&known.name) == own {
            Some(Why::Name)
        } else if matching.other_names && share_another_name(known, imported, &own) {
            Some(Why::OtherName)
        } else {
            None
        };
        let is_other_kind = (known.feature == Feature::Section) != (imported.feature == Feature::Section);
        // A quarter may have the name of its city in another language.
        let why = why.filter(|&why| why == Why::Name || !is_other_kind)?;
        Some((why == Why::OtherName, is_other_kind, index, why))
    });
    // The nearest comes first, and the first of equals is kept.
    near.min_by_key(|&(is_other_name, is_other_kind, ..)| (is_other_name, is_other_kind))
        .map(|(.., index, why)| (index, why))
}

/// Whether the name of one is among the other names of the other.
fn share_another_name(known: &Settlement, imported: &Settlement, own: &str) -> bool {
    let tagged =
        |settlement: &'_ Settlement| settlement.tagged.iter().map(|name| name.text.clone()).collect::<Vec<_>>();
    let others = known.alternates.iter().cloned().chain(tagged(known));
    // Codes and short forms are not distinctive.
    let is_own = |name: &String| name.chars().count() > SHORTEST_OTHER_NAME && key(name) == own;
    others.into_iter().any(|name| is_own(&name)) || {
        let theirs = key(&known.name);
        tagged(imported).iter().any(|name| key(name) == theirs)
    }
}

/// Airports with a common code are the same; without one, airports near each other are if their names agree, unless
/// their codes differ.
fn add_airports(airports: &mut Vec<Airport>, added: Vec<Airport>, merges: &mut Merges) {
    let codes =
        airports.iter().enumerate().flat_map(|(index, airport)| codes_of(airport).map(move |code| (code, index)));
    let by_code: HashMap<String, usize> = codes.collect();
    let nearby = Nearby::new(airports.iter().map(|airport| airport.position).enumerate());
    let mut seen: HashSet<String> = airports.iter().map(|airport| airport.ident.clone()).collect();
    for airport in added {
        let by_code = codes_of(&airport).find_map(|code| by_code.get(&code).copied());
        let by_code = by_code.filter(|&index| airports[index].position.distance_m(airport.position) < FAR_AIRPORT_M);
        let by_place = || {
            let near = nearby.within(airport.position, SAME_AIRPORT_M).map(|(index, _)| index);
            near.into_iter().find(|&index| {
                let known = &airports[index];
                known.country == airport.country
                    && !have_different_codes(known, &airport)
                    && names_agree(known, &airport)
            })
        };
        match by_code.map(|index| (index, Why::Code)).or_else(|| by_place().map(|index| (index, Why::Name))) {
            Some((index, why)) => {
                merges.add(side(&airport), side(&airports[index]), why);
                renew_airport(&mut airports[index], airport);
            }
            None if seen.insert(airport.ident.clone()) => airports.push(airport),
            None => {}
        }
    }
    airports.sort_by(|a, b| a.ident.cmp(&b.ident));
}

fn side(airport: &Airport) -> Side<'_> {
    Side { id: &airport.ident, name: &airport.name, at: airport.position }
}

/// Codes as keys: IATA codes have three letters and ICAO codes four, so they cannot collide.
fn codes_of(airport: &Airport) -> impl Iterator<Item = String> {
    airport.iata.iter().chain(&airport.icao).cloned().collect::<Vec<_>>().into_iter()
}

fn have_different_codes(a: &Airport, b: &Airport) -> bool {
    let differ = |a: &Option<String>, b: &Option<String>| a.is_some() && b.is_some() && a != b;
    differ(&a.iata, &b.iata) || differ(&a.icao, &b.icao)
}

fn renew_airport(old: &mut Airport, new: Airport) {
    let mut alternates = std::mem::take(&mut old.alternates);
    if key(&old.name) != key(&new.name) {
        alternates.push(std::mem::take(&mut old.name));
    }
    alternates.extend(new.alternates);
    *old = Airport {
        ident: std::mem::take(&mut old.ident),
        iata: new.iata.or(old.iata.take()),
        icao: new.icao.or(old.icao.take()),
        metropolis: new.metropolis.or(old.metropolis.take()),
        alternates,
        city: if new.city.is_empty() { std::mem::take(&mut old.city) } else { new.city },
        name: new.name,
        country: new.country,
        position: new.position,
    };
}

fn add_sites(inputs: &mut Inputs, sites: Vec<Site>) {
    let (stations, landmarks): (Vec<_>, Vec<_>) = sites.into_iter().partition(|site| site.r#type == "station");
    inputs.stations.extend(stations);
    inputs.landmarks.extend(landmarks);
}

/// The index of a place with a GeoNames id.
#[derive(Clone, Copy)]
enum Target {
    Settlement(u32),
    State(u32),
    County(u32),
    Airport(u32),
    Site(u32),
}

fn add_alternate_names(
    inputs: &mut Inputs,
    geonames: &mut GeoNamesPlaces,
    file: &ImportFile,
) -> Result<(), BuildError> {
    let step = Step::open("ids of GeoNames");
    let targets = targets(inputs, geonames);
    step.finish(targets.len());
    geonames_alternate_names::read(
        file,
        |id| targets.contains_key(&id),
        |id, alternate| match (targets[&id], alternate) {
            (Target::Airport(index), alternate) => name_airport(&mut geonames.airports[index as usize], alternate),
            (Target::Settlement(index), Alternate::Ranked(name)) => {
                inputs.settlements[index as usize].ranked.push(name)
            }
            (Target::Settlement(index), Alternate::Untagged(name)) => {
                let alternates = &mut inputs.settlements[index as usize].alternates;
                if !alternates.contains(&name) {
                    alternates.push(name);
                }
            }
            (Target::State(index), Alternate::Ranked(name)) => inputs.states[index as usize].ranked.push(name),
            (Target::County(index), Alternate::Ranked(name)) => inputs.counties[index as usize].ranked.push(name),
            (Target::Site(index), Alternate::Ranked(name)) => geonames.sites[index as usize].tagged.push(name.name),
            // Ignored: codes of places other than airports, and untagged names of places that need a language.
            _ => {}
        },
    )?;
    Ok(())
}

fn name_airport(airport: &mut Airport, alternate: Alternate) {
    match alternate {
        Alternate::Iata(text) => airport.iata = code(&text, 3).or(airport.iata.take()),
        Alternate::Icao(text) => airport.icao = code(&text, 4).or(airport.icao.take()),
        Alternate::Ranked(name) => airport.alternates.push(name.name.text),
        Alternate::Untagged(name) => airport.alternates.push(name),
    }
}

fn targets(inputs: &Inputs, geonames: &GeoNamesPlaces) -> HashMap<u64, Target> {
    let settlements = (0..).zip(&inputs.settlements).map(|(index, place)| (place.id, Target::Settlement(index)));
    let states = (0..).zip(&inputs.states).filter_map(|(index, state)| Some((state.id?, Target::State(index))));
    let counties = (0..).zip(&inputs.counties).filter_map(|(index, county)| Some((county.id?, Target::County(index))));
    let airports =
        (0..).zip(&geonames.airports).filter_map(|(index, a)| Some((id_of(&a.ident)?, Target::Airport(index))));
    let sites = (0..).zip(&geonames.sites).filter_map(|(index, s)| Some((id_of(&s.slug)?, Target::Site(index))));
    settlements.chain(states).chain(counties).chain(airports).chain(sites).collect()
}

#[cfg(test)]
mod tests {
    use toponym_engine::coverage::Continent;
    use toponym_engine::geo::Coordinate;

    use super::*;
    use crate::gazetteer::{test_pair, test_settlement};
    use crate::sources::rows::{RankedName, Tagged, Usage};

    #[test]
    fn each_source_is_credited_once() {
        use Format::{Admin1, OurAirports, PlainCsv, PlainGeoJson, PlainLines, Table};
        let check = |formats: &[Format], expect: &[&str]| {
            let files =
                Files(formats.iter().map(|&format| (format, ImportFile::InMemory("file".into(), "".into()))).collect());
            let lines = files.attribution();
            let sources: Vec<&str> = lines.iter().map(|line| line.split(" (").next().unwrap_or_default()).collect();
            assert_eq!(sources, expect, "{formats:?}");
        };
        check(&[], &[]);
        check(&[PlainCsv, PlainGeoJson, PlainLines], &[]);
        check(&[Table, Admin1, Table, PlainCsv], &["Places added: © GeoNames"]);
        check(&[Table, OurAirports, OurAirports], &["Airports added: OurAirports", "Places added: © GeoNames"]);
    }

    #[test]
    fn a_country_is_the_same_by_its_code() {
        let country = |iso2: &[u8; 2], name: &str| Country {
            iso2: *iso2,
            iso3: String::new(),
            id: 1,
            name: name.into(),
            capital: String::new(),
            area_km2: 0.0,
            population: 0,
            continent: Continent::Europe,
            languages: Vec::new(),
        };
        let mut countries = vec![country(b"BE", "Belgium"), country(b"FR", "Frankreich")];
        for added in [country(b"FR", "France"), country(b"AD", "Andorra"), country(b"ES", "Spain")] {
            add_country(&mut countries, added);
        }
        let names: Vec<&str> = countries.iter().map(|country| country.name.as_str()).collect();
        assert_eq!(names, ["Andorra", "Belgium", "Spain", "France"]);
    }

    fn ranked(text: &str) -> RankedName {
        RankedName { name: Tagged { lang: "de".into(), text: text.into() }, usage: Usage::Usual }
    }

    fn division(code: &str, name: &str, id: u64, names: &[&str]) -> Division {
        Division {
            code: code.into(),
            name: name.into(),
            id: Some(id),
            ranked: names.iter().copied().map(ranked).collect(),
        }
    }

    #[test]
    fn a_division_is_the_same_by_its_code_and_keeps_its_names() {
        let mut divisions =
            vec![division("FR.11", "Paris", 1, &["Pariser Becken"]), division("FR.20", "Corse", 2, &[])];
        let added = ["FR.11", "FR.09", "FR.09", "FR.20"].map(|code| division(code, "New", 3, &["Neu"]));
        add_divisions(&mut divisions, added.to_vec());
        let names =
            |division: &Division| division.ranked.iter().map(|ranked| ranked.name.text.clone()).collect::<Vec<_>>();
        let found: Vec<_> = divisions.iter().map(|d| (d.code.as_str(), d.name.as_str(), names(d).join(" "))).collect();
        let expect = [("FR.09", "New", "Neu"), ("FR.11", "New", "Pariser Becken"), ("FR.20", "New", "")];
        // Of one that is said twice in the files, the names of the first.
        assert_eq!(found, expect.map(|(code, name, names)| (code, name, names.to_owned())));
    }

    fn site(slug: &str, r#type: &str) -> Site {
        Site {
            slug: slug.into(),
            origin: Origin::Added,
            name: slug.into(),
            tagged: Vec::new(),
            alternates: Vec::new(),
            merged: Vec::new(),
            country: *b"FR",
            city: String::new(),
            position: Coordinate::new(48.0, 2.0).expect("a test coordinate is in range"),
            r#type: r#type.into(),
            prominence: 0.0,
            extent_m: 100.0,
            bounds: None,
        }
    }

    #[test]
    fn stations_are_told_from_landmarks() {
        let mut inputs = Inputs::default();
        add_sites(&mut inputs, vec![site("a", "museum"), site("b", "station"), site("c", "tower")]);
        let slugs = |sites: &[Site]| sites.iter().map(|site| site.slug.as_str()).collect::<Vec<_>>().join(" ");
        assert_eq!((slugs(&inputs.stations), slugs(&inputs.landmarks)), ("b".to_owned(), "a c".to_owned()));
    }

    /// Names for a place of each kind, by its id of GeoNames.
    #[test]
    fn names_find_their_place_by_its_id() {
        let mut inputs = Inputs {
            settlements: vec![test_settlement(1, "Ville", (48.0, 2.0), 0), test_settlement(2, "Bourg", (48.0, 3.0), 0)],
            states: vec![division("FR.11", "State", 3, &[])],
            counties: vec![division("FR.11.75", "County", 4, &[])],
            ..Inputs::default()
        };
        let airport = Airport {
            ident: "geonames-5".into(),
            iata: Some("OLD".into()),
            icao: None,
            metropolis: None,
            name: "Field".into(),
            alternates: Vec::new(),
            city: String::new(),
            country: *b"FR",
            position: Coordinate::new(48.0, 2.0).expect("a test coordinate is in range"),
        };
        let mut field = GeoNamesPlaces {
            airports: vec![airport],
            sites: vec![site("geonames-6", "tower")],
            ..GeoNamesPlaces::default()
        };
        let rows = [
            "1\tde\tStadt",
            "2\tde\tFleck",
            "2\t\tBourgade",
            "2\t\tBourgade",
            "2\tiata\tXYZ",
            "3\tde\tLand",
            "3\t\tUntold",
            "4\tde\tKreis",
            "5\tde\tPlatz",
            "5\t\tAerodrome",
            "5\tiata\tABC",
            "5\ticao\tLFAB",
            "5\ticao\ttoo long",
            "6\tde\tTurm",
            "7\tde\tNiemand",
        ];
        let text: String = rows.iter().map(|row| format!("1\t{row}\t\t\t\t\t\t\n")).collect();
        add_alternate_names(&mut inputs, &mut field, &ImportFile::InMemory("names.txt".into(), text.into()))
            .expect("the rows are whole");
        let names =
            |ranked: &[RankedName]| ranked.iter().map(|ranked| ranked.name.text.as_str()).collect::<Vec<_>>().join(" ");
        let [first, second] = &inputs.settlements[..] else { panic!("none is added") };
        assert_eq!((names(&first.ranked), names(&second.ranked)), ("Stadt".to_owned(), "Fleck".to_owned()));
        assert_eq!((first.alternates.len(), second.alternates.as_slice()), (0, &["Bourgade".to_owned()][..]));
        assert_eq!(
            (names(&inputs.states[0].ranked), names(&inputs.counties[0].ranked)),
            ("Land".into(), "Kreis".into())
        );
        let airport = &field.airports[0];
        assert_eq!((airport.iata.as_deref(), airport.icao.as_deref()), (Some("ABC"), Some("LFAB")));
        assert_eq!(airport.alternates, ["Platz", "Aerodrome"]);
        assert_eq!(field.sites[0].tagged, [Tagged { lang: "de".into(), text: "Turm".into() }]);
    }

    /// What a source counted, what is written by hand, and what holds.
    #[test]
    fn a_curated_part_of_a_city_has_the_greater_population() {
        let check = |counted: u64, curated: u64, expect: u64| {
            let mut inputs = Inputs {
                settlements: vec![test_settlement(7, "Ville", (48.0, 2.0), counted)],
                quarters: vec![test_settlement(100, "Ville", (48.01, 2.0), curated)],
                ..Inputs::default()
            };
            add_curated(&mut inputs);
            let found: Vec<_> = inputs.settlements.iter().map(|place| (place.id, place.population)).collect();
            assert_eq!((found, inputs.quarters.len()), (vec![(7, expect)], 0), "{counted} {curated}");
        };
        check(5, 9, 9);
        check(9, 5, 9);
        check(9, 0, 9);
    }

    /// On the line, two places are two.
    #[test]
    fn places_exactly_as_far_apart_as_one_may_reach_are_two() {
        let (a, b) = test_pair(SAME_PLACE_M);
        let mut settlements = vec![Settlement { position: a, ..test_settlement(7, "Ville", (0.0, 0.0), 9) }];
        let own = Settlement { position: b, ..test_settlement(100, "Ville", (0.0, 0.0), 9) };
        add_own(&mut settlements, vec![own]);
        assert_eq!(settlements.len(), 2);
    }

    #[test]
    fn an_airport_that_is_said_twice_is_there_once() {
        let airport = |ident: &str, lat: f64| Airport {
            ident: ident.into(),
            iata: None,
            icao: None,
            metropolis: None,
            name: "Field".into(),
            alternates: Vec::new(),
            city: String::new(),
            country: *b"FR",
            position: Coordinate::new(lat, 2.0).expect("a test coordinate is in range"),
        };
        let mut airports = Vec::new();
        add_airports(
            &mut airports,
            vec![airport("A", 48.0), airport("A", 49.0), airport("B", 50.0)],
            &mut Merges::default(),
        );
        let found: Vec<_> = airports.iter().map(|airport| (airport.ident.as_str(), airport.position.lat())).collect();
        assert_eq!(found, [("A", 48.0), ("B", 50.0)]);
    }

    fn add_own(settlements: &mut Vec<Settlement>, own: Vec<Settlement>) {
        let matching = Matching { step: "your settlements", other_names: true, population: |_, imported| imported };
        let own = own.into_iter().map(|settlement| (String::new(), settlement)).collect();
        add_plain_settlements(settlements, own, &matching, &mut Merges::default());
    }

    #[test]
    fn settlements_agree_in_other_names_if_they_are_of_one_kind() {
        let check = |name: &str, feature: Feature, expect: usize| {
            let known = Settlement {
                alternates: vec!["München".into(), "MUC".into()],
                ..test_settlement(7, "Munich", (48.0, 2.0), 9)
            };
            let mut settlements = vec![known];
            add_own(&mut settlements, vec![Settlement { feature, ..test_settlement(100, name, (48.0, 2.0), 9) }]);
            assert_eq!(settlements.len(), expect, "{name} {feature:?}");
        };
        check("Munich", Feature::Place, 1);
        check("MÜNCHEN", Feature::Place, 1);
        check("München", Feature::Section, 2);
        check("MUC", Feature::Place, 2);
        check("Monaco", Feature::Place, 2);
    }

    #[test]
    fn imported_data_takes_precedence() {
        let pinned = Settlement {
            alternates: vec!["Villa".into()],
            admin1: "11".into(),
            admin2: "77".into(),
            feature: Feature::SecondSeat,
            ..test_settlement(7, "Ville", (48.0, 2.0), 5_000)
        };
        let mut settlements = vec![pinned, test_settlement(8, "Far", (40.0, 2.0), 1)];
        let added = Settlement {
            alternates: vec!["Villa".into(), "Вилль".into()],
            admin1: "12".into(),
            timezone: "".into(),
            ..test_settlement(7, "Ville-sur-Mer", (48.1, 2.0), 0)
        };
        add_settlements(&mut settlements, vec![added]);
        let found = &settlements[0];
        assert_eq!((found.name.as_str(), found.position.lat(), found.population), ("Ville-sur-Mer", 48.1, 5_000));
        assert_eq!(found.alternates, ["Villa", "Ville", "Вилль"]);
        assert_eq!((&*found.admin1, &*found.admin2, &*found.timezone), ("12", "", "Europe/Paris"));
        assert_eq!(found.feature, Feature::SecondSeat);
    }

    #[test]
    fn plain_settlements_are_the_same_by_id_or_by_name_and_distance() {
        let mut settlements = vec![
            Settlement { admin1: "11".into(), ..test_settlement(7, "Ville", (48.0, 2.0), 5_000) },
            test_settlement(8, "Ville", (40.0, 2.0), 1),
        ];
        let plain = vec![
            test_settlement(7, "By id", (48.0, 2.0), 0),
            test_settlement(100, "VILLE", (40.01, 2.0), 9),
            test_settlement(101, "Ville", (48.1, 2.0), 0),
        ];
        add_own(&mut settlements, plain);
        let found: Vec<_> = settlements.iter().map(|s| (s.id, s.name.as_str(), s.population, &*s.admin1)).collect();
        assert_eq!(found, [(7, "By id", 5_000, "11"), (8, "VILLE", 9, ""), (101, "Ville", 0, "11")]);
    }

    #[test]
    fn airports_are_the_same_by_code_or_by_place() {
        let airport = |ident: &str, iata: Option<&str>, name: &str, lat: f64| Airport {
            ident: ident.into(),
            iata: iata.map(str::to_owned),
            icao: None,
            metropolis: None,
            name: name.into(),
            alternates: Vec::new(),
            city: "Paris".into(),
            country: *b"FR",
            position: Coordinate::new(lat, 2.0).expect("a test coordinate is in range"),
        };
        let mut airports =
            vec![airport("LFPG", Some("CDG"), "Roissy", 49.0), airport("LFPO", Some("ORY"), "Orly", 48.7)];
        let added = vec![
            airport("1", Some("CDG"), "Charles de Gaulle", 49.01),
            airport("2", None, "Paris Orly", 48.71),
            airport("3", Some("LBG"), "Le Bourget", 48.99),
            airport("4", Some("ORY"), "Orly in the Alps", 45.0),
        ];
        add_airports(&mut airports, added, &mut Merges::default());
        let found: Vec<_> = airports.iter().map(|a| (a.ident.as_str(), a.name.as_str(), a.iata.as_deref())).collect();
        assert_eq!(
            found,
            [
                ("3", "Le Bourget", Some("LBG")),
                ("4", "Orly in the Alps", Some("ORY")),
                ("LFPG", "Charles de Gaulle", Some("CDG")),
                ("LFPO", "Paris Orly", Some("ORY")),
            ]
        );
    }

    /// Checks the known value, the imported value, and the expected result.
    #[test]
    fn a_replaced_settlement_keeps_what_only_the_old_one_has() {
        use Feature::{Capital, Place, Section, Unknown};
        let place = |feature, [admin1, admin2]: [&str; 2], population| Settlement {
            feature,
            admin1: admin1.into(),
            admin2: admin2.into(),
            ..test_settlement(7, "Ville", (48.0, 2.0), population)
        };
        let renewed = |old: Settlement, new: Settlement| {
            let mut found = old;
            renew(&mut found, new);
            found
        };
        let check = |old: Feature, new: Feature, expect: Feature| {
            let found = renewed(place(old, ["", ""], 0), place(new, ["", ""], 0));
            assert_eq!(found.feature, expect, "{old:?} {new:?}");
        };
        check(Capital, Place, Capital);
        check(Capital, Unknown, Capital);
        check(Capital, Section, Section);
        check(Unknown, Place, Place);
        check(Unknown, Section, Section);
        let check = |old: [&str; 2], new: [&str; 2], expect: [&str; 2]| {
            let found = renewed(place(Place, old, 0), place(Place, new, 0));
            assert_eq!([&*found.admin1, &*found.admin2], expect, "{old:?} {new:?}");
        };
        check(["11", "77"], ["", ""], ["11", "77"]);
        check(["11", "77"], ["11", ""], ["11", "77"]);
        check(["11", "77"], ["11", "78"], ["11", "78"]);
        check(["11", "77"], ["12", ""], ["12", ""]);
        check(["11", "77"], ["12", "79"], ["12", "79"]);
        check(["11", "77"], ["", "79"], ["11", "79"]);
        let check = |old: u64, new: u64, expect: u64| {
            let found = renewed(place(Place, ["", ""], old), place(Place, ["", ""], new));
            assert_eq!(found.population, expect, "{old} {new}");
        };
        check(5, 0, 5);
        check(5, 1, 1);
        check(5, 9, 9);
    }

    #[test]
    fn known_names_are_not_repeated() {
        let mut found =
            Settlement { alternates: vec!["A".into(), "B".into()], ..test_settlement(7, "Ville", (48.0, 2.0), 0) };
        renew(
            &mut found,
            Settlement { alternates: vec!["B".into(), "C".into()], ..test_settlement(7, "VILLE", (48.0, 2.0), 0) },
        );
        assert_eq!(
            (found.name.as_str(), found.alternates.as_slice()),
            ("VILLE", &["A", "B", "C"].map(str::to_owned)[..])
        );
    }

    #[test]
    fn a_plain_settlement_without_a_division_gets_that_of_its_neighbour() {
        let check = |country: &[u8; 2], lat: f64, admin1: &str, expect: [&str; 2]| {
            let neighbour =
                Settlement { admin1: "11".into(), admin2: "77".into(), ..test_settlement(7, "Ville", (48.0, 2.0), 9) };
            let plain =
                Settlement { country: *country, admin1: admin1.into(), ..test_settlement(100, "Own", (lat, 2.0), 9) };
            let mut settlements = vec![neighbour];
            add_own(&mut settlements, vec![plain]);
            let found = settlements.iter().find(|settlement| settlement.id == 100).expect("it is added");
            assert_eq!([&*found.admin1, &*found.admin2], expect, "{country:?} {lat} {admin1}");
        };
        check(b"FR", 48.1, "", ["11", "77"]);
        check(b"FR", 48.1, "12", ["12", ""]);
        check(b"FR", 48.5, "", ["", ""]);
        check(b"BE", 48.1, "", ["", ""]);
    }

    #[test]
    fn plain_settlements_with_one_name_are_the_same_within_three_kilometres() {
        let check = |metres: f64, expect: usize| {
            let lat = 48.0 + metres / toponym_engine::geo::METRES_PER_DEGREE;
            let mut settlements = vec![test_settlement(7, "Ville", (48.0, 2.0), 9)];
            add_own(&mut settlements, vec![test_settlement(100, "Ville", (lat, 2.0), 9)]);
            assert_eq!(settlements.len(), expect, "{metres}");
        };
        check(2_990.0, 1);
        check(3_010.0, 2);
    }

    /// Checks the codes, position and country of two airports, and whether they are the same.
    #[test]
    fn codes_and_distance_distinguish_airports() {
        let airport = |ident: &str, [iata, icao]: [&str; 2], country: &[u8; 2], lat: f64| Airport {
            ident: ident.into(),
            iata: Some(iata.to_owned()).filter(|code| !code.is_empty()),
            icao: Some(icao.to_owned()).filter(|code| !code.is_empty()),
            metropolis: None,
            name: "Le Bourget Field".into(),
            alternates: Vec::new(),
            city: String::new(),
            country: *country,
            position: Coordinate::new(lat, 2.0).expect("a test coordinate is in range"),
        };
        let check = |known: [&str; 2], added: [&str; 2], country: &[u8; 2], km: f64, are_one: bool| {
            let lat = 48.0 + km * 1_000.0 / toponym_engine::geo::METRES_PER_DEGREE;
            let mut airports = vec![airport("K", known, b"FR", 48.0)];
            add_airports(&mut airports, vec![airport("A", added, country, lat)], &mut Merges::default());
            assert_eq!(airports.len() == 1, are_one, "{known:?} {added:?} {km}");
        };
        check(["CDG", ""], ["CDG", ""], b"FR", 99.0, true);
        check(["CDG", ""], ["CDG", ""], b"FR", 101.0, false);
        check(["", "LFPG"], ["", "LFPG"], b"FR", 99.0, true);
        check(["CDG", "LFPG"], ["XXX", "LFPG"], b"FR", 1.0, true);
        check(["CDG", ""], ["", ""], b"FR", 2.4, true);
        check(["CDG", ""], ["", ""], b"FR", 2.6, false);
        check(["CDG", ""], ["", "LFPG"], b"FR", 1.0, true);
        check(["CDG", ""], ["ORY", ""], b"FR", 1.0, false);
        check(["", "LFPG"], ["", "LFPO"], b"FR", 1.0, false);
        check(["CDG", ""], ["ORY", "LFPO"], b"FR", 1.0, false);
        check(["", ""], ["", ""], b"FR", 1.0, true);
        check(["", ""], ["", ""], b"BE", 1.0, false);
    }

    #[test]
    fn a_replaced_airport_keeps_what_only_the_old_one_has() {
        let airport = |name: &str, city: &str, iata: Option<&str>| Airport {
            ident: "K".into(),
            iata: iata.map(str::to_owned),
            icao: None,
            metropolis: None,
            name: name.into(),
            alternates: Vec::new(),
            city: city.into(),
            country: *b"FR",
            position: Coordinate::new(48.0, 2.0).expect("a test coordinate is in range"),
        };
        let check = |new: Airport, name: &str, alternates: &[&str], city: &str| {
            let mut found = airport("Roissy", "Paris", Some("CDG"));
            renew_airport(&mut found, new);
            assert_eq!((found.name.as_str(), found.city.as_str(), found.iata.as_deref()), (name, city, Some("CDG")));
            assert_eq!(found.alternates, alternates);
        };
        check(airport("ROISSY", "", None), "ROISSY", &[], "Paris");
        check(airport("Charles de Gaulle", "Roissy", Some("CDG")), "Charles de Gaulle", &["Roissy"], "Roissy");
    }
}
