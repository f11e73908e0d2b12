//! The formats of tables, by the ending of a file or by name.

use std::path::Path;

use clap::ValueEnum;

/// A format that rows are read from or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// Values separated by commas, with a header (RFC 4180)
    Csv,
    /// Values separated by tabs, with a header
    Tsv,
    /// One JSON object a line
    Ndjson,
    /// An array of JSON objects
    Json,
    /// A FeatureCollection (RFC 7946)
    Geojson,
}

impl FileFormat {
    /// Returns the format of a file by its ending; `None` if it has no known one.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "ndjson" | "jsonl" => Some(Self::Ndjson),
            "json" => Some(Self::Json),
            "geojson" => Some(Self::Geojson),
            _ => None,
        }
    }

    /// Tells whether rows are lines of cells below a header.
    pub fn has_header(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }

    /// Returns the byte that separates cells.
    pub fn delimiter(self) -> u8 {
        if self == Self::Tsv { b'\t' } else { b',' }
    }
}
