//! Reports the merges: a row for each, with the two that were merged, for the operator to look through.

use toponym_engine::geo::Coordinate;

use super::provenance::Imported;
use super::subject::Subject;
use crate::progress;
use crate::sources::rows::Iso2;

/// Why two places are the same, the best reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Why {
    Id,
    Code,
    Name,
    OtherName,
    Core,
}

impl Why {
    const ALL: [Self; 5] = [Self::Id, Self::Code, Self::Name, Self::OtherName, Self::Core];

    fn text(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Code => "code",
            Self::Name => "name, kind and distance",
            Self::OtherName => "another name and distance",
            Self::Core => "name without an addition, and distance",
        }
    }
}

/// The merges of a build.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merges(Vec<Merge>);

/// A merge: ids and names of a place and of the one that it was merged with. Of a planet there are hundreds of thousands.
#[derive(Clone, Debug)]
struct Merge {
    one: [String; 2],
    other: [String; 2],
    why: Why,
    metres: f64,
    kind: &'static str,
    country: Iso2,
    /// Position of the first one.
    at: Coordinate,
}

/// The columns of the report.
const COLUMNS: [&str; 10] =
    ["id", "name", "merged_with_id", "merged_with_name", "why", "metres_apart", "kind", "country", "lat", "lon"];

impl Merges {
    /// Notes that `one`, an added row if either is, is the same as `other`.
    pub fn add(&mut self, one: &Subject, other: &Subject, why: Why, imported: &Imported) {
        let side = |subject: &Subject| {
            // Of two that are the same by their id, the row is the first.
            let is_row = one.id != other.id || std::ptr::eq(subject, one);
            let own = imported.row_of(subject.id).filter(|_| is_row).map(str::to_owned);
            let label = (!subject.label.is_empty()).then(|| subject.label.to_owned());
            [label.or(own).unwrap_or_else(|| subject.id.to_string()), subject.name.to_owned()]
        };
        let metres = one.at.distance_m(other.at);
        let kind = one.kind.name();
        self.0.push(Merge { one: side(one), other: side(other), why, metres, kind, country: one.country, at: one.at });
    }

    /// Adds the merges of another part of a build.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Returns the number of merges.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Says how many merges there are, by reason.
    pub fn say(&self) {
        let counts = Why::ALL.map(|why| (self.0.iter().filter(|merge| merge.why == why).count(), why.text()));
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, why)| format!("{count} by {why}")).collect();
        if !counts.is_empty() {
            progress::say(&format!("  merged {} places with others: {}", self.0.len(), counts.join(", ")));
        }
    }

    /// Returns the report as CSV, in the order of the merges.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS).expect("memory can be written");
        for Merge { one: [id, name], other: [other_id, other_name], why, metres, kind, country, at } in &self.0 {
            let numbers = [format!("{metres:.0}"), at.lat().to_string(), at.lon().to_string()];
            let [metres, lat, lon] = numbers.each_ref().map(String::as_str);
            let country = String::from_utf8_lossy(country);
            let row = [id, name, other_id, other_name, why.text(), metres, kind, &country, lat, lon];
            writer.write_record(row).expect("memory can be written");
        }
        writer.into_inner().expect("memory can be written")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer::matcher::{Kind, OwnRow};

    #[test]
    fn a_report_of_merges() {
        let at = |lat| Coordinate::new(lat, 2.0).expect("it is in range");
        let subject = |id, label, name, lat| Subject {
            label,
            ..Subject::new(id, name, *b"FR", at(lat), Kind::Landmark("museum"))
        };
        let mut imported = Imported::default();
        imported.add_own(9, OwnRow { file: 1, id: "shops/1".into() });
        let mut merges = Merges::default();
        let row = subject(9, "", "Louvre, the", 48.0);
        merges.add(&row, &subject(8, "louvre", "Louvre", 48.001), Why::Name, &imported);
        merges.add(&subject(7, "", "Orsay", 48.0), &row, Why::OtherName, &imported);
        let text = String::from_utf8(merges.csv()).expect("it is UTF-8");
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(
            rows,
            [
                "id,name,merged_with_id,merged_with_name,why,metres_apart,kind,country,lat,lon",
                "shops/1,\"Louvre, the\",louvre,Louvre,\"name, kind and distance\",111,landmark,FR,48,2",
                "7,Orsay,shops/1,\"Louvre, the\",another name and distance,0,landmark,FR,48,2",
            ]
        );
    }
}
