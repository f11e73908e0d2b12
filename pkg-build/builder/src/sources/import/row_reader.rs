//! Reads the rows of an imported file one by one. Invalid rows are skipped, counted and reported; a file with too many
//! of them is rejected.

use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::PathBuf;

use indicatif::HumanCount;
use toponym_engine::fold;
use toponym_engine::geo::Coordinate;
use toponym_engine::index::{MAX_KEY_LETTERS, MAX_NAME_BYTES};

use super::{ImportFile, columns};
use crate::error::BuildError;
use crate::ids::GREATEST_NUMBER;
use crate::progress::{self, Step};
use crate::sources::rows::Iso2;

/// At most one row in this many may be invalid; with more, the format is probably wrong.
const ROWS_PER_BAD_ROW: u64 = 100;

/// Number of invalid rows after which reading stops.
const GIVEN_UP: u64 = 10_000;

/// Number of invalid rows shown in a report.
const SHOWN: usize = 5;

/// Read buffer in bytes.
const BUFFER: usize = 1 << 20;

/// Fault of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub field: String,
    pub message: String,
}

/// Creates a fault in `field`.
pub(crate) fn fault(field: &str, message: impl Into<String>) -> Fault {
    Fault { field: field.to_owned(), message: message.into() }
}

/// Reads a point from the texts of two fields.
pub(crate) fn coordinate(lat: (&str, &str), lon: (&str, &str)) -> Result<Coordinate, Fault> {
    let south_north = number::<f64>(lat.0, lat.1)?;
    let west_east = number::<f64>(lon.0, lon.1)?;
    let in_range = Coordinate::new(south_north, west_east);
    in_range.ok_or_else(|| {
        let field = if (-90.0..=90.0).contains(&south_north) { lon.0 } else { lat.0 };
        let looks_swapped = Coordinate::new(west_east, south_north).is_some();
        let advice = if looks_swapped { "swap the two" } else { "write degrees (WGS 84), not metres" };
        fault(field, format!("must be latitude and longitude in degrees, not {south_north}, {west_east}: {advice}"))
    })
}

/// Reads a number.
pub(crate) fn number<N: std::str::FromStr<Err: std::fmt::Display>>(field: &str, text: &str) -> Result<N, Fault> {
    let text = text.trim();
    text.parse().map_err(|error| {
        let is_decimal_comma =
            text.split_once(',').is_some_and(|(whole, part)| digits(whole.trim_start_matches('-')) && digits(part));
        if is_decimal_comma {
            return fault(field, format!("{text:?} has a decimal comma: write {}", text.replace(',', ".")));
        }
        fault(field, format!("must be a number, not {text:?} ({error}): write digits, with a point for decimals"))
    })
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads a name that the index can show and find: with a letter or a digit, and within the length limits of the format.
pub(crate) fn name(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(fault(field, "is empty: give the place a name"));
    }
    let bytes = text.len();
    let letters = fold(text).chars().count();
    if letters == 0 {
        return Err(fault(field, format!("{text:?} has no letter or digit to search for: write a name in letters")));
    }
    if bytes > MAX_NAME_BYTES || letters > MAX_KEY_LETTERS {
        let most = format!("{MAX_NAME_BYTES} bytes or {MAX_KEY_LETTERS} letters are the most");
        return Err(fault(field, format!("has {bytes} bytes and {letters} letters; {most}: shorten it")));
    }
    Ok(text.to_owned())
}

/// Reads an id of GeoNames.
pub(crate) fn geoname(field: &str, text: &str) -> Result<u64, Fault> {
    let id = number(field, text)?;
    if (1..=GREATEST_NUMBER).contains(&id) {
        Ok(id)
    } else {
        Err(fault(field, format!("{id} is not in 1 to {GREATEST_NUMBER}: give the id that geonames.org shows")))
    }
}

/// Reads an ISO 3166-1 alpha-2 code.
pub(crate) fn country(field: &str, text: &str) -> Result<Iso2, Fault> {
    match text.as_bytes() {
        &[a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase() => Ok([a, b]),
        _ => Err(fault(
            field,
            format!("country code must be two capital letters (ISO 3166-1, such as FR), not {text:?}"),
        )),
    }
}

/// Counts the rows of a file.
pub(crate) struct Rows {
    path: PathBuf,
    step: Step,
    rows: u64,
    bad: u64,
    first: Vec<String>,
}

impl Rows {
    /// Opens a file.
    pub fn open(file: &ImportFile) -> Result<(Self, impl Read + use<>), BuildError> {
        let opened = file.open()?;
        let step = Step::bytes(&file.name(), opened.length);
        let unpacked = opened.map(|bytes| step.watch(bytes)).unpack();
        let reader = without_mark(unpacked).map_err(file.read_error())?;
        Ok((Self { path: file.path().to_owned(), step, rows: 0, bad: 0, first: Vec::new() }, reader))
    }

    /// Counts a row and returns it if it is valid. `at` describes its position: `line 7`.
    pub fn take<T>(&mut self, at: impl FnOnce() -> String, row: Result<T, Fault>) -> Result<Option<T>, BuildError> {
        self.rows += 1;
        match row {
            Ok(row) => Ok(Some(row)),
            Err(Fault { field, message }) => {
                self.bad += 1;
                if self.first.len() < SHOWN {
                    let field = if field.is_empty() { String::new() } else { format!(", field {field}") };
                    self.first.push(format!("{}{field}: {message}", at()));
                }
                if self.bad >= GIVEN_UP {
                    self.judge()?
                }
                Ok(None)
            }
        }
    }

    /// Reports the skipped rows and returns their number.
    pub fn finish(self) -> Result<u64, BuildError> {
        self.judge()?;
        let Self { path, step, rows, bad, first } = self;
        step.finish(usize::try_from(rows).unwrap_or(usize::MAX));
        if bad > 0 {
            let bad_rows = HumanCount(bad);
            let all = HumanCount(rows);
            progress::say(&format!("  {bad_rows} of {all} rows of {} left out:", path.display()));
            first.iter().for_each(|line| progress::say(&format!("  {line}")));
            if bad > first.len() as u64 {
                progress::say("  ...");
            }
        }
        Ok(bad)
    }

    fn judge(&self) -> Result<(), BuildError> {
        if self.bad.saturating_mul(ROWS_PER_BAD_ROW) <= self.rows {
            return Ok(());
        }
        let Self { path, rows, bad, first, .. } = self;
        Err(BuildError::TooManyBad { path: path.clone(), bad: *bad, rows: *rows, first: first.clone() })
    }
}

/// Returns the bytes of `reader` without the mark that some programs put before UTF-8.
pub(crate) fn without_mark<R: Read>(mut reader: R) -> std::io::Result<impl Read + use<R>> {
    let mut start = Vec::with_capacity(MARK.len());
    reader.by_ref().take(MARK.len() as u64).read_to_end(&mut start)?;
    if start == MARK {
        start.clear();
    }
    Ok(Cursor::new(start).chain(reader))
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Advice for text that is not UTF-8. Any other bytes are Latin-1 as well: this is how such files arrive.
const NOT_UTF8: &str = "is not UTF-8, but probably Latin-1 (Windows-1252): save the file as UTF-8, or run \
    `iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW_FILE`";

/// Reads a file line by line with the number of each, skipping empty lines and those that begin with `#`. Returns the
/// number of invalid rows.
pub(crate) fn each_line(
    file: &ImportFile,
    mut row: impl FnMut(u64, &str) -> Result<(), Fault>,
) -> Result<u64, BuildError> {
    let (mut rows, reader) = Rows::open(file)?;
    let mut reader = BufReader::with_capacity(BUFFER, reader);
    let mut bytes = Vec::new();
    let mut line = 0u64;
    loop {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(file.read_error())? == 0 {
            return rows.finish();
        }
        line += 1;
        let text = std::str::from_utf8(&bytes).map(|text| text.trim_end_matches(['\r', '\n']));
        let outcome = match text {
            Ok("") => continue,
            Ok(text) if text.starts_with('#') => continue,
            Ok(text) => row(line, text),
            Err(_) => Err(fault("", NOT_UTF8)),
        };
        rows.take(|| format!("line {line}"), outcome)?;
    }
}

/// Reads a CSV file with a header row by row, with the line of each and access to fields by name. `rename` gives the
/// columns their names. Returns the number of invalid rows.
pub(crate) fn each_record(
    file: &ImportFile,
    rename: impl Fn(&[String]) -> Vec<String>,
    mut row: impl FnMut(u64, &dyn Fn(&str) -> String) -> Result<(), Fault>,
) -> Result<u64, BuildError> {
    let broken = |at: String, message: String| BuildError::Broken { path: file.path().to_owned(), at, message };
    let (mut rows, reader) = Rows::open(file)?;
    let mut reader = BufReader::with_capacity(BUFFER, reader);
    let before = skip_comments(&mut reader).map_err(file.read_error())?;
    let separator = separator(&mut reader).map_err(file.read_error())?;
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(BUFFER).delimiter(separator).from_reader(reader);
    let headers = reader.byte_headers().map_err(|error| broken("header".to_owned(), error.to_string()))?;
    let headers: Result<Vec<String>, _> = headers.iter().map(|name| str::from_utf8(name).map(str::to_owned)).collect();
    let headers = rename(&headers.map_err(|_| broken("header".to_owned(), NOT_UTF8.to_owned()))?);
    let mut record = csv::ByteRecord::new();
    loop {
        let line = reader.position().line();
        let read = reader.read_byte_record(&mut record);
        let line = before + record.position().map_or(line, csv::Position::line).max(line);
        let outcome = match read {
            Ok(false) => return rows.finish(),
            Ok(true) => {
                if let Some(column) = record.iter().position(|text| str::from_utf8(text).is_err()) {
                    let name = headers.get(column).map_or("", String::as_str);
                    return Err(broken(format!("line {line}, field {name}"), NOT_UTF8.to_owned()));
                }
                let field = |name: &str| {
                    let column = headers.iter().position(|header| header == name);
                    let text = column.and_then(|column| str::from_utf8(record.get(column)?).ok());
                    text.unwrap_or_default().trim().to_owned()
                };
                row(line, &field)
            }
            Err(error) => match error.into_kind() {
                csv::ErrorKind::Io(error) => return Err(file.read_error()(error)),
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => Err(fault(
                    "",
                    format!(
                        "has {len} fields, but the header has {expected_len}: quote a field that holds a separator"
                    ),
                )),
                other => Err(fault("", format!("{other:?}"))),
            },
        };
        rows.take(|| format!("line {line}"), outcome)?;
    }
}

/// Skips the lines before the header that are empty or begin with `#`. Returns their number.
fn skip_comments(reader: &mut impl BufRead) -> std::io::Result<u64> {
    let mut lines = 0;
    while reader.fill_buf()?.first().is_some_and(|byte| matches!(byte, b'#' | b'\r' | b'\n')) {
        reader.skip_until(b'\n')?;
        lines += 1;
    }
    Ok(lines)
}

/// Finds the separator of the header, without consuming it.
fn separator(reader: &mut impl BufRead) -> std::io::Result<u8> {
    let start = reader.fill_buf()?;
    let header = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let separator = columns::separator(&String::from_utf8_lossy(header));
    Ok(u8::try_from(separator).expect("separators are ASCII"))
}

#[cfg(test)]
mod tests {
    use super::super::file::test_import;
    use super::*;

    fn lines(text: &[u8]) -> (Vec<String>, Result<u64, BuildError>) {
        let mut seen = Vec::new();
        let outcome = each_line(&test_import("places.txt", text.to_vec()), |_, line| {
            if line.starts_with("bad") {
                return Err(fault("name", "is bad"));
            }
            seen.push(line.to_owned());
            Ok(())
        });
        (seen, outcome)
    }

    #[test]
    fn lines_and_what_is_none() {
        let (seen, outcome) = lines("\u{feff}first\r\n\n# a remark\nlast".as_bytes());
        assert_eq!(seen, ["first", "last"]);
        outcome.expect("every row is good");
    }

    #[test]
    fn one_bad_row_of_hundred_is_skipped() {
        let good = "good\n".repeat(99);
        let (seen, outcome) = lines(format!("bad\n{good}").as_bytes());
        assert_eq!(seen.len(), 99);
        outcome.expect("one in a hundred is bad");
        let message =
            lines(format!("good\nbad\n{}\u{e9}\n", &good[5..]).as_bytes()).1.map_err(|error| error.to_string());
        message.expect("one in a hundred is bad");
        let message = lines(&[good.as_bytes(), b"bad\n\xff\n"].concat()).1.expect_err("two are bad").to_string();
        for part in ["places.txt: 2 of 101 rows", "line 100, field name: is bad", "line 101: is not UTF-8"] {
            assert!(message.contains(part), "no {part:?} in {message:?}");
        }
    }

    #[test]
    fn remarks_before_a_header_are_skipped() {
        check("name,type\n#1 Diner,cafe\n", 2);
        check("# places; of ours, made by hand\n\r\n#\nname,type\n#1 Diner,cafe\n", 5);
        check("\u{feff}# a remark\nname;type\n#1 Diner;cafe\n", 3);
    }

    fn check(text: &str, line: u64) {
        let mut seen = Vec::new();
        let row = |line: u64, field: &dyn Fn(&str) -> String| {
            seen.push((line, field("name"), field("type")));
            Ok(())
        };
        each_record(&test_import("places.csv", text.to_owned()), columns::rename_headers, row)
            .expect("every row is good");
        assert_eq!(seen, [(line, "#1 Diner".to_owned(), "cafe".to_owned())], "{text:?}");
    }

    #[test]
    fn a_hopeless_file_is_given_up() {
        let (seen, outcome) = lines(format!("{}good\n", "bad\n".repeat(GIVEN_UP as usize)).as_bytes());
        assert!(seen.is_empty() && outcome.is_err());
    }
}
