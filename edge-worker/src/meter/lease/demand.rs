//! How many units were asked for in the last second, from the counts of two calendar seconds.

/// A second, milliseconds.
const SECOND_MS: u64 = 1_000;

/// Units by calendar second. A clock that steps back counts into the latest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    second: u64,
    units: u32,
    before: u32,
}

impl Demand {
    /// Counts `units` at `now_ms`.
    pub fn note(&mut self, units: u32, now_ms: u64) {
        self.advance(now_ms);
        self.units = self.units.saturating_add(units);
    }

    /// Units of the second before `now_ms`: those of this calendar second, and of the one before the part that is left.
    pub fn per_second(&self, now_ms: u64) -> u32 {
        let mut now = *self;
        now.advance(now_ms);
        let left_ms = SECOND_MS - (now_ms % SECOND_MS);
        let before = u64::from(now.before) * left_ms / SECOND_MS;
        now.units.saturating_add(u32::try_from(before).unwrap_or(u32::MAX))
    }

    fn advance(&mut self, now_ms: u64) {
        let second = now_ms / SECOND_MS;
        if second > self.second {
            self.before = if second == self.second + 1 { self.units } else { 0 };
            (self.second, self.units) = (second, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_second() {
        let mut demand = Demand::default();
        (0..10).for_each(|at| demand.note(10, 5_000 + at * 100));
        let check = |now_ms: u64, expect: u32| assert_eq!(demand.per_second(now_ms), expect, "at {now_ms}");
        check(5_999, 100);
        check(6_000, 100);
        check(6_250, 75);
        check(6_999, 0);
        check(7_000, 0);
        check(5_500, 100);
    }
}
