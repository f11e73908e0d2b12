//! Why the service is not healthy.

use std::fmt;

use crate::error::Failure;

/// Why the service is not healthy; the text of each is public, and holds nothing of the deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwell {
    /// A variable.
    Configuration,
    /// The index.
    NoIndex,
    /// What the index answers.
    WrongAnswer,
    /// An object does not answer.
    NoObject,
    /// An object answers when nobody waits for it any more.
    LateObject,
    /// A defect.
    Defect,
    /// It is not known yet.
    Unknown,
}

impl fmt::Display for Unwell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Configuration => "a variable of the deployment is missing or wrong",
            Self::NoIndex => "the index cannot be opened",
            Self::WrongAnswer => "the index does not find a country that it holds",
            Self::NoObject => "the object of a key does not answer",
            Self::LateObject => "the object of a key answers too late",
            Self::Defect => "an unexpected error occurred",
            Self::Unknown => "the state is not known yet",
        })
    }
}

impl From<Failure> for Unwell {
    /// The only failure that is not one of a part: whoever asks has not come back.
    fn from(_: Failure) -> Self {
        Self::Unknown
    }
}
