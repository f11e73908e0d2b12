//! State of a run, in a small file beside its unfinished output, so that the same command can go on. A lock on the
//! unfinished output keeps others from writing it meanwhile.

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use fs_err as fs;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

/// Everything that decides the bytes of the output. A run that goes on needs the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the program, whose answers may change with it.
    pub version: String,
    /// Length and digest of the input.
    pub input: (u64, String),
    /// Digests of the indexes.
    pub indexes: Vec<String>,
    /// The options that change answers or their form.
    pub options: String,
}

/// State that a run has reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Identity of the run's output.
    pub identity: Identity,
    /// Rows that are written.
    pub rows: u64,
    /// Bytes that they take; what is behind them is written again.
    pub bytes: u64,
    /// Rows by their state.
    pub counts: [u64; 4],
}

/// The files of a run.
#[derive(Clone, Debug)]
pub struct Files {
    /// The output when it is complete.
    pub out: PathBuf,
    part: PathBuf,
    state: PathBuf,
    /// The next state while it is written.
    new_state: PathBuf,
}

impl Files {
    /// Creates the paths of the files beside `out`.
    pub fn of(out: &Path) -> Self {
        let beside = |ending: &str| {
            let mut name = out.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        Self {
            out: out.to_owned(),
            part: beside(".part"),
            state: beside(".part.json"),
            new_state: beside(".part.json.new"),
        }
    }

    /// Opens the unfinished output, which is this run's until the file is closed. It is made if there is none.
    ///
    /// # Errors
    /// If another run writes it.
    pub fn claim(&self) -> Result<File> {
        loop {
            let open = File::options().create(true).write(true).truncate(false).open(&self.part);
            let part = open.with_context(|| self.unwritable())?;
            match part.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    bail!("another run writes {}: wait until it ends, or name another output", self.out.display())
                }
                // Some file systems of networks have no locks: there it is as without one.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error).with_context(|| self.unwritable()),
            }
            // The run that held it may have ended in between, and given the file its final name.
            if is_at(&part, &self.part) {
                return Ok(part);
            }
        }
    }

    /// Reads the state of an earlier run that wrote some rows. Without rows nothing is lost if it begins anew, so that
    /// the corrected command may follow one that failed at once.
    ///
    /// # Errors
    /// If it was a run of something else.
    pub fn earlier(&self, identity: &Identity) -> Result<Option<State>> {
        let length = fs::metadata(&self.part)?.len();
        if length == 0 || !self.state.is_file() {
            return Ok(None);
        }
        let state: State = serde_json::from_slice(&fs::read(&self.state)?)
            .with_context(|| format!("{} cannot be read: give --restart to begin anew", self.state.display()))?;
        if state.rows == 0 {
            return Ok(None);
        }
        let begun = || format!("{} was begun", self.part.display());
        let remedy = "give the same as then to go on, or --restart to begin anew";
        let then = &state.identity;
        ensure!(then.version == identity.version, "{} by another version of toponym: {remedy}", begun());
        ensure!(then.input == identity.input, "{} with another input: {remedy}", begun());
        ensure!(then.indexes == identity.indexes, "{} with another index: {remedy}", begun());
        ensure!(then.options == identity.options, "{} with other options: {remedy}", begun());
        ensure!(length >= state.bytes, "{} has lost its end: give --restart to begin anew", self.part.display());
        Ok(Some(state))
    }

    /// Leaves the first `bytes` of the unfinished output, to be written on. Without any, an earlier state is forgotten.
    pub fn resume(&self, part: &mut File, bytes: u64) -> Result<()> {
        if bytes == 0 {
            remove(&self.state)?;
        }
        remove(&self.new_state)?;
        part.set_len(bytes).and_then(|()| part.seek(SeekFrom::Start(bytes))).with_context(|| self.unwritable())?;
        Ok(())
    }

    /// Stores how far the run has come. The rows have to be written before.
    pub fn store(&self, state: &State) -> Result<()> {
        let mut file = fs::File::create(&self.new_state)?;
        file.write_all(&serde_json::to_vec(state)?)?;
        file.sync_data()?;
        Ok(fs::rename(&self.new_state, &self.state)?)
    }

    /// Puts the complete output in its place.
    pub fn complete(&self) -> Result<()> {
        fs::rename(&self.part, &self.out)?;
        remove(&self.state)
    }

    /// Removes what a run leaves that wrote no row.
    pub fn forget(&self) -> Result<()> {
        [&self.new_state, &self.state, &self.part].into_iter().try_for_each(|path| remove(path))
    }

    fn unwritable(&self) -> String {
        format!("{} cannot be written", self.part.display())
    }
}

/// Removes a file that may be gone.
fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(anyhow!(error)),
        _ => Ok(()),
    }
}

/// Tells whether an open file is the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    let named = identity(fs::metadata(path));
    named.is_some() && named == identity(file.metadata())
}

/// Returns the numbers of a file's device and of the file on it.
#[cfg(unix)]
fn identity(metadata: io::Result<std::fs::Metadata>) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    metadata.ok().map(|it| (it.dev(), it.ino()))
}

/// Tells whether an open file is the one at `path`: as far as the standard library tells here, if there is one.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Computes length and digest of a file. Reading it takes a hundredth of the time of geocoding it.
pub fn digest(path: &Path) -> Result<(u64, String)> {
    /// Bytes that are read at once.
    const BUFFER: usize = 1024 * 1024;
    let mut reader = BufReader::with_capacity(BUFFER, fs::File::open(path)?);
    let mut digest = Xxh3Default::new();
    let mut length = 0;
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok((length, format!("{:016x}", digest.digest())));
        }
        digest.update(&buffer[..read]);
        length += read as u64;
    }
}
