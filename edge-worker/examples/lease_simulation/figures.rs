//! Results of a simulation.

use serde::Serialize;
use toponym_edge::meter::window::WINDOW_MS;

use super::object::Object;
use super::traffic::{BATCH, Case};

/// Results of a case.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The case.
    pub case: Case,
    /// Requests that arrived.
    pub offered: u64,
    /// Requests that were refused.
    pub refused: u64,
    /// Requests that got 503, or ended with their isolate.
    pub failed: u64,
    /// Units of requests that were answered well.
    pub served: u64,
    /// Requests that were answered well and waited for the object.
    pub waited: u64,
    /// Units that were charged to requests without an answer.
    pub unanswered: u64,
    /// Most units in any 60 s.
    pub worst: u64,
    /// Calls of the object, those of alarms too.
    pub calls: u64,
    /// Rows that the object wrote, and alarms that it set.
    pub written: u64,
    /// Units that are billed.
    pub billed: u64,
    /// Units that are shown as lost.
    pub lost: u64,
    /// Units of all reserves at crashes of the object.
    pub marks: u64,
    /// Waits of the requests that were answered well, milliseconds, in ascending order.
    pub waits_ms: Vec<u64>,
}

/// The line that is printed of a case.
#[derive(Serialize)]
struct Line {
    shape: &'static str,
    isolates: usize,
    faults: bool,
    limit: u32,
    requests: u64,
    failed: u64,
    calls: f64,
    written: f64,
    waits: f64,
    calls_a_second: f64,
    wait_p50_ms: u64,
    wait_p99_ms: u64,
    share: f64,
    worst: u64,
    over: u64,
    billed: u64,
    billed_above: u64,
    above_at_most: u64,
    billed_below: u64,
    lost: u64,
}

impl Figures {
    /// Creates the results of a case that has not begun.
    pub fn new(case: Case) -> Self {
        Self {
            case,
            offered: 0,
            refused: 0,
            failed: 0,
            served: 0,
            waited: 0,
            unanswered: 0,
            worst: 0,
            calls: 0,
            written: 0,
            billed: 0,
            lost: 0,
            marks: 0,
            waits_ms: Vec::new(),
        }
    }

    /// Adds what the object counted, at an instant when every lease has left the minute.
    pub fn finish(self, object: &mut Object, now_ms: u64, mut waits_ms: Vec<u64>) -> Self {
        waits_ms.sort_unstable();
        let calls = object.calls;
        let written = object.written;
        let marks = object.marks;
        let (billed, lost) = object.bill(now_ms);
        Self { calls, written, marks, billed, lost, waits_ms, ..self }
    }

    /// Returns the units above the limit in the worst 60 s. A batch may exceed the limit of its key alone.
    pub fn over(&self) -> u64 {
        self.worst.saturating_sub(self.case.limit.max(BATCH).into())
    }

    /// Returns the units that are billed and were not answered well.
    pub fn billed_above(&self) -> u64 {
        self.billed.saturating_sub(self.served)
    }

    /// Returns the most that [`Figures::billed_above`] may be: reserves at crashes, and charges that only a crashed object knew by
    /// their names.
    pub fn above_at_most(&self) -> u64 {
        self.marks + if self.case.faults { self.unanswered } else { 0 }
    }

    /// Returns the units that were answered well and are not billed: those of isolates that died.
    pub fn billed_below(&self) -> u64 {
        self.served.saturating_sub(self.billed)
    }

    /// Returns the share of what an exact log admits that was admitted.
    pub fn share(&self) -> f64 {
        // At twice the limit, it admits a limit in the first half of each minute, and nothing in the second.
        let minutes = (self.case.seconds * 1_000).div_ceil(WINDOW_MS);
        let units: u32 = self.case.traffic.requests().iter().map(|(cost, _)| *cost).max().unwrap_or(1);
        let exact = (u64::from(self.case.limit) * minutes).min(self.offered * u64::from(units));
        self.served as f64 / exact as f64
    }

    /// Returns the calls of the object a second.
    pub fn calls_a_second(&self) -> f64 {
        self.calls as f64 / self.case.seconds as f64
    }

    /// Returns the wait at a quantile, milliseconds.
    pub fn wait_ms(&self, quantile: f64) -> u64 {
        let last = self.waits_ms.len().saturating_sub(1);
        self.waits_ms.get((last as f64 * quantile) as usize).copied().unwrap_or(0)
    }

    /// Prints the results as a line of JSON.
    pub fn print(&self) {
        let each = |count: u64| count as f64 / self.offered as f64;
        let line = Line {
            shape: self.case.shape,
            isolates: self.case.isolates,
            faults: self.case.faults,
            limit: self.case.limit,
            requests: self.offered,
            failed: self.failed,
            calls: each(self.calls),
            written: each(self.written),
            waits: self.waited as f64 / self.waits_ms.len() as f64,
            calls_a_second: self.calls_a_second(),
            wait_p50_ms: self.wait_ms(0.5),
            wait_p99_ms: self.wait_ms(0.99),
            share: self.share(),
            worst: self.worst,
            over: self.over(),
            billed: self.billed,
            billed_above: self.billed_above(),
            above_at_most: self.above_at_most(),
            billed_below: self.billed_below(),
            lost: self.lost,
        };
        println!("{}", serde_json::to_string(&line).expect("numbers are JSON"));
    }
}
