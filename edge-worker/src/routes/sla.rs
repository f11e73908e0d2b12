//! `GET /sla-metrics` and `GET /sla-history`: public, not metered, the same for everybody for 15 seconds.

use super::parameters;
use crate::error::Failure;
use crate::metrics::board::{Answer, Message};
use crate::platform::Platform;
use crate::response::Response;

/// How long an answer holds, in an isolate and with whoever asked, seconds.
const HOLDS_S: u64 = 15;

/// Hours where the parameter is absent.
const DEFAULT_HOURS: u64 = 24;

/// Longest history: all that is kept.
const MAX_HOURS: u64 = 168;

/// The two routes, as far as their answers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sla {
    /// `/sla-metrics`.
    Metrics,
    /// `/sla-history` of so many hours.
    History(u64),
}

impl Sla {
    /// Reads the query string of `/sla-history`.
    pub fn history(raw: &str) -> Result<Self, Failure> {
        let [hours] = parameters(raw, ["hours"])?;
        let hours = hours.map_or(Some(DEFAULT_HOURS), |hours| read_hours(&hours));
        let hours = hours.filter(|hours| (1..=MAX_HOURS).contains(hours));
        let hours =
            hours.ok_or_else(|| Failure::bad_request(format!("hours must be an integer between 1 and {MAX_HOURS}")))?;
        Ok(Self::History(hours))
    }

    /// The answer of the board, or the one that it gave less than `HOLDS_S` ago.
    pub async fn answer<P: Platform>(self, platform: &P) -> Result<Response, Failure> {
        let memo = &platform.memory().sla;
        if let Some(response) = memo.borrow().recall(&self, platform.now_ms()) {
            return Ok(response);
        }
        let message = match self {
            Self::Metrics => Message::Metrics,
            Self::History(hours) => Message::History { hours },
        };
        let response = match platform.board(message).await? {
            Answer::Metrics(metrics) => Response::public(&metrics, HOLDS_S)?,
            Answer::History(history) => Response::public(&history, HOLDS_S)?,
            Answer::Noted | Answer::Coverage(_) => return Err(Failure::Unexpected),
        };
        Ok(memo.borrow_mut().keep(self, response, platform.now_ms() + HOLDS_S * 1_000))
    }
}

/// Digits only: no sign, no space, no fraction.
fn read_hours(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours() {
        let check = |raw: &str, expect: Result<u64, &str>| {
            let got = Sla::history(raw);
            let got = got.as_ref().map_err(|failure| failure.message());
            assert_eq!(got, expect.map(Sla::History).as_ref().map_err(|message| (*message).into()), "{raw}");
        };
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
}
