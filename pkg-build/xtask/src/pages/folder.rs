//! The folder of an index in pages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use serde::Deserialize;

use super::super::workspace::Workspace;
use super::store::Store;

/// Where the files lie among the web pages.
const PLACES: &str = "places";

/// Names of the root, and of the list of pages, in the folder of an index.
const ROOT: &str = "root";
const PLAIN_ROOT: &str = "root.toponym";
const LIST: &str = "pages.json";

/// Files that a deployment may have as static assets: of a free account, and of a paid one.
const FREE_FILES: usize = 20_000;
const MOST_FILES: usize = 100_000;

/// The list of an index in pages; `pkg-build/builder` writes it.
#[derive(Debug, Default, Deserialize)]
pub struct PageList {
    pub pages: BTreeSet<String>,
    pub before: BTreeSet<String>,
}

impl PageList {
    pub fn read(folder: &Path) -> Result<Self> {
        let list = fs::read(folder.join(LIST)).map_err(anyhow::Error::from);
        list.and_then(|json| Ok(serde_json::from_slice(&json)?)).with_context(|| {
            format!("{} is no index in pages: write one with `cargo toponym index --paged`", folder.display())
        })
    }

    /// Whether there are not too many for static assets.
    pub fn check_number(&self) -> Result<()> {
        let number = self.pages.union(&self.before).count();
        ensure!(
            number < MOST_FILES,
            "{number} pages are more than the {MOST_FILES} files that a deployment may have: use --pages r2"
        );
        if number > FREE_FILES {
            toponym_terminal::report::remark(&format!(
                "{number} pages are more than the {FREE_FILES} files that a deployment of a free account may have; if it is one, use \
                 --pages r2"
            ));
        }
        Ok(())
    }
}

/// The folder of the default index in pages.
pub fn default_folder(workspace: &Workspace) -> PathBuf {
    workspace.root().join("build").join("index.pages")
}

/// The indexes of the arguments, of which the first is in pages; without arguments the default one.
pub fn in_pages(indexes: &[PathBuf], workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let [first, others @ ..] = indexes else { return Ok(vec![default_folder(workspace)]) };
    if let Some(folder) = others.iter().find(|index| index.is_dir()) {
        bail!("{} is in pages, which only the first of several indexes can be", folder.display());
    }
    if !first.is_dir() && others.iter().chain([first]).all(|index| index.is_file()) {
        bail!(
            "{} is an index in one file: with pages, name the folder of one in pages first, such as --index build/index.pages \
             --index {0}, or leave out --pages",
            first.display()
        );
    }
    indexes.iter().map(|index| Ok(std::path::absolute(index)?)).collect()
}

/// The file of an index that is a module of the Worker: of one in pages its root.
pub fn module_of(index: &Path) -> PathBuf {
    if index.is_dir() { index.join(PLAIN_ROOT) } else { index.to_owned() }
}

/// Puts the files of an index in pages beside the web pages, if its pages lie there, and removes those of another one.
pub fn put_in_site(workspace: &Workspace, indexes: &[PathBuf], store: Store) -> Result<()> {
    let folder = workspace.root().join("build").join("site").join(PLACES);
    let mut wanted = BTreeSet::new();
    for index in indexes.iter().filter(|index| store == Store::Assets && index.is_dir()) {
        fs::create_dir_all(&folder)?;
        for name in fs::read_dir(index)?.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()? {
            // The others are not for visitors: they have dots in their names.
            if name.to_string_lossy().contains('.') {
                continue;
            }
            let copy = folder.join(&name);
            if name == ROOT || !copy.exists() {
                fs::copy(index.join(&name), &copy)?;
            }
            wanted.insert(name);
        }
    }
    if folder.is_dir() {
        let old = fs::read_dir(&folder)?.collect::<std::io::Result<Vec<_>>>()?;
        old.iter()
            .filter(|entry| !wanted.contains(&entry.file_name()))
            .try_for_each(|entry| fs::remove_file(entry.path()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_pages_than_a_deployment_may_have_are_refused() {
        let list =
            |number| PageList { pages: (0..number).map(|n: usize| n.to_string()).collect(), ..PageList::default() };
        list(MOST_FILES - 1).check_number().expect("a paid account may have them");
        let error = list(MOST_FILES).check_number().expect_err("they are too many").to_string();
        assert!(error.contains("--pages r2"), "{error}");
    }
}
