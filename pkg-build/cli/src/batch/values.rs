//! The values of the wanted columns of a row.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::columns::{Asks, Wanted};
use super::row::{Head, Members, Row, cell_text};

/// Finds the wanted columns of a table, once.
#[derive(Debug, Default)]
pub struct Values {
    places: Option<Vec<usize>>,
}

/// The point of a geometry.
#[derive(serde::Deserialize)]
struct Point<'j> {
    r#type: Cow<'j, str>,
    #[serde(borrow)]
    coordinates: Vec<&'j RawValue>,
}

impl Values {
    /// Returns the values of a row in the order of the wanted columns; a reason if the row is not whole.
    pub fn of<'r>(&mut self, row: &'r Row, head: &Head, wanted: &Wanted) -> Result<Vec<Cow<'r, str>>, String> {
        match row {
            Row::Cells(cells) => {
                let is = cells.len();
                let should = head.names.len();
                if is != should {
                    return Err(format!("cells in the row: {is}, in the header: {should}"));
                }
                let places = self.places.get_or_insert_with(|| wanted.places(&head.names).unwrap_or_default());
                let cell = |&at: &usize| {
                    let text = std::str::from_utf8(cells.get(at).unwrap_or_default());
                    let reason =
                        || format!("{} is not UTF-8: convert the file, for example with iconv", head.names[at]);
                    text.map(Cow::Borrowed).map_err(|_| reason())
                };
                places.iter().map(cell).collect()
            }
            Row::Object(json) => of_members(json, wanted),
            Row::Feature(json) => {
                let feature = Members::of(json).ok_or("the feature is not a JSON object")?;
                if wanted.asks == Asks::Geometry {
                    return Ok(feature.get("geometry").map(of_geometry).unwrap_or_default());
                }
                of_members(feature.get("properties").unwrap_or(RawValue::NULL), wanted)
            }
            Row::Broken { reason, .. } => Err(reason.clone()),
        }
    }
}

fn of_members<'r>(json: &'r RawValue, wanted: &Wanted) -> Result<Vec<Cow<'r, str>>, String> {
    let members = Members::of(json).unwrap_or_default();
    Ok(wanted.names.iter().map(|name| members.get(name).map(cell_text).unwrap_or_default().into()).collect())
}

/// Returns latitude and longitude; nothing for a geometry that is not a point.
fn of_geometry(geometry: &RawValue) -> Vec<Cow<'_, str>> {
    let point: Option<Point> = serde_json::from_str(geometry.get()).ok();
    match point.filter(|point| point.r#type == "Point").map(|point| point.coordinates) {
        Some(coordinates) if coordinates.len() >= 2 => vec![coordinates[1].get().into(), coordinates[0].get().into()],
        _ => Vec::new(),
    }
}
