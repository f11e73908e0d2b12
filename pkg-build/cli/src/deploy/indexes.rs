//! The indexes that answer in a Worker, as the variables of the environment name them. wrangler hands these on to the build
//! command of `wrangler.toml`, which puts the indexes into the Worker: [`super::worker`].

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;

use crate::index::in_place;
use crate::pages::file_of;

/// Environment variable with the paths of the indexes, as in `PATH`; without it, the default index.
const INDEXES_VARIABLE: &str = "TOPONYM_INDEXES";

/// Environment variable with the name of the [`Store`].
const STORE_VARIABLE: &str = "TOPONYM_PAGES";

/// Store in which the Worker finds pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// Static assets of the deployment, beside the web pages
    #[default]
    Assets,
    /// A bucket of R2, for more pages than a deployment may have
    R2,
}

/// The indexes that answer together.
#[derive(Clone, Debug, Default)]
pub struct Indexes {
    /// Absolute paths of the indexes, of which the first may be in pages; none for the default index.
    pub paths: Vec<PathBuf>,
    /// Store of the pages of the first index, if it is in pages.
    pub store: Store,
}

impl Indexes {
    /// Reads the variables.
    pub fn of_environment() -> Self {
        let paths = env::var_os(INDEXES_VARIABLE).map(|paths| env::split_paths(&paths).collect());
        let store = Store::from_str(&env::var(STORE_VARIABLE).unwrap_or_default(), false);
        Self { paths: paths.unwrap_or_default(), store: store.unwrap_or_default() }
    }

    /// Returns the variables; none for the default index.
    pub fn variables(&self) -> Result<Vec<(&'static str, OsString)>> {
        if self.paths.is_empty() {
            return Ok(Vec::new());
        }
        let paths = env::join_paths(&self.paths)?;
        let store = if self.store == Store::R2 { "r2" } else { "assets" };
        Ok(vec![(INDEXES_VARIABLE, paths), (STORE_VARIABLE, store.into())])
    }

    /// Returns the files that are modules of the Worker: of an index in pages its root.
    pub fn modules(&self, root: &Path) -> Vec<PathBuf> {
        if self.paths.is_empty() { vec![in_place(root)] } else { self.paths.iter().map(|path| file_of(path)).collect() }
    }

    /// Returns whether pages lie among the static assets.
    pub fn has_assets(&self) -> bool {
        self.store == Store::Assets && self.paths.iter().any(|index| index.is_dir())
    }
}
