//! Options of an index: what it is built of, and where it is written.

use std::path::{Path, PathBuf};

use crate::fetch::unfinished_file;
use crate::output::partial;
use crate::paged::PLAIN_ROOT;
use crate::receipt::{Receipt, Recipe};

/// The inputs and the output of a build.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// The root of the project, which holds `data/`.
    pub root: PathBuf,
    /// The file to write, unless it is written in pages.
    pub out: PathBuf,
    /// The cache folder for fetched packages.
    pub cache: PathBuf,
    /// The folder in which the index is written in pages instead, if it is.
    pub paged: Option<PathBuf>,
    /// The operator's arguments.
    pub recipe: Recipe,
}

impl IndexOptions {
    /// Creates the options of the default index of the project at `root`: writes `build/index.toponym`, caches packages
    /// in `build/cache`.
    ///
    /// # Example: choose where an index is written
    ///
    /// ```
    /// use std::path::Path;
    /// use toponym_builder::index::IndexOptions;
    ///
    /// let usual = IndexOptions::new(Path::new("/home/me/toponym"));
    /// assert_eq!(usual.index(), Path::new("/home/me/toponym/build/index.toponym"));
    /// let pages = IndexOptions { paged: Some("/srv/places".into()), ..usual };
    /// assert_eq!(pages.index(), Path::new("/srv/places/root.toponym"));
    /// ```
    pub fn new(root: &Path) -> Self {
        let build = root.join("build");
        let out = build.join("index.toponym");
        let cache = build.join("cache");
        Self { root: root.to_owned(), out, cache, paged: None, recipe: Recipe::default() }
    }

    /// Lists what this process leaves behind if it is interrupted: temporary files of what it writes, and the folder of an
    /// unfinished download. Whoever interrupts it removes them.
    pub fn leftovers(&self) -> Vec<PathBuf> {
        let process = std::process::id();
        let index = self.index();
        let written = [Receipt::path(&index), index, self.merges()];
        let written = written.into_iter().map(|path| partial(&path, process));
        written.chain([unfinished_file(&self.cache, process)]).collect()
    }

    /// Returns the path of the index that is opened first: the one file, or the root of the pages.
    pub fn index(&self) -> PathBuf {
        self.paged.as_ref().map_or_else(|| self.out.clone(), |folder| folder.join(PLAIN_ROOT))
    }

    /// Returns the files that a build writes: the index, its receipt, and the report of merges.
    pub(crate) fn written(&self) -> Vec<PathBuf> {
        let index = self.index();
        vec![Receipt::path(&index), index, self.merges()]
    }

    /// Returns the folder in which temporary files of a build lie.
    pub(crate) fn folder(&self) -> &Path {
        self.out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Returns the path of the report of merges.
    pub(crate) fn merges(&self) -> PathBuf {
        self.out.with_extension("merges.csv")
    }
}
