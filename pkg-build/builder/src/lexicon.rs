//! The words of queries that are not names, from `data/tables/kind-words.csv`, `filler-words.csv` and `site-words.csv`.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use toponym_engine::{Lexicon, Role, fold};

use crate::error::BuildError;
use crate::sources::File;

#[derive(Deserialize)]
struct KindRow {
    word: String,
    roles: String,
}

#[derive(Deserialize)]
struct FillerRow {
    word: String,
}

#[derive(Deserialize)]
struct TypeRow {
    word: String,
    r#type: String,
}

/// Reads the tables below `root`.
pub(crate) fn read(root: &Path) -> Result<Lexicon, BuildError> {
    let file = File::read(root, "data/tables/kind-words.csv")?;
    let mut kinds: Vec<(String, Vec<Role>)> = Vec::new();
    for (line, row) in file.csv::<KindRow>()? {
        let role = |name: &str| {
            let message = || {
                format!(
                    "{name:?} is not one of country, state, county, city, quarter, airport, station, landmark, region"
                )
            };
            role(name).ok_or_else(|| file.error(format!("line {line}, field roles"), message()))
        };
        kinds.push((fold(&row.word), row.roles.split('|').map(role).collect::<Result<_, _>>()?));
    }
    kinds.sort();
    let fillers = File::read(root, "data/tables/filler-words.csv")?.csv::<FillerRow>()?;
    let mut fillers: Vec<String> = fillers.into_iter().map(|(_, row)| fold(&row.word)).collect();
    fillers.sort();
    let types = File::read(root, "data/tables/site-words.csv")?.csv::<TypeRow>()?;
    let mut types: Vec<(String, String)> = types.into_iter().map(|(_, row)| (fold(&row.word), row.r#type)).collect();
    types.sort();
    Ok(Lexicon { kinds, fillers, types })
}

/// Returns the words that name kinds of `role`, folded.
pub(crate) fn words(root: &Path, role: Role) -> Result<BTreeSet<String>, BuildError> {
    let kinds = read(root)?.kinds.into_iter();
    Ok(kinds.filter(|(_, roles)| roles.contains(&role)).map(|(word, _)| word).collect())
}

/// Returns all words that name a kind, folded.
pub(crate) fn all_words(root: &Path) -> Result<BTreeSet<String>, BuildError> {
    Ok(read(root)?.kinds.into_iter().map(|(word, _)| word).collect())
}

/// Returns the role with this name in the tables.
pub(crate) fn role(name: &str) -> Option<Role> {
    Some(match name {
        "country" => Role::Country,
        "state" => Role::State,
        "county" => Role::County,
        "city" => Role::City,
        "quarter" => Role::Quarter,
        "airport" => Role::Airport,
        "station" => Role::Station,
        "landmark" => Role::Landmark,
        "region" => Role::Region,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_complete() {
        let lexicon = read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))).expect("the tables can be read");
        assert!(lexicon.kinds.contains(&("hauptbahnhof".to_owned(), vec![Role::Station])));
        assert!(lexicon.fillers.contains(&"of".to_owned()));
        assert!(lexicon.kinds.is_sorted() && lexicon.fillers.is_sorted());
    }
}
