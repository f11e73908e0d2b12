//! The indexes of a service.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use fs_err as fs;

use super::pages::folder::module_of;
use super::pages::store::{STORE_VARIABLE, Store};
use super::workspace::Workspace;

/// Environment variable with the paths of the indexes, as in `PATH`; without it, the default index. wrangler hands it on to
/// the build command of wrangler.toml.
const INDEXES_VARIABLE: &str = "TOPONYM_INDEXES";

/// The indexes that answer together.
#[derive(Args, Clone, Debug, Default)]
pub struct Indexes {
    /// The index, or the folder of one in pages; several answer together, of which the first may be in pages [default: build/index.toponym]
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
    /// Where the pages of the first lie, if it is in pages.
    #[arg(skip)]
    store: Store,
}

impl Indexes {
    /// Those at some paths, of which the first is in pages, with its pages in `store`.
    pub fn in_pages(index: Vec<PathBuf>, store: Store) -> Self {
        Self { index, store }
    }

    /// Those at some paths.
    #[cfg(test)]
    pub fn of(index: Vec<PathBuf>) -> Self {
        Self { index, store: Store::default() }
    }

    /// The paths that were given.
    pub fn paths(&self) -> &[PathBuf] {
        &self.index
    }

    /// Where their pages lie, if they are in pages.
    pub fn store(&self) -> Store {
        self.store
    }

    /// The variables by which wrangler's build command knows them; none for the default index.
    pub fn variables(&self) -> Result<Vec<(&'static str, OsString)>> {
        if self.index.is_empty() {
            return Ok(Vec::new());
        }
        let paths = self.index.iter().map(|path| {
            let path = std::path::absolute(path)?;
            fs::metadata(&path)?;
            Ok(path)
        });
        let paths = env::join_paths(paths.collect::<Result<Vec<_>>>()?)?;
        Ok(vec![(INDEXES_VARIABLE, paths), (STORE_VARIABLE, self.store.name().into())])
    }

    /// Sum of their sizes.
    pub fn bytes(&self, workspace: &Workspace) -> Result<u64> {
        let default = [workspace.index()];
        let paths = if self.index.is_empty() { &default[..] } else { &self.index };
        paths.iter().map(|path| Ok(fs::metadata(module_of(path))?.len())).sum()
    }

    /// Those of the variables.
    pub fn of_environment() -> Self {
        let index = env::var_os(INDEXES_VARIABLE).map(|paths| env::split_paths(&paths).collect());
        Self { index: index.unwrap_or_default(), store: Store::of_environment() }
    }
}
