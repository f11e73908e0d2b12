//! Drafts of countries between the two steps of merging: in memory while they are few, then on disk.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::draft::Draft;
use crate::error::BuildError;

/// Places that drafts in memory have together: three times those of the default index.
const PLACES_IN_MEMORY: usize = 1_000_000;

/// Drafts of countries.
pub(crate) struct Drafts {
    folder: PathBuf,
    most: usize,
    /// Number of places in memory.
    places: usize,
    memory: Vec<Draft>,
    /// A file without a name, so that the system removes it however the build ends.
    file: Option<File>,
    /// Length and number of places of each draft in the file.
    stored: Vec<(u64, usize)>,
}

impl Drafts {
    /// Creates an empty store. Drafts that memory does not hold will lie in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self::with_most(folder, PLACES_IN_MEMORY)
    }

    /// Creates an empty store, of which memory holds drafts with `most` places together.
    pub fn with_most(folder: &Path, most: usize) -> Self {
        Self { folder: folder.to_owned(), most, places: 0, memory: Vec::new(), file: None, stored: Vec::new() }
    }

    /// Takes a draft.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn push(&mut self, draft: Draft) -> Result<(), BuildError> {
        if self.places + draft.len() <= self.most {
            self.places += draft.len();
            self.memory.push(draft);
            return Ok(());
        }
        let bytes = postcard::to_allocvec(&draft).map_err(|error| BuildError::Write(error.to_string()))?;
        self.write(&bytes).map_err(BuildError::io(&self.folder))?;
        self.stored.push((bytes.len() as u64, draft.len()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(bytes),
            none => none.insert(tempfile::tempfile_in(&self.folder)?).write_all(bytes),
        }
    }

    /// Returns the number of places of all drafts.
    pub fn places(&self) -> usize {
        self.places + self.stored.iter().map(|(_, places)| places).sum::<usize>()
    }

    /// Iterates over the drafts, with as many places at a time as memory held so far, or one that has more.
    pub fn batches(mut self) -> impl Iterator<Item = Result<Vec<Draft>, BuildError>> {
        let first = std::mem::take(&mut self.memory);
        let rewound = self.file.as_mut().map_or(Ok(0), |file| file.seek(SeekFrom::Start(0)));
        let failed = rewound.err().map(|error| Err(BuildError::io(&self.folder)(error)));
        let mut stored = std::mem::take(&mut self.stored).into_iter().peekable();
        let next = move || {
            let mut places = 0;
            let mut batch = Vec::new();
            while let Some((length, count)) = stored.next_if(|(_, count)| places == 0 || places + count <= self.most) {
                places += count;
                batch.push(self.read(length));
            }
            (!batch.is_empty()).then(|| batch.into_iter().collect())
        };
        failed.into_iter().chain([Ok(first)]).chain(std::iter::from_fn(next))
    }

    /// Reads the next draft, of so many bytes.
    fn read(&mut self, length: u64) -> Result<Draft, BuildError> {
        let mut bytes = Vec::new();
        let file = self.file.as_mut().expect("a draft that is not in memory is in the file");
        file.take(length).read_to_end(&mut bytes).map_err(BuildError::io(&self.folder))?;
        postcard::from_bytes(&bytes).map_err(|error| BuildError::Write(error.to_string()))
    }
}
