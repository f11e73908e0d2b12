//! The reasons that `/health` gives when the service is not healthy.

use std::fmt;

use crate::error::Failure;

/// Why the service is not healthy. The texts are public and reveal nothing about the deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwell {
    /// A variable is missing or invalid.
    Configuration,
    /// The index does not open.
    NoIndex,
    /// The index gives a wrong answer.
    WrongAnswer,
    /// An object does not answer.
    NoObject,
    /// An object answers too late.
    LateObject,
    /// A defect.
    Defect,
    /// The state is not known yet.
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
    /// Converts the only failure that is not of a part: the request that runs the check has not finished.
    fn from(_: Failure) -> Self {
        Self::Unknown
    }
}
