//! Merges the rows of added files that are not areas: each kind waits until those before it are merged.

use std::collections::HashMap;

use super::super::inputs::Inputs;
use super::super::matcher::{Matcher, OwnRow, ROWS};
use super::super::sites;
use super::airports::add_airports;
use super::rows::{Own, Row};
use super::settlements::{Merging, Plain, add_plain_settlements, add_settlements};
use super::sites::add_sites;
use crate::sources::airportsdata::code;
use crate::sources::import::geonames_alternate_names::Alternate;
use crate::sources::import::geonames_table::id_of;
use crate::sources::import::plain::Item;
use crate::sources::rows::{Airport, Origin, RankedName, Settlement, Site, Usage};
use crate::text::Interner;

/// Rows that are not merged yet.
#[derive(Default)]
pub(super) struct Added {
    interner: Interner,
    /// Settlements of GeoNames tables; the airports and sites below are of them, too.
    settlements: Vec<Settlement>,
    airports: Vec<Airport>,
    sites: Vec<Site>,
    /// Places with an id of GeoNames, since the first name of one.
    named: Option<HashMap<u64, Target>>,
    /// Airports of each file of OurAirports, by its number.
    our_airports: Vec<(u32, Vec<Airport>)>,
    /// Rows of sources with an adapter.
    adapted: OfFiles,
    /// Rows of files in the project's own schema.
    own: OfFiles,
}

/// Rows of files that are read by the plain schema.
#[derive(Default)]
struct OfFiles {
    settlements: Vec<Plain>,
    /// Airports of each file, by its number.
    airports: Vec<(u32, Vec<Airport>)>,
    sites: Vec<Site>,
}

/// The index of a place with a GeoNames id.
#[derive(Clone, Copy)]
enum Target {
    Settlement(u32),
    Airport(u32),
    Site(u32),
}

impl Added {
    /// Takes the next row, in the order of [`super::read`].
    pub fn take(&mut self, inputs: &mut Inputs, row: Row) {
        match row {
            Row::Settlement(settlement) => {
                let settlement = share_texts(&mut self.interner, settlement);
                self.settlements.push(settlement);
            }
            Row::Airport(airport) => self.airports.push(airport),
            Row::Site(site) => {
                inputs.imported.add(sites::id(&site));
                self.sites.push(site);
            }
            Row::Name(id, name) => self.name(inputs, id, name),
            Row::OurAirport(file, airport) => push_of_file(&mut self.our_airports, file, airport),
            Row::Own(Own { origin, file, id, item }) => {
                let of_files = if origin == Origin::Operator { &mut self.own } else { &mut self.adapted };
                match item {
                    Item::Settlement(settlement) => {
                        let settlement = share_texts(&mut self.interner, settlement);
                        of_files.settlements.push(Plain { row: Some(OwnRow { file, id }), settlement });
                    }
                    Item::Airport(airport) => push_of_file(&mut of_files.airports, file, airport),
                    Item::Site(site) => {
                        inputs.imported.add_own(sites::id(&site), OwnRow { file, id });
                        of_files.sites.push(site);
                    }
                }
            }
        }
    }

    /// Merges what is left, in the order of precedence: what comes later counts more. Of two rows of one place the data of the later one is
    /// kept.
    pub fn finish(mut self, inputs: &mut Inputs) {
        self.add_settlements(inputs);
        add_airports_of(inputs, self.airports, None);
        let table_sites = self.sites;
        let adapted_sites = self.adapted.add("added settlements", inputs);
        for (_, of_file) in self.our_airports {
            add_airports_of(inputs, of_file, None);
        }
        add_curated(inputs);
        let own_sites = self.own.add("your settlements", inputs);
        // Of sites of one origin the first is kept, so the later file has to come first.
        [own_sites, adapted_sites, table_sites].into_iter().for_each(|sites| add_sites(inputs, sites));
    }

    fn add_settlements(&mut self, inputs: &mut Inputs) {
        let added = std::mem::take(&mut self.settlements);
        let Inputs { settlements, tables, imported, merges, .. } = inputs;
        add_settlements(settlements, added, &mut Matcher::new(ROWS, &tables.groups, imported, merges));
    }

    /// Gives a name to the place with an id.
    fn name(&mut self, inputs: &mut Inputs, id: u64, name: Alternate) {
        if self.named.is_none() {
            self.add_settlements(inputs);
            self.named = Some(self.targets(inputs));
        }
        let target = self.named.as_ref().and_then(|named| named.get(&id)).copied();
        match (target, name) {
            (Some(Target::Airport(index)), name) => name_airport(&mut self.airports[index as usize], name),
            (Some(Target::Settlement(index)), Alternate::Ranked(name)) => {
                inputs.settlements[index as usize].ranked.push(name);
            }
            (Some(Target::Settlement(index)), Alternate::Untagged(name)) => {
                let alternates = &mut inputs.settlements[index as usize].alternates;
                if !alternates.contains(&name) {
                    alternates.push(name);
                }
            }
            (Some(Target::Site(index)), Alternate::Ranked(name)) => self.sites[index as usize].ranked.push(name),
            // Codes of places other than airports, and untagged names of places that need a language.
            _ => {}
        }
    }

    fn targets(&self, inputs: &Inputs) -> HashMap<u64, Target> {
        let settlements = (0..).zip(&inputs.settlements).map(|(index, place)| (place.id, Target::Settlement(index)));
        let airports = (0..).zip(&self.airports);
        let airports = airports.filter_map(|(index, place)| Some((id_of(&place.ident)?, Target::Airport(index))));
        let sites = (0..).zip(&self.sites);
        let sites = sites.filter_map(|(index, place)| Some((id_of(&place.slug)?, Target::Site(index))));
        settlements.chain(airports).chain(sites).collect()
    }
}

impl OfFiles {
    /// Merges settlements and airports. Returns the sites, those of the last file first.
    fn add(self, step: &'static str, inputs: &mut Inputs) -> Vec<Site> {
        let merging = Merging { step, other_names: true, population: |_, imported| imported };
        add_plain_of(inputs, self.settlements, &merging);
        for (file, of_file) in self.airports {
            add_airports_of(inputs, of_file, Some(file));
        }
        let mut sites = self.sites;
        sites.reverse();
        sites
    }
}

/// Merges the curated parts of cities. Their population stands for how well known they are, so a greater population of another source is
/// kept.
fn add_curated(inputs: &mut Inputs) {
    let quarters = std::mem::take(&mut inputs.quarters).into_iter();
    let curated = quarters.map(|settlement| Plain { row: None, settlement }).collect();
    add_plain_of(inputs, curated, &Merging { step: "parts of cities", other_names: false, population: u64::max });
}

fn add_plain_of(inputs: &mut Inputs, plain: Vec<Plain>, merging: &Merging) {
    let Inputs { settlements, tables, imported, merges, .. } = inputs;
    add_plain_settlements(settlements, plain, merging, &mut Matcher::new(ROWS, &tables.groups, imported, merges));
}

fn add_airports_of(inputs: &mut Inputs, added: Vec<Airport>, own: Option<u32>) {
    let Inputs { airports, tables, imported, merges, .. } = inputs;
    add_airports(airports, added, own, &mut Matcher::new(ROWS, &tables.groups, imported, merges));
}

/// Shares texts: millions of rows have thousands of codes and time zones.
fn share_texts(interner: &mut Interner, mut settlement: Settlement) -> Settlement {
    for text in [&mut settlement.admin1, &mut settlement.admin2, &mut settlement.timezone] {
        *text = interner.share(text);
    }
    settlement
}

/// Adds an airport to those of its file, which come one after the other.
fn push_of_file(files: &mut Vec<(u32, Vec<Airport>)>, file: u32, airport: Airport) {
    match files.last_mut() {
        Some((last, airports)) if *last == file => airports.push(airport),
        _ => files.push((file, vec![airport])),
    }
}

fn name_airport(airport: &mut Airport, name: Alternate) {
    match name {
        Alternate::Iata(text) => airport.iata = code(&text, 3).or(airport.iata.take()),
        Alternate::Icao(text) => airport.icao = code(&text, 4).or(airport.icao.take()),
        Alternate::Ranked(RankedName { name, usage: Usage::Weak }) => airport.weak_names.push(name.text),
        Alternate::Ranked(name) => airport.alternates.push(name.name.text),
        Alternate::Untagged(name) => airport.alternates.push(name),
    }
}

#[cfg(test)]
mod tests {
    use super::super::files::test_files;
    use super::super::read;
    use super::super::sites::test_site;
    use super::*;
    use crate::gazetteer::import::areas::test_division;
    use crate::gazetteer::{test_airport, test_settlement};
    use crate::sources::import::ImportFile;
    use crate::sources::import::geonames_alternate_names;
    use crate::sources::import::languages::Languages;
    use crate::sources::rows::Tagged;

    fn add_names(inputs: &mut Inputs, mut added: Added, rows: &[&str]) -> Added {
        let text: String = rows.iter().map(|row| format!("1\t{row}\t\t\t\t\t\t\n")).collect();
        let file = ImportFile::InMemory("names.txt".into(), text.into());
        let mut names = Vec::new();
        geonames_alternate_names::read(&file, |_| true, &Languages::default(), |id, name| names.push((id, name)))
            .expect("the rows are whole");
        names.into_iter().for_each(|(id, name)| added.take(inputs, Row::Name(id, name)));
        added
    }

    /// Checks names for a place of each kind, by its id of GeoNames.
    #[test]
    fn names_find_their_place_by_its_id() {
        let mut inputs = Inputs {
            settlements: vec![test_settlement(1, "Ville", (48.0, 2.0), 0), test_settlement(2, "Bourg", (48.0, 3.0), 0)],
            ..Inputs::default()
        };
        let airport = Airport { iata: Some("OLD".into()), ..test_airport("geonames-5", "Field", (48.0, 2.0)) };
        let added =
            Added { airports: vec![airport], sites: vec![test_site("geonames-6", "tower")], ..Added::default() };
        let rows = [
            "1\tde\tStadt",
            "2\tde\tFleck",
            "2\t\tBourgade",
            "2\t\tBourgade",
            "2\tiata\tXYZ",
            "5\tde\tPlatz",
            "5\t\tAerodrome",
            "5\tiata\tABC",
            "5\ticao\tLFAB",
            "5\ticao\ttoo long",
            "6\tde\tTurm",
            "7\tde\tNiemand",
        ];
        let added = add_names(&mut inputs, added, &rows);
        let [first, second] = &inputs.settlements[..] else { panic!("none is added") };
        assert_eq!(
            (ranked_texts(&first.ranked), ranked_texts(&second.ranked)),
            ("Stadt".to_owned(), "Fleck".to_owned())
        );
        assert_eq!((first.alternates.len(), second.alternates.as_slice()), (0, &["Bourgade".to_owned()][..]));
        let airport = &added.airports[0];
        assert_eq!((airport.iata.as_deref(), airport.icao.as_deref()), (Some("ABC"), Some("LFAB")));
        assert_eq!(airport.alternates, ["Platz", "Aerodrome"]);
        let tower = RankedName { name: Tagged { lang: "de".into(), text: "Turm".into() }, usage: Usage::Usual };
        assert_eq!(added.sites[0].ranked, [tower]);
    }

    fn ranked_texts(ranked: &[RankedName]) -> String {
        ranked.iter().map(|ranked| ranked.name.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_of_areas_are_theirs() {
        let mut inputs = Inputs {
            states: vec![test_division("FR.11", "State", 3, &[])],
            counties: vec![test_division("FR.11.75", "County", 4, &[])],
            ..Inputs::default()
        };
        let text = "1\t3\tde\tLand\t\t\t\t\t\t\n1\t3\t\tUntold\t\t\t\t\t\t\n1\t4\tde\tKreis\t\t\t\t\t\t\n";
        let files = test_files([ImportFile::InMemory("alternateNamesV2.txt".into(), text.into())]);
        let files = files.expect("its name says what it is");
        read(&mut inputs, &files, |_, row| panic!("{row:?} is not an area")).expect("the rows are whole");
        let names =
            |of: &crate::sources::rows::Division| of.ranked.iter().map(|ranked| ranked.name.text.clone()).collect();
        let found: [Vec<String>; 2] = [names(&inputs.states[0]), names(&inputs.counties[0])];
        assert_eq!(found, [["Land"], ["Kreis"]]);
    }

    /// Checks the population that a source counted, the curated one, and the one that holds.
    #[test]
    fn curated_parts_keep_the_greater_population() {
        check(5, 9, 9);
        check(9, 5, 9);
        check(9, 0, 9);
    }

    fn check(counted: u64, curated: u64, expect: u64) {
        let mut inputs = Inputs {
            settlements: vec![test_settlement(7, "Ville", (48.0, 2.0), counted)],
            quarters: vec![test_settlement(100, "Ville", (48.01, 2.0), curated)],
            ..Inputs::default()
        };
        Added::default().finish(&mut inputs);
        let found: Vec<_> = inputs.settlements.iter().map(|place| (place.id, place.population)).collect();
        assert_eq!((found, inputs.quarters.len()), (vec![(7, expect)], 0), "{counted} {curated}");
    }

    /// Checks the position of a curated part of a city beside a row of another source, which comes before it, and of an own
    /// file, which comes after it.
    #[test]
    fn curated_parts_rank_behind_own_files() {
        let at = |lat| test_settlement(100, "Ville", (lat, 2.0), 0);
        let check = |item: Row, expect: f64| {
            let mut inputs = Inputs {
                settlements: vec![test_settlement(7, "Ville", (48.0, 2.0), 5)],
                quarters: vec![at(48.01)],
                ..Inputs::default()
            };
            let mut added = Added::default();
            added.take(&mut inputs, item);
            added.finish(&mut inputs);
            let found: Vec<_> = inputs.settlements.iter().map(|place| (place.id, place.position.lat())).collect();
            assert_eq!(found, [(7, expect)]);
        };
        let row = |origin, lat| {
            let settlement = Settlement { id: 101, ..at(lat) };
            Row::Own(Own { origin, file: 1, id: "own/1".into(), item: Item::Settlement(settlement) })
        };
        check(Row::Settlement(Settlement { id: 7, ..at(48.02) }), 48.01);
        check(row(Origin::Added, 48.02), 48.01);
        check(row(Origin::Operator, 48.02), 48.02);
    }
}
