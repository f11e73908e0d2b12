//! Names of the bindings in wrangler.toml, and the objects behind them.

use crate::durable::location::Location;

/// Binding of the objects that hold API keys.
pub(crate) const KEYS: &str = "KEYS";

/// Binding of the directory.
pub(crate) const DIRECTORY: &str = "DIRECTORY";

/// Binding of the object with the samples of all isolates.
pub(crate) const BOARD: &str = "BOARD";

/// Binding of the rate limit for unknown keys.
pub(crate) const STRANGERS: &str = "STRANGERS";

/// An object of the platform.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a> {
    /// Binding of its class.
    pub binding: &'static str,
    /// Name of the object.
    pub name: &'a str,
    /// Region in which the platform is to place the object, if it is not there yet.
    pub location: Option<Location>,
}

impl<'a> Object<'a> {
    /// Names an object that is there, or may be anywhere.
    pub fn with_name(binding: &'static str, name: &'a str) -> Self {
        Self { binding, name, location: None }
    }
}
