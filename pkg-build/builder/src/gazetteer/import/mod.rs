//! Merges imported files into the rows of the pinned sources.
//!
//! A place is identified by its id, else by name and distance. Imported data takes precedence over pinned data, and the
//! project's own schema over other formats; the names of all are kept. Stations and landmarks are merged later, in
//! [`super::same_sites`], in the same order ([`Origin`]).

mod airports;
mod areas;
mod files;
mod geonames;
#[cfg(test)]
mod judged;
mod settlements;
mod sites;

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use self::airports::add_airports;
use self::areas::{add_country, add_divisions};
use self::geonames::{GeoNamesPlaces, add_alternate_names};
use self::settlements::{Matching, add_plain_settlements};
use self::sites::add_sites;
use super::borders::{borders, engine_of_borders};
use super::inputs::Inputs;
use super::merges::Merges;
use crate::error::BuildError;
use crate::sources::import::geonames_table::{Reader, TopSettlements};
use crate::sources::import::languages::Languages;
use crate::sources::import::own_ids::OwnIds;
use crate::sources::import::plain::{Item, Placed, Schema};
use crate::sources::import::{Format, geonames_admin_codes, geonames_country_info, ourairports};
use crate::sources::rows::{Airport, Iso2, Origin, Settlement, Site};

pub(crate) use files::Files;

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

    let (mut ids, languages) = (own_ids(inputs, files), Languages::default());
    let mut geonames = GeoNamesPlaces::default();
    let mut settlements = TopSettlements::new(max_places);
    for file in of(Format::Table) {
        geonames.read_table(&mut Reader::new(&inputs.tables, &known, &ids), file, &mut settlements)?;
    }
    geonames.keep_settlements(inputs, settlements);
    add_divisions(&mut inputs.states, std::mem::take(&mut geonames.states));
    add_divisions(&mut inputs.counties, std::mem::take(&mut geonames.counties));
    for file in of(Format::AlternateNames) {
        add_alternate_names(inputs, &mut geonames, file, &languages)?;
    }
    add_airports(&mut inputs.airports, std::mem::take(&mut geonames.airports), &mut inputs.merges);
    for file in of(Format::OurAirports) {
        let mut airports = Vec::new();
        ourairports::read(file, &known, |_, airport| airports.push(airport))?;
        add_airports(&mut inputs.airports, airports, &mut inputs.merges);
    }
    add_sites(inputs, geonames.sites);

    let divisions = inputs.states.iter().chain(&inputs.counties);
    ids.apart_from_divisions(divisions.filter_map(|division| Some((division.id?, division.name.clone()))));
    let plain = read_plain(inputs, files, &known, &mut ids, &languages)?;
    let matching = Matching { step: "your settlements", other_names: true, population: |_, imported| imported };
    add_plain_settlements(&mut inputs.settlements, plain.settlements, &matching, &mut inputs.merges);
    add_airports(&mut inputs.airports, plain.airports, &mut inputs.merges);
    // The first site with an id is kept, so the later file has to come first.
    add_sites(inputs, plain.sites.into_iter().rev().collect());
    Ok(())
}

/// The ids of files in the plain schema, apart from those of countries and of the sites and airports of other sources.
fn own_ids(inputs: &Inputs, files: &Files) -> OwnIds {
    let ids = OwnIds::beside(inputs.countries.iter().map(|country| (country.id, country.name.clone())));
    if !files.0.iter().any(|(format, _)| format.is_plain()) {
        return ids;
    }
    let sites = inputs.stations.iter().chain(&inputs.landmarks).map(|site| site.slug.as_str());
    ids.apart_from(sites.chain(inputs.airports.iter().map(|airport| airport.ident.as_str())))
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
    languages: &Languages,
) -> Result<PlainPlaces, BuildError> {
    let of_borders = LazyCell::new(|| engine_of_borders(borders(&inputs.patches, &inputs.settlements)));
    let country_at = |at| of_borders.country_at(at);
    let schema = Schema {
        types: &inputs.tables.types,
        classes: &inputs.tables.classes,
        countries: known,
        country_at: &country_at,
        languages,
        origin: Origin::Operator,
    };
    let mut plain = PlainPlaces::default();
    for (format, file) in files.0.iter().filter(|(format, _)| format.is_plain()) {
        schema.read(*format, file, ids, |placed| plain.keep(placed))?;
    }
    Ok(plain)
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

#[cfg(test)]
mod tests {
    use crate::gazetteer::test_settlement;

    use super::*;

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
}
