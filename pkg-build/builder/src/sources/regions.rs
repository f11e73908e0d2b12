//! Reads the regions of `data/curated/regions/*.csv`: continents, ranges, islands, rivers, seas and the like, each with its
//! box.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use toponym_engine::NO_COUNTRY;
use toponym_engine::geo::{Bounds, Coordinate};

use super::File;
use super::rows::{Iso2, Tagged};
use super::tagged_names::parse_tagged;
use crate::error::BuildError;
use crate::importance::TOP_PROMINENCE;

/// The folder below the root of the project.
const FOLDER: &str = "data/curated/regions";

/// The table of types of regions.
const TYPES: &str = "data/tables/region-types.csv";

#[derive(Deserialize)]
struct TypeRow {
    r#type: String,
    category: String,
    osm_type: String,
    words: String,
}

/// Type of regions on the map.
struct Type {
    category: String,
    osm_type: String,
    words: Vec<Tagged>,
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
    /// Slug, unique among regions.
    pub slug: String,
    pub name: String,
    pub names: Vec<Tagged>,
    /// Words for its type that languages put before a name: `Río` in Spanish.
    pub words: Vec<Tagged>,
    /// The main one first; none of a sea.
    pub countries: Vec<Iso2>,
    /// Category of OpenStreetMap.
    pub category: String,
    pub r#type: String,
    pub position: Coordinate,
    pub bounds: Bounds,
    /// 1 to [`TOP_PROMINENCE`].
    pub prominence: u8,
}

impl Region {
    /// Checks whether it is among the regions of a country; those of no country are among those of [`NO_COUNTRY`].
    pub fn lies_in(&self, country: Iso2) -> bool {
        self.countries.contains(&country) || self.countries.is_empty() && country == NO_COUNTRY
    }
}

/// Reads the regions of all files below `root`, in order of their slug.
pub(crate) fn read(root: &Path, countries: &BTreeSet<Iso2>) -> Result<Vec<Region>, BuildError> {
    let types = types(&File::read(root, TYPES)?)?;
    regions(&File::of_folders(root, &[FOLDER])?, &types, countries)
}

fn regions(
    files: &[File],
    types: &BTreeMap<String, Type>,
    countries: &BTreeSet<Iso2>,
) -> Result<Vec<Region>, BuildError> {
    let mut regions = BTreeMap::new();
    for file in files {
        for (line, row) in file.csv::<Row>()? {
            let slug = row.id.clone();
            let region = region(file, line, row, types, countries)?;
            if regions.insert(slug.clone(), region).is_some() {
                return Err(file.error(format!("line {line}, field id"), format!("{slug:?} is there already")));
            }
        }
    }
    Ok(regions.into_values().collect())
}

/// Reads the types by their name.
fn types(file: &File) -> Result<BTreeMap<String, Type>, BuildError> {
    let rows = file.csv::<TypeRow>()?.into_iter();
    let parsed = rows.map(|(line, TypeRow { r#type, category, osm_type, words })| {
        let words = parse_tagged(&words);
        let words = words
            .map_err(|entry| file.error(format!("line {line}, field words"), format!("{entry:?} has no language")))?;
        Ok((r#type, Type { category, osm_type, words }))
    });
    parsed.collect()
}

fn region(
    file: &File,
    line: u64,
    row: Row,
    types: &BTreeMap<String, Type>,
    countries: &BTreeSet<Iso2>,
) -> Result<Region, BuildError> {
    let at = |field: &str| format!("line {line}, field {field}");
    let error = |field: &str, message: String| file.error(at(field), message);
    let of_type =
        types.get(&row.r#type).ok_or_else(|| error("type", format!("{:?} is not a type of region", row.r#type)))?;
    let country = |code: &str| match code.as_bytes().try_into() {
        Ok(code) if countries.contains(&code) => Ok(code),
        _ => Err(error("countries", format!("{code:?} is not a country of the data"))),
    };
    let position = file.coordinate(|| at("lat"), row.lat, row.lon)?;
    file.coordinate(|| at("south"), row.south, row.west)?;
    file.coordinate(|| at("north"), row.north, row.east)?;
    let bounds = Bounds { south: row.south, north: row.north, west: row.west, east: row.east };
    if !bounds.contains(position) {
        return Err(error("lat", "the point is not in the box".to_owned()));
    }
    if !(1..=TOP_PROMINENCE).contains(&row.prominence) {
        return Err(error("prominence", format!("{} is not in 1 to {TOP_PROMINENCE}", row.prominence)));
    }
    Ok(Region {
        names: parse_tagged(&row.names).map_err(|entry| error("names", format!("{entry:?} has no language")))?,
        countries: row.countries.split_whitespace().map(country).collect::<Result<_, _>>()?,
        slug: row.id,
        name: row.name,
        words: of_type.words.clone(),
        category: of_type.category.clone(),
        r#type: of_type.osm_type.clone(),
        position,
        bounds,
        prominence: row.prominence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    const HEADER: &str = "id,name,names,countries,type,lat,lon,south,north,west,east,prominence\n";

    fn read_row(row: &str) -> Result<Region, BuildError> {
        let types = "type,category,osm_type,words\nlake,water,lake,it:Lago|fr:Lac\n";
        let types = types_of(types).expect("the types are whole");
        let file = test_file("lakes.csv", format!("{HEADER}{row}\n"));
        let (line, row) = file.csv::<Row>()?.remove(0);
        region(&file, line, row, &types, &BTreeSet::from([*b"IT", *b"CH"]))
    }

    fn types_of(rows: &str) -> Result<BTreeMap<String, Type>, BuildError> {
        types(&test_file("region-types.csv", rows.to_owned()))
    }

    #[test]
    fn a_row_is_a_region() {
        let read = read_row("como,Lake Como,it:Lago di Como|de:Comer See,IT CH,lake,46,9.3,45.8,46.2,9.1,9.4,4");
        let region = read.expect("the row is whole");
        assert_eq!(tagged_texts(&region.names), ["it:Lago di Como", "de:Comer See"]);
        assert_eq!(tagged_texts(&region.words), ["it:Lago", "fr:Lac"]);
        assert_eq!(region.countries, [*b"IT", *b"CH"]);
        assert_eq!((region.category.as_str(), region.r#type.as_str(), region.prominence), ("water", "lake", 4));
        // Across the date line.
        let across = read_row("fiji,Fiji Sea,,,lake,-17,179,-20,-15,177,-178,3").expect("the row is whole");
        assert!(across.countries.is_empty() && across.names.is_empty());
    }

    fn tagged_texts(names: &[Tagged]) -> Vec<String> {
        names.iter().map(|name| format!("{}:{}", name.lang, name.text)).collect::<Vec<_>>()
    }

    #[test]
    fn a_broken_row_says_what_is_wrong() {
        check("c,C,it:Lago,IT,laek,46,9,45,47,8,10,4", "line 2, field type: \"laek\" is not a type of region");
        check("c,C,Lago,IT,lake,46,9,45,47,8,10,4", "line 2, field names: \"Lago\" has no language");
        check("c,C,it:,IT,lake,46,9,45,47,8,10,4", "line 2, field names: \"it:\" has no language");
        check("c,C,,IT XX,lake,46,9,45,47,8,10,4", "line 2, field countries: \"XX\" is not a country of the data");
        check("c,C,,IT,lake,96,9,45,47,8,10,4", "line 2, field lat");
        check("c,C,,IT,lake,46,9,45,97,8,10,4", "line 2, field north");
        check("c,C,,IT,lake,46,9,45,47,8,190,4", "line 2, field north");
        check("c,C,,IT,lake,46,11,45,47,8,10,4", "line 2, field lat: the point is not in the box");
        check("c,C,,IT,lake,46,9,47,45,8,10,4", "line 2, field lat: the point is not in the box");
        check("c,C,,IT,lake,46,9,45,47,8,10,0", "line 2, field prominence: 0 is not in 1 to 5");
        check("c,C,,IT,lake,46,9,45,47,8,10,6", "line 2, field prominence: 6 is not in 1 to 5");
        let words = types_of("type,category,osm_type,words\nlake,water,lake,Lago\n");
        let message = words.err().expect("the word has no language").to_string();
        assert!(message.contains("line 2, field words: \"Lago\" has no language"), "{message}");
    }

    fn check(row: &str, expect: &str) {
        let message = read_row(row).expect_err("the row is broken").to_string();
        assert!(message.contains(expect), "no {expect:?} in {message:?}");
    }

    #[test]
    fn an_id_is_there_once() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let countries = BTreeSet::from([*b"IT"]);
        let row = "a,A,,IT,lake,46,9,45,47,8,10,4";
        let rows = test_file("lakes.csv", format!("{HEADER}{row}\n{row}\n"));
        let types = File::read(root, TYPES).and_then(|file| types(&file)).expect("the table is whole");
        let message = regions(&[rows], &types, &countries).expect_err("it is there twice").to_string();
        assert!(message.contains("line 3, field id: \"a\" is there already"), "{message}");
    }
}
