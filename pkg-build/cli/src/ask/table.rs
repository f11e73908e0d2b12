//! Answers as a table to read.

use comfy_table::{Table, presets};
use toponym_engine::{Fact, FactSet};

use super::shown::Shown;
use crate::cells::fact_cells;

/// The columns that fit on a line of a terminal.
const SHOWN: [&str; 6] = ["display_name", "type", "lat", "lon", "confidence", "place_id"];

/// Makes a table of places, the best one first, with the facts asked for below each name.
pub fn of<T: Shown>(places: &[T], facts: FactSet) -> Table {
    let columns: Vec<usize> =
        SHOWN.iter().filter_map(|name| T::COLUMNS.iter().position(|column| column == name)).collect();
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    let facts: Vec<_> = Fact::ALL.into_iter().filter(|fact| facts.contains(*fact)).collect();
    let header = columns.iter().map(|&at| T::COLUMNS[at].replace('_', " "));
    table.set_header(header.chain(facts.iter().map(|fact| fact.name().replace('_', " "))));
    for place in places {
        let cells = place.cells();
        let of_facts = fact_cells(place, &facts).unwrap_or_default();
        table.add_row(columns.iter().map(|&at| cells[at].clone()).chain(of_facts));
    }
    table
}
