//! Reads the hand-written places in the plain schema: `data/curated/landmarks/*.csv`, `data/curated/stations.csv` and
//! `data/curated/quarters.csv`. Unlike an operator's files they must have every column, and a single invalid row is an
//! error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toponym_engine::Role;

use super::File;
use super::import::Classes;
use super::import::IdSpace;
use super::import::languages::Languages;
use super::import::own_ids::OwnIds;
use super::import::plain::{Item, Schema};
use super::rows::{Iso2, Origin, Settlement, Site};
use crate::error::BuildError;
use crate::feature::Feature;

/// Columns that are optional in the plain schema but required in curated files.
const ALSO_REQUIRED: [&str; 3] = ["id", "prominence", "extent_m"];

/// Reads every file of `data/curated` below `root`, in order of its path; none if the folder does not exist.
pub(crate) fn files(root: &Path) -> Result<Vec<File>, BuildError> {
    File::of_folders(root, &["data/curated", "data/curated/landmarks"])
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curated {
    pub line: u64,
    /// Position and names, also for a part of a city.
    pub site: Site,
    /// The settlement, if it is a part of a city.
    pub part: Option<Settlement>,
}

/// Reads the rows of one file in its order.
pub(crate) fn read(
    file: &File,
    types: &BTreeMap<String, Role>,
    countries: &BTreeSet<Iso2>,
) -> Result<Vec<Curated>, BuildError> {
    let classes = Classes::new();
    let country_at = |_| None;
    let languages = Languages::default();
    let classes = &classes;
    let country_at = &country_at;
    let languages = &languages;
    let schema =
        Schema { types, classes, countries, country_at, languages, origin: Origin::Curated, ids: &IdSpace::File };
    let mut ids = OwnIds::default();
    let mut site = |line: u64, row: &BTreeMap<String, String>| {
        let field = |name: &str| row.get(name).map_or("", |text| text.trim()).to_owned();
        let at = |field: &str| format!("line {line}, field {field}");
        if let Some(missing) = ALSO_REQUIRED.into_iter().find(|name| field(name).is_empty()) {
            return Err(file.error(at(missing), "is missing"));
        }
        match schema.place(line, &field, &mut ids).map(|placed| placed.item) {
            Ok(Item::Site(site)) => Ok(Curated { line, site, part: None }),
            Ok(Item::Settlement(part)) if part.feature == Feature::Section => {
                let site = schema.as_site(&field).map_err(|fault| file.error(at(&fault.field), fault.message))?;
                // It stands for how well known the part is.
                let part = Settlement { population: part.people(), counts_as: 0, ..part };
                Ok(Curated { line, site, part: Some(part) })
            }
            Ok(_) => Err(file.error(at("type"), "curated places are stations, landmarks and parts of cities")),
            Err(fault) => Err(file.error(at(&fault.field), fault.message)),
        }
    };
    file.csv()?.iter().map(|(line, row)| site(*line, row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    const HEADER: &str = "id,name,names,country,city,lat,lon,type,prominence,extent_m\n";

    fn read(rows: &str) -> Result<Vec<Curated>, BuildError> {
        let types = BTreeMap::from([("tower".to_owned(), Role::Landmark), ("town".to_owned(), Role::City)]);
        super::read(&test_file("europe.csv", format!("{HEADER}{rows}")), &types, &BTreeSet::from([*b"FR"]))
    }

    #[test]
    fn names_carry_their_language() {
        let row = "eiffel-tower,Eiffel Tower,fr:Tour Eiffel|zh-Hant:艾菲爾鐵塔,FR,Paris,48.8584,2.2945,tower,5,100\n";
        let read = read(row).expect("the row is whole");
        let names: Vec<_> = read[0].site.tagged.iter().map(|name| (name.lang.as_str(), name.text.as_str())).collect();
        assert_eq!(names, [("fr", "Tour Eiffel"), ("zh-Hant", "艾菲爾鐵塔")]);
        assert!(read[0].line == 2 && (read[0].site.prominence - 1.0).abs() < 1e-9);
    }

    #[test]
    fn every_column_is_filled_and_known() {
        check(",A,,FR,Paris,48.8,2.2,tower,5,100", "line 2, field id: is missing");
        check("a,,,FR,Paris,48.8,2.2,tower,5,100", "line 2, field name: is missing");
        check("a,A,,,Paris,48.8,2.2,tower,5,100", "line 2, field country: is missing");
        check("a,A,,FR,Paris,,2.2,tower,5,100", "line 2, field lat: is missing");
        check("a,A,,FR,Paris,48.8,,tower,5,100", "line 2, field lon: is missing");
        check("a,A,,FR,Paris,48.8,2.2,,5,100", "line 2, field type: is missing");
        check("a,A,,FR,Paris,48.8,2.2,tower,,100", "line 2, field prominence: is missing");
        check("a,A,,FR,Paris,48.8,2.2,tower,5,", "line 2, field extent_m: is missing");
        check(
            "a,A,,FR,Paris,148.8,2.2,tower,5,100",
            "line 2, field lat: must be latitude and longitude in degrees, not 148.8",
        );
        check("a,A,,FR,Paris,48.8,x,tower,5,100", "line 2, field lon: must be a number, not \"x\"");
        check("a,A,,FR,Paris,48.8,2.2,castel,5,100", "line 2, field type: \"castel\"");
        check("a,A,,FR,Paris,48.8,2.2,town,5,100", "line 2, field type: curated places");
        check("a,A,,XX,Paris,48.8,2.2,tower,5,100", "line 2, field country: \"XX\"");
        check("a,A,,FR,P,48.8,2.2,tower,5,1\na,B,,FR,P,48.8,2.2,tower,5,1", "line 3, field id: \"a\" is there already");
    }

    fn check(row: &str, expect: &str) {
        let message = read(&format!("{row}\n")).expect_err("the row is broken").to_string();
        assert!(message.contains(expect), "no {expect:?} in {message:?}");
    }

    #[test]
    fn a_missing_folder_is_empty() {
        assert!(files(Path::new("/nowhere")).expect("nothing is read").is_empty());
    }
}
