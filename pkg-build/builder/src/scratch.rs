//! Keeps bytes that memory may not hold: the first ones in memory, the others in a file without a name, which the system removes however
//! the build ends.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::BuildError;

/// Bytes that memory holds before they are written.
const USUAL: usize = 1 << 26;

/// Bytes in the order in which they were added.
pub(crate) struct Scratch {
    folder: PathBuf,
    most: usize,
    file: Option<File>,
    /// Number of bytes in the file.
    written: u64,
    /// The bytes behind them.
    rest: Vec<u8>,
}

impl Scratch {
    /// Creates an empty store. Bytes that memory does not hold will lie in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self::with_most(folder, USUAL)
    }

    /// Creates an empty store, of which memory holds so many bytes.
    pub fn with_most(folder: &Path, most: usize) -> Self {
        Self { folder: folder.to_owned(), most, file: None, written: 0, rest: Vec::new() }
    }

    /// Adds bytes. Returns where they are.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Range<u64>, BuildError> {
        let begin = self.written + self.rest.len() as u64;
        self.rest.extend_from_slice(bytes);
        if self.rest.len() > self.most {
            self.write().map_err(BuildError::io(&self.folder))?;
        }
        Ok(begin..begin + bytes.len() as u64)
    }

    fn write(&mut self) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        file.write_all(&self.rest)?;
        self.written += self.rest.len() as u64;
        self.rest.clear();
        self.rest.shrink_to(self.most);
        Ok(())
    }

    /// Reads bytes that were added, also on several cores at the same time.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn read(&self, at: Range<u64>) -> Result<Vec<u8>, BuildError> {
        let mut bytes = vec![0; (at.end - at.start) as usize];
        let in_file = self.written.saturating_sub(at.start).min(bytes.len() as u64);
        let (first, rest) = bytes.split_at_mut(in_file as usize);
        if let Some(file) = self.file.as_ref().filter(|_| in_file > 0) {
            read_exact_at(file, first, at.start).map_err(BuildError::io(&self.folder))?;
        }
        let from = (at.start + in_file).saturating_sub(self.written) as usize;
        rest.copy_from_slice(&self.rest[from..from + rest.len()]);
        Ok(bytes)
    }
}

/// Encodes an item.
///
/// # Errors
/// When it cannot be encoded.
pub(crate) fn encode(item: &impl Serialize) -> Result<Vec<u8>, BuildError> {
    postcard::to_allocvec(item).map_err(|error| BuildError::Write(error.to_string()))
}

/// Decodes an item that [`encode`] encoded.
///
/// # Errors
/// When it is not one.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BuildError> {
    postcard::from_bytes(bytes).map_err(|error| BuildError::Write(error.to_string()))
}

/// Decodes the first of several items, and leaves the bytes of the others.
///
/// # Errors
/// When it is not one.
pub(crate) fn decode_first<'b, T: Deserialize<'b>>(bytes: &mut &'b [u8]) -> Result<T, BuildError> {
    let (item, rest) = postcard::take_from_bytes(bytes).map_err(|error| BuildError::Write(error.to_string()))?;
    *bytes = rest;
    Ok(item)
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], offset + done as u64)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => done += read,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_memory_and_on_disk_are_read() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let mut scratch = Scratch::with_most(folder.path(), 10);
        let texts = ["abcdef", "ghij", "", "klmnopqrstuv", "wx"];
        let places = texts.map(|text| scratch.push(text.as_bytes()).expect("the folder can be written"));
        let check = |at: Range<u64>, expect: &str| {
            assert_eq!(scratch.read(at).expect("the folder can be read"), expect.as_bytes());
        };
        texts.iter().zip(&places).for_each(|(text, at)| check(at.clone(), text));
        // Across the end of the file.
        check(places[1].start..places[4].end, "ghijklmnopqrstuvwx");
        assert!(scratch.written > 0 && !scratch.rest.is_empty());
    }
}
