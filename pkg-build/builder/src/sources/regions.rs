//! Reads the regions of `data/curated/regions/*.csv`: continents, ranges, islands, rivers, seas and the like, each with its
//! box.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use toponym_engine::geo::{Bounds, Coordinate};

use super::File;
use super::rows::{Iso2, Tagged};
use crate::error::BuildError;
use crate::importance::TOP_PROMINENCE;

/// The folder below the root of the project.
const FOLDER: &str = "data/curated/regions";

#[derive(Deserialize)]
struct TypeRow {
    r#type: String,
    category: String,
    osm_type: String,
    words: String,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    name: String,
    names: String,
    countries: String,
    r#type: String,
    lat: f64,
    lon: f64,
    south: f64,
    north: f64,
    west: f64,
    east: f64,
    prominence: u8,
}

/// A region.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// Unique among regions.
    pub slug: String,
    pub name: String,
    pub names: Vec<Tagged>,
    /// Words for its type that languages put before a name: `Río` in Spanish.
    pub words: Vec<Tagged>,
    /// The main one first; none of a sea.
    pub countries: Vec<Iso2>,
    /// Of OpenStreetMap.
    pub category: String,
    pub r#type: String,
    pub position: Coordinate,
    pub bounds: Bounds,
    /// 1 to [`TOP_PROMINENCE`].
    pub prominence: u8,
}

/// The regions of all files below `root`, in order of their slug.
pub(crate) fn read(root: &Path, countries: &BTreeSet<Iso2>) -> Result<Vec<Region>, BuildError> {
    let types = File::read(root, "data/tables/region-types.csv")?.csv::<TypeRow>()?;
    let types: BTreeMap<String, TypeRow> = types.into_iter().map(|(_, row)| (row.r#type.clone(), row)).collect();
    let mut regions = BTreeMap::new();
    for file in files(root)? {
        for (line, row) in file.csv::<Row>()? {
            let slug = row.id.clone();
            let region = region(&file, line, row, &types, countries)?;
            if regions.insert(slug.clone(), region).is_some() {
                return Err(file.error(format!("line {line}, field id"), format!("{slug:?} is there twice")));
            }
        }
    }
    Ok(regions.into_values().collect())
}

fn files(root: &Path) -> Result<Vec<File>, BuildError> {
    let full = root.join(FOLDER);
    if !full.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(&full).map_err(BuildError::io(&full))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<std::io::Result<Vec<String>>>().map_err(BuildError::io(&full))?;
    names.retain(|name| name.ends_with(".csv"));
    names.sort();
    names.iter().map(|name| File::read(root, &format!("{FOLDER}/{name}"))).collect()
}

fn region(
    file: &File,
    line: u64,
    row: Row,
    types: &BTreeMap<String, TypeRow>,
    countries: &BTreeSet<Iso2>,
) -> Result<Region, BuildError> {
    let at = |field: &str| format!("line {line}, field {field}");
    let error = |field: &str, message: String| file.error(at(field), message);
    let of_type =
        types.get(&row.r#type).ok_or_else(|| error("type", format!("{:?} is no type of region", row.r#type)))?;
    let country = |code: &str| match code.as_bytes().try_into() {
        Ok(code) if countries.contains(&code) => Ok(code),
        _ => Err(error("countries", format!("{code:?} is no country of the data"))),
    };
    let tagged = |name: &str| match name.split_once(':') {
        Some((lang, text)) if !lang.is_empty() && !text.is_empty() => {
            Ok(Tagged { lang: lang.to_owned(), text: text.to_owned() })
        }
        _ => Err(error("names", format!("{name:?} is not `language:name`"))),
    };
    let position = file.coordinate(|| at("lat"), row.lat, row.lon)?;
    file.coordinate(|| at("south"), row.south, row.west)?;
    file.coordinate(|| at("north"), row.north, row.east)?;
    let in_longitude = if row.west <= row.east {
        (row.west..=row.east).contains(&row.lon)
    } else {
        row.lon >= row.west || row.lon <= row.east
    };
    if !(in_longitude && (row.south..=row.north).contains(&row.lat)) {
        return Err(error("lat", "the point is not in the box".to_owned()));
    }
    if !(1..=TOP_PROMINENCE).contains(&row.prominence) {
        return Err(error("prominence", format!("{} is not in 1 to {TOP_PROMINENCE}", row.prominence)));
    }
    Ok(Region {
        names: row.names.split('|').filter(|name| !name.is_empty()).map(tagged).collect::<Result<_, _>>()?,
        countries: row.countries.split_whitespace().map(country).collect::<Result<_, _>>()?,
        slug: row.id,
        name: row.name,
        words: of_type.words.split('|').filter(|word| !word.is_empty()).map(tagged).collect::<Result<_, _>>()?,
        category: of_type.category.clone(),
        r#type: of_type.osm_type.clone(),
        position,
        bounds: Bounds { south: row.south, north: row.north, west: row.west, east: row.east },
        prominence: row.prominence,
    })
}
