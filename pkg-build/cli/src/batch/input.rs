//! The file that rows are read from: counts its bytes, and keeps one row from filling the memory.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};

use super::render::BOM;

/// Largest row in bytes. A longer one is a sign of a quote that nobody closed.
const MAX_ROW: u64 = 16 * 1024 * 1024;

/// Bytes that are read at once.
const BUFFER: usize = 256 * 1024;

/// Number of bytes read so far, for the progress.
pub type Count = Arc<AtomicU64>;

/// A file, or standard input.
pub struct Input {
    reader: Box<dyn Read + Send>,
    count: Count,
    length: RowLength,
}

/// Number of bytes read since a row ended, shared by the input and whoever sees where rows end.
#[derive(Clone, Default)]
pub struct RowLength(Arc<AtomicU64>);

impl RowLength {
    /// Notes that a row ended.
    pub fn end_row(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl Input {
    /// Opens `path`; `-` is standard input.
    pub fn open(path: &Path, count: Count) -> Result<Self> {
        let reader: Box<dyn Read + Send> =
            if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(fs_err::File::open(path)?) };
        Ok(Self { reader, count, length: RowLength::default() })
    }

    /// Returns the length that has to be told where rows end.
    pub fn row_length(&self) -> RowLength {
        self.length.clone()
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.length.0.load(Ordering::Relaxed) > MAX_ROW {
            let message = format!("a row is longer than {} MB: is a quote left open?", MAX_ROW / 1024 / 1024);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let read = self.reader.read(buffer)?;
        self.length.0.fetch_add(read as u64, Ordering::Relaxed);
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Returns the input behind its byte order mark, and whether it has one.
///
/// # Errors
/// If the mark says that the file is UTF-16.
pub fn behind_mark(input: Input) -> Result<(BufReader<Input>, bool)> {
    let mut reader = BufReader::with_capacity(BUFFER, input);
    let first = reader.fill_buf().context("the input cannot be read")?;
    if first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff") {
        bail!("the input is UTF-16: save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8");
    }
    let has_mark = first.starts_with(BOM);
    if has_mark {
        reader.consume(BOM.len());
    }
    Ok((reader, has_mark))
}

/// Tells whether the first line ends with CR LF, as far as the buffer shows.
pub fn has_crlf(reader: &mut BufReader<Input>) -> Result<bool> {
    let seen = reader.fill_buf().context("the input cannot be read")?;
    Ok(seen.iter().position(|&byte| byte == b'\n').is_some_and(|at| at > 0 && seen[at - 1] == b'\r'))
}
