//! The magic and version of an index file, and the error of opening one.

use std::fmt;

/// The first bytes of every index.
pub const MAGIC: [u8; 8] = *b"TOPONYM\x1a";

/// Incremented with every change that an older reader would misread.
pub const FORMAT_VERSION: u32 = 12;

/// Why an index cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// The first bytes are not [`MAGIC`].
    NotAnIndex,
    /// Written by another version of the engine.
    Version {
        /// The version in the file.
        found: u32,
    },
    /// The length of the file is not the one it declares.
    Truncated {
        /// Length in bytes that the file declares.
        expected: u64,
        /// Length in bytes of the file.
        found: u64,
    },
    /// The checksum differs.
    Damaged,
    /// The file is the root of an index in pages, which answers only with its pages: see
    /// [`Paged`](crate::pages::Paged).
    InPages,
    /// The named part does not follow the format.
    Malformed(&'static str),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnIndex => write!(f, "not a Toponym index: the file does not start with the magic bytes"),
            Self::Version { found } => write!(
                f,
                "the index has format version {found}, but this engine reads version {FORMAT_VERSION}: build the index \
                 with the same release"
            ),
            Self::Truncated { expected, found } => {
                write!(f, "the index should have {expected} bytes but has {found}: fetch or build it again")
            }
            Self::Damaged => write!(f, "the index is damaged (its checksum differs): fetch or build it again"),
            Self::InPages => write!(
                f,
                "this is the root of an index in pages: open it as one, and of several indexes that answer together as the first"
            ),
            Self::Malformed(part) => write!(f, "the index is malformed ({part}): build it again"),
        }
    }
}

impl std::error::Error for OpenError {}
