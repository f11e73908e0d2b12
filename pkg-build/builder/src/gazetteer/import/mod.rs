//! Merges imported files into the rows of the pinned sources.
//!
//! A place is identified by its id, else by name and distance. Imported data takes precedence over pinned data, and the
//! project's own schema over other formats; the names of all are kept. Stations and landmarks are merged later, in
//! [`super::same_sites`], in the same order ([`Origin`]).

mod added;
mod airports;
pub(super) mod areas;
mod files;
mod homes;
#[cfg(test)]
mod judged;
mod rows;
mod settlements;
mod sites;

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap};

use toponym_engine::NO_COUNTRY;

use self::added::Added;
use self::areas::{add_country, add_divisions, areas_by_id, name_area};
use self::homes::Homes;
use super::borders::{borders, engine_of_borders};
use super::inputs::Inputs;
use crate::error::BuildError;
use crate::sources::import::geonames_table::{self, Reader};
use crate::sources::import::languages::Languages;
use crate::sources::import::own_ids::OwnIds;
use crate::sources::import::plain::{Placed, Schema};
use crate::sources::import::{
    Format, IdSpace, geonames_admin_codes, geonames_alternate_names, geonames_country_info, ourairports,
};
use crate::sources::rows::{Iso2, Origin};
use geonames_table::Row as TableRow;

#[cfg(test)]
pub(crate) use files::test_files;
pub(crate) use files::{AddedFile, Files};
use rows::Own;
pub(crate) use rows::{Row, Rows};

/// Reads `files`: areas into `inputs`, and the other rows into `keep` with the country that each is merged in.
///
/// # Errors
/// The first row that is wrong, with its file, line and field.
pub(crate) fn read(inputs: &mut Inputs, files: &Files, keep: impl FnMut(Iso2, Row)) -> Result<(), BuildError> {
    if files.0.is_empty() {
        return Ok(());
    }
    let homes = Homes::new(inputs, files.of(Format::AlternateNames).next().is_some());
    let mut kept = Kept { homes, keep };
    read_countries(inputs, files, &kept.homes)?;
    for file in files.of(Format::Admin1) {
        add_divisions(&mut inputs.states, geonames_admin_codes::read(file, 2)?);
    }
    for file in files.of(Format::Admin2) {
        add_divisions(&mut inputs.counties, geonames_admin_codes::read(file, 3)?);
    }
    let known: BTreeSet<Iso2> = inputs.countries.iter().map(|country| country.iso2).collect();
    let languages = Languages::default();
    let mut ids = own_ids(inputs, files);
    read_tables(inputs, files, (&known, &ids), &mut kept)?;
    read_alternate_names(inputs, files, &languages, &mut kept)?;
    for (file, number) in files.of(Format::OurAirports).zip(0..) {
        ourairports::read(file, &known, |_, airport| kept.take(Row::OurAirport(number, airport)))?;
    }
    let divisions = inputs.states.iter().chain(&inputs.counties);
    ids.apart_from_divisions(divisions.filter_map(|division| Some((division.id?, division.name.clone()))));
    read_plain(inputs, files, &known, &mut ids, &languages, |placed| {
        let Placed { origin, file, id, item, .. } = placed;
        kept.take(Row::Own(Own { origin, file, id, item }));
    })
}

/// Keeps each row in the country that it is merged in.
struct Kept<F> {
    homes: Homes,
    keep: F,
}

impl<F: FnMut(Iso2, Row)> Kept<F> {
    fn take(&mut self, row: Row) {
        let home = self.homes.take(&row);
        (self.keep)(home, row);
    }
}

/// Reads countries. One whose id another place has is refused.
fn read_countries(inputs: &mut Inputs, files: &Files, homes: &Homes) -> Result<(), BuildError> {
    for file in files.of(Format::CountryInfo) {
        let mut ids: HashMap<u64, Iso2> = inputs.countries.iter().map(|country| (country.id, country.iso2)).collect();
        let countries = geonames_country_info::read(file, |country| {
            let other = ids.insert(country.id, country.iso2).filter(|&other| other != country.iso2);
            other.is_some() || homes.of_id(country.id).is_some()
        })?;
        for country in countries {
            add_country(&mut inputs.countries, country);
        }
    }
    Ok(())
}

/// Reads tables of places in the `known` countries, with ids that are not those of countries.
fn read_tables(
    inputs: &mut Inputs,
    files: &Files,
    (known, ids): (&BTreeSet<Iso2>, &OwnIds),
    kept: &mut Kept<impl FnMut(Iso2, Row)>,
) -> Result<(), BuildError> {
    let mut states = Vec::new();
    let mut counties = Vec::new();
    for file in files.of(Format::Table) {
        Reader::new(&inputs.tables, known, ids).read(file, |_, row| match row {
            TableRow::Settlement(settlement) => kept.take(Row::Settlement(settlement)),
            TableRow::State(division) => states.push(division),
            TableRow::County(division) => counties.push(division),
            TableRow::Airport(airport) => kept.take(Row::Airport(airport)),
            TableRow::Site(site) => kept.take(Row::Site(site)),
        })?;
    }
    add_divisions(&mut inputs.states, states);
    add_divisions(&mut inputs.counties, counties);
    Ok(())
}

/// Reads further names of known places: those of areas into `inputs`.
fn read_alternate_names(
    inputs: &mut Inputs,
    files: &Files,
    languages: &Languages,
    kept: &mut Kept<impl FnMut(Iso2, Row)>,
) -> Result<(), BuildError> {
    let Kept { homes, keep } = kept;
    for file in files.of(Format::AlternateNames) {
        let areas = areas_by_id(inputs);
        let is_wanted = |id| areas.contains_key(&id) || homes.of_id(id).is_some();
        let mut names = Vec::new();
        geonames_alternate_names::read(file, is_wanted, languages, |id, name| match areas.get(&id) {
            Some(area) => names.push((*area, name)),
            None => keep(homes.of_id(id).unwrap_or(NO_COUNTRY), Row::Name(id, name)),
        })?;
        for (area, name) in names {
            name_area(inputs, area, name);
        }
    }
    Ok(())
}

/// Merges the rows of a country that [`read`] has read into `inputs`.
///
/// # Errors
/// When the rows cannot be read.
pub(crate) fn apply(inputs: &mut Inputs, rows: &Rows, country: Iso2) -> Result<(), BuildError> {
    let mut added = Added::default();
    rows.each(country, |row| added.take(inputs, row))?;
    added.finish(inputs);
    Ok(())
}

/// Creates the ids of files in the plain schema, apart from those of countries and of the sites and airports of other
/// sources.
fn own_ids(inputs: &Inputs, files: &Files) -> OwnIds {
    let ids = OwnIds::beside(inputs.countries.iter().map(|country| (country.id, country.name.clone())));
    if !files.0.iter().any(|file| file.format.layout().is_some()) {
        return ids;
    }
    let sites = inputs.stations.iter().chain(&inputs.landmarks).map(|site| site.slug.as_str());
    ids.apart_from(sites.chain(inputs.airports.iter().map(|airport| airport.ident.as_str())))
}

/// Reads the files in the plain schema, and those of sources with an adapter.
fn read_plain(
    inputs: &Inputs,
    files: &Files,
    known: &BTreeSet<Iso2>,
    ids: &mut OwnIds,
    languages: &Languages,
    mut keep: impl FnMut(Placed),
) -> Result<(), BuildError> {
    let of_borders = LazyCell::new(|| engine_of_borders(borders(&inputs.patches, &inputs.settlements)));
    let country_at = |at| of_borders.country_at(at);
    let schema = Schema {
        types: &inputs.tables.types,
        classes: &inputs.tables.classes,
        countries: known,
        country_at: &country_at,
        languages,
        origin: Origin::Operator,
        ids: &IdSpace::File,
    };
    for AddedFile { format, source, file } in files.0.iter().filter(|file| file.format.layout().is_some()) {
        let schema = Schema { origin: source.origin, ids: &source.ids, ..schema };
        schema.read(*format, file, ids, &mut keep)?;
    }
    Ok(())
}
