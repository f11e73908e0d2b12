//! Writes the columns of places.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::codes::encode_codes;
use super::columns::encode_extent;
use crate::index::checks::{WriteError, display_name, is_country_code};
use crate::index::degrees::from_degrees;
use crate::index::format::{Country, EncodedSection, NO_ROW, Section, Texts, encode as column};
use crate::index::names::stored_importance;
use crate::record::{Border, Capital, FurtherCountry, Gazetteer, Kind, Record, Role};

/// The lists of the header that columns refer to by number.
pub(crate) struct Lists {
    pub kinds: Vec<Kind>,
    pub countries: Vec<Country>,
}

impl Lists {
    /// Lists the kinds and the countries of an index.
    ///
    /// # Errors
    /// If there are more of them than the format can number.
    pub fn of(places: &[&Record], gazetteer: &Gazetteer) -> Result<Self, WriteError> {
        Ok(Self { kinds: kinds(places)?, countries: countries(places, gazetteer)? })
    }

    /// Returns the number of a country, which must be in the list.
    pub fn country_number(&self, code: [u8; 2]) -> u16 {
        self.countries.partition_point(|country| country.iso2 < code) as u16
    }
}

/// Places in row order, and the row of each id.
pub(crate) struct Rows<'r> {
    pub places: Vec<&'r Record>,
    of_id: HashMap<u64, u32>,
}

impl<'r> Rows<'r> {
    pub fn new(places: Vec<&'r Record>) -> Self {
        let of_id = places.iter().zip(0..).map(|(place, row)| (place.id, row)).collect();
        Self { places, of_id }
    }

    /// Returns the row of the place with an id.
    pub fn row(&self, id: u64) -> Option<u32> {
        self.of_id.get(&id).copied()
    }

    fn role(&self, row: u32) -> Role {
        self.places[row as usize].kind.role
    }
}

/// Encodes the sections of the columns of places.
///
/// # Errors
/// If a parent, a capital or a further country is invalid.
pub(crate) fn encode_places(
    rows: &Rows,
    lists: &Lists,
    gazetteer: &Gazetteer,
    remote_parents: &[u64],
) -> Result<Vec<EncodedSection>, WriteError> {
    let places = || rows.places.iter();
    let mut texts = Texts::default();
    let offsets: Vec<u32> = places().map(|place| texts.offset(display_name(place))).collect();
    let bounded = || places().zip(0u32..).filter_map(|(place, row)| Some((row, place.bounds?)));
    let sides = bounded().flat_map(|(_, b)| [b.south, b.north, b.west, b.east].map(from_degrees));
    let capitals = capitals_of(&gazetteer.capitals, rows)?;
    let further = further_countries(&gazetteer.further_countries, rows, lists)?;
    Ok(vec![
        (Section::RemoteParent, column(remote_parents.iter().copied())),
        (Section::Latitude, column(places().map(|place| from_degrees(place.position.lat)))),
        (Section::Longitude, column(places().map(|place| from_degrees(place.position.lon)))),
        (Section::Importance, column(places().map(|place| stored_importance(place.importance)))),
        (Section::Kind, column(places().map(|place| number(&lists.kinds, &place.kind) as u8))),
        (Section::Country, column(places().map(|place| lists.country_number(place.country)))),
        (Section::Parent, column(parents(rows, remote_parents)?)),
        (Section::Id, column(places().map(|place| place.id))),
        (Section::Extent, column(places().map(|place| encode_extent(place.extent_m)))),
        (Section::DisplayName, column(offsets)),
        (Section::Text, texts.into_bytes()),
        (Section::BoundsRow, column(bounded().map(|(row, _)| row))),
        (Section::Bounds, column(sides)),
        (Section::CapitalArea, column(capitals.iter().map(|&(area, _)| area))),
        (Section::Capital, column(capitals.iter().map(|&(_, city)| city))),
        (Section::SharedRegion, column(further.iter().map(|&(region, _)| region))),
        (Section::FurtherCountry, column(further.iter().map(|&(_, country)| country))),
        (Section::Codes, encode_codes(&rows.places)),
    ])
}

fn kinds(places: &[&Record]) -> Result<Vec<Kind>, WriteError> {
    let kinds: BTreeSet<&Kind> = places.iter().map(|place| &place.kind).collect();
    if kinds.len() > usize::from(u8::MAX) {
        return Err(WriteError::TooMany("kinds"));
    }
    Ok(kinds.into_iter().cloned().collect())
}

fn countries(places: &[&Record], gazetteer: &Gazetteer) -> Result<Vec<Country>, WriteError> {
    let of_borders = gazetteer.borders.iter().filter_map(Border::country);
    let of_regions = gazetteer.further_countries.iter().map(|further| further.country);
    let of_places = places.iter().map(|place| place.country);
    let mut codes: Vec<[u8; 2]> = of_places.chain(of_borders).chain(of_regions).collect();
    codes.sort_unstable();
    codes.dedup();
    let of_code: HashMap<[u8; 2], u32> = places
        .iter()
        .zip(0..)
        .filter(|(place, _)| place.kind.role == Role::Country)
        .map(|(place, row)| (place.country, row))
        .collect();
    if codes.len() > usize::from(u16::MAX) {
        Err(WriteError::TooMany("countries"))
    } else {
        Ok(codes.into_iter().map(|iso2| Country { iso2, row: of_code.get(&iso2).copied().unwrap_or(NO_ROW) }).collect())
    }
}

fn number<T: Ord>(sorted: &[T], value: &T) -> usize {
    sorted.partition_point(|other| other < value)
}

/// Returns the parents of all rows. One of `remote`, which is sorted, has a number past those of the rows.
fn parents(rows: &Rows, remote: &[u64]) -> Result<Vec<u32>, WriteError> {
    rows.places.iter().map(|place| parent(place, rows, remote)).collect()
}

/// Returns the row of a place's parent. The numbers of remote parents are those behind all rows.
fn parent(place: &Record, rows: &Rows, remote: &[u64]) -> Result<u32, WriteError> {
    let Some(id) = place.parent else { return Ok(NO_ROW) };
    if let Ok(at) = remote.binary_search(&id) {
        return Ok((rows.places.len() + at) as u32);
    }
    let error = WriteError::Parent { id: place.id, parent: id };
    let row = rows.row(id).ok_or(error.clone())?;
    let role = rows.role(row);
    // A territory with its own country code has its sovereign as its parent: a country may contain another.
    let larger = role < place.kind.role || (role == Role::Country && id != place.id);
    if larger && role <= Role::Quarter { Ok(row) } else { Err(error) }
}

/// Returns the rows of areas and of their capitals, by area.
fn capitals_of(capitals: &[Capital], rows: &Rows) -> Result<Vec<(u32, u32)>, WriteError> {
    let mut areas = HashSet::new();
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(capitals.len());
    for &Capital { area, city } in capitals {
        let row_of_area = rows.row(area).filter(|&row| rows.role(row) <= Role::State);
        let row_of_city = rows.row(city).filter(|&row| rows.role(row) == Role::City);
        let pair = row_of_area.zip(row_of_city).filter(|_| areas.insert(area));
        pairs.push(pair.ok_or(WriteError::Capital { area, city })?);
    }
    pairs.sort_unstable();
    Ok(pairs)
}

/// Returns the rows of regions with the numbers of their further countries, in order.
fn further_countries(all: &[FurtherCountry], rows: &Rows, lists: &Lists) -> Result<Vec<(u32, u16)>, WriteError> {
    let mut seen = HashSet::new();
    let mut pairs: Vec<(u32, u16)> = Vec::with_capacity(all.len());
    for &FurtherCountry { region, country } in all {
        let error = WriteError::FurtherCountry { region, country };
        let row = rows.row(region).filter(|&row| rows.role(row) == Role::Region).ok_or(error.clone())?;
        let is_further = rows.places[row as usize].country != country && is_country_code(country);
        if !is_further || !seen.insert((region, country)) {
            return Err(error);
        }
        pairs.push((row, lists.country_number(country)));
    }
    pairs.sort_unstable();
    Ok(pairs)
}
