//! The pages of an index in pages: where they lie for the Worker, beside the web pages or in a bucket of R2.

pub mod bucket;
mod configuration;
pub mod folder;
pub mod publication;
pub mod store;

use anyhow::Result;
use clap::Args;

use super::indexes::Indexes;
use super::workspace::Workspace;
use super::wrangler::CONFIGURATION;
use bucket::Bucket;
use folder::{PageList, in_pages};
use store::Store;

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

impl Chosen {
    /// Returns whether pages lie among the static assets.
    pub fn has_assets(&self) -> bool {
        self.bucket.is_none() && self.indexes.paths().iter().any(|index| index.is_dir())
    }
}

impl Places {
    /// The default index in pages, which lie in `store`.
    pub fn default_in_pages(store: Store) -> Self {
        Self { indexes: Indexes::default(), pages: Some(store) }
    }

    /// Whether nothing is asked for, so that the caller may choose.
    pub fn is_default(&self) -> bool {
        self.indexes.paths().is_empty() && self.pages.is_none()
    }

    /// Whether they are those of the default index in pages.
    pub fn are_default_pages(&self) -> bool {
        self.indexes.paths().is_empty() && self.pages.is_some()
    }

    /// Checks the arguments, and writes the configuration that they need.
    pub fn choose(&self, workspace: &Workspace) -> Result<Chosen> {
        let Some(store) = self.pages else {
            return Ok(Chosen { indexes: self.indexes.clone(), bucket: None, configuration: CONFIGURATION.into() });
        };
        let paths = in_pages(self.indexes.paths(), workspace)?;
        let folder = paths[0].clone();
        let list = PageList::read(&folder)?;
        let indexes = Indexes::in_pages(paths, store);
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

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::folder::put_in_site;
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
        write("own.toponym", "");
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
    fn a_store_needs_an_index_in_pages() {
        let (folder, workspace) = repository();
        let choose = |index: &[&str], pages| {
            let indexes = index.iter().map(|name| folder.path().join(name)).collect();
            Places { indexes: Indexes::of(indexes), pages }.choose(&workspace)
        };
        let error = |index: &[&str]| format!("{:#}", choose(index, Some(Store::R2)).err().expect("it is refused"));
        assert!(error(&["index.pages", "index.pages"]).contains("only the first"));
        assert!(error(&["own.toponym"]).contains("--index build/index.pages"));
        assert!(error(&["own.toponym", "own.toponym"]).contains("--index build/index.pages"));
        assert!(error(&["none"]).contains("cargo toponym index --paged"));
        let chosen = choose(&["index.pages", "own.toponym"], Some(Store::Assets)).expect("the first is in pages");
        assert_eq!(chosen.indexes.paths(), ["index.pages", "own.toponym"].map(|name| folder.path().join(name)));
        let chosen = choose(&["index.pages"], Some(Store::Assets)).expect("it is an index in pages");
        assert!(chosen.bucket.is_none() && chosen.configuration == "wrangler.toml" && chosen.has_assets());
        let chosen = choose(&["index.pages"], Some(Store::R2)).expect("it is an index in pages");
        assert!(chosen.bucket.is_some() && chosen.configuration != "wrangler.toml" && !chosen.has_assets());
        let chosen = choose(&["other"], None).expect("nothing was asked for");
        assert!(chosen.bucket.is_none() && !chosen.has_assets());
    }
}
