//! Collects everything an index holds about one place.

use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{CodeScheme, Kind, NameClass};

use super::contents::{ALTERNATES, Contents, NAMES, SOUNDS, Table};
use crate::ids;

/// Everything an index holds about a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Row of the place in the columns.
    pub row: u32,
    /// The place's `place_id`.
    pub id: u64,
    /// The source of the id.
    pub source: &'static str,
    /// Kind of the place.
    pub kind: Kind,
    /// Display name of the place.
    pub display_name: String,
    /// Folded names with their class, best first.
    pub names: Vec<(String, NameClass)>,
    /// Display names in other languages: language and text.
    pub translations: Vec<(String, String)>,
    /// Phonetic forms of its names.
    pub sounds: Vec<String>,
    /// Codes of the place with their schemes.
    pub codes: Vec<(CodeScheme, String)>,
    /// Id and display name of the places that contain it, smallest first.
    pub parents: Vec<(u64, String)>,
    /// For a country or state: id and display name of its capital.
    pub capital: Option<(u64, String)>,
    /// Id and display name of the countries and states whose capital it is.
    pub capital_of: Vec<(u64, String)>,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// The centre.
    pub position: Coordinate,
    /// Stored bounds; without them the engine derives bounds from the extent.
    pub bounds: Option<Bounds>,
    /// Extent from the centre, in metres.
    pub extent_m: f64,
    /// 0 to 1.
    pub importance: f64,
}

/// Limits the walk up the hierarchy: in a damaged index a place may contain itself.
const MAX_DEPTH: usize = 8;

/// Collects the facts about the place of a row. `None` if the row, or a part of it, is missing.
///
/// # Example: see what an index knows of a place
///
/// ```
/// # let bytes = toponym_engine::index::write(&toponym_workload::example_gazetteer())?;
/// # let index = toponym_builder::inspect::Contents::open(bytes)?;
/// use toponym_builder::inspect;
///
/// let paris = inspect::facts(&index, index.row_of(2_988_507).unwrap()).unwrap();
/// assert_eq!(paris.capital_of[0].1, "France");
/// let areas: Vec<&str> = paris.parents.iter().map(|(_, name)| name.as_str()).collect();
/// assert_eq!(areas, ["Île-de-France", "France"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn facts(index: &Contents, row: u32) -> Option<Facts> {
    let id = index.id(row)?;
    let named = |row: u32| Some((index.id(row)?, index.display_name(row)?.to_owned()));
    let areas = index.capitals().filter(|&(_, city)| city == row);
    let capital = index.capitals().find(|&(area, _)| area == row);
    let parents = std::iter::successors(index.parent(row), |&row| index.parent(row)).take(MAX_DEPTH);
    Some(Facts {
        row,
        id,
        source: ids::source(id),
        kind: index.kind(row)?.clone(),
        display_name: index.display_name(row)?.to_owned(),
        names: names(index, row),
        translations: translations(index, row),
        sounds: keys(index, SOUNDS, row).into_iter().map(|(sound, _)| sound).collect(),
        codes: codes(index, row),
        parents: parents.map(named).collect::<Option<_>>()?,
        capital: capital.and_then(|(_, city)| named(city)),
        capital_of: areas.map(|(area, _)| named(area)).collect::<Option<_>>()?,
        country: String::from_utf8_lossy(&index.country(row)?).into_owned(),
        position: index.position(row)?,
        bounds: index.bounds(row),
        extent_m: index.extent_m(row)?,
        importance: index.importance(row)?,
    })
}

fn names(index: &Contents, row: u32) -> Vec<(String, NameClass)> {
    let keys = [NAMES, ALTERNATES].into_iter().flat_map(|table| keys(index, table, row));
    let mut names: Vec<_> = keys.filter_map(|(name, class)| Some((name, class?))).collect();
    names.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    names
}

/// Finds the keys of a table that match a row; scans the whole table.
fn keys(index: &Contents, table: Table, row: u32) -> Vec<(String, Option<NameClass>)> {
    let mut found = Vec::new();
    index.each_key(table.keys, |key, id| {
        let postings = u32::try_from(id).ok().and_then(|id| index.postings(table, id)).unwrap_or_default();
        if let Some((_, class)) = postings.into_iter().find(|(other, _)| *other == row) {
            found.push((String::from_utf8_lossy(key).into_owned(), class));
        }
    });
    found
}

fn translations(index: &Contents, row: u32) -> Vec<(String, String)> {
    let entries = index.translations().into_iter().filter(|entry| entry.row == row);
    let named = entries.filter_map(|entry| {
        let languages = entry.languages;
        let name = entry.name?;
        Some(languages.into_iter().filter_map(move |number| {
            Some((index.header.languages.get(usize::from(number))?.clone(), name.to_owned()))
        }))
    });
    named.flatten().collect()
}

fn codes(index: &Contents, row: u32) -> Vec<(CodeScheme, String)> {
    let of_row = index.codes().into_iter().filter(|(other, ..)| *other == row);
    of_row.map(|(_, scheme, text)| (scheme, text)).collect()
}
