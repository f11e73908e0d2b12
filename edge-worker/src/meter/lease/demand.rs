//! The number of units that were asked for lately, from the counts of two periods of the calendar.

/// A second, milliseconds.
const SECOND_MS: u64 = 1_000;

/// Units by periods of `PERIOD_MS` milliseconds. A clock that steps back counts into the latest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand<const PERIOD_MS: u64 = SECOND_MS> {
    period: u64,
    units: u32,
    before: u32,
}

impl<const PERIOD_MS: u64> Demand<PERIOD_MS> {
    /// Counts `units` at `now_ms`.
    pub fn note(&mut self, units: u32, now_ms: u64) {
        self.advance(now_ms);
        self.units = self.units.saturating_add(units);
    }

    /// Returns the units of one period before `now_ms`: those of this period of the calendar, and of the one before the part
    /// that is left.
    pub fn units(&self, now_ms: u64) -> u32 {
        let mut now = *self;
        now.advance(now_ms);
        let left_ms = PERIOD_MS - (now_ms % PERIOD_MS);
        let before = u64::from(now.before) * left_ms / PERIOD_MS;
        now.units.saturating_add(u32::try_from(before).unwrap_or(u32::MAX))
    }

    fn advance(&mut self, now_ms: u64) {
        let period = now_ms / PERIOD_MS;
        if period > self.period {
            self.before = if period == self.period + 1 { self.units } else { 0 };
            (self.period, self.units) = (period, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_period() {
        let mut demand = Demand::<SECOND_MS>::default();
        let mut slow = Demand::<5_000>::default();
        for at_ms in (0..10).map(|at| 5_000 + at * 100) {
            demand.note(10, at_ms);
            slow.note(10, at_ms);
        }
        let check = |now_ms: u64, expect: u32| assert_eq!(demand.units(now_ms), expect, "at {now_ms}");
        check(5_999, 100);
        check(6_000, 100);
        check(6_250, 75);
        check(6_999, 0);
        check(7_000, 0);
        check(5_500, 100);
        assert_eq!([9_999, 12_500, 15_000].map(|now_ms| slow.units(now_ms)), [100, 50, 0]);
    }
}
