//! Names of the bindings in wrangler.toml.

/// Binding of the objects that hold API keys.
pub(crate) const KEYS: &str = "KEYS";

/// Binding of the directory.
pub(crate) const DIRECTORY: &str = "DIRECTORY";

/// Binding of the objects that collect samples.
pub(crate) const SHARDS: &str = "SHARDS";

/// Binding of the object with the totals of all samples.
pub(crate) const BOARD: &str = "BOARD";

/// Binding of the rate limit for unknown keys.
pub(crate) const STRANGERS: &str = "STRANGERS";
