//! Reads files out of the packages of `data/sources.toml`. On its own, so that it does not share the builder's faults.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toponym_builder::Manifest;

/// The packages, fetched into the cache of the index.
pub struct Packages {
    manifest: Manifest,
    cache: PathBuf,
}

impl Packages {
    pub fn new(root: &Path) -> Self {
        let manifest = Manifest::read(root).expect("data/sources.toml can be read");
        Self { manifest, cache: root.join("build/cache") }
    }

    /// Reads the bytes of `entry` of an npm package or a wheel.
    pub fn bytes(&self, package: &str, entry: &str) -> Vec<u8> {
        let mut found = self.files(package, |path| path == entry);
        found.pop().unwrap_or_else(|| panic!("{package} has no {entry}")).1
    }

    /// Reads the files of a package whose paths end with `end`, in order of their paths.
    pub fn ending(&self, package: &str, end: &str) -> Vec<(String, Vec<u8>)> {
        let mut found = self.files(package, |path| path.ends_with(end));
        found.sort();
        found
    }

    /// Parses `entry` of a package as JSON.
    pub fn json<T: DeserializeOwned>(&self, package: &str, entry: &str) -> T {
        serde_json::from_slice(&self.bytes(package, entry)).unwrap_or_else(|error| panic!("{package} {entry}: {error}"))
    }

    /// Reads the files of a package with a path that is wanted. Every path of an npm package begins with `package/`, which
    /// is left out.
    fn files(&self, package: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<(String, Vec<u8>)> {
        let archive = self.manifest.archive(package, &self.cache).unwrap_or_else(|error| panic!("{error}"));
        let file = std::fs::File::open(&archive).expect("it was fetched");
        let mut found = Vec::new();
        let mut take = |path: &str, from: &mut dyn Read| {
            if is_wanted(path) {
                let mut bytes = Vec::new();
                from.read_to_end(&mut bytes).expect("it is whole");
                found.push((path.to_owned(), bytes));
            }
        };
        if archive.extension().is_some_and(|end| end == "tgz") {
            let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
            for entry in archive.entries().expect("it is a tar file") {
                let mut entry = entry.expect("it is whole");
                let path = entry.path().expect("it has a path").to_string_lossy().into_owned();
                take(path.strip_prefix("package/").unwrap_or(&path), &mut entry);
            }
        } else {
            let mut archive = zip::ZipArchive::new(file).expect("it is a zip file");
            for at in 0..archive.len() {
                let mut entry = archive.by_index(at).expect("it is whole");
                let path = entry.name().expect("it has a name").into_owned();
                take(&path, &mut entry);
            }
        }
        found
    }
}
