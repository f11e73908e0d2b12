//! Paths of the indexes that a question is put to: those of `--index`, else of TOPONYM_INDEX, else the built one of the
//! repository, else the one that `toponym fetch-index` downloaded.
//!
//! So the commands work in any folder and without a repository.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use clap::Args;
use toponym_engine::Engine;
use xxhash_rust::xxh3::xxh3_64;

/// The built index, in the repository.
const BUILT: &str = "build/index.toponym";

/// Names index files, separated as in PATH.
const VARIABLE: &str = "TOPONYM_INDEX";

/// Names the folder of what was downloaded.
const HOME: &str = "TOPONYM_HOME";

/// The indexes that answer.
#[derive(Args, Clone, Debug, Default)]
pub struct IndexFiles {
    /// The index; several answer together [default: those that TOPONYM_INDEX names, else build/index.toponym, else the downloaded one]
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
}

/// An opened engine, and what identifies its bytes.
pub struct Opened {
    /// Answers from all files.
    pub engine: Engine,
    /// The digest of each file, in their order.
    pub digests: Vec<u64>,
}

impl IndexFiles {
    /// Opens them. `root` is the repository, if there is one.
    pub fn open(&self, root: &Path) -> Result<Opened> {
        let mut joined: Option<Opened> = None;
        for path in self.paths(root)? {
            require_one_file(&path)?;
            let bytes = Bytes::from(fs_err::read(&path).with_context(|| {
                format!(
                    "there is no index at {}: build one with `toponym index`, or fetch one with `toponym fetch-index`",
                    path.display()
                )
            })?);
            let digest = xxh3_64(&bytes);
            let engine = Engine::open(bytes).with_context(|| format!("{} cannot be opened", path.display()))?;
            match &mut joined {
                None => joined = Some(Opened { engine, digests: vec![digest] }),
                Some(opened) => {
                    opened.engine.join(engine);
                    opened.digests.push(digest);
                }
            }
        }
        joined.context(MISSING)
    }

    fn paths(&self, root: &Path) -> Result<Vec<PathBuf>> {
        if !self.index.is_empty() {
            return Ok(self.index.clone());
        }
        if let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
            return Ok(env::split_paths(&named).collect());
        }
        let usual = [Some(root.join(BUILT)), fetched_index()].into_iter().flatten().find(|path| path.is_file());
        Ok(vec![usual.context(MISSING)?])
    }
}

/// Returns the path of the downloaded index, there or not, if this user has a folder for it.
pub fn fetched_index() -> Option<PathBuf> {
    let named = env::var_os(HOME).filter(|named| !named.is_empty()).map(PathBuf::from);
    Some(named.or_else(|| Some(env::home_dir()?.join(".toponym")))?.join("index.toponym"))
}

/// Refuses the folder of an index in pages, for commands that answer from one file.
pub fn require_one_file(index: &Path) -> Result<()> {
    ensure!(
        !index.is_dir(),
        "{} is an index in pages: this command needs one in one file, such as build/index.toponym, beside which pages are written",
        index.display()
    );
    Ok(())
}

const MISSING: &str = "there is no index: name its file with --index FILE or in the variable TOPONYM_INDEX; `toponym fetch-index` of \
                       a released program downloads one; in a clone of the repository, `cargo toponym index` builds one";

#[cfg(test)]
mod tests {
    use toponym_engine::pages::{PageSizes, WrittenPages, write_paged};
    use toponym_engine::{Gazetteer, index};

    use super::*;

    #[test]
    fn what_is_in_pages_is_refused_with_advice() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let at = |name: &str| folder.path().join(name);
        let write = |name: &str, bytes: Vec<u8>| fs_err::write(at(name), bytes).expect("the folder is ours");
        let places = Gazetteer::default();
        let mut take = |_: WrittenPages| -> Result<()> { Ok(()) };
        let sizes = PageSizes { root: 0, crown: 500, page: 500 };
        write("root.toponym", write_paged(&places, sizes, &mut take).expect("it is sound"));
        write("own.toponym", index::write(&places).expect("it is sound"));
        let check = |names: &[&str], expect: &str| {
            let files = IndexFiles { index: names.iter().map(|name| at(name)).collect() };
            let found = files.open(folder.path()).map_or_else(|error| format!("{error:#}"), |_| "opened".to_owned());
            assert!(found.contains(expect), "{names:?}: {found}");
        };
        check(&["own.toponym"], "opened");
        check(&["own.toponym", "own.toponym"], "opened");
        check(&["."], "is an index in pages: this command needs one in one file, such as build/index.toponym");
        check(&["own.toponym", "."], "is an index in pages");
        check(&["root.toponym"], "root of an index in pages");
        check(&["none"], "no index at");
    }
}
