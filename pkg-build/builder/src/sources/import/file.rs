//! A file that an operator imports.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::error::BuildError;

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
pub(crate) enum ImportFile {
    /// At this path.
    OnDisk(PathBuf),
    /// In memory, as if at this path.
    InMemory(PathBuf, Bytes),
}

impl ImportFile {
    /// Its path, as shown in errors.
    pub fn path(&self) -> &Path {
        let (Self::OnDisk(path) | Self::InMemory(path, _)) = self;
        path
    }

    /// Its name without its folder.
    pub fn name(&self) -> Cow<'_, str> {
        self.path().file_name().unwrap_or(self.path().as_os_str()).to_string_lossy()
    }

    /// Opens it for reading, and returns its size.
    pub fn open(&self) -> Result<(Box<dyn Read>, u64), BuildError> {
        match self {
            Self::OnDisk(path) => {
                let file = File::open(path).map_err(BuildError::io(path))?;
                let length = file.metadata().map_err(BuildError::io(path))?.len();
                Ok((Box::new(file), length))
            }
            Self::InMemory(_, bytes) => Ok((Box::new(Cursor::new(bytes.clone())), bytes.len() as u64)),
        }
    }
}

#[cfg(test)]
pub(crate) fn test_import(name: &str, text: impl Into<Bytes>) -> ImportFile {
    ImportFile::InMemory(name.into(), text.into())
}
