//! A file that an operator imports.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::packed::{Entry, Opened, entries, is_zip, packing};
use crate::error::BuildError;

/// Location of the bytes of a file.
#[derive(Clone, Debug)]
pub(crate) enum ImportFile {
    /// File at this path.
    OnDisk(PathBuf),
    /// Bytes in memory, as if at this path.
    InMemory(PathBuf, Bytes),
    /// Entry of a zip archive, with the path of both.
    InZip(PathBuf, Box<ImportFile>, Entry),
}

/// The ending of a packed file, which is not part of its name.
const PACKED: &str = ".gz";

/// Number of bytes at the beginning that say how a file is packed.
const MAGIC_BYTES: u64 = 4;

impl ImportFile {
    /// Returns the path of the file, as shown in errors.
    pub fn path(&self) -> &Path {
        let (Self::OnDisk(path) | Self::InMemory(path, _) | Self::InZip(path, ..)) = self;
        path
    }

    /// Returns the name of the file without its folder, as if it was unpacked.
    pub fn name(&self) -> Cow<'_, str> {
        let name = self.path().file_name().unwrap_or(self.path().as_os_str()).to_string_lossy();
        match name.strip_suffix(PACKED).filter(|name| !name.is_empty()) {
            Some(unpacked) => Cow::Owned(unpacked.to_owned()),
            None => name,
        }
    }

    /// Makes an error of what went wrong while its rows were read: the disk may fail, or an archive be damaged.
    pub fn read_error(&self) -> impl FnOnce(io::Error) -> BuildError {
        let path = self.path().to_owned();
        move |error| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                let message = format!("the archive is cut off or damaged ({error}): download it again");
                BuildError::Broken { path, at: "while it is unpacked".to_owned(), message }
            }
            _ => BuildError::io(&path)(error),
        }
    }

    /// Opens it for reading.
    pub fn open(&self) -> Result<Opened, BuildError> {
        let mut stored = self.open_stored()?;
        if let Self::InZip(path, _, Entry { start, length, packing, .. }) = self {
            stored.bytes.seek(SeekFrom::Start(*start)).map_err(BuildError::io(path))?;
            return Ok(Opened { bytes: Box::new(stored.bytes.take(*length)), length: *length, packing: *packing });
        }
        let packing = packing(&stored.start().map_err(BuildError::io(self.path()))?);
        Ok(Opened { bytes: Box::new(stored.bytes), length: stored.length, packing })
    }

    /// Returns the files of a zip archive, or the file itself.
    ///
    /// # Errors
    /// When it cannot be read, or is an archive that has to be unpacked by hand.
    pub fn unpack(self) -> Result<Vec<Self>, BuildError> {
        let mut stored = self.open_stored()?;
        if !is_zip(&stored.start().map_err(BuildError::io(self.path()))?) {
            return Ok(vec![self]);
        }
        let unreadable = |reason| BuildError::Unrecognised { path: self.path().to_owned(), reason };
        let found = entries(stored.bytes).map_err(unreadable)?;
        if found.is_empty() {
            return Err(unreadable("it is an archive without files".to_owned()));
        }
        Ok(found
            .into_iter()
            .map(|entry| Self::InZip(self.path().join(&entry.path), Box::new(self.clone()), entry))
            .collect())
    }

    /// Opens the bytes as they are stored: those of a whole archive.
    fn open_stored(&self) -> Result<Stored, BuildError> {
        match self {
            Self::OnDisk(path) => {
                let file = File::open(path).map_err(BuildError::io(path))?;
                let length = file.metadata().map_err(BuildError::io(path))?.len();
                Ok(Stored { bytes: Box::new(file), length })
            }
            Self::InMemory(_, bytes) => {
                Ok(Stored { bytes: Box::new(Cursor::new(bytes.clone())), length: bytes.len() as u64 })
            }
            Self::InZip(_, archive, _) => archive.open_stored(),
        }
    }
}

/// The bytes of a file as they are stored.
struct Stored {
    bytes: Box<dyn ReadSeek>,
    length: u64,
}

impl Stored {
    /// Returns its first bytes, which are still to be read.
    fn start(&mut self) -> io::Result<Vec<u8>> {
        let mut start = Vec::new();
        self.bytes.by_ref().take(MAGIC_BYTES).read_to_end(&mut start)?;
        self.bytes.rewind()?;
        Ok(start)
    }
}

trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

#[cfg(test)]
pub(crate) fn test_import(name: &str, text: impl Into<Bytes>) -> ImportFile {
    ImportFile::InMemory(name.into(), text.into())
}
