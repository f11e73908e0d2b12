//! Places written by hand: `data/curated/landmarks/*.csv` and `data/curated/stations.csv`.

use std::path::Path;

use serde::Deserialize;

use super::File;
use super::rows::{Site, Tagged};
use crate::error::BuildError;

/// Prominence runs from 1 (local) to 5 (known world-wide).
const TOP_PROMINENCE: u8 = 5;

#[derive(Deserialize)]
struct Row {
    id: String,
    name: String,
    names: String,
    country: String,
    city: String,
    lat: f64,
    lon: f64,
    r#type: String,
    prominence: u8,
    extent_m: f64,
}

/// Every CSV file of the folder at `path` below `root`, in order of their names; none when the folder is not there.
pub(crate) fn folder(root: &Path, path: &str) -> Result<Vec<Site>, BuildError> {
    let full = root.join(path);
    if !full.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&full).map_err(BuildError::io(&full))? {
        let name = entry.map_err(BuildError::io(&full))?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".csv") {
            names.push(name);
        }
    }
    names.sort();
    let mut sites = Vec::new();
    for name in names {
        sites.extend(read(&File::read(root, &format!("{path}/{name}"))?)?);
    }
    Ok(sites)
}

/// The file at `path` below `root`; none when it is not there.
pub(crate) fn read_if_there(root: &Path, path: &str) -> Result<Vec<Site>, BuildError> {
    if root.join(path).is_file() { read(&File::read(root, path)?) } else { Ok(Vec::new()) }
}

/// The sites of one file in its order.
pub(crate) fn read(file: &File) -> Result<Vec<Site>, BuildError> {
    let rows = file.csv::<Row>()?;
    rows.into_iter().map(|(line, row)| site(file, line, row)).collect()
}

fn site(file: &File, line: u64, row: Row) -> Result<Site, BuildError> {
    let at = |field: &'static str| move || format!("line {line}, field {field}");
    if row.id.is_empty() || row.name.trim().is_empty() {
        return Err(file.error(at("name")(), "id and name must not be empty"));
    }
    if !(1..=TOP_PROMINENCE).contains(&row.prominence) {
        return Err(file.error(at("prominence")(), format!("{} is not in 1 to {TOP_PROMINENCE}", row.prominence)));
    }
    if !(row.extent_m > 0.0 && row.extent_m <= 1e6) {
        return Err(file.error(at("extent_m")(), format!("{} is no radius in metres", row.extent_m)));
    }
    Ok(Site {
        country: file.country(at("country"), &row.country)?,
        position: file.coordinate(at("lat"), row.lat, row.lon)?,
        tagged: tagged(&row.names).map_err(|entry| file.error(at("names")(), format!("{entry:?} has no language")))?,
        slug: row.id,
        name: row.name.trim().to_owned(),
        city: row.city.trim().to_owned(),
        r#type: row.r#type,
        prominence: f64::from(row.prominence - 1) / f64::from(TOP_PROMINENCE - 1),
        extent_m: row.extent_m,
    })
}

/// `fr:Tour Eiffel|zh:埃菲尔铁塔`; the entry that is not of this form when there is one.
fn tagged(list: &str) -> Result<Vec<Tagged>, String> {
    let entries = list.split('|').map(str::trim).filter(|entry| !entry.is_empty());
    let parsed = entries.map(|entry| match entry.split_once(':') {
        Some((lang, text)) if is_language(lang) && !text.trim().is_empty() => {
            Ok(Tagged { lang: lang.to_owned(), text: text.trim().to_owned() })
        }
        _ => Err(entry.to_owned()),
    });
    parsed.collect()
}

fn is_language(tag: &str) -> bool {
    let main = tag.split('-').next().unwrap_or_default();
    (2..=3).contains(&main.len()) && main.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    const HEADER: &str = "id,name,names,country,city,lat,lon,type,prominence,extent_m\n";

    #[test]
    fn names_carry_their_language() {
        let row = "eiffel-tower,Eiffel Tower,fr:Tour Eiffel|zh-Hant:艾菲爾鐵塔,FR,Paris,48.8584,2.2945,tower,5,100\n";
        let read = read(&test_file("europe.csv", format!("{HEADER}{row}"))).expect("the row is whole");
        let names: Vec<_> = read[0].tagged.iter().map(|name| (name.lang.as_str(), name.text.as_str())).collect();
        assert_eq!(names, [("fr", "Tour Eiffel"), ("zh-Hant", "艾菲爾鐵塔")]);
        assert!((read[0].prominence - 1.0).abs() < 1e-9);
    }

    #[test]
    fn broken_rows_are_named() {
        let check = |row: &str, expect: &str| {
            let file = test_file("europe.csv", format!("{HEADER}{row}\n"));
            let message = super::read(&file).expect_err("the row is broken").to_string();
            assert!(message.contains(expect), "no {expect:?} in {message:?}");
        };
        check("a,A,,FR,Paris,48.8,2.2,tower,6,100", "line 2, field prominence");
        check("a,A,,FR,Paris,48.8,2.2,tower,x,100", "line 2, field prominence");
        check("a,A,Tour,FR,Paris,48.8,2.2,tower,5,100", "line 2, field names: \"Tour\"");
        check("a,A,,FR,Paris,48.8,2.2,tower,5,0", "line 2, field extent_m");
        check("a,,,FR,Paris,48.8,2.2,tower,5,9", "line 2, field name");
        check("a,A,,FR,Paris,48.8,182.2,tower,5,9", "line 2, field lat");
    }

    #[test]
    fn a_missing_folder_is_empty() {
        assert_eq!(folder(Path::new("/nowhere"), "data/curated").expect("nothing is read"), []);
    }
}
