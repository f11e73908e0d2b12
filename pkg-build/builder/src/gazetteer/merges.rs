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
    const ALL: [Self; 4] = [Self::Id, Self::Code, Self::Name, Self::OtherName];

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
pub(crate) struct Merges(Vec<Merge>);

/// A merge: ids and names of the imported place and of the other one. Of a planet there are hundreds of thousands.
#[derive(Clone, Debug)]
struct Merge {
    imported: [String; 2],
    other: [String; 2],
    why: Why,
    metres: f64,
}

/// The columns of the report.
const COLUMNS: [&str; 6] =
    ["imported_id", "imported_name", "merged_with_id", "merged_with_name", "why", "metres_apart"];

impl Merges {
    /// Notes that the `imported` place is the same as `other`.
    pub fn add(&mut self, imported: Side, other: Side, why: Why) {
        let metres = imported.at.distance_m(other.at);
        let [imported, other] = [imported, other].map(|side| [side.id, side.name].map(str::to_owned));
        self.0.push(Merge { imported, other, why, metres });
    }

    /// Adds those of another part of a build.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Says how many there are.
    pub fn say(&self) {
        let counts = Why::ALL.map(|why| (self.0.iter().filter(|merge| merge.why == why).count(), why.text()));
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, why)| format!("{count} by {why}")).collect();
        if !counts.is_empty() {
            let all = self.0.len();
            progress::say(&format!("  merged {all} imported places with known ones: {}", counts.join(", ")));
        }
    }

    /// The report as CSV, in the order of the merges.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS).expect("memory can be written");
        for Merge { imported: [id, name], other: [other_id, other_name], why, metres } in &self.0 {
            let metres = format!("{metres:.0}");
            let row = [id, name, other_id, other_name, why.text(), &metres];
            writer.write_record(row).expect("memory can be written");
        }
        writer.into_inner().expect("memory can be written")
    }
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
