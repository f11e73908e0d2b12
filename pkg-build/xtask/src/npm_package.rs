//! Folders of npm packages in `build`: they are replaced as a whole, and their `package.json` has the version of the workspace
//! and the address of the repository, where it has a public one.

use std::path::Path;

use anyhow::{Result, ensure};
use fs_err as fs;
use toponym_terminal::workspace::Workspace;

use super::repository::Repository;

/// The placeholder for the version of the workspace, also where a package asks for another of its own version.
const NO_VERSION: &str = "\"0.0.0\"";

/// The field in front of which the address of the repository goes.
const FIRST_AFTER_REPOSITORY: &str = "  \"type\": \"module\",\n";

/// Builds `build/folder`, a package without a build step: `directory/src`, with README, licences and `package.json`.
pub fn from_sources(
    workspace: &Workspace,
    directory: &str,
    folder: &str,
    repository: Option<&Repository>,
) -> Result<()> {
    let sources = workspace.root().join(directory);
    place(workspace, folder, |folder| {
        copy_all(&sources.join("src"), folder)?;
        fs::copy(sources.join("README.md"), folder.join("README.md"))?;
        licences(workspace, folder)?;
        Ok(fs::write(folder.join("package.json"), manifest(workspace, directory, "package.json", repository)?)?)
    })
}

/// The text of the manifest `directory/name`, completed. As text, because the order of the conditions in `exports` is their
/// precedence.
///
/// # Errors
/// If the file cannot be read, or lacks a placeholder.
pub fn manifest(workspace: &Workspace, directory: &str, name: &str, repository: Option<&Repository>) -> Result<String> {
    let text = fs::read_to_string(workspace.root().join(directory).join(name))?;
    ensure!(text.contains(NO_VERSION), "{directory}/{name} has no placeholder for the version");
    ensure!(text.contains(FIRST_AFTER_REPOSITORY), "{directory}/{name} has no line for its type");
    let fields = repository.map(|repository| repository.fields(directory)).unwrap_or_default();
    let text = text.replacen(FIRST_AFTER_REPOSITORY, &format!("{fields}{FIRST_AFTER_REPOSITORY}"), 1);
    Ok(text.replace(NO_VERSION, &format!("\"{}\"", env!("CARGO_PKG_VERSION"))))
}

/// Fills a temporary folder by `fill` and replaces `build/<name>` with it when it is complete.
pub fn place(workspace: &Workspace, name: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let build = workspace.root().join("build");
    let (folder, next) = (build.join(name), build.join(format!("{name}.next")));
    remove(&next)?;
    fs::create_dir_all(&next)?;
    fill(&next)?;
    remove(&folder)?;
    Ok(fs::rename(next, folder)?)
}

fn remove(folder: &Path) -> Result<()> {
    if folder.is_dir() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

/// Copies the files of a folder.
pub fn copy_all(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Copies the licences of the code.
pub fn licences(workspace: &Workspace, folder: &Path) -> Result<()> {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(workspace.root().join(name), folder.join(name))?;
    }
    Ok(())
}
