//! The table of sources in data/README.md, generated from `data/sources.toml` so that the two never differ.

use crate::fetch::Manifest;

/// The sources as a Markdown table: the line that credits each, its licence and its package.
pub fn table(manifest: &Manifest) -> String {
    let row = |source: &crate::fetch::Source| {
        let package = format!("[{} {}]({})", source.package, source.version, source.url);
        format!("| {} | {} | {package} |\n", source.attribution, source.licence)
    };
    let rows: String = manifest.source.iter().map(row).collect();
    format!("| Credit | Licence | Package |\n|---|---|---|\n{rows}")
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
    fn every_package_has_its_licence_text() {
        let licences = std::fs::read_to_string(root().join("data/LICENSES.md")).expect("data/LICENSES.md can be read");
        let manifest = Manifest::read(root()).expect("data/sources.toml can be read");
        for source in manifest.source.iter().chain(&manifest.opt_in) {
            assert!(licences.contains(&source.package), "data/LICENSES.md lacks {}", source.package);
        }
    }

    /// The build inserts the credit lines of the index here, and a test of the package looks for each of them.
    #[test]
    fn the_readme_of_the_package_has_a_place_for_the_attribution() {
        let readme = include_str!("../../npm/README.md");
        assert_eq!(readme.matches("<!-- attribution -->").count(), 1);
    }
}
