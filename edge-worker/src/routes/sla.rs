//! `GET /sla-metrics`, `GET /sla-metrics/metering` and `GET /sla-history`: public, not metered, the same for everybody
//! for 15 seconds.
//!
//! In that time, an isolate asks the board for each only once, whatever the number of requests. It asks for the history of a
//! day, or for the longest one, of which the board reads seven times as many rows: every other one is the end of these.

use super::parameters::parameters;
use crate::error::Failure;
use crate::metrics::board::{Answer, Message};
use crate::metrics::bucket::{HOUR, KEPT};
use crate::metrics::shared::share;
use crate::platform::Platform;
use crate::response::Response;

/// Time for which isolates and clients cache an answer, seconds.
const HOLDS_S: u64 = 15;

/// Hours if the parameter is absent. The page of the status asks for as many.
const DEFAULT_HOURS: u64 = 24;

/// Longest history: everything that the board keeps.
pub const MAX_HOURS: u64 = KEPT / HOUR;

/// Answers `/sla-metrics`.
pub async fn metrics<P: Platform>(platform: &P) -> Result<Response, Failure> {
    let ask = async || match platform.board(Message::Metrics).await? {
        Answer::Metrics(metrics) => Response::public(&metrics, HOLDS_S),
        _ => Err(Failure::Unexpected),
    };
    share(platform, &platform.memory().metrics, HOLDS_S * 1_000, ask).await
}

/// Answers `/sla-metrics/metering`.
pub async fn metering<P: Platform>(platform: &P) -> Result<Response, Failure> {
    let ask = async || match platform.board(Message::Metering).await? {
        Answer::Metering(metering) => Response::public(&metering, HOLDS_S),
        _ => Err(Failure::Unexpected),
    };
    share(platform, &platform.memory().metering, HOLDS_S * 1_000, ask).await
}

/// Answers `/sla-history` with this query string.
pub async fn history<P: Platform>(platform: &P, raw: &str) -> Result<Response, Failure> {
    let hours = hours(raw)?;
    let memory = platform.memory();
    let (known, asked_hours) =
        if hours <= DEFAULT_HOURS { (&memory.history, DEFAULT_HOURS) } else { (&memory.longest_history, MAX_HOURS) };
    let ask = async || match platform.board(Message::History { hours: asked_hours }).await? {
        Answer::History(history) => Ok(history.into()),
        _ => Err(Failure::Unexpected),
    };
    let history = share(platform, known, HOLDS_S * 1_000, ask).await?;
    Response::public(&history.last(hours, platform.now_ms()), HOLDS_S)
}

/// Reads the hours in a query string of `/sla-history`, 1 to [`MAX_HOURS`].
pub fn hours(raw: &str) -> Result<u64, Failure> {
    let hours = parameters(raw, &["hours"])?.pop().flatten();
    let hours = hours.map_or(Some(DEFAULT_HOURS), |hours| read_hours(&hours));
    let hours = hours.filter(|hours| (1..=MAX_HOURS).contains(hours));
    hours.ok_or_else(|| Failure::bad_request(format!("hours must be an integer between 1 and {MAX_HOURS}")))
}

/// Reads digits only: no sign, no space, no fraction.
fn read_hours(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_of_a_query_string() {
        check("", Ok(24));
        check("other=1", Ok(24));
        check("hours=1", Ok(1));
        check("hours=168", Ok(168));
        check("hours=1&hours=1", Err("hours parameter must be given once"));
        check("hours=%zz", Err("query string must be percent-encoded UTF-8"));
        for hours in ["0", "169", "-1", "%2B5", "5.0", "", "five", "1e1", "99999999999999999999", "%D9%A5", "+5"] {
            check(&format!("hours={hours}"), Err("hours must be an integer between 1 and 168"));
        }
    }

    fn check(raw: &str, expect: Result<u64, &str>) {
        let got = hours(raw);
        let got = got.as_ref().map(|hours| *hours).map_err(|failure| failure.message());
        assert_eq!(got, expect.map_err(Into::into), "{raw}");
    }
}
