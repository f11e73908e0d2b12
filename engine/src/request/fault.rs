//! Faults of requests.

use std::borrow::Cow;
use std::fmt;

/// A fault of a request: the parameter that is wrong, and what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Cow<'static, str>);

impl Fault {
    /// Makes a fault of its message.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self(message.into())
    }

    /// Returns the message.
    pub fn into_message(self) -> Cow<'static, str> {
        self.0
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}
