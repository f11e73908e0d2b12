//! Indexes that are deployed or served, and the place of the pages of the first: beside the web pages or in a bucket of R2.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::Args;
use toponym_builder::paged::PageList;
use toponym_terminal::report;
use toponym_terminal::workspace::{CONFIGURATION, Workspace};

use super::bucket::Bucket;
use super::folder::{MOST_PAGES, OTHER_FILES, assets, default_folder, page_list};
use super::indexes::{Indexes, Store};

/// Files that a deployment of a free account may have as static assets.
const FREE_FILES: usize = 20_000;

/// Pages that a deployment of a free account may have.
const FREE_PAGES: usize = FREE_FILES - OTHER_FILES;

/// The indexes of a service, and where their pages lie.
#[derive(Args, Clone, Debug, Default)]
pub struct Places {
    /// The index, or the folder of one in pages; several answer together, of which the first may be in pages [default: build/index.toponym]
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
    /// Answers from an index in pages, which lie there [default of --index: build/index.pages]
    #[arg(long, value_enum, value_name = "STORE")]
    pages: Option<Store>,
}

/// Choices that wrangler gets to know.
pub struct Chosen {
    /// The indexes.
    pub indexes: Indexes,
    /// The bucket of their pages, if they lie in one.
    pub bucket: Option<Bucket>,
    /// The name of the configuration, in the root folder.
    pub configuration: String,
}

impl Places {
    /// Returns the default index in pages, which are static assets.
    pub fn default_in_pages() -> Self {
        Self { index: Vec::new(), pages: Some(Store::Assets) }
    }

    /// Tells whether nothing is asked for, so that the caller may choose.
    pub fn is_default(&self) -> bool {
        self.index.is_empty() && self.pages.is_none()
    }

    /// Tells whether they are those of the default index in pages.
    pub fn are_default_pages(&self) -> bool {
        self.index.is_empty() && self.pages.is_some()
    }

    /// Checks the arguments, and writes the configuration that they need.
    pub fn choose(&self, workspace: &Workspace) -> Result<Chosen> {
        let configuration = CONFIGURATION.to_owned();
        let Some(store) = self.pages else {
            let indexes = Indexes { paths: absolute(&self.index)?, store: Store::default() };
            return Ok(Chosen { indexes, bucket: None, configuration });
        };
        let paths = in_pages(&self.index, workspace)?;
        let list = page_list(&paths[0])?;
        let indexes = Indexes { paths, store };
        match store {
            Store::Assets => {
                check_number(&list)?;
                Ok(Chosen { indexes, bucket: None, configuration })
            }
            Store::R2 => {
                let (bucket, configuration) = Bucket::new(workspace, indexes.paths[0].clone())?;
                Ok(Chosen { indexes, bucket: Some(bucket), configuration })
            }
        }
    }
}

/// Refuses more pages than a deployment may have as static assets.
fn check_number(list: &PageList) -> Result<()> {
    let number = assets(list).len();
    ensure!(
        number <= MOST_PAGES,
        "{number} pages are more than the {MOST_PAGES} that a deployment may have beside its other files: use --pages r2"
    );
    remarks(list).iter().for_each(|remark| report::remark(remark));
    Ok(())
}

/// Says what there is to know of the number of pages before they are uploaded.
fn remarks(list: &PageList) -> Vec<String> {
    let mut remarks = Vec::new();
    let number = assets(list).len();
    let left_out = list.pages.union(&list.before).count() - number;
    if left_out > 0 {
        remarks.push(format!(
            "{left_out} pages of the index before are left out, because with them there were more than the {MOST_PAGES} that a \
             deployment may have beside its other files. The service needs none of them; browsers that read published pages have to load the page \
             again. With --pages r2 they stay"
        ));
    }
    if number > FREE_PAGES {
        remarks.push(format!(
            "{number} pages are more than the {FREE_PAGES} that a deployment of a free account may have beside its other files; if it is \
             one, use --pages r2"
        ));
    }
    remarks
}

/// Returns the indexes of the arguments, of which the first is in pages; without arguments the default one.
fn in_pages(indexes: &[PathBuf], workspace: &Workspace) -> Result<Vec<PathBuf>> {
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
    absolute(indexes)
}

/// Makes paths absolute, each of which must lead to an index.
fn absolute(indexes: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let absolute = |index: &PathBuf| {
        ensure!(
            index.exists(),
            "there is no index at {}: build one with `cargo toponym index`, or in pages with `cargo toponym index --paged`",
            index.display()
        );
        Ok(std::path::absolute(index)?)
    };
    indexes.iter().map(absolute).collect()
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use fs_err as fs;

    use super::*;

    #[test]
    fn a_store_needs_an_index_in_pages() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("index.pages")).expect("the folder is ours");
        for (name, text) in [
            ("wrangler.toml", "name = \"toponym\"\nmain = \"entry.mjs\"\n"),
            ("index.pages/pages.json", r#"{"pages":["aa","bb"],"before":["aa","cc"]}"#),
            ("own.toponym", ""),
        ] {
            fs::write(path(name), text).expect("the folder is ours");
        }
        let choose = |index: &[&str], pages| {
            let index = index.iter().map(|name| path(name)).collect();
            Places { index, pages }.choose(&Workspace::at(folder.path()))
        };
        let error = |index: &[&str]| format!("{:#}", choose(index, Some(Store::R2)).err().expect("it is refused"));
        let missing = format!("{:#}", choose(&["none"], None).err().expect("it is refused"));
        assert!(missing.contains("there is no index at") && missing.contains("cargo toponym index"), "{missing}");
        assert!(error(&["index.pages", "none"]).contains("there is no index at"));
        assert!(error(&["index.pages", "index.pages"]).contains("only the first"));
        assert!(error(&["own.toponym"]).contains("--index build/index.pages"));
        assert!(error(&["own.toponym", "own.toponym"]).contains("--index build/index.pages"));
        assert!(error(&["none"]).contains("cargo toponym index --paged"));
        let chosen = choose(&["index.pages", "own.toponym"], Some(Store::Assets)).expect("the first is in pages");
        assert_eq!(chosen.indexes.paths, ["index.pages", "own.toponym"].map(path));
        let chosen = choose(&["index.pages"], Some(Store::Assets)).expect("it is an index in pages");
        assert!(chosen.bucket.is_none() && chosen.configuration == "wrangler.toml" && chosen.indexes.has_assets());
        let chosen = choose(&["index.pages"], Some(Store::R2)).expect("it is an index in pages");
        assert!(chosen.bucket.is_some() && chosen.configuration != "wrangler.toml" && !chosen.indexes.has_assets());
        let chosen = choose(&["own.toponym"], None).expect("it is there");
        assert!(chosen.bucket.is_none() && !chosen.indexes.has_assets());
    }

    #[test]
    fn too_many_pages_are_refused() {
        check_number(&list(0..MOST_PAGES, 0..0)).expect("a paid account may have them");
        let error = check_number(&list(0..MOST_PAGES + 1, 0..0)).expect_err("they are too many").to_string();
        assert!(error.contains("--pages r2"), "{error}");
    }

    /// Checks for pages of an index and of the one before how many are deployed, and what is said.
    #[test]
    fn a_planet_is_deployed_more_than_once() {
        check(0..10, 5..20, 20, &[]);
        check(0..FREE_PAGES, 0..0, FREE_PAGES, &[]);
        check(0..FREE_PAGES + 1, 0..0, FREE_PAGES + 1, &["a free account"]);
        check(0..60_000, 50_000..80_000, 80_000, &["a free account"]);
        check(0..60_000, 50_000..110_000, 60_000, &["50000 pages of the index before are left out", "a free account"]);
    }

    fn check(pages: Range<usize>, before: Range<usize>, expect: usize, said: &[&str]) {
        let list = list(pages, before);
        assert_eq!(assets(&list).len(), expect);
        check_number(&list).expect("a paid account may have them");
        let found = remarks(&list);
        assert!(
            found.len() == said.len() && found.iter().zip(said).all(|(found, said)| found.contains(said)),
            "{found:?}"
        );
    }

    fn list(pages: Range<usize>, before: Range<usize>) -> PageList {
        let names = |range: Range<usize>| range.map(|number| number.to_string()).collect();
        PageList { pages: names(pages), before: names(before) }
    }
}
