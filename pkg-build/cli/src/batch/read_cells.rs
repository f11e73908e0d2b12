//! Reads CSV and TSV.

use std::io::{self, BufRead, BufReader, Read};

use anyhow::{Context, Result, bail};
use csv::{ByteRecord, ReaderBuilder};

use super::input::{Input, behind_mark, has_crlf};
use super::row::{Head, Record, Row};
use super::sink::Sink;

/// Most bytes of a line that are handed over at once. A file whose lines end with CR alone is one line here.
const PART_OF_LINE: u64 = 64 * 1024;

/// Hands each row below the header to `sink`. Rows may have any number of cells: what is wrong with them is told row by row.
///
/// In a table of one column, a blank line is a row with an empty cell. In others it is not a row, as a row needs delimiters.
pub fn read(input: Input, delimiter: u8, sink: &mut Sink) -> Result<()> {
    let length = input.row_length();
    let (mut reader, has_bom) = behind_mark(input)?;
    let has_crlf = has_crlf(&mut reader)?;
    let lines = Lines { reader, line: Vec::new(), at: 0, handed: 0 };
    let mut rows = ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(lines);
    let mut cells = ByteRecord::new();
    if !rows.read_byte_record(&mut cells).context("the header cannot be read")? {
        bail!("the table is empty: its first line has to name the columns");
    }
    let names = cells.iter().map(|cell| String::from_utf8(cell.to_vec())).collect::<Result<_, _>>();
    let names = names.context(
        "the names of the columns are not UTF-8: convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8",
    )?;
    let has_one_column = cells.len() == 1;
    sink.begin(Head { names, has_bom, has_crlf })?;
    let mut blank_lines = 0;
    loop {
        length.end_row();
        // The reader counts the LF of a CR LF with the next row.
        let line = rows.position().line() + u64::from(has_crlf) + blank_lines;
        let read = rows.position().byte();
        if rows.get_mut().take_blank(read).with_context(|| format!("line {line} cannot be read"))? {
            blank_lines += 1;
            if has_one_column {
                sink.push(Record { line, row: Row::Cells(ByteRecord::from([""].as_slice())) })?;
            }
            continue;
        }
        let is_read = rows.read_byte_record(&mut cells).with_context(|| format!("line {line} cannot be read"))?;
        if !is_read {
            return Ok(());
        }
        sink.push(Record { line, row: Row::Cells(cells.clone()) })?;
    }
}

/// The input, handed over line by line, so that the next line can be looked at between two rows. The reader of CSV drops
/// blank lines without a word.
struct Lines {
    reader: BufReader<Input>,
    line: Vec<u8>,
    at: usize,
    /// Number of bytes that were handed over.
    handed: u64,
}

impl Lines {
    /// Takes the next line if it is blank and begins a row. `read`: the bytes that the rows so far took.
    fn take_blank(&mut self, read: u64) -> io::Result<bool> {
        // Behind a CR the LF of the same end of a line may be left.
        if self.at < self.line.len() || !self.line.ends_with(b"\n") || read + 1 < self.handed {
            return Ok(false);
        }
        self.fill()?;
        let is_blank = matches!(self.line.as_slice(), b"\n" | b"\r\n");
        if is_blank {
            self.at = self.line.len();
        }
        Ok(is_blank)
    }

    fn fill(&mut self) -> io::Result<()> {
        self.line.clear();
        self.at = 0;
        (&mut self.reader).take(PART_OF_LINE).read_until(b'\n', &mut self.line)?;
        Ok(())
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() {
            self.fill()?;
        }
        let count = (&self.line[self.at..]).read(buffer)?;
        self.at += count;
        self.handed += count as u64;
        Ok(count)
    }
}
