//! Places in the order of their ids, of which no two are the same.

use toponym_engine::{Name, Record};

use crate::error::BuildError;

/// Sorts records by id and rejects duplicates.
pub(crate) fn in_order(mut records: Vec<Record>) -> Result<Vec<Record>, BuildError> {
    records.sort_by_key(|record| record.id);
    match records.windows(2).find(|pair| pair[0].id == pair[1].id) {
        None => Ok(records),
        Some(pair) => Err(BuildError::Collision { id: pair[0].id, first: label(&pair[0]), second: label(&pair[1]) }),
    }
}

/// Describes a place in a message.
pub(crate) fn label(record: &Record) -> String {
    let name = record.names.first().map_or("", |name: &Name| &name.text);
    format!("{} ({:?}, {})", name, record.kind.role, String::from_utf8_lossy(&record.country))
}
