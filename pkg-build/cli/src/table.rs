//! Tables for people.

use comfy_table::{CellAlignment, Table, presets};

/// Creates a table with the columns from `numbers` on aligned right.
pub fn new_table(header: &[&str], numbers: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(header);
    for column in numbers..header.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
