//! Copies the repository, with everything that its tests need.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use toponym_terminal::workspace::Workspace;

/// The copy. It is kept between runs, and only differing files are written, so that its builds are kept as well.
pub struct Tree {
    home: PathBuf,
}

impl Tree {
    /// Copies the files that git tracks or would add, and the index with its receipt.
    pub fn copy(workspace: &Workspace) -> Result<Self> {
        let tree = Self { home: workspace.target().join("mutants") };
        let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z"];
        let listed = workspace.output("git", &arguments)?;
        let listed = listed.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from);
        let mut files: BTreeSet<PathBuf> = listed.filter(|path| workspace.root().join(path).is_file()).collect();
        let index = workspace.index();
        let receipt = index.with_extension("toponym.json");
        for path in [index, receipt].iter().filter(|path| path.is_file()) {
            files.extend(path.strip_prefix(workspace.root()).map(Path::to_owned));
        }
        for path in &files {
            renew(&workspace.root().join(path), &tree.root().join(path))?;
        }
        remove_others(&tree.root(), Path::new(""), &files)?;
        Ok(tree)
    }

    /// Returns the root of the copy.
    pub fn root(&self) -> PathBuf {
        self.home.join("tree")
    }

    /// Returns the folder that holds the copy and the output of runs.
    pub fn home(&self) -> &Path {
        &self.home
    }
}

/// Writes a file only if it differs, because cargo compares modification times.
fn renew(from: &Path, to: &Path) -> Result<()> {
    let wanted = fs_err::read(from)?;
    if fs_err::read(to).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs_err::create_dir_all(folder)?;
    }
    Ok(fs_err::write(to, wanted)?)
}

/// Removes everything that is not one of `files`: renamed, deleted, or output of a run.
fn remove_others(root: &Path, folder: &Path, files: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs_err::read_dir(root.join(folder))? {
        let path = folder.join(entry?.file_name());
        let full = root.join(&path);
        if full.is_dir() {
            remove_others(root, &path, files)?;
        } else if !files.contains(&path) {
            fs_err::remove_file(full)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_follows_its_original() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let (from, to) = (folder.path().join("from"), folder.path().join("to/deep/file"));
        std::fs::write(&from, "one").expect("the folder is ours");
        renew(&from, &to).expect("it is copied");
        let before = std::fs::metadata(&to).and_then(|meta| meta.modified()).expect("it is there");
        renew(&from, &to).expect("it is the same");
        assert_eq!(std::fs::metadata(&to).and_then(|meta| meta.modified()).expect("it is there"), before);
        std::fs::write(&from, "two").expect("the folder is ours");
        renew(&from, &to).expect("it is copied");
        assert_eq!(std::fs::read_to_string(&to).expect("it is there"), "two");
        let root = folder.path().join("to");
        std::fs::write(root.join("deep/other"), "").expect("the folder is ours");
        remove_others(&root, Path::new(""), &BTreeSet::from(["deep/file".into()])).expect("it is removed");
        assert!(to.is_file() && !root.join("deep/other").exists());
    }
}
