//! Calendar months in UTC, and instants in the format of the contract.

use chrono::{DateTime, Datelike, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

/// A calendar month: months since year 0, so that the next one is one more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Month(pub u32);

impl Month {
    /// Returns the month that holds `now_ms`.
    pub fn of(now_ms: u64) -> Self {
        let date = instant(now_ms);
        Self(u32::try_from(date.year()).unwrap_or(0) * 12 + date.month0())
    }

    /// Returns the first instant of the month, milliseconds since the epoch.
    pub fn start_ms(self) -> u64 {
        let year = i32::try_from(self.0 / 12).unwrap_or(i32::MAX);
        let first = chrono::NaiveDate::from_ymd_opt(year, self.0 % 12 + 1, 1).unwrap_or(chrono::NaiveDate::MAX);
        let start = first.and_time(chrono::NaiveTime::MIN).and_utc();
        u64::try_from(start.timestamp_millis()).unwrap_or(0)
    }

    /// Returns the month after this one.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the name of the month, such as `2026-11`.
    pub fn name(self) -> String {
        format!("{:04}-{:02}", self.0 / 12, self.0 % 12 + 1)
    }
}

/// Writes an instant as ISO 8601 in UTC with milliseconds: `2026-12-01T00:00:00.000Z`.
pub fn iso_instant(ms: u64) -> String {
    instant(ms).to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Returns the instant `ms` milliseconds after the epoch, or the last one that can be written.
pub fn instant(ms: u64) -> DateTime<Utc> {
    i64::try_from(ms).ok().and_then(DateTime::from_timestamp_millis).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_begin_at_midnight_utc() {
        check("2026-11-20T16:30:00.000Z", "2026-11", "2026-12-01T00:00:00.000Z");
        check("2026-11-30T23:59:59.999Z", "2026-11", "2026-12-01T00:00:00.000Z");
        check("2026-12-01T00:00:00.000Z", "2026-12", "2027-01-01T00:00:00.000Z");
        check("2028-02-29T12:00:00.000Z", "2028-02", "2028-03-01T00:00:00.000Z");
    }

    fn check(now: &str, name: &str, next_start: &str) {
        let ms = |text: &str| {
            let instant = DateTime::parse_from_rfc3339(text).expect("a test instant");
            u64::try_from(instant.timestamp_millis()).expect("after 1970")
        };
        let month = Month::of(ms(now));
        assert_eq!((month.name().as_str(), month.next().start_ms()), (name, ms(next_start)), "{now}");
        assert_eq!(iso_instant(month.next().start_ms()), next_start);
    }
}
