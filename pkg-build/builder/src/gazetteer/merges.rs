//! What was merged with what: a row for each imported place that is the same as another, for the operator to look
//! through.

use toponym_engine::geo::Coordinate;

use crate::progress;

/// Why two places are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Id,
    Code,
    Name,
    OtherName,
}

impl Why {
    fn text(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Code => "code",
            Self::Name => "name, kind and distance",
            Self::OtherName => "another name and distance",
        }
    }
}

/// One of two places that are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'p> {
    /// The id of its source, with the file for an operator's own.
    pub id: &'p str,
    pub name: &'p str,
    pub at: Coordinate,
}

/// The merges of a build.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merges {
    rows: Vec<Vec<u8>>,
    counts: [(usize, Option<Why>); 4],
}

impl Merges {
    /// Notes that the `imported` place is the same as `other`.
    pub fn add(&mut self, imported: Side, other: Side, why: Why) {
        let metres = imported.at.distance_m(other.at);
        let fields = [imported.id, imported.name, other.id, other.name, why.text(), &format!("{metres:.0}")];
        self.rows.push(row(&fields));
        let (count, reason) = &mut self.counts[why as usize];
        *count += 1;
        *reason = Some(why);
    }

    /// Says how many there are.
    pub fn say(&self) {
        let counts = self.counts.iter().filter_map(|(count, why)| Some(format!("{count} by {}", (*why)?.text())));
        if !self.rows.is_empty() {
            let counts = counts.collect::<Vec<_>>().join(", ");
            progress::say(&format!("  merged {} imported places with known ones: {counts}", self.rows.len()));
        }
    }

    /// The report as CSV, in the order of the merges.
    pub fn csv(&self) -> Vec<u8> {
        let header =
            row(&["imported_id", "imported_name", "merged_with_id", "merged_with_name", "why", "metres_apart"]);
        [vec![header], self.rows.clone()].concat().concat()
    }
}

fn row(fields: &[&str]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).expect("memory can be written");
    writer.into_inner().expect("memory can be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_merges() {
        let at = |lat| Coordinate::new(lat, 2.0).expect("it is in range");
        let mut merges = Merges::default();
        let imported = Side { id: "shops/1", name: "Louvre, the", at: at(48.0) };
        merges.add(imported, Side { id: "louvre", name: "Louvre", at: at(48.001) }, Why::Name);
        let text = String::from_utf8(merges.csv()).expect("it is UTF-8");
        assert_eq!(
            text,
            "imported_id,imported_name,merged_with_id,merged_with_name,why,metres_apart\n\
             shops/1,\"Louvre, the\",louvre,Louvre,\"name, kind and distance\",111\n"
        );
    }
}
