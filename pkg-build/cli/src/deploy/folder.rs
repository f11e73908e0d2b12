//! The folder of an index in pages.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use toponym_builder::paged::{LIST, PageList};
use toponym_terminal::workspace::Workspace;

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
