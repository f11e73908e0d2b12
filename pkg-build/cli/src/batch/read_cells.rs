//! Reads CSV and TSV.

use anyhow::{Context, Result, bail};
use csv::{ByteRecord, ReaderBuilder};

use super::input::{Input, behind_mark, has_crlf};
use super::row::{Head, Record, Row};
use super::sink::Sink;

/// Hands each row below the header to `sink`. Rows may have any number of cells: what is wrong with them is told row by row.
pub fn read(input: Input, delimiter: u8, sink: &mut Sink) -> Result<()> {
    let (mut reader, has_bom) = behind_mark(input)?;
    let has_crlf = has_crlf(&mut reader)?;
    let mut rows = ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(reader);
    let mut cells = ByteRecord::new();
    if !rows.read_byte_record(&mut cells).context("the header cannot be read")? {
        bail!("the table is empty: its first line has to name the columns");
    }
    let name = |cell: &[u8]| String::from_utf8(cell.to_vec());
    let names = cells.iter().map(name).collect::<Result<_, _>>();
    let names = names.context(
        "the names of the columns are not UTF-8: convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8",
    )?;
    sink.begin(Head { names, has_bom, has_crlf })?;
    loop {
        rows.get_mut().get_mut().end_row();
        let line = rows.position().line();
        let is_read = rows.read_byte_record(&mut cells).with_context(|| format!("line {line} cannot be read"))?;
        if !is_read {
            return Ok(());
        }
        // The reader counts the LF of a CR LF with the next row.
        let line = cells.position().map_or(line, csv::Position::line) + u64::from(has_crlf);
        sink.push(Record { line, row: Row::Cells(cells.clone()) })?;
    }
}
