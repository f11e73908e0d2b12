//! The receipt of an index: a small file beside it that says when it was made, of what, and how.
//!
//! The time stays out of the index itself, so that the same inputs give the same bytes.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::error::BuildError;

/// Set of places that an index holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// Every place.
    #[default]
    Whole,
    /// The subset that a web page loads.
    Core,
    /// The subset of that from which a web page answers first.
    First,
    /// Share-alike stations and the places that contain them: a separate file, because the licence covers everything
    /// made with them.
    OdblStations,
    /// Share-alike postal codes and the places that contain them: a separate file for the same reason.
    Postcodes,
    /// Places with rows of the added files, and the places that contain them: an index of its own, to be used beside the
    /// default one.
    Alone,
}

/// The arguments of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Set of places that the index holds.
    pub extent: Extent,
    /// Files to import; `data/ADDING.md` describes their formats. Paths are absolute, because a later command may run in
    /// another folder.
    pub add: Vec<PathBuf>,
    /// Lines that credit the authors of those files, beside the credits that their formats require.
    pub credit: Vec<String>,
    /// Packages of `data/sources.toml` to leave out.
    #[serde(default)]
    pub without: Vec<String>,
}

/// Formats the arguments as the operator types them: `--add my.csv`; nothing for the default index.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = match self.extent {
            Extent::Whole => Vec::new(),
            Extent::Core => vec!["--core".to_owned()],
            Extent::First => vec!["--first".to_owned()],
            Extent::OdblStations => vec!["--odbl-stations".to_owned()],
            Extent::Postcodes => vec!["--postcodes".to_owned()],
            Extent::Alone => vec!["--alone".to_owned()],
        };
        if !self.add.is_empty() {
            words.push("--add".to_owned());
            words.extend(self.add.iter().map(|path| quote(&path.to_string_lossy())));
        }
        words.extend(self.credit.iter().map(|line| format!("--credit {}", quote(line))));
        words.extend(self.without.iter().map(|package| format!("--without {package}")));
        f.write_str(&words.join(" "))
    }
}

/// Puts a word in quotation marks if a shell would split it.
fn quote(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("'{word}'") } else { word.to_owned() }
}

/// Digests of everything that decides the bytes of an index, by name: the builder, and the path of each file.
pub type Inputs = BTreeMap<String, String>;

/// Contents of a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// When the index was made, as in RFC 3339.
    pub made: String,
    /// The arguments.
    pub recipe: Recipe,
    /// Inputs that the index was made of.
    pub inputs: Inputs,
    /// Digest of the index.
    pub index: String,
}

impl Receipt {
    /// Creates the receipt of an index of these `bytes`, made now.
    pub(crate) fn new(recipe: Recipe, inputs: Inputs, bytes: &[u8]) -> Self {
        Self { made: now(), recipe, inputs, index: digest_of(bytes) }
    }

    /// Returns the path of the receipt of `index`.
    ///
    /// # Example: find the receipt of an index
    ///
    /// ```
    /// use std::path::Path;
    /// use toponym_builder::receipt::Receipt;
    ///
    /// assert_eq!(Receipt::path(Path::new("build/index.toponym")), Path::new("build/index.toponym.json"));
    /// ```
    pub fn path(index: &Path) -> PathBuf {
        let mut name = index.file_name().unwrap_or_default().to_owned();
        name.push(".json");
        index.with_file_name(name)
    }

    /// Reads the receipt beside `index`, if there is one that this version can read.
    ///
    /// # Example: see whether an index was made here
    ///
    /// ```
    /// use std::path::Path;
    /// use toponym_builder::receipt::Receipt;
    ///
    /// assert!(Receipt::beside(Path::new("no/such/index.toponym")).is_none());
    /// ```
    pub fn beside(index: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(Self::path(index)).ok()?).ok()
    }

    /// Tells whether the receipt belongs to an index of these `bytes`.
    pub fn is_of(&self, bytes: &[u8]) -> bool {
        self.index == digest_of(bytes)
    }
}

/// Computes the XXH3 of 128 bits, in hexadecimal.
///
/// # Example: compare two files by their digests
///
/// ```
/// use toponym_builder::receipt::digest_of;
///
/// assert_eq!(digest_of(b"").len(), 32);
/// assert_ne!(digest_of(b"a"), digest_of(b"b"));
/// ```
pub fn digest_of(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

/// Returns what an index by `recipe` is made of, with the project at `root`. The packages are pinned by
/// `data/sources.toml`.
pub(crate) fn inputs(root: &Path, recipe: &Recipe) -> Result<Inputs, BuildError> {
    let mut inputs = Inputs::from([(BUILDER.to_owned(), CODE.to_owned())]);
    let mut paths = vec!["data/sources.toml".to_owned()];
    for folder in ["data/curated", "data/tables"] {
        tables(root, folder, &mut paths)?;
    }
    for path in paths {
        let digest = file_digest(&root.join(&path))?;
        inputs.insert(path, digest);
    }
    for path in &recipe.add {
        inputs.insert(path.to_string_lossy().into_owned(), file_digest(path)?);
    }
    Ok(inputs)
}

/// The name of the code among the inputs.
pub(crate) const BUILDER: &str = "the builder";

/// The digest of the code: `code_digest.rs`.
pub(crate) const CODE: &str = env!("TOPONYM_WRITER");

/// Adds the files in `folder` and its subfolders but those that explain them; none if the folder does not exist.
fn tables(root: &Path, folder: &str, paths: &mut Vec<String>) -> Result<(), BuildError> {
    let full = root.join(folder);
    if !full.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(&full).map_err(BuildError::io(&full))? {
        let entry = entry.map_err(BuildError::io(&full))?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            tables(root, &path, paths)?;
        } else if !path.ends_with(".md") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Computes the digest of a file of any size.
fn file_digest(path: &Path) -> Result<String, BuildError> {
    let mut file = std::fs::File::open(path).map_err(BuildError::io(path))?;
    let mut digest = Xxh3::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(BuildError::io(path))? {
            0 => return Ok(format!("{:032x}", digest.digest128())),
            read => digest.update(&buffer[..read]),
        }
    }
}

fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let time = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_shown_as_they_are_typed() {
        let whole = Recipe::default;
        check(whole(), "");
        check(Recipe { extent: Extent::Core, ..whole() }, "--core");
        check(Recipe { extent: Extent::First, ..whole() }, "--first");
        check(Recipe { extent: Extent::OdblStations, ..whole() }, "--odbl-stations");
        check(Recipe { extent: Extent::Postcodes, ..whole() }, "--postcodes");
        let alone = Recipe { extent: Extent::Alone, add: vec!["/my.csv".into()], ..whole() };
        check(alone, "--alone --add /my.csv");
        let add = vec!["/a/my.csv".into(), "/a b/FR.txt".into()];
        let recipe = Recipe { add, credit: vec!["© Me".into()], without: vec!["pycountry".into()], ..whole() };
        check(recipe, "--add /a/my.csv '/a b/FR.txt' --credit '© Me' --without pycountry");
    }

    fn check(recipe: Recipe, expect: &str) {
        assert_eq!(recipe.to_string(), expect);
    }

    #[test]
    fn a_receipt_stands_beside_its_index() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let index = folder.path().join("index.toponym");
        assert_eq!(Receipt::beside(&index), None);
        let receipt = Receipt::new(Recipe::default(), Inputs::new(), b"bytes");
        let json = serde_json::to_vec(&receipt).expect("it has no maps of odd keys");
        std::fs::write(folder.path().join("index.toponym.json"), json).expect("the folder is ours");
        assert_eq!(Receipt::beside(&index).as_ref(), Some(&receipt));
        assert!(receipt.is_of(b"bytes") && !receipt.is_of(b"others"));
        assert!(receipt.made.starts_with("20") && receipt.made.ends_with('Z'), "{}", receipt.made);
    }

    #[test]
    fn large_files_have_the_same_digest_in_parts() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file can be created");
        let bytes: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
        std::fs::write(file.path(), &bytes).expect("the file is ours");
        assert_eq!(file_digest(file.path()).expect("it can be read"), digest_of(&bytes));
    }
}
