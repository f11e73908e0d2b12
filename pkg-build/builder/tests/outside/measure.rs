//! A share of rows that agree, its floor, and the rows that do not.

use std::fmt::Write;

/// Number of differences that the table lists for one measure.
const LISTED: usize = 40;

/// Share of the compared rows that agree.
pub struct Measure {
    what: &'static str,
    floor: f64,
    /// The least number of rows, so that an empty comparison does not pass.
    fewest: usize,
    rows: usize,
    /// Distance of each of the others, in kilometres if that is compared, and what it is.
    differences: Vec<(Option<f64>, String)>,
}

impl Measure {
    /// Creates a measure: at least `fewest` rows are to be compared, and a share of `floor` of them is to agree.
    pub fn new(what: &'static str, fewest: usize, floor: f64) -> Self {
        Self { what, floor, fewest, rows: 0, differences: Vec::new() }
    }

    /// Counts a row that agrees if it is less than `reach` metres away; `what` describes it.
    pub fn distance(&mut self, metres: f64, reach: f64, what: impl FnOnce() -> String) {
        self.rows += 1;
        if metres >= reach {
            self.differences.push((Some(metres / 1_000.0), what()));
        }
    }

    /// Counts a row that agrees or not.
    pub fn row(&mut self, agrees: bool, what: impl FnOnce() -> String) {
        self.rows += 1;
        if !agrees {
            self.differences.push((None, what()));
        }
    }

    fn share(&self) -> f64 {
        1.0 - self.differences.len() as f64 / self.rows.max(1) as f64
    }

    /// Returns a message if too few rows were compared, or too few agree.
    pub fn below_floor(&self) -> Option<String> {
        let Self { what, floor, fewest, rows, .. } = self;
        let share = self.share();
        (share < *floor || rows < fewest)
            .then(|| format!("{what}: {share:.4} of {rows} rows, the floor is {floor} of {fewest}"))
    }
}

/// Formats the measures as a table, and below it the greatest differences of each.
pub fn table(measures: &[Measure]) -> String {
    let mut text = format!("{:<72}{:>8}{:>8}{:>8}\n", "what agrees", "rows", "share", "floor");
    for measure in measures {
        let share = measure.share();
        let floor = measure.floor;
        writeln!(text, "{:<72}{:>8}{share:>8.4}{floor:>8}", measure.what, measure.rows).expect("memory can be written");
    }
    for measure in measures.iter().filter(|measure| !measure.differences.is_empty()) {
        let mut differences: Vec<&(Option<f64>, String)> = measure.differences.iter().collect();
        differences.sort_by(|a, b| far(&b.0).total_cmp(&far(&a.0)).then_with(|| a.1.cmp(&b.1)));
        writeln!(text, "\n{}: {} differ", measure.what, differences.len()).expect("memory can be written");
        for (km, what) in differences.into_iter().take(LISTED) {
            let km = km.map(|km| format!("{km:>8.0} km")).unwrap_or_default();
            writeln!(text, "{km}  {what}").expect("memory can be written");
        }
    }
    text
}

fn far(km: &Option<f64>) -> f64 {
    km.unwrap_or_default()
}
