//! How far a run has come, in a small file beside its unfinished output, so that the same command can go on.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

/// What decides the bytes of the output. A run that goes on needs the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Of the program, whose answers may change with it.
    pub version: String,
    /// Length and digest of the input.
    pub input: (u64, String),
    /// Digests of the indexes.
    pub indexes: Vec<String>,
    /// The options that change answers or their form.
    pub options: String,
}

/// How far a run has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Of what.
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
}

impl Files {
    /// Beside `out`.
    pub fn of(out: &Path) -> Self {
        let beside = |ending: &str| {
            let mut name = out.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        Self { out: out.to_owned(), part: beside(".part"), state: beside(".part.json") }
    }

    /// The state of an earlier run that was stopped.
    ///
    /// # Errors
    /// If it was a run of something else.
    pub fn earlier(&self, identity: &Identity) -> Result<Option<State>> {
        if !self.state.is_file() || !self.part.is_file() {
            return Ok(None);
        }
        let begun = || format!("{} was begun", self.part.display());
        let remedy = "give the same as then to go on, or --restart to begin anew";
        let state: State = serde_json::from_slice(&fs::read(&self.state)?)
            .with_context(|| format!("{} cannot be read: give --restart to begin anew", self.state.display()))?;
        let then = &state.identity;
        ensure!(then.version == identity.version, "{} by another version of toponym: {remedy}", begun());
        ensure!(then.input == identity.input, "{} with another input: {remedy}", begun());
        ensure!(then.indexes == identity.indexes, "{} with another index: {remedy}", begun());
        ensure!(then.options == identity.options, "{} with other options: {remedy}", begun());
        let length = fs::metadata(&self.part)?.len();
        ensure!(length >= state.bytes, "{} has lost its end: give --restart to begin anew", self.part.display());
        Ok(Some(state))
    }

    /// Removes what an earlier run left.
    pub fn forget(&self) -> Result<()> {
        for path in [&self.part, &self.state] {
            if path.exists() {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// The unfinished output, to be written on from `bytes`.
    pub fn unfinished(&self, bytes: u64) -> Result<File> {
        let open = || -> std::io::Result<File> {
            let mut part = File::options().create(true).write(true).truncate(false).open(&self.part)?;
            part.set_len(bytes)?;
            part.seek(SeekFrom::Start(bytes))?;
            Ok(part)
        };
        open().with_context(|| format!("{} cannot be written", self.part.display()))
    }

    /// Stores how far the run has come. The rows have to be written before.
    pub fn store(&self, state: &State) -> Result<()> {
        let new = self.state.with_extension("json.new");
        let mut file = fs::File::create(&new)?;
        file.write_all(&serde_json::to_vec(state)?)?;
        file.sync_data()?;
        Ok(fs::rename(new, &self.state)?)
    }

    /// Puts the complete output in its place.
    pub fn complete(&self) -> Result<()> {
        fs::rename(&self.part, &self.out)?;
        if self.state.exists() {
            fs::remove_file(&self.state)?;
        }
        Ok(())
    }
}

/// Length and digest of a file. Reading it takes a hundredth of the time of geocoding it.
pub fn digest(path: &Path) -> Result<(u64, String)> {
    /// Bytes that are read at once.
    const BUFFER: usize = 1024 * 1024;
    let mut reader = BufReader::with_capacity(BUFFER, fs::File::open(path)?);
    let (mut digest, mut length) = (Xxh3Default::new(), 0);
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
