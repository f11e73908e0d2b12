//! The table of sources in data/README.md and the licence texts in data/NOTICES.txt, generated from
//! `data/sources.toml` so that they never differ from it.

use std::path::Path;

use crate::error::BuildError;
use crate::fetch::Manifest;

/// Text above the licence texts.
const PREAMBLE: &str = "Notices of the data in an index of Toponym

An index is derived from the sources below; rows were merged, near-duplicates joined, names cleaned, classed and split,
and positions of areas computed from the places in them. Keep this text with an index, and show the credits with its
answers. Toponym itself, its curated places and its tables are under MIT or Apache-2.0, at your choice.
";

/// Returns the sources and libraries as a Markdown table: the line that credits each, its licence and its package.
///
/// # Example: write the table of sources
///
/// ```
/// use std::path::Path;
/// use toponym_builder::{Manifest, attribution};
///
/// let manifest = Manifest::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")))?;
/// let table = attribution::table(&manifest);
/// assert_eq!(table.lines().count(), 2 + manifest.source.len() + manifest.library.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn table(manifest: &Manifest) -> String {
    let row = |attribution: &str, licence: &str, package: &str, version: &str, url: &str| {
        format!("| {attribution} | {licence} | [{package} {version}]({url}) |\n")
    };
    let sources = manifest.source.iter();
    let sources = sources.map(|s| row(&s.attribution, &s.licence, &s.package, &s.version, &s.url));
    let libraries = manifest.library.iter();
    let libraries = libraries.map(|l| row(&l.attribution, &l.licence, &l.package, &l.version, &l.url));
    let rows: String = sources.chain(libraries).collect();
    format!("| Credit | Licence | Package |\n|---|---|---|\n{rows}")
}

/// Collects the credits of all sources and the licence texts that have to go with the data: those of packages in
/// `cache`, which are fetched if need be, and of libraries below `root`. A text that several share stands once.
///
/// # Errors
/// When a package cannot be fetched or has no such text.
pub fn notices(manifest: &Manifest, root: &Path, cache: &Path) -> Result<String, BuildError> {
    let mut credits = String::new();
    let mut texts: Vec<(String, Vec<&str>)> = Vec::new();
    let mut keep = |title, text: String| match texts.iter_mut().find(|(known, _)| *known == text) {
        Some((_, titles)) => titles.push(title),
        None => texts.push((text, vec![title])),
    };
    for source in &manifest.source {
        credits += &credit(&source.title, &source.url, &source.licence, &source.attribution);
        if let Some(text) = Manifest::notice(source, cache)? {
            keep(source.title.as_str(), text);
        }
    }
    for library in &manifest.library {
        credits += &credit(&library.title, &library.url, &library.licence, &library.attribution);
        let path = root.join("data").join(&library.notice);
        keep(library.title.as_str(), std::fs::read_to_string(&path).map_err(BuildError::io(&path))?);
    }
    Ok(format!("{PREAMBLE}\n{credits}{}", texts.iter().map(notice).collect::<String>()))
}

fn notice((text, titles): &(String, Vec<&str>)) -> String {
    let text = text.replace("\r\n", "\n");
    format!("\n{RULE}\n{}\n{RULE}\n\n{}\n", titles.join("\n"), text.trim_matches(['\u{feff}', '\n']))
}

/// Between the licence texts.
const RULE: &str = "----------------------------------------";

fn credit(title: &str, url: &str, licence: &str, attribution: &str) -> String {
    let link = match licence {
        "CC-BY-4.0" => ", https://creativecommons.org/licenses/by/4.0/",
        _ => "",
    };
    format!("* {title}, {url}\n  Licence: {licence}{link}\n  Credit: {attribution}\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const BEGIN: &str = "<!-- attribution: ";
    const END: &str = "<!-- end of attribution -->";

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    #[test]
    fn the_readme_credits_every_source() {
        let path = root().join("data/README.md");
        let readme = std::fs::read_to_string(&path).expect("data/README.md can be read");
        let (before, rest) = readme.split_once(BEGIN).expect("the README marks where the attribution begins");
        let (remark, rest) = rest.split_once('\n').expect("the mark is a line");
        let (found, after) = rest.split_once(END).expect("the README marks where the attribution ends");
        let expect = format!("\n{}\n", table(&Manifest::read(root()).expect("data/sources.toml can be read")));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let renewed = format!("{before}{BEGIN}{remark}\n{expect}{END}{after}");
            std::fs::write(&path, renewed).expect("the README can be written");
        } else {
            assert_eq!(found, expect, "UPDATE_EXPECT=1 renews the README");
        }
    }

    #[test]
    fn the_notices_are_those_of_the_packages() {
        let manifest = Manifest::read(root()).expect("data/sources.toml can be read");
        let expect = notices(&manifest, root(), &root().join("build/cache")).expect("every package has its text");
        let path = root().join("data/NOTICES.txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &expect).expect("data/NOTICES.txt can be written");
        }
        let found = std::fs::read_to_string(&path).expect("data/NOTICES.txt can be read");
        assert!(found == expect, "UPDATE_EXPECT=1 renews data/NOTICES.txt");
    }

    /// Checks that each licence that asks for it has its text beside the data.
    #[test]
    fn licences_that_ask_for_it_have_a_notice() {
        let manifest = Manifest::read(root()).expect("data/sources.toml can be read");
        for source in &manifest.source {
            let asks = !["CC-BY-4.0", "public domain"].contains(&source.licence.as_str());
            assert_eq!(source.notice.is_some(), asks, "{}", source.package);
        }
    }

    /// Checks that `data/sources.toml` credits the version that Cargo.lock pins.
    #[test]
    fn libraries_have_the_version_of_the_lock_file() {
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock can be read");
        for library in Manifest::read(root()).expect("data/sources.toml can be read").library {
            let entry = format!("name = \"{}\"\nversion = \"{}\"\n", library.package, library.version);
            assert!(lock.contains(&entry), "{} {}", library.package, library.version);
        }
    }

    #[test]
    fn every_source_is_in_the_table_of_licences() {
        let licences = std::fs::read_to_string(root().join("data/LICENSES.md")).expect("data/LICENSES.md can be read");
        let manifest = Manifest::read(root()).expect("data/sources.toml can be read");
        let sources = manifest.source.iter().chain(&manifest.opt_in).map(|source| &source.package);
        for package in sources.chain(manifest.library.iter().map(|library| &library.package)) {
            assert!(licences.contains(package), "data/LICENSES.md lacks {package}");
        }
        for import in manifest.import.iter().filter(|import| import.licence.is_some()) {
            let row = licences.lines().find(|line| line.contains(&format!("`{}`", import.format)));
            let row = row.unwrap_or_else(|| panic!("data/LICENSES.md lacks {}", import.format));
            assert_eq!(row.contains("share-alike"), import.share_alike, "{row}");
        }
    }

    /// Checks that each example is a part of what it is an example of.
    #[test]
    fn the_example_of_a_source_is_the_source() {
        let text = std::fs::read_to_string(root().join("CONTRIBUTING.md")).expect("CONTRIBUTING.md can be read");
        for (language, path) in
            [("toml", "data/sources.toml"), ("rust", "pkg-build/builder/src/sources/import/adapters/overture.rs")]
        {
            let (_, rest) = text.split_once(&format!("```{language}\n")).expect("there is an example");
            let (example, _) = rest.split_once("```").expect("the example ends");
            let whole = std::fs::read_to_string(root().join(path)).expect("it can be read");
            assert!(whole.contains(example), "CONTRIBUTING.md differs from {path}");
        }
    }

    /// The build inserts the credit lines of the index here, and a test of the package looks for each of them.
    #[test]
    fn the_package_readme_holds_the_attribution() {
        let readme = include_str!("../../npm/README.md");
        assert_eq!(readme.matches("<!-- attribution -->").count(), 1);
    }
}
