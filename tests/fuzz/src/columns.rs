//! Fuzz target for index files with changed columns.

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use toponym_engine::geo::Coordinate;
use toponym_engine::{Engine, index};

use crate::index_bytes::frame;
use crate::ledger::variant;
use crate::world::{ask_everything, with_borders};

/// Sections that are read as their builder wrote them, so that a forged one may make a query panic. Not tested here.
const TRANSDUCERS: [&str; 4] = ["names", "alternates", "codes", "sounds"];

/// Offset and length of the columns of [`FILE`].
static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    // They are slices of one file, so their distance gives their offset.
    let parts = index::sections(FILE.clone()).expect("an index just written opens");
    let mut at = parts[0].1.len();
    let mut columns = Vec::new();
    for (name, bytes) in parts.into_iter().skip(1) {
        if !TRANSDUCERS.contains(&name) && !bytes.is_empty() {
            columns.push(Column { name, at, length: bytes.len() });
        }
        at += bytes.len().next_multiple_of(ALIGNMENT);
    }
    columns
});

/// Alignment of sections: `engine/FORMAT.md`, section Frame.
const ALIGNMENT: usize = 8;

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| index::write(&with_borders()).expect("the gazetteer is sound"));

struct Column {
    name: &'static str,
    at: usize,
    length: usize,
}

/// A change of some bytes of a column.
#[derive(Debug)]
struct Edit {
    column: u8,
    at: u32,
    value: Value,
}

#[derive(Debug)]
enum Value {
    Byte(u8),
    Short(u16),
    Word(u32),
}

impl Edit {
    /// Reads an edit: a column, a position in it, the kind of a value, the value.
    fn read(input: &mut Unstructured<'_>) -> Result<Self> {
        Ok(Self { column: u8::arbitrary(input)?, at: u32::arbitrary(input)?, value: Value::read(input)? })
    }
}

impl Value {
    fn read(input: &mut Unstructured<'_>) -> Result<Self> {
        Ok(match variant(input, 3)? {
            0 => Self::Byte(u8::arbitrary(input)?),
            1 => Self::Short(u16::arbitrary(input)?),
            _ => Self::Word(u32::arbitrary(input)?),
        })
    }
}

/// Maximum number of edits of one input. More find nothing new.
const MAX_EDITS: usize = 16;

/// Opens an index with changed columns: it opens or not, and no query panics, because columns are read with bounds
/// checks and return zero past their end.
pub fn columns(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut file = FILE.clone();
    let mut cells = Vec::new();
    for _ in 0..MAX_EDITS {
        if input.is_empty() {
            break;
        }
        let Ok(edit) = Edit::read(&mut input) else { break };
        cells.extend(edit.apply(&mut file));
    }
    let Ok(engine) = Engine::open(frame(&file)) else { return };
    ask_everything(&engine);
    for cell in cells {
        engine.reverse(cell, None);
        engine.country_at(cell);
    }
}

/// Bytes of a cell of the grid of borders.
const CELL: usize = 4;

/// Cells around a parallel.
const CELLS_OF_A_ROW: usize = 360;

impl Edit {
    /// Changes the file. Returns a point in the changed cell if the column is the grid of borders.
    fn apply(&self, file: &mut [u8]) -> Option<Coordinate> {
        let column = &COLUMNS[usize::from(self.column) % COLUMNS.len()];
        let bytes = match self.value {
            Value::Byte(value) => value.to_le_bytes().to_vec(),
            Value::Short(value) => value.to_le_bytes().to_vec(),
            Value::Word(value) => value.to_le_bytes().to_vec(),
        };
        let slots = (column.length / bytes.len()).max(1);
        let within = self.at as usize % slots * bytes.len();
        let end = column.length.min(within + bytes.len());
        file[column.at + within..column.at + end].copy_from_slice(&bytes[..end - within]);
        (column.name == "border cells").then(|| {
            let cell = within / CELL;
            let row = cell / CELLS_OF_A_ROW;
            let column = cell % CELLS_OF_A_ROW;
            Coordinate::new(row as f64 - 89.5, column as f64 - 179.5).expect("cells are on the globe")
        })
    }
}
