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

    /// The bytes of `entry` of an npm package or a wheel.
    pub fn bytes(&self, package: &str, entry: &str) -> Vec<u8> {
        let path = self.manifest.archive(package, &self.cache).unwrap_or_else(|error| panic!("{error}"));
        let file = std::fs::File::open(&path).expect("it was fetched");
        let mut bytes = Vec::new();
        if path.extension().is_some_and(|end| end == "tgz") {
            let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
            let wanted = Path::new("package").join(entry);
            let mut entries = archive.entries().expect("it is a tar file").map(|entry| entry.expect("it is whole"));
            let found = entries.find(|entry| entry.path().is_ok_and(|path| path == wanted));
            found.expect(entry).read_to_end(&mut bytes).expect("it is whole");
        } else {
            let mut archive = zip::ZipArchive::new(file).expect("it is a zip file");
            archive.by_name(entry).expect(entry).read_to_end(&mut bytes).expect("it is whole");
        }
        bytes
    }

    /// `entry` of a package as JSON.
    pub fn json<T: DeserializeOwned>(&self, package: &str, entry: &str) -> T {
        serde_json::from_slice(&self.bytes(package, entry)).unwrap_or_else(|error| panic!("{package} {entry}: {error}"))
    }
}
