//! Writes rows with their answers: all columns of the row in their order, then those of the answer.

use std::rc::Rc;

use anyhow::{Result, ensure};
use csv::{ByteRecord, QuoteStyle, Terminator, Writer, WriterBuilder};
use serde_json::value::RawValue;

use super::format::FileFormat;
use super::geocode::{Answer, Cell};
use super::row::{Head, Members, Row, cell_text};

/// Column, or member, of what a row has beyond the columns of the table.
const REST: &str = "rest";

/// The mark with which a file begins that says it is UTF-8. Some spreadsheets need it.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Converter from rows of one format to rows of another.
#[derive(Debug)]
pub struct Renderer {
    to: FileFormat,
    delimiter: u8,
    head: Head,
    /// True if rows are read from CSV or TSV.
    from_cells: bool,
    /// Names of the result columns.
    results: Vec<String>,
    /// Name of the column for the rest.
    rest: String,
}

impl Renderer {
    /// Creates a renderer for rows of `from` below `head`, with result columns whose names begin with `prefix`.
    ///
    /// # Errors
    /// If a column of the table has the name of one of the results, or two have one name that cannot be members.
    pub fn new(
        (from, to, delimiter): (FileFormat, FileFormat, u8),
        head: Head,
        prefix: &str,
        results: &[&str],
    ) -> Result<Self> {
        let results: Vec<String> = results.iter().map(|name| format!("{prefix}{name}")).collect();
        let rest = format!("{prefix}{REST}");
        for name in &head.names {
            ensure!(!results.contains(name) && *name != rest, "{}", clash(name));
        }
        let twice = head.names.iter().enumerate().find(|(at, name)| head.names[..*at].contains(name));
        if let Some((_, name)) = twice.filter(|_| !to.has_header()) {
            anyhow::bail!("two columns are called {name}, which JSON objects cannot have: rename one of them");
        }
        Ok(Self { to, delimiter, head, from_cells: from.has_header(), results, rest })
    }

    /// Returns what is known of the table.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Returns the bytes before the first row.
    pub fn begin(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.to.has_header() {
            if self.head.has_bom {
                out.extend_from_slice(BOM);
            }
            let rest = (!self.from_cells).then_some(&self.rest);
            let header: ByteRecord =
                self.head.names.iter().chain(&self.results).chain(rest).map(String::as_bytes).collect();
            let mut writer = self.writer(&mut out);
            writer.write_byte_record(&header)?;
            writer.flush()?;
        }
        out.extend_from_slice(match self.to {
            FileFormat::Json => b"[",
            FileFormat::Geojson => b"{\"type\":\"FeatureCollection\",\"features\":[",
            _ => b"",
        });
        Ok(out)
    }

    /// Returns the bytes after the last row. `members` are those of a GeoJSON file besides its features, each as JSON
    /// behind a comma.
    pub fn end(&self, members: &str) -> Vec<u8> {
        match self.to {
            FileFormat::Json => b"\n]\n".to_vec(),
            FileFormat::Geojson => format!("\n]{members}}}\n").into_bytes(),
            _ => Vec::new(),
        }
    }

    /// Adds rows to `out`; the first of them is number `first` of the table, counted from 0.
    ///
    /// # Errors
    /// If a row has a member with the name of a result.
    pub fn rows(&self, rows: &[(Row, Rc<Answer>)], first: u64, out: &mut Vec<u8>) -> Result<()> {
        if self.to.has_header() {
            let mut writer = self.writer(out);
            let mut cells = ByteRecord::new();
            for (row, answer) in rows {
                cells.clear();
                self.add_cells(row, answer, &mut cells)?;
                writer.write_byte_record(&cells)?;
            }
            return Ok(writer.flush()?);
        }
        for (number, (row, answer)) in (first..).zip(rows) {
            let json = match self.to {
                FileFormat::Geojson => self.feature(row, answer)?,
                _ => self.object(row, answer)?,
            };
            let (before, after) = match (self.to, number) {
                (FileFormat::Ndjson, _) => ("", "\n"),
                (_, 0) => ("\n", ""),
                _ => (",\n", ""),
            };
            [before, &json, after].iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
        }
        Ok(())
    }

    fn writer<'o>(&self, out: &'o mut Vec<u8>) -> Writer<&'o mut Vec<u8>> {
        let end = if self.head.has_crlf { Terminator::CRLF } else { Terminator::Any(b'\n') };
        let mut builder = WriterBuilder::new();
        builder.delimiter(self.delimiter).terminator(end).quote_style(QuoteStyle::Necessary).flexible(true);
        builder.from_writer(out)
    }

    /// Adds the cells of the row, those of the answer, and what the row has beyond the header.
    fn add_cells(&self, row: &Row, answer: &Answer, cells: &mut ByteRecord) -> Result<()> {
        let width = self.head.names.len();
        let mut rest = None;
        match row {
            Row::Cells(read) => {
                (0..width).for_each(|at| cells.push_field(read.get(at).unwrap_or_default()));
            }
            Row::Object(json) => rest = self.member_cells(json, None, cells)?,
            Row::Feature(json) => {
                let feature = Members::of(json).unwrap_or_default();
                rest = self.member_cells(
                    feature.get("properties").unwrap_or(RawValue::NULL),
                    feature.get("geometry"),
                    cells,
                )?;
            }
            Row::Broken { text, .. } => {
                (0..width).for_each(|_| cells.push_field(b""));
                rest = Some(text.clone());
            }
        }
        for cell in &answer.cells {
            cells.push_field(match cell {
                Cell::Empty => b"",
                Cell::Text(text) | Cell::Json(text) => text.as_bytes(),
            });
        }
        match row {
            Row::Cells(read) => read.iter().skip(width).for_each(|surplus| cells.push_field(surplus)),
            _ => cells.push_field(rest.unwrap_or_default().as_bytes()),
        }
        Ok(())
    }

    /// Adds the members of an object as cells of the header's columns. Returns those that have no column, as JSON.
    fn member_cells(
        &self,
        json: &RawValue,
        geometry: Option<&RawValue>,
        cells: &mut ByteRecord,
    ) -> Result<Option<String>> {
        let members = Members::of(json).unwrap_or_default();
        self.check(&members)?;
        for name in &self.head.names {
            cells.push_field(members.get(name).map(cell_text).unwrap_or_default().as_bytes());
        }
        let without = members.0.iter().filter(|(name, _)| !self.head.names.contains(name));
        let mut rest: Vec<String> = without.map(|(name, value)| member(name, value.get())).collect();
        rest.extend(geometry.map(|geometry| member("geometry", geometry.get())));
        Ok((!rest.is_empty()).then(|| format!("{{{}}}", rest.join(","))))
    }

    fn object(&self, row: &Row, answer: &Answer) -> Result<String> {
        let results = self.result_members(answer);
        match row {
            Row::Cells(cells) => Ok(format!("{{{}}}", join(&self.cell_members(cells), &results))),
            Row::Object(json) => {
                self.check(&Members::of(json).unwrap_or_default())?;
                Ok(with_members(json.get(), &results))
            }
            Row::Feature(json) => {
                let feature = Members::of(json).unwrap_or_default();
                let properties = feature.get("properties").filter(|json| json.get().starts_with('{'));
                self.check(&properties.and_then(Members::of).unwrap_or_default())?;
                let geometry = feature.get("geometry").map(|geometry| member("geometry", geometry.get()));
                let added = join(&geometry.unwrap_or_default(), &results);
                Ok(with_members(properties.map_or("{}", RawValue::get), &added))
            }
            Row::Broken { text, .. } => Ok(format!("{{{results},{}}}", member(&self.rest, &quote(text)))),
        }
    }

    /// Writes a feature whose properties are the row and its answer. It keeps its geometry; without one, it has the point
    /// found.
    fn feature(&self, row: &Row, answer: &Answer) -> Result<String> {
        let point = || match answer.position {
            Some([lon, lat]) => format!("{{\"type\":\"Point\",\"coordinates\":[{lon},{lat}]}}"),
            None => "null".to_owned(),
        };
        let Row::Feature(json) = row else {
            let properties = self.object(row, answer)?;
            return Ok(format!("{{\"type\":\"Feature\",\"geometry\":{},\"properties\":{properties}}}", point()));
        };
        let feature = Members::of(json).unwrap_or_default();
        let properties = feature.get("properties").filter(|json| json.get().starts_with('{'));
        self.check(&properties.and_then(Members::of).unwrap_or_default())?;
        let properties = with_members(properties.map_or("{}", RawValue::get), &self.result_members(answer));
        let geometry = feature.get("geometry").map(RawValue::get).filter(|geometry| *geometry != "null");
        let geometry = geometry.map_or_else(point, str::to_owned);
        let kept = feature.0.iter().map(|(name, value)| match name.as_str() {
            "properties" => member(name, &properties),
            "geometry" => member(name, &geometry),
            _ => member(name, value.get()),
        });
        let mut members: Vec<String> = kept.collect();
        if feature.get("geometry").is_none() {
            members.push(member("geometry", &geometry));
        }
        if feature.get("properties").is_none() {
            members.push(member("properties", &properties));
        }
        Ok(format!("{{{}}}", members.join(",")))
    }

    /// Writes the cells of a row as members, those beyond the header in an array.
    fn cell_members(&self, cells: &ByteRecord) -> String {
        let mut members: Vec<String> =
            self.head.names.iter().zip(cells).map(|(name, cell)| member(name, &text_member(cell))).collect();
        let surplus: Vec<String> = cells.iter().skip(self.head.names.len()).map(text_member).collect();
        if !surplus.is_empty() {
            members.push(member(&self.rest, &format!("[{}]", surplus.join(","))));
        }
        members.join(",")
    }

    fn result_members(&self, answer: &Answer) -> String {
        let members = self.results.iter().zip(&answer.cells).map(|(name, cell)| member(name, &cell_value(cell)));
        members.collect::<Vec<_>>().join(",")
    }

    fn check(&self, members: &Members) -> Result<()> {
        for (name, _) in &members.0 {
            ensure!(!self.results.contains(name) && *name != self.rest, "{}", clash(name));
        }
        Ok(())
    }
}

fn cell_value(cell: &Cell) -> String {
    match cell {
        Cell::Empty => "null".to_owned(),
        Cell::Text(text) => quote(text),
        Cell::Json(json) => json.clone(),
    }
}

fn text_member(cell: &[u8]) -> String {
    quote(&String::from_utf8_lossy(cell))
}

fn clash(name: &str) -> String {
    format!("the table has a column {name} already: choose names for the results with --prefix, such as --prefix geo_")
}

fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

fn member(name: &str, json: &str) -> String {
    format!("{}:{json}", quote(name))
}

fn join(one: &str, other: &str) -> String {
    let comma = if one.is_empty() || other.is_empty() { "" } else { "," };
    format!("{one}{comma}{other}")
}

/// Returns the text of an object with more members at its end.
fn with_members(object: &str, members: &str) -> String {
    let open = object.trim_end().strip_suffix('}').unwrap_or("{").trim_end();
    let comma = if open.ends_with('{') || members.is_empty() { "" } else { "," };
    format!("{open}{comma}{members}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_added_at_the_end() {
        check_members("{}", "{\"b\":1}");
        check_members("{ }", "{\"b\":1}");
        check_members("{\"a\": [1, 2.50] }", "{\"a\": [1, 2.50],\"b\":1}");
        check_members("{\"a\":\"{\"}", "{\"a\":\"{\",\"b\":1}");
    }

    fn check_members(object: &str, expect: &str) {
        assert_eq!(with_members(object, "\"b\":1"), expect);
    }
}
