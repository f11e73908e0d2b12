//! The pages of an index in pages: where they lie for the Worker, beside the web pages or in a bucket of R2.

pub mod bucket;
mod configuration;

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use fs_err as fs;
use serde::Deserialize;

use super::worker::Indexes;
use super::workspace::Workspace;
use super::wrangler::CONFIGURATION;
use bucket::Bucket;

/// Where the files lie among the web pages.
const PLACES: &str = "places";

/// Names of the root, and of the list of pages, in the folder of an index.
const ROOT: &str = "root";
const PLAIN_ROOT: &str = "root.toponym";
const LIST: &str = "pages.json";

/// Environment variable with the name of the [`Store`], beside that with the paths of the indexes.
pub const STORE_VARIABLE: &str = "TOPONYM_PAGES";

/// Files that a deployment may have as static assets: of a free account, and of a paid one.
const FREE_FILES: usize = 20_000;
const MOST_FILES: usize = 100_000;

/// Where the Worker finds pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// Static assets of the deployment, beside the web pages
    #[default]
    Assets,
    /// A bucket of R2, for more pages than a deployment may have
    R2,
}

/// The indexes of a service, and where their pages lie.
#[derive(Args, Clone, Debug, Default)]
pub struct Places {
    #[command(flatten)]
    indexes: Indexes,
    /// Answers from an index in pages, which lie there [default of --index: build/index.pages]
    #[arg(long, value_enum, value_name = "STORE")]
    pages: Option<Store>,
}

/// What wrangler gets to know.
pub struct Chosen {
    /// The indexes.
    pub indexes: Indexes,
    /// The bucket of their pages, if they lie in one.
    pub bucket: Option<Bucket>,
    /// The name of the configuration, in the root folder.
    pub configuration: String,
}

impl Places {
    /// Checks the arguments, and writes the configuration that they need.
    pub fn choose(&self, workspace: &Workspace) -> Result<Chosen> {
        let Some(store) = self.pages else {
            return Ok(Chosen { indexes: self.indexes.clone(), bucket: None, configuration: CONFIGURATION.into() });
        };
        let folder = folder_of(self.indexes.paths(), workspace)?;
        let list = PageList::read(&folder)?;
        let indexes = Indexes::in_pages(folder.clone(), store);
        match store {
            Store::Assets => {
                list.check_number()?;
                Ok(Chosen { indexes, bucket: None, configuration: CONFIGURATION.into() })
            }
            Store::R2 => {
                let (bucket, configuration) = Bucket::of(workspace, folder)?;
                Ok(Chosen { indexes, bucket: Some(bucket), configuration })
            }
        }
    }
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

/// The list of an index in pages; `pkg-build/builder` writes it.
#[derive(Debug, Default, Deserialize)]
struct PageList {
    pages: BTreeSet<String>,
    before: BTreeSet<String>,
}

impl PageList {
    fn read(folder: &Path) -> Result<Self> {
        let list = fs::read(folder.join(LIST)).map_err(anyhow::Error::from);
        list.and_then(|json| Ok(serde_json::from_slice(&json)?)).with_context(|| {
            format!("{} is no index in pages: write one with `cargo xtask index --paged`", folder.display())
        })
    }

    /// Whether there are not too many for static assets.
    fn check_number(&self) -> Result<()> {
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

/// The folder of the index among the arguments, which can be in pages only alone.
pub fn folder_of(indexes: &[PathBuf], workspace: &Workspace) -> Result<PathBuf> {
    match indexes {
        [] => Ok(workspace.root().join("build").join("index.pages")),
        [folder] => Ok(std::path::absolute(folder)?),
        _ => bail!("an index in pages answers alone: give --index once, or leave out --pages"),
    }
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

    /// A repository with the folder of an index in pages, `index.pages`.
    fn repository() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        };
        write("wrangler.toml", "name = \"toponym\"\nmain = \"entry.mjs\"\n");
        write("index.pages/pages.json", r#"{"pages":["aa","bb"],"before":["aa","cc"]}"#);
        for name in ["root", "root.toponym", "aa", "bb", "cc"] {
            write(&format!("index.pages/{name}"), name);
        }
        write("build/site/places/old", "");
        let workspace = Workspace::at(folder.path());
        (folder, workspace)
    }

    #[test]
    fn pages_are_beside_the_web_pages_or_not() {
        let (folder, workspace) = repository();
        let index = [folder.path().join("index.pages")];
        let there = || {
            let names = fs::read_dir(folder.path().join("build/site/places")).expect("it is there");
            let mut names: Vec<_> = names.map(|entry| entry.expect("it is there").file_name()).collect();
            names.sort();
            names
        };
        put_in_site(&workspace, &index, Store::Assets).expect("they are copied");
        assert_eq!(there(), ["aa", "bb", "cc", "root"]);
        put_in_site(&workspace, &index, Store::R2).expect("they are removed");
        assert!(there().is_empty());
    }

    #[test]
    fn a_store_needs_one_index_in_pages() {
        let (folder, workspace) = repository();
        let choose = |index: &[&str], pages| {
            let indexes = index.iter().map(|name| folder.path().join(name)).collect();
            Places { indexes: Indexes::of(indexes), pages }.choose(&workspace)
        };
        let error = |index: &[&str]| format!("{:#}", choose(index, Some(Store::R2)).err().expect("it is refused"));
        assert!(error(&["index.pages", "other"]).contains("alone"));
        assert!(error(&["none"]).contains("cargo xtask index --paged"));
        let chosen = choose(&["index.pages"], Some(Store::Assets)).expect("it is an index in pages");
        assert!(chosen.bucket.is_none() && chosen.configuration == "wrangler.toml");
        let chosen = choose(&["index.pages"], Some(Store::R2)).expect("it is an index in pages");
        assert!(chosen.bucket.is_some() && chosen.configuration != "wrangler.toml");
        assert!(choose(&["other"], None).expect("nothing was asked for").bucket.is_none());
    }

    #[test]
    fn more_pages_than_a_deployment_may_have_are_refused() {
        let list =
            |number| PageList { pages: (0..number).map(|n: usize| n.to_string()).collect(), ..PageList::default() };
        list(MOST_FILES - 1).check_number().expect("a paid account may have them");
        let error = list(MOST_FILES).check_number().expect_err("they are too many").to_string();
        assert!(error.contains("--pages r2"), "{error}");
    }
}
