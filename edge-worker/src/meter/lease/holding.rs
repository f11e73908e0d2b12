//! The isolate's side of a key's leases: what it may charge alone and until when, when to ask, and what to report.

use super::demand::Demand;
use super::{Ask, Lease, Used, usable_ms};

/// How long a question may be under way, milliseconds. After it whoever asked has ended without word, and another
/// request asks. Longer than any request waits for its object, and shorter than one waits for the answer to another.
pub const LOST_MS: u64 = 2_700;

/// How long nothing is asked after an object did not answer, milliseconds.
pub const SILENT_MS: u64 = 1_000;

/// Largest number of ended leases to report. Beyond it the oldest are dropped, and the object counts them as lost.
const MAX_USED: usize = 64;

/// Extra time for a question before a lease ends, milliseconds.
const AHEAD_MS: u64 = 20;

/// The leases of one key in one isolate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    demand: Demand,
    held: Option<Held>,
    /// Leases that ended and were not reported yet.
    used: Vec<Used>,
    /// The question under way.
    pending: Option<Pending>,
    /// Duration of the last question, milliseconds.
    took_ms: u64,
    /// Until when nothing is asked, because the object did not answer.
    silent_ms: u64,
    /// Whether the object was busy with questions of many isolates.
    is_crowded: bool,
}

/// A question under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pending {
    /// The lease that was asked for.
    lease_id: u64,
    sent_ms: u64,
}

/// A lease that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    id: u64,
    units: u32,
    left: u32,
    /// From the question on, by the isolate's clock.
    from_ms: u64,
    until_ms: u64,
}

impl Held {
    fn holds(&self, now_ms: u64) -> bool {
        (self.from_ms..self.until_ms).contains(&now_ms)
    }
}

impl Holding {
    /// Counts a request of `cost` units at `now_ms`, whatever comes of it.
    pub fn note(&mut self, cost: u32, now_ms: u64) {
        self.demand.note(cost, now_ms);
    }

    /// Whether a request of `cost` units can be charged alone at `now_ms`.
    pub fn has(&self, cost: u32, now_ms: u64) -> bool {
        self.held.is_some_and(|held| held.holds(now_ms) && held.left >= cost)
    }

    /// Charges `cost` units at `now_ms`. Returns what the lease still has, or nothing if only the object may charge it.
    pub fn take(&mut self, cost: u32, now_ms: u64) -> Option<u32> {
        let held = self.held.as_mut().filter(|held| held.holds(now_ms) && held.left >= cost)?;
        held.left -= cost;
        Some(held.left)
    }

    /// Whether a question is under way: others need not ask the same.
    pub fn is_asking(&self, now_ms: u64) -> bool {
        self.pending.is_some_and(|Pending { sent_ms, .. }| (sent_ms..sent_ms + LOST_MS).contains(&now_ms))
    }

    /// Whether the object did not answer a moment ago.
    pub fn is_silent(&self, now_ms: u64) -> bool {
        now_ms < self.silent_ms && self.silent_ms <= now_ms + SILENT_MS
    }

    /// What to ask at `now_ms`, for a lease named `id`. Nothing while another question is under way.
    pub fn ask(&mut self, id: u64, now_ms: u64) -> Option<Ask> {
        if self.is_asking(now_ms) {
            return None;
        }
        // An answer that comes now finds that nobody asked for it.
        if let Some(lost) = self.pending.replace(Pending { lease_id: id, sent_ms: now_ms }) {
            self.report(Used { id: lost.lease_id, units: 0 });
        }
        if self.held.is_some_and(|held| held.left == 0 || !held.holds(now_ms)) {
            self.end();
        }
        Some(Ask { id, seen: self.demand.units(now_ms), used: self.used.clone() })
    }

    /// Takes the answer to `ask` at `now_ms`. A new lease replaces the one in hand. One that nobody waits for any more
    /// is not used.
    pub fn learn(&mut self, ask: &Ask, lease: Option<Lease>, now_ms: u64) {
        self.used.retain(|used| !ask.used.contains(used));
        let Some(Pending { lease_id: id, sent_ms: from_ms }) = self.take_pending(ask) else { return };
        self.silent_ms = 0;
        self.took_ms = now_ms.saturating_sub(from_ms);
        self.is_crowded = lease.is_some_and(|lease| lease.is_crowded);
        if let Some(Lease { units, ttl_ms, .. }) = lease.filter(|lease| lease.id == id && lease.units > 0) {
            self.end();
            self.held = Some(Held { id, units, left: units, from_ms, until_ms: from_ms + usable_ms(ttl_ms) });
        }
    }

    /// Notes that the object did not answer `ask`. What it may have granted is not used.
    pub fn fail(&mut self, ask: &Ask, now_ms: u64) {
        if self.abandon(ask) {
            self.silent_ms = now_ms + SILENT_MS;
        }
    }

    /// Notes that nobody waits for the answer to `ask` any more: another request may ask at once. What the object may have
    /// granted is not used. Returns whether the answer was still awaited.
    pub fn abandon(&mut self, ask: &Ask) -> bool {
        let abandoned = self.take_pending(ask);
        if let Some(Pending { lease_id, .. }) = abandoned {
            self.report(Used { id: lease_id, units: 0 });
        }
        abandoned.is_some()
    }

    /// When to ask without a request: before a lease ends if there is demand, so that nobody waits. After it if there is
    /// none, to report it, and if many isolates ask: asking early, they would ask more often and wait for each other.
    pub fn due_ms(&self, now_ms: u64) -> Option<u64> {
        if self.is_asking(now_ms) {
            return None;
        }
        let due_ms = match self.held {
            Some(held) if self.demand.units(now_ms) > 0 && !self.is_crowded => {
                let ahead_ms = self.took_ms * 3 / 2 + AHEAD_MS;
                held.until_ms.saturating_sub(ahead_ms).max(held.from_ms + (held.until_ms - held.from_ms) / 2)
            }
            Some(held) => held.until_ms,
            None if self.used.is_empty() => return None,
            None => now_ms,
        };
        Some(if self.is_silent(now_ms) { due_ms.max(self.silent_ms) } else { due_ms })
    }

    /// Whether there is nothing to use and nothing to report.
    pub fn is_empty(&self) -> bool {
        self.held.is_none() && self.used.is_empty() && self.pending.is_none()
    }

    /// Ends the lease in hand. From here on nothing of it is used.
    pub fn end(&mut self) {
        if let Some(Held { id, units, left, .. }) = self.held.take() {
            self.report(Used { id, units: units - left });
        }
    }

    fn take_pending(&mut self, ask: &Ask) -> Option<Pending> {
        self.pending.take_if(|pending| pending.lease_id == ask.id)
    }

    fn report(&mut self, used: Used) {
        if self.used.len() >= MAX_USED {
            self.used.remove(0);
        }
        self.used.push(used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u64 = 1_795_176_000_000;

    fn lease(id: u64, units: u32) -> Option<Lease> {
        Some(Lease { id, units, ttl_ms: 1_000, is_crowded: false })
    }

    /// An isolate that got a lease of 10 units, 100 ms after its question at noon.
    fn holding() -> Holding {
        let mut holding = Holding::default();
        holding.note(20, NOON);
        let ask = holding.ask(1, NOON).expect("nothing is under way");
        assert_eq!(ask, Ask { id: 1, seen: 20, used: Vec::new() });
        assert!(holding.is_asking(NOON + 99) && holding.ask(2, NOON + 99).is_none());
        holding.learn(&ask, lease(1, 10), NOON + 100);
        holding
    }

    #[test]
    fn a_lease_holds_from_the_question_on() {
        let mut holding = holding();
        assert_eq!(holding.take(3, NOON + 100), Some(7));
        assert_eq!(holding.take(8, NOON + 100), None);
        assert_eq!(holding.take(7, NOON + 939), Some(0));
        assert_eq!(holding.take(0, NOON + 940), None, "it ended by the time of the question");
        assert_eq!(holding.take(0, NOON - 1), None, "the clock stepped back");
    }

    #[test]
    fn what_was_used_is_reported_once() {
        let mut holding = holding();
        holding.take(3, NOON + 500);
        let ask = holding.ask(2, NOON + 1_000).expect("nothing is under way");
        assert_eq!(ask.used, [Used { id: 1, units: 3 }]);
        holding.learn(&ask, lease(2, 5), NOON + 1_100);
        assert_eq!(holding.take(1, NOON + 1_100), Some(4));
        let ask = holding.ask(3, NOON + 1_200).expect("nothing is under way");
        assert_eq!(ask.used, [], "the lease goes on until another one comes");
        assert_eq!(holding.take(1, NOON + 1_250), Some(3));
        holding.learn(&ask, lease(3, 5), NOON + 1_300);
        assert_eq!(holding.ask(4, NOON + 1_400).expect("nothing is under way").used, [Used { id: 2, units: 2 }]);
    }

    #[test]
    fn an_answer_that_nobody_waits_for_is_not_used() {
        let mut holding = holding();
        let lost = holding.ask(2, NOON + 900).expect("nothing is under way");
        holding.fail(&lost, NOON + 2_400);
        assert!(holding.is_silent(NOON + 2_401) && !holding.is_silent(NOON + 3_400));
        holding.learn(&lost, lease(2, 5), NOON + 2_500);
        assert!(!holding.has(1, NOON + 1_000), "it was reported as unused");
        let ask = holding.ask(3, NOON + 3_500).expect("nothing is under way");
        assert_eq!(ask.used, [Used { id: 2, units: 0 }, Used { id: 1, units: 0 }]);
        // The request that asked has ended without word.
        let again = holding.ask(4, NOON + 3_500 + LOST_MS).expect("the question is lost");
        assert_eq!(again.used.last(), Some(&Used { id: 3, units: 0 }));
        holding.learn(&ask, lease(3, 5), NOON + 3_501 + LOST_MS);
        assert!(!holding.has(1, NOON + 3_501) && holding.is_asking(NOON + 3_501 + LOST_MS));
    }

    #[test]
    fn an_abandoned_question_leaves_room_for_the_next() {
        let mut holding = holding();
        let abandoned = holding.ask(2, NOON + 500).expect("nothing is under way");
        assert!(holding.abandon(&abandoned));
        assert!(!holding.is_asking(NOON + 501) && !holding.is_silent(NOON + 501));
        assert_eq!(holding.take(1, NOON + 501), Some(9), "the lease in hand goes on");
        let ask = holding.ask(3, NOON + 501).expect("nothing is under way");
        assert_eq!(ask.used, [Used { id: 2, units: 0 }], "what it may have been granted comes back");
        holding.learn(&abandoned, lease(2, 50), NOON + 600);
        assert!(holding.is_asking(NOON + 600) && !holding.has(10, NOON + 600), "its answer comes too late");
        assert!(!holding.abandon(&abandoned) && holding.is_asking(NOON + 600), "another one is awaited now");
    }

    #[test]
    fn when_to_ask() {
        let mut holding = holding();
        assert_eq!(holding.due_ms(NOON + 200), Some(NOON + 940 - 150 - 20));
        assert_eq!(holding.due_ms(NOON + 2_000), Some(NOON + 940), "without demand, when it ends");
        let mut crowded = Holding::default();
        crowded.note(20, NOON);
        let ask = crowded.ask(1, NOON).expect("nothing is under way");
        crowded.learn(&ask, lease(1, 10).map(|lease| Lease { is_crowded: true, ..lease }), NOON + 100);
        assert_eq!(crowded.due_ms(NOON + 200), Some(NOON + 940), "with many others, when it ends");
        let ask = holding.ask(2, NOON + 2_000).expect("nothing is under way");
        assert_eq!(holding.due_ms(NOON + 2_001), None, "a question is under way");
        holding.fail(&ask, NOON + 3_500);
        assert_eq!(holding.due_ms(NOON + 3_600), Some(NOON + 4_500));
        let ask = holding.ask(3, NOON + 4_500).expect("nothing is under way");
        holding.learn(&ask, lease(3, 0), NOON + 4_600);
        assert_eq!((holding.due_ms(NOON + 4_600), holding.is_empty()), (None, true));
    }

    #[test]
    fn reports_are_bounded() {
        let mut holding = Holding::default();
        for id in 0..3 * MAX_USED as u64 {
            holding.report(Used { id, units: 1 });
        }
        assert_eq!(holding.used.len(), MAX_USED);
        assert_eq!(holding.used.last(), Some(&Used { id: 3 * MAX_USED as u64 - 1, units: 1 }));
    }
}
