//! Turns: of all processes, one makes a product at a time. What is prepared beside a run is not made twice.

use anyhow::{Context, Result};
use fs_err::{self as fs, File};
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

/// Waits for the turn to make a product, which lasts until the file is closed: it ends with the process, too.
pub fn of(workspace: &Workspace, product: &str) -> Result<File> {
    let folder = workspace.root().join("build").join("made");
    fs::create_dir_all(&folder)?;
    let turn = File::create(folder.join(format!("{product}.lock")))?;
    if turn.file().try_lock().is_err() {
        report::step(&format!("wait for {product}, which another process makes"), |_| {
            turn.file().lock().context("cannot wait for another process")
        })?;
    }
    Ok(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_lasts_until_it_is_dropped() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let workspace = Workspace::at(root.path());
        let turn = of(&workspace, "product").expect("nobody has it");
        let lock = |product: &str| {
            let path = root.path().join("build/made").join(format!("{product}.lock"));
            File::create(path).expect("the folder is ours").file().try_lock().is_ok()
        };
        assert_eq!(["product", "another"].map(lock), [false, true]);
        drop(turn);
        assert!(lock("product"));
    }
}
