//! Why a file cannot be opened as an index, and by what it is known as one.

use std::fmt;

/// The first bytes of every index.
pub const MAGIC: [u8; 8] = *b"TOPONYM\x1a";

/// Raised with every change that an older reader would misread.
pub const FORMAT_VERSION: u32 = 5;

/// Why bytes are not an index that can be used.
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
    /// The file has another length than it says.
    Truncated {
        /// Bytes the file says it has.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The checksum differs.
    Damaged,
    /// A part is not what the format says; names the part.
    Malformed(&'static str),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnIndex => write!(f, "this is not a Toponym index: its first bytes are not the magic"),
            Self::Version { found } => write!(
                f,
                "the index has format version {found}, this engine reads {FORMAT_VERSION}: build the index with the \
                 same release"
            ),
            Self::Truncated { expected, found } => {
                write!(f, "the index should have {expected} bytes and has {found}: fetch or build it again")
            }
            Self::Damaged => write!(f, "the index is damaged (its checksum differs): fetch or build it again"),
            Self::Malformed(part) => write!(f, "the index is malformed ({part}): build it again"),
        }
    }
}

impl std::error::Error for OpenError {}
