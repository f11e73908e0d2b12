//! Reads the tables that `data/distil/names.py` makes: names of cities and divisions, each with the languages that use it.

use std::collections::HashMap;

use super::File;
use super::rows::Tagged;
use crate::error::BuildError;

/// The names of each place: the keys are GeoNames ids, GeoNames codes of divisions (`BE.VLG`) and ISO 3166-2 codes (`BE-VLG`).
pub(crate) type NamesByPlace = HashMap<String, Vec<Tagged>>;

/// Reads a table of three columns: place, name, languages with commas between them.
///
/// # Errors
/// When a line has another number of columns.
pub(crate) fn read(file: &File) -> Result<NamesByPlace, BuildError> {
    let text = std::str::from_utf8(&file.bytes).map_err(|error| file.error("text", error.to_string()))?;
    let mut names = NamesByPlace::new();
    for (line, row) in text.lines().enumerate().skip(1) {
        let mut columns = row.split('\t');
        let (Some(place), Some(name), Some(languages), None) =
            (columns.next(), columns.next(), columns.next(), columns.next())
        else {
            return Err(file.error(
                format!("line {}", line + 1),
                "expected a place, a name and languages, with tabs between them",
            ));
        };
        let tagged = languages.split(',').map(|lang| Tagged { lang: lang.to_owned(), text: name.to_owned() });
        names.entry(place.to_owned()).or_default().extend(tagged);
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::test_file;

    #[test]
    fn a_name_serves_each_of_its_languages() {
        let names = read_rows("BE.VLG\tFlandern\tde\n2800931\tBruges\tfr,it\n").expect("the rows are whole");
        let shown = |place: &str| {
            names[place].iter().map(|name| format!("{}:{}", name.lang, name.text)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!((shown("BE.VLG"), shown("2800931")), ("de:Flandern".into(), "fr:Bruges it:Bruges".into()));
        let error = read_rows("BE.VLG\tFlandern\n").expect_err("the row is broken").to_string();
        assert!(error.contains("line 2") && error.contains("expected a place, a name and languages"), "{error}");
    }

    fn read_rows(rows: &str) -> Result<HashMap<String, Vec<Tagged>>, BuildError> {
        read(&test_file("names.tsv", format!("place\tname\tlanguages\n{rows}")))
    }
}
