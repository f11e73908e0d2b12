//! Files that a build writes: complete or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::BuildError;

/// Writes to a temporary file beside `path` and renames it, so that readers never see a partial file and a failure
/// leaves nothing behind.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let folder = folder_of(path);
    std::fs::create_dir_all(folder).map_err(BuildError::io(folder))?;
    put_by(path, |partial| write_all(partial, bytes))
}

/// Writes a file like [`put`], into a folder that is there, but does not wait until the disk has it: [`sync`] does so for many files.
pub(crate) fn put_soon(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    put_by(path, |partial| std::fs::write(partial, bytes))
}

/// Waits until the disk has a file.
pub(crate) fn sync(path: &Path) -> Result<(), BuildError> {
    // Windows asks for the right to write.
    let file = std::fs::File::options().write(true).open(path);
    file.and_then(|file| file.sync_all()).map_err(BuildError::io(path))
}

fn put_by(path: &Path, write: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<(), BuildError> {
    let partial = partial(path, std::process::id());
    let written = write(&partial).and_then(|()| std::fs::rename(&partial, path));
    written.map_err(|source| {
        // Report the original error, not one of the clean-up.
        let _ = std::fs::remove_file(&partial);
        BuildError::Io { path: path.to_owned(), source }
    })
}

/// Checks that [`put`] could write to `path` now. Leaves nothing behind.
pub(crate) fn can_put(path: &Path) -> Result<(), BuildError> {
    if path.is_dir() {
        let source = std::io::Error::new(std::io::ErrorKind::IsADirectory, "is a folder: name another file with --out");
        return Err(BuildError::Io { path: path.to_owned(), source });
    }
    // The folder itself may be missing yet.
    let folder = folder_of(path).ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let partial = partial(&folder.join(path.file_name().unwrap_or_default()), std::process::id());
    let created = std::fs::File::create(&partial).and_then(|_| std::fs::remove_file(&partial));
    created.map_err(BuildError::io(folder))
}

fn write_all(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// The end of the names of temporary files.
pub(crate) const PARTIAL: &str = ".partial";

/// Returns the path of the temporary file of the file at `out` while `process` writes it.
pub fn partial(out: &Path, process: u32) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    folder_of(out).join(format!(".{name}.{process}{PARTIAL}"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_atomically() {
        let dir = tempfile::tempdir().expect("a temporary folder can be created");
        let path = dir.path().join("new/index.toponym");
        put(&path, b"first").expect("the folder is created");
        put(&path, b"second").expect("the file is replaced");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"second");
        let left = std::fs::read_dir(dir.path().join("new")).expect("the folder is there").count();
        assert_eq!(left, 1);
        assert!(put(dir.path(), b"a folder is in the way").is_err());
    }
}
