//! The imported files and their formats.

use std::collections::HashMap;

use crate::error::BuildError;
use crate::sources::import::own_ids::stem;
use crate::sources::import::{Format, ImportFile, recognise};

/// The imported files, in the order in which they are read.
#[derive(Default)]
pub(crate) struct Files(pub Vec<(Format, ImportFile)>);

impl Files {
    /// Detects the format of each file.
    pub fn recognise(files: impl IntoIterator<Item = ImportFile>) -> Result<Self, BuildError> {
        let recognised = files.into_iter().map(|file| Ok((recognise(&file)?, file)));
        let mut files = recognised.collect::<Result<Vec<_>, BuildError>>()?;
        // The sort is stable: files of one format keep their order.
        files.sort_by_key(|(format, _)| *format);
        names_differ(&files)?;
        Ok(Self(files))
    }

    /// The lines that credit the sources of the files, without duplicates.
    pub fn attribution(&self) -> Vec<String> {
        let mut lines: Vec<&str> = self.0.iter().filter_map(|(format, _)| format.attribution()).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.into_iter().map(str::to_owned).collect()
    }

    pub fn of(&self, wanted: Format) -> impl Iterator<Item = &ImportFile> {
        self.0.iter().filter(move |(format, _)| *format == wanted).map(|(_, file)| file)
    }
}

/// Ids come from the names of files in the plain schema, so two of them cannot share one.
fn names_differ(files: &[(Format, ImportFile)]) -> Result<(), BuildError> {
    let mut seen = HashMap::new();
    for (_, file) in files.iter().filter(|(format, _)| format.is_plain()) {
        let name = file.name();
        if let Some(other) = seen.insert(stem(&name).to_owned(), file.path()) {
            return Err(BuildError::SameName { path: file.path().to_owned(), other: other.to_owned() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn each_source_is_credited_once() {
        use Format::{Admin1, OurAirports, PlainCsv, PlainGeoJson, PlainLines, Table};
        let check = |formats: &[Format], expect: &[&str]| {
            let files =
                Files(formats.iter().map(|&format| (format, ImportFile::InMemory("file".into(), "".into()))).collect());
            let lines = files.attribution();
            let sources: Vec<&str> = lines.iter().map(|line| line.split(" (").next().unwrap_or_default()).collect();
            assert_eq!(sources, expect, "{formats:?}");
        };
        check(&[], &[]);
        check(&[PlainCsv, PlainGeoJson, PlainLines], &[]);
        check(&[Table, Admin1, Table, PlainCsv], &["Places added: © GeoNames"]);
        check(&[Table, OurAirports, OurAirports], &["Airports added: OurAirports", "Places added: © GeoNames"]);
    }
}
