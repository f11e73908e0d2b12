//! What is wrong with a request.

use std::borrow::Cow;
use std::fmt;

/// What is wrong with a request: which parameter, and what it must be.
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
