//! The folder of an index in pages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use toponym_builder::paged::{LIST, PageList};
use toponym_terminal::workspace::Workspace;

/// Files that a deployment of a paid account may have as static assets.
pub const MOST_FILES: usize = 100_000;

/// Files that a deployment has besides pages of an index: the web pages, which edge-worker/site/make.mjs counts, and the root.
pub const OTHER_FILES: usize = 2_000;

/// Pages that a deployment of a paid account may have.
pub const MOST_PAGES: usize = MOST_FILES - OTHER_FILES;

/// Returns the folder of the default index in pages.
pub fn default_folder(workspace: &Workspace) -> PathBuf {
    workspace.index().with_extension("pages")
}

/// Reads the list of the pages in a folder.
pub fn page_list(folder: &Path) -> Result<PageList> {
    ensure!(
        folder.join(LIST).is_file(),
        "{} is not an index in pages: write one with `cargo toponym index --paged`",
        folder.display()
    );
    Ok(PageList::read(folder)?)
}

/// Returns the pages that a deployment has as static assets. Those of the version before are among them, for browsers that read
/// published pages and still have its root, unless both together are too many: then a planet could be deployed only once. The Worker
/// needs none of them, because each version of it has assets of its own.
pub fn assets(list: &PageList) -> BTreeSet<&str> {
    let all: BTreeSet<&str> = list.pages.union(&list.before).map(String::as_str).collect();
    if all.len() <= MOST_PAGES { all } else { list.pages.iter().map(String::as_str).collect() }
}
