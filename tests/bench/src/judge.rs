//! Evaluates measurements: percentiles of times, and shares of correct results.

use crate::measure::{Answer, Asked};
use crate::prepare::{Known, Questions};
use toponym_workload::Question;

/// One operation of one engine, judged.
pub struct Judged {
    /// Questions that were asked.
    pub questions: usize,
    /// Median time in microseconds.
    pub p50: f64,
    /// Time that one question in a hundred exceeds.
    pub p99: f64,
    /// Share whose first answer is right; of points, whose answer is the nearest place.
    pub first: Option<f64>,
    /// Share with a right answer among all.
    pub any: Option<f64>,
    /// Share with the right country, of points in a country that got an answer.
    pub country: Option<f64>,
    /// Share without an answer, of points in no country.
    pub silent: Option<f64>,
}

/// Compares the results with the expected ones.
pub fn judge(asked: &Asked, questions: &Questions) -> Judged {
    let mut micros = asked.micros.clone();
    micros.sort_by(f64::total_cmp);
    let pairs = || asked.answers.iter().zip(&questions.cases);
    let land = || pairs().filter(|(_, known)| is_point(known) && !known.countries.is_empty());
    let sea = pairs().filter(|(_, known)| is_point(known) && known.countries.is_empty());
    let named =
        || pairs().filter(|(_, known)| !known.right.is_empty() && (!is_point(known) || !known.countries.is_empty()));
    let tells_country = asked.answers.iter().flatten().any(|answer| answer.2.is_some());
    let tells_place = asked.answers.iter().flatten().any(|answer| answer.0 != i32::MAX);
    Judged {
        questions: micros.len(),
        p50: percentile(&micros, 0.50),
        p99: percentile(&micros, 0.99),
        first: share(named().map(|(answers, known)| answers.first().is_some_and(|answer| is_right(answer, known))))
            .filter(|_| tells_place),
        any: share(named().map(|(answers, known)| answers.iter().any(|answer| is_right(answer, known))))
            .filter(|_| tells_place),
        country: share(land().filter_map(|(answers, known)| answers.first().map(|answer| in_country(answer, known))))
            .filter(|_| tells_country),
        silent: share(sea.map(|(answers, _)| answers.is_empty())),
    }
}

fn is_point(known: &Known) -> bool {
    matches!(known.question, Question::Reverse(_))
}

/// Slack for engines that keep coordinates in single precision: 1e-5 degrees are then the last digit.
const SLACK: i32 = 2;

fn is_right(answer: &Answer, known: &Known) -> bool {
    known
        .right
        .iter()
        .any(|right| right.0.abs_diff(answer.0) <= SLACK as u32 && right.1.abs_diff(answer.1) <= SLACK as u32)
}

fn in_country(answer: &Answer, known: &Known) -> bool {
    answer.2.as_ref().is_some_and(|code| known.countries.contains(code))
}

fn share(verdicts: impl Iterator<Item = bool>) -> Option<f64> {
    let mut right = 0;
    let mut all = 0;
    for verdict in verdicts {
        right += usize::from(verdict);
        all += 1;
    }
    (all > 0).then(|| right as f64 / all as f64)
}

/// Returns a percentile by the nearest rank.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_by_nearest_rank() {
        let sorted: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((percentile(&sorted, 0.5), percentile(&sorted, 0.99)), (50.0, 99.0));
        assert_eq!(percentile(&[7.0], 0.99), 7.0);
    }
}
