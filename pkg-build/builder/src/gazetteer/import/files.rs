//! The imported files, each with its format and its source.

use std::collections::HashMap;

use itertools::Itertools;
use toponym_engine::DataSet;

use crate::error::BuildError;
use crate::progress;
use crate::sources::import::own_ids::stem;
use crate::sources::import::{Format, IdSpace, ImportFile, ImportSource, recognise};

/// An imported file.
#[derive(Clone, Debug)]
pub(crate) struct AddedFile {
    pub format: Format,
    /// Entry of `data/sources.toml` for files of this kind.
    pub source: ImportSource,
    pub file: ImportFile,
}

/// The imported files, in the order in which they are read.
#[derive(Default)]
pub(crate) struct Files(pub Vec<AddedFile>);

impl Files {
    /// Detects the format of each file. Of an archive, takes the files whose format is known.
    ///
    /// # Errors
    /// When the format of a file is not known, or `sources` lack it.
    pub fn recognise(
        files: impl IntoIterator<Item = ImportFile>,
        sources: &[ImportSource],
    ) -> Result<Self, BuildError> {
        let mut added = Vec::new();
        for file in files {
            let unpacked = file.unpack()?;
            let is_archive = matches!(unpacked[..], [ImportFile::InZip(..), ..]);
            let recognised = unpacked.into_iter().map(|file| added_file(file, sources));
            if is_archive {
                let (known, others): (Vec<_>, Vec<_>) = recognised.partition_result();
                say_left_out(&known, others)?;
                added.extend(known);
            } else {
                let known: Vec<AddedFile> = recognised.try_collect()?;
                added.extend(known);
            }
        }
        // The sort is stable: files of one format keep their order.
        added.sort_by_key(|file| file.format);
        names_differ(&added)?;
        Ok(Self(added))
    }

    /// Returns the lines that credit the sources of the files, sorted and without duplicates.
    pub fn attribution(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.0.iter().filter_map(|file| file.source.attribution.clone()).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Describes each file: its name without its folder, because the index says nothing about the operator's machine, and whether
    /// it is share-alike.
    pub fn made_of(&self) -> impl Iterator<Item = DataSet> {
        self.0.iter().map(|file| {
            let name = file.file.name();
            let ImportSource { title, licence, share_alike, .. } = &file.source;
            let title = match licence {
                Some(licence) if *share_alike => format!("{name} ({title}, {licence}, share-alike)"),
                _ => name.into_owned(),
            };
            DataSet { title, ..DataSet::default() }
        })
    }

    /// Says what share-alike files ask for, if there are any. `is_alone` is whether the index holds nothing else.
    pub fn share_alike(&self, is_alone: bool) -> Option<String> {
        let shared: Vec<&AddedFile> = self.0.iter().filter(|file| file.source.share_alike).collect();
        if shared.is_empty() {
            return None;
        }
        let names = shared.iter().map(|file| file.file.name()).join(", ");
        let licences = shared.iter().filter_map(|file| file.source.licence.as_deref()).unique().join(", ");
        let mut text = format!(
            "share-alike: {names} ({licences}). This index becomes share-alike as a whole: whoever publishes it does so under \
             the same licence, and shows its credit"
        );
        if !is_alone {
            text += ". To keep the licences of the other data, write a file of its own with --alone";
        }
        Some(text)
    }

    pub fn of(&self, wanted: Format) -> impl Iterator<Item = &ImportFile> {
        self.0.iter().filter(move |file| file.format == wanted).map(|file| &file.file)
    }
}

fn added_file(file: ImportFile, sources: &[ImportSource]) -> Result<AddedFile, BuildError> {
    let format = recognise(&file)?;
    let source = sources.iter().find(|source| source.format == format.name());
    let source = source.cloned().ok_or_else(|| BuildError::Row {
        file: "data/sources.toml".to_owned(),
        at: "import".to_owned(),
        message: format!("has no entry with format = {:?}: add one", format.name()),
    })?;
    Ok(AddedFile { format, source, file })
}

/// Says which files of an archive are left out: beside the data there are explanations.
fn say_left_out(known: &[AddedFile], others: Vec<BuildError>) -> Result<(), BuildError> {
    let mut others = others.into_iter();
    if known.is_empty() {
        return others.next().map_or(Ok(()), Err);
    }
    for error in others {
        match error {
            BuildError::Unrecognised { path, .. } => {
                progress::say(&format!("  {} is not in a known format, and left out", path.display()));
            }
            other => return Err(other),
        }
    }
    Ok(())
}

/// Checks that no two files in the plain schema share a name, because their ids come from it.
fn names_differ(files: &[AddedFile]) -> Result<(), BuildError> {
    let mut seen = HashMap::new();
    for AddedFile { file, .. } in files.iter().filter(|file| file.source.ids == IdSpace::File) {
        let name = file.name();
        if let Some(other) = seen.insert(stem(&name).to_owned(), file.path()) {
            return Err(BuildError::SameName { path: file.path().to_owned(), other: other.to_owned() });
        }
    }
    Ok(())
}

/// Detects the format of each file, with the sources of the project.
#[cfg(test)]
pub(crate) fn test_files(files: impl IntoIterator<Item = ImportFile>) -> Result<Files, BuildError> {
    Files::recognise(files, &crate::fetch::test_manifest().import)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place of each source in JSON, a table of GeoNames, and airports.
    const OVERTURE: &str = r#"{"type": "Feature", "properties": {"names": {"primary": "A"}, "subtype": "locality"}}"#;
    const WIKIDATA: &str = r#"{"id": "Q1", "labels": {}, "claims": {}}"#;
    const PLAIN: &str = "name,country,lat,lon,type\n";
    const AIRPORTS: &str = "id,ident,type,name,latitude_deg,longitude_deg,iso_country,municipality,iata_code\n";
    const DIVISIONS: &str = "AD.06\tSant Julià\tSant Julia\t3039162\n";

    fn files(texts: &[(&str, &str)]) -> Files {
        test_files(texts.iter().map(|(name, text)| ImportFile::InMemory(name.into(), text.to_string().into())))
            .expect("the formats are known")
    }

    #[test]
    fn each_source_is_credited_once() {
        check(&[], &[]);
        check(&[("a.csv", PLAIN)], &[]);
        check(&[("a.txt", DIVISIONS), ("b.txt", DIVISIONS), ("a.csv", PLAIN)], &["Places added: © GeoNames"]);
        let both = &["Airports added: OurAirports", "Places added: © GeoNames"];
        check(&[("a.txt", DIVISIONS), ("b.csv", AIRPORTS), ("c.csv", AIRPORTS)], both);
        check(&[("a.ndjson", WIKIDATA)], &["Places added: Wikidata"]);
    }

    fn check(texts: &[(&str, &str)], expect: &[&str]) {
        let lines = files(texts).attribution();
        let sources: Vec<&str> = lines.iter().map(|line| line.split(" (").next().unwrap_or_default()).collect();
        assert_eq!(sources, expect, "{texts:?}");
    }

    #[test]
    fn share_alike_files_are_told() {
        let mixed = files(&[("a.csv", PLAIN), ("divisions.geojsonl", OVERTURE)]);
        assert!(
            mixed
                .attribution()
                .iter()
                .any(|line| line.contains("Open Database License") && line.contains("share-alike"))
        );
        let titles: Vec<String> = mixed.made_of().map(|set| set.title).collect();
        assert_eq!(titles, ["divisions.geojsonl (Overture divisions, ODbL-1.0, share-alike)", "a.csv"]);
        let said = mixed.share_alike(false).expect("one is share-alike");
        assert!(said.contains("divisions.geojsonl (ODbL-1.0)") && said.contains("--alone"), "{said}");
        let said = mixed.share_alike(true).expect("one is share-alike");
        assert!(said.contains("as a whole") && !said.contains("--alone"), "{said}");
        assert_eq!(files(&[("a.csv", PLAIN), ("b.ndjson", WIKIDATA)]).share_alike(false), None);
    }

    /// Checks files whose names differ only in the ending, of which two have one item.
    #[test]
    fn only_names_of_own_files_have_to_differ() {
        assert_eq!(files(&[("a.json", WIKIDATA), ("a.ndjson", WIKIDATA)]).0.len(), 2);
        let own =
            [("a.csv", PLAIN), ("a.tsv", PLAIN)].map(|(name, text)| ImportFile::InMemory(name.into(), text.into()));
        assert!(test_files(own).is_err_and(|error| error.to_string().contains("have the same name")));
    }
}
