//! Facts about places that are shown on request: inhabitants, time zones and codes, by row. Any of them may be left out.
//!
//! A time zone is a number among those of the country: most countries have one, none has more than some thirty, and a byte per
//! row is enough. The codes are those of the section of codes, by row and with all of ISO 3166-2; a walk through that section
//! for the codes of one row takes milliseconds.

use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;

use super::codes::scheme_of;
use super::encode::{Lists, Rows};
use crate::index::checks::{WriteError, is_code_byte};
use crate::index::format::{Column, EncodedSection, Header, OpenError, Section, Sections, Texts, encode, text_at};
use crate::index::layer::Layer;
use crate::record::{Code, CodeScheme, PlaceFacts};

/// Longest code: the first byte of a stored one is its scheme, and the rest its characters.
const MAX_CODE_BYTES: usize = 7;

/// Most codes of a row that are read. An airport has four at most; in a forged index one row may have all of them.
const MAX_CODES: u32 = 16;

/// The columns of facts.
#[derive(Debug)]
pub(crate) struct FactColumns {
    population: Column<u32>,
    time_zone: Column<u8>,
    zone_country: Column<u16>,
    zone_name: Column<u32>,
    zone_text: Bytes,
    coded_row: Column<u32>,
    code: Column<u64>,
}

impl FactColumns {
    pub fn open(header: &Header, sections: &Sections) -> Result<Self, OpenError> {
        let columns = Self {
            population: Column::new(sections.get(Section::Population)),
            time_zone: Column::new(sections.get(Section::TimeZone)),
            zone_country: Column::new(sections.get(Section::TimeZoneCountry)),
            zone_name: Column::new(sections.get(Section::TimeZoneName)),
            zone_text: sections.get(Section::TimeZoneText),
            coded_row: Column::new(sections.get(Section::CodedRow)),
            code: Column::new(sections.get(Section::CodeOfRow)),
        };
        fn is_full_or_empty(length: usize, rows: u32) -> bool {
            length == 0 || length == rows as usize
        }
        let populated = header.layer(Layer::Populated).end;
        if !is_full_or_empty(columns.population.len(), populated)
            || !is_full_or_empty(columns.time_zone.len(), header.rows())
        {
            return Err(OpenError::Malformed("length of a column of facts"));
        }
        if columns.zone_country.len() != columns.zone_name.len() || columns.coded_row.len() != columns.code.len() {
            return Err(OpenError::Malformed("time zones or codes of rows"));
        }
        Ok(columns)
    }

    /// Returns the number of inhabitants of a city or quarter, if it is known.
    pub fn population(&self, row: u32) -> Option<u32> {
        // Past the end of the column, where the other places are, it is 0.
        Some(self.population.get(row)).filter(|&people| people > 0)
    }

    /// Returns the time zone of a place of the country with this number.
    pub fn time_zone(&self, row: u32, country: u16) -> Option<&str> {
        let ordinal = u32::from(self.time_zone.get(row)).checked_sub(1)?;
        let at = self.zone_country.partition_point(|other| other < country) + ordinal;
        let is_of_country = (at as usize) < self.zone_country.len() && self.zone_country.get(at) == country;
        if is_of_country { text_at(&self.zone_text, self.zone_name.get(at)) } else { None }
    }

    /// Iterates over the codes of a place, its own before those that it shares.
    pub fn codes(&self, row: u32) -> impl Iterator<Item = (CodeScheme, String)> + '_ {
        let first = self.coded_row.partition_point(|other| other < row);
        let of_row = (first..self.coded_row.len() as u32).take(MAX_CODES as usize);
        of_row.take_while(move |&at| self.coded_row.get(at) == row).filter_map(|at| decode_code(self.code.get(at)))
    }
}

fn encode_code(code: &Code) -> u64 {
    let mut bytes = [0; 8];
    bytes[0] = code.scheme as u8;
    bytes[1..=code.text.len()].copy_from_slice(code.text.as_bytes());
    u64::from_le_bytes(bytes)
}

fn decode_code(stored: u64) -> Option<(CodeScheme, String)> {
    let bytes = stored.to_le_bytes();
    let text = bytes[1..].iter().take_while(|byte| is_code_byte(**byte)).map(|&byte| char::from(byte)).collect();
    Some((scheme_of(bytes[0])?, text))
}

/// Encodes the sections of facts.
///
/// # Errors
/// If a fact is invalid, or there are two facts of one place or of none.
pub(crate) fn encode_facts(
    rows: &Rows,
    lists: &Lists,
    facts: &[PlaceFacts],
) -> Result<Vec<EncodedSection>, WriteError> {
    let mut of_row: Vec<(u32, &PlaceFacts)> = Vec::with_capacity(facts.len());
    let mut seen = HashSet::new();
    for fact in facts {
        let row = rows.row(fact.place).filter(|_| is_sound(fact) && seen.insert(fact.place));
        of_row.push((row.ok_or(WriteError::Facts { place: fact.place })?, fact));
    }
    of_row.sort_unstable_by_key(|(row, _)| *row);
    let coded = || of_row.iter().flat_map(|(row, fact)| fact.codes.iter().map(move |code| (*row, code)));
    let mut sections = encode_time_zones(rows, lists, &of_row)?;
    sections.extend([
        (Section::Population, encode_populations(rows, &of_row)),
        (Section::CodedRow, encode(coded().map(|(row, _)| row))),
        (Section::CodeOfRow, encode(coded().map(|(_, code)| encode_code(code)))),
    ]);
    Ok(sections)
}

fn is_sound(fact: &PlaceFacts) -> bool {
    let has_codes = fact
        .codes
        .iter()
        .all(|code| (1..=MAX_CODE_BYTES).contains(&code.text.len()) && code.text.bytes().all(is_code_byte));
    has_codes && fact.time_zone.as_ref().is_none_or(|zone| (1..=usize::from(u8::MAX)).contains(&zone.len()))
}

/// Encodes the numbers of inhabitants: nothing if no city or quarter has one.
fn encode_populations(rows: &Rows, of_row: &[(u32, &PlaceFacts)]) -> Vec<u8> {
    let populated = rows.places.partition_point(|place| Layer::of(place.kind.role) == Layer::Populated);
    let mut people = vec![0u32; populated];
    let of_populated = of_row.iter().take_while(|(row, _)| (*row as usize) < populated);
    of_populated.for_each(|(row, fact)| people[*row as usize] = fact.population.unwrap_or_default());
    if people.iter().all(|&people| people == 0) { Vec::new() } else { encode(people) }
}

/// Encodes the sections of time zones. Those of a country are in the order of their number of places, because small
/// numbers compress best, then of their names.
fn encode_time_zones(
    rows: &Rows,
    lists: &Lists,
    of_row: &[(u32, &PlaceFacts)],
) -> Result<Vec<EncodedSection>, WriteError> {
    let country = |row: u32| lists.country_number(rows.places[row as usize].country);
    let zoned = || of_row.iter().filter_map(|(row, fact)| Some((*row, country(*row), fact.time_zone.as_deref()?)));
    let mut counts: BTreeMap<u16, BTreeMap<&str, usize>> = BTreeMap::new();
    zoned().for_each(|(_, country, zone)| *counts.entry(country).or_default().entry(zone).or_default() += 1);
    let mut texts = Texts::default();
    let mut countries = Vec::new();
    let mut names = Vec::new();
    let mut ordinals: BTreeMap<(u16, &str), u8> = BTreeMap::new();
    for (country, zones) in counts {
        let mut zones: Vec<(&str, usize)> = zones.into_iter().collect();
        zones.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        for (ordinal, (zone, _)) in (1..).zip(zones) {
            let ordinal = u8::try_from(ordinal).map_err(|_| WriteError::TooMany("time zones of a country"))?;
            ordinals.insert((country, zone), ordinal);
            countries.push(country);
            names.push(texts.offset(zone));
        }
    }
    let mut column = if ordinals.is_empty() { Vec::new() } else { vec![0u8; rows.places.len()] };
    zoned().for_each(|(row, country, zone)| column[row as usize] = ordinals[&(country, zone)]);
    Ok(vec![
        (Section::TimeZone, column),
        (Section::TimeZoneCountry, encode(countries)),
        (Section::TimeZoneName, encode(names)),
        (Section::TimeZoneText, texts.into_bytes()),
    ])
}
