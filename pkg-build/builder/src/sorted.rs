//! Sorts more than memory holds: in runs on disk, which are merged.
//!
//! The files of runs have no names, so that the system removes them however the build ends.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use itertools::Itertools;
use toponym_engine::pages::{Item, Items};

use crate::error::BuildError;
use crate::parallel;

/// Items of a run: keys of names take some 200 MB.
pub(crate) const RUN: usize = 2_000_000;

/// Bytes that are read and written at a time, of each run.
const BUFFER: usize = 1 << 18;

/// Sorts items, in runs of so many in `folder`.
///
/// # Errors
/// The first of the items, or when a run cannot be written or read.
pub(crate) fn sorted<T: Item>(
    mut items: impl Iterator<Item = Result<T, BuildError>>,
    folder: &Path,
    run: usize,
) -> Result<Items<'static, T, BuildError>, BuildError> {
    let mut sorter = Sorter::new(folder, run);
    items.try_for_each(|item| sorter.push(item?))?;
    sorter.finish()
}

/// Takes items one by one.
pub(crate) struct Sorter<T> {
    folder: PathBuf,
    run: usize,
    batch: Vec<T>,
    runs: Vec<Run<T>>,
}

impl<T: Item> Sorter<T> {
    /// Creates a sorter for runs of so many items in `folder`.
    pub fn new(folder: &Path, run: usize) -> Self {
        Self { folder: folder.to_owned(), run, batch: Vec::new(), runs: Vec::new() }
    }

    /// Takes an item.
    ///
    /// # Errors
    /// When a run cannot be written.
    pub fn push(&mut self, item: T) -> Result<(), BuildError> {
        self.batch.push(item);
        if self.batch.len() == self.run {
            self.end_run()?;
        }
        Ok(())
    }

    fn end_run(&mut self) -> Result<(), BuildError> {
        parallel::sort(&mut self.batch);
        self.runs.push(Run::write(&self.batch, &self.folder)?);
        self.batch.clear();
        Ok(())
    }

    /// Returns the items in order.
    ///
    /// # Errors
    /// When the last run cannot be written. The items are an error when a run cannot be read.
    pub fn finish(mut self) -> Result<Items<'static, T, BuildError>, BuildError> {
        if self.runs.is_empty() {
            parallel::sort(&mut self.batch);
            return Ok(Box::new(self.batch.into_iter().map(Ok)));
        }
        self.end_run()?;
        // An error comes first, and ends the rest.
        let is_before = |a: &Result<T, _>, b: &Result<T, _>| match (a, b) {
            (Ok(a), Ok(b)) => a < b,
            (Err(_), _) => true,
            (Ok(_), Err(_)) => false,
        };
        Ok(Box::new(self.runs.into_iter().kmerge_by(is_before)))
    }
}

/// Items on disk, each as its length and its encoding in postcard.
struct Run<T> {
    reader: BufReader<File>,
    folder: PathBuf,
    left: usize,
    /// Bytes of the last item: allocated once for all.
    bytes: Vec<u8>,
    item: std::marker::PhantomData<fn() -> T>,
}

impl<T: Item> Run<T> {
    fn write(items: &[T], folder: &Path) -> Result<Self, BuildError> {
        let write = || -> std::io::Result<File> {
            let mut writer = BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(folder)?);
            let mut bytes = Vec::new();
            for item in items {
                bytes.clear();
                bytes = postcard::to_extend(item, bytes).map_err(std::io::Error::other)?;
                writer.write_all(&(bytes.len() as u32).to_le_bytes())?;
                writer.write_all(&bytes)?;
            }
            let mut file = writer.into_inner()?;
            file.rewind()?;
            Ok(file)
        };
        let file = write().map_err(BuildError::io(folder))?;
        let reader = BufReader::with_capacity(BUFFER, file);
        let folder = folder.to_owned();
        Ok(Self { reader, folder, left: items.len(), bytes: Vec::new(), item: std::marker::PhantomData })
    }

    fn read(&mut self) -> std::io::Result<T> {
        let mut length = [0; 4];
        self.reader.read_exact(&mut length)?;
        self.bytes.resize(u32::from_le_bytes(length) as usize, 0);
        self.reader.read_exact(&mut self.bytes)?;
        postcard::from_bytes(&self.bytes).map_err(std::io::Error::other)
    }
}

impl<T: Item> Iterator for Run<T> {
    type Item = Result<T, BuildError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let item = self.read().map_err(BuildError::io(&self.folder));
        if item.is_err() {
            self.left = 0;
        }
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    #[test]
    fn as_in_memory_whatever_the_number_of_runs() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let mut rng = Rng::with_seed(5);
        for count in [0, 1, 9, 10, 11, 100, 1_003] {
            let items: Vec<(String, u32)> = (0..count).map(|at| ("x".repeat(rng.usize(..4)), at)).collect();
            let found = sorted(items.iter().cloned().map(Ok), folder.path(), 10).expect("the folder can be written");
            let found: Vec<_> = found.collect::<Result<_, _>>().expect("what was written can be read");
            let mut expect = items;
            expect.sort();
            assert_eq!(found, expect, "{count}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 0, "no file is left");
    }

    #[test]
    fn errors_are_handed_on() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let items = (0..100).map(|at| if at == 70 { Err(BuildError::Write("stop".into())) } else { Ok(at) });
        assert!(sorted(items, folder.path(), 10).is_err_and(|error| error.to_string().contains("stop")));
        let nowhere = sorted((0..100).map(Ok), &folder.path().join("nowhere"), 10);
        assert!(nowhere.is_err_and(|error| error.to_string().contains("nowhere")));
    }
}
