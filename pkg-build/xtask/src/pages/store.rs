//! Where the pages of an index in pages lie.

use std::env;

use clap::ValueEnum;

/// Environment variable with the name of the [`Store`], beside that with the paths of the indexes.
pub const STORE_VARIABLE: &str = "TOPONYM_PAGES";

/// Where the Worker finds pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// Static assets of the deployment, beside the web pages
    #[default]
    Assets,
    /// A bucket of R2, for more pages than a deployment may have
    R2,
}

impl Store {
    /// Its name in an argument.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assets => "assets",
            Self::R2 => "r2",
        }
    }

    /// That of the variable.
    pub fn of_environment() -> Self {
        let name = env::var(STORE_VARIABLE).unwrap_or_default();
        Self::from_str(&name, false).unwrap_or_default()
    }
}
