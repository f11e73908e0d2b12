//! Fuzz target for the ledger of a key.

use arbitrary::{Arbitrary, Result, Unstructured};
use toponym_edge::meter::allowance::LARGEST_COST;
use toponym_edge::meter::ledger::{Ledger, Saved};
use toponym_edge::meter::month::Month;
use toponym_edge::meter::plan::Limits;
use toponym_edge::meter::window::{SLOT_MS, fits};
use toponym_edge::refusal::Refusal;

/// 2026-11-30T23:50:00Z: a month ends within the reach of a few steps.
const START_MS: u64 = 1_796_082_600_000;

/// Length of the rolling window.
const MINUTE_MS: u64 = 60_000;

/// Maximum number of steps of one input.
const MAX_STEPS: usize = 200;

/// One step in the life of a key.
#[derive(Debug)]
enum Step {
    /// The clock moves, also backwards, like that of another machine.
    Wait(i16),
    /// The clock moves by seconds.
    WaitSeconds(u8),
    /// A request of 1 to 100 units.
    Charge(u8),
    /// The object ends without a word, and another one starts from its row.
    Restart,
}

impl Step {
    /// Reads a step: a variant, then its value.
    fn read(input: &mut Unstructured<'_>) -> Result<Self> {
        Ok(match variant(input, 4)? {
            0 => Self::Wait(i16::arbitrary(input)?),
            1 => Self::WaitSeconds(u8::arbitrary(input)?),
            2 => Self::Charge(u8::arbitrary(input)?),
            _ => Self::Restart,
        })
    }
}

/// Reads the number of one of `count` variants, from four bytes.
pub fn variant(input: &mut Unstructured<'_>, count: u64) -> Result<u64> {
    Ok((u64::from(u32::arbitrary(input)?) * count) >> 32)
}

#[derive(Debug)]
struct Plan {
    per_minute: u8,
    month_cap: Option<u16>,
}

impl Plan {
    fn read(input: &mut Unstructured<'_>) -> Result<Self> {
        Ok(Self { per_minute: u8::arbitrary(input)?, month_cap: Option::arbitrary(input)? })
    }
}

/// Compares charges of a key, at any times and across restarts, with a list of all admitted requests; and the allowance for
/// isolates with what the key's object then does.
pub fn ledger(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let Ok(Plan { per_minute, month_cap }) = Plan::read(&mut input) else { return };
    let month_cap = month_cap.map(u64::from);
    let limits = Limits { per_minute: u32::from(per_minute).max(1), month_cap, included: month_cap };
    let mut key = Used::default();
    let mut clock_ms = START_MS;
    for _ in 0..MAX_STEPS {
        let Ok(step) = Step::read(&mut input) else { break };
        match step {
            Step::Wait(ms) => clock_ms = clock_ms.saturating_add_signed(ms.into()),
            Step::WaitSeconds(seconds) => clock_ms += u64::from(seconds) * 1_000,
            Step::Charge(cost) => key.charge(&limits, 1 + u32::from(cost) % LARGEST_COST, clock_ms),
            Step::Restart => key.restart(),
        }
    }
}

#[derive(Default)]
struct Used {
    ledger: Ledger,
    /// The stored row.
    saved: Saved,
    /// Units of all reserves that ended without a word.
    reserved: u64,
    /// These reserves, by their ends.
    ended: Vec<(u64, u32)>,
    /// Every charge: time and units.
    admitted: Vec<(u64, u32)>,
    /// The latest time seen: a clock that steps back does not count.
    latest_ms: u64,
}

impl Used {
    fn charge(&mut self, limits: &Limits, cost: u32, clock_ms: u64) {
        self.latest_ms = self.latest_ms.max(clock_ms);
        let now_ms = self.latest_ms;
        let allowance = self.ledger.allowance(limits, clock_ms);
        let (charged, standing) = self.ledger.charge(limits, cost, clock_ms);
        // An allowance of this moment knows all of it: no cost is above the largest, and its month is not over.
        assert_eq!(allowance.check(cost, now_ms), charged.clone().map_err(|refusal| (refusal, standing)));
        assert!(standing.remaining <= standing.limit, "{standing:?}");
        match charged {
            Ok(()) => {
                self.saved = self.ledger.take_unsaved(limits).unwrap_or_else(|| self.saved.clone());
                self.admitted.push((now_ms, cost));
                let minute = self.sum(|at| at + MINUTE_MS > now_ms);
                assert!(minute <= limits.per_minute.max(cost), "{minute} units in a minute of {}", limits.per_minute);
                let month = u64::from(self.sum(|at| Month::of(at) == Month::of(now_ms)));
                assert!(limits.month_cap.is_none_or(|cap| month <= cap), "{month} units of {:?}", limits.month_cap);
                let (of, used) = self.ledger.month();
                let total = month..=month + self.reserved;
                assert!(of == Month::of(now_ms) && total.contains(&used), "{used} in the month, not {total:?}");
            }
            Err(Refusal::Rate { retry_after }) => {
                assert!(retry_after >= 1, "waiting for nothing");
                let minute = self.sum(|at| at + MINUTE_MS + SLOT_MS > now_ms) + self.ended_units(now_ms);
                assert!(!fits(minute, limits.per_minute, cost), "{minute} units leave room for {cost}");
                let (later, _) = self.ledger.clone().charge(limits, cost, now_ms + retry_after * 1_000);
                assert!(!matches!(later, Err(Refusal::Rate { .. })), "{retry_after} s are not enough");
            }
            Err(Refusal::Month { reset_ms }) => {
                let month = u64::from(self.sum(|at| Month::of(at) == Month::of(now_ms))) + self.reserved;
                let is_full = limits.month_cap.is_some_and(|cap| month + u64::from(cost) > cap);
                assert!(is_full, "{month} units of {:?} leave room for {cost}", limits.month_cap);
                let (later, _) = self.ledger.clone().charge(limits, cost, reset_ms);
                let is_possible = limits.month_cap.is_none_or(|cap| u64::from(cost) <= cap);
                assert!(!is_possible || !matches!(later, Err(Refusal::Month { .. })), "the month does not end");
            }
            Err(other) => panic!("a ledger knows no {other:?}"),
        }
    }

    fn sum(&self, counts: impl Fn(u64) -> bool) -> u32 {
        self.admitted.iter().filter(|(at, _)| counts(*at)).map(|(_, cost)| cost).sum()
    }

    /// Returns the units of reserves that ended without a word and may still count.
    fn ended_units(&self, now_ms: u64) -> u32 {
        let counting = self.ended.iter().filter(|(until_ms, _)| until_ms + MINUTE_MS + SLOT_MS > now_ms);
        counting.map(|(_, units)| units).sum()
    }

    fn restart(&mut self) {
        self.reserved += u64::from(self.saved.reserve);
        self.ended.push((self.saved.until_ms, self.saved.reserve));
        self.ledger = Ledger::restore(self.saved.clone());
        // The time since the last charge that was written is lost.
        self.latest_ms = self.saved.counted_ms;
    }
}
