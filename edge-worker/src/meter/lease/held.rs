//! The isolate's side of a key's leases: what it may charge alone and until when, when to ask, and what to report.

use super::demand::Demand;
use super::{IsolateQuestion, Lease, Report, usable_ms};

/// Longest time that a question may be under way, milliseconds. After it whoever asked has ended without word, and another
/// request asks. Longer than any request waits for its object, and shorter than one waits for the answer to another.
pub const LOST_MS: u64 = 2_700;

/// Time in which nothing is asked after an object did not answer, milliseconds.
pub const SILENT_MS: u64 = 1_000;

/// Largest number of ended leases, and of charges, to report. Beyond it the oldest are dropped, and the object counts them as
/// lost, or as used.
const MAX_REPORTS: usize = 64;

/// Extra time for a question before a lease ends, milliseconds.
const AHEAD_MS: u64 = 20;

/// Time for which the report of a lease for typing waits for a question that takes it along, milliseconds: longer than people
/// pause between two keys.
const REPORT_MS: u64 = 1_000;

/// Units in a second from which on somebody types.
const TYPED: u32 = 2;

/// Units in [`STEADY_MS`] from which on a lease is wanted behind another one: a word has ended with the keystrokes that one covers.
const STEADY: u32 = 8;

/// Time for which a key is used before its use is taken for steady, milliseconds: longer than it takes to type a word.
const STEADY_MS: u64 = 4_000;

/// The leases of one key in one isolate, and its charges that are to be given back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IsolateLeases {
    demand: Demand,
    steady: Demand<STEADY_MS>,
    held: Option<HeldLease>,
    /// Leases that ended and were not reported yet.
    reports: Vec<Report>,
    /// Charges to give back.
    back: Vec<u64>,
    /// The question for a lease under way.
    pending: Option<Pending>,
    /// Duration of the last question, milliseconds.
    took_ms: u64,
    /// Until when nothing is asked, because the object did not answer.
    silent_ms: u64,
    /// True if the key is a large one, of which isolates lease what they need.
    is_large: bool,
    /// True if the object was busy with questions of many isolates.
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
struct HeldLease {
    id: u64,
    units: u32,
    left: u32,
    /// From the question on, by the isolate's clock.
    from_ms: u64,
    until_ms: u64,
    is_for_typing: bool,
}

/// A request as far as leases depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything else, or no request.
    Other,
    /// An autocomplete.
    Typed {
        /// True if its text is that of a word that begins.
        begins: bool,
    },
}

impl HeldLease {
    fn holds(&self, now_ms: u64) -> bool {
        (self.from_ms..self.until_ms).contains(&now_ms)
    }
}

impl IsolateLeases {
    /// Counts a request of `cost` units at `now_ms`, whatever comes of it.
    pub fn note(&mut self, cost: u32, now_ms: u64) {
        self.demand.note(cost, now_ms);
        self.steady.note(cost, now_ms);
    }

    /// Tells whether a request of `cost` units can be charged alone at `now_ms`.
    pub fn has(&self, cost: u32, kind: Kind, now_ms: u64) -> bool {
        // While a charge is to be given back, the object knows best what is left.
        let is_for = |held: &HeldLease| !held.is_for_typing || (kind != Kind::Other && self.back.is_empty());
        self.held.is_some_and(|held| held.holds(now_ms) && held.left >= cost && is_for(&held))
    }

    /// Charges `cost` units at `now_ms`. Returns what the lease still has, or nothing if only the object may charge it.
    pub fn take(&mut self, cost: u32, kind: Kind, now_ms: u64) -> Option<u32> {
        if !self.has(cost, kind, now_ms) {
            return None;
        }
        let held = self.held.as_mut()?;
        held.left -= cost;
        Some(held.left)
    }

    /// Tells whether the key is a large one and a question is under way: others need not ask the same.
    pub fn is_asking(&self, now_ms: u64) -> bool {
        self.is_large && self.is_pending(now_ms)
    }

    fn is_pending(&self, now_ms: u64) -> bool {
        self.pending.is_some_and(|Pending { sent_ms, .. }| (sent_ms..sent_ms + LOST_MS).contains(&now_ms))
    }

    /// Tells whether the object of a large key did not answer a moment ago.
    pub fn is_silent(&self, now_ms: u64) -> bool {
        self.is_large && now_ms < self.silent_ms && self.silent_ms <= now_ms + SILENT_MS
    }

    /// Returns what to say with a charge of the name `id` at `now_ms`. It asks for no lease while another question is under way.
    pub fn ask(&mut self, id: u64, kind: Kind, now_ms: u64) -> IsolateQuestion {
        // Whatever asks could not use it. What the object decides is to be exact.
        if self.held.is_some_and(|held| held.left == 0 || !held.holds(now_ms) || held.is_for_typing) {
            self.end();
        }
        let seen = self.demand.units(now_ms);
        let types = match kind {
            Kind::Other => false,
            Kind::Typed { begins } => {
                self.steady.units(now_ms) >= STEADY || (self.reports.is_empty() && (begins || seen >= TYPED))
            }
        };
        let asks = !self.is_pending(now_ms) && (self.is_large || types);
        // An answer that comes now finds that nobody asked for it.
        if asks && let Some(lost) = self.pending.replace(Pending { lease_id: id, sent_ms: now_ms }) {
            self.report(Report { id: lost.lease_id, units: 0 });
        }
        let seen = if asks { seen } else { 0 };
        IsolateQuestion { id, seen, types: asks && types, reports: self.reports.clone(), back: self.back.clone() }
    }

    /// Takes the answer to `question` at `now_ms`. A new lease replaces the one in hand. One that nobody waits for any more
    /// is not used.
    pub fn apply_reply(&mut self, question: &IsolateQuestion, lease: Option<Lease>, now_ms: u64) {
        self.reports.retain(|report| !question.reports.contains(report));
        self.back.retain(|id| !question.back.contains(id));
        let is_large = lease.is_some_and(|lease| !lease.is_for_typing);
        // What is held of a key that was large is reported, then it is like any other.
        if self.is_large && !is_large {
            self.end();
        }
        self.is_large = is_large;
        let Some(Pending { lease_id: id, sent_ms: from_ms }) = self.take_pending(question) else { return };
        self.silent_ms = 0;
        self.took_ms = now_ms.saturating_sub(from_ms);
        self.is_crowded = lease.is_some_and(|lease| lease.is_crowded);
        let lease = lease.filter(|lease| lease.id == id && lease.units > 0);
        if let Some(Lease { units, ttl_ms, is_for_typing, .. }) = lease {
            self.end();
            let until_ms = from_ms + usable_ms(ttl_ms);
            self.held = Some(HeldLease { id, units, left: units, from_ms, until_ms, is_for_typing });
        }
    }

    /// Notes that the object did not answer `question`. What it may have granted is not used.
    pub fn fail(&mut self, question: &IsolateQuestion, now_ms: u64) {
        if self.abandon(question) {
            self.silent_ms = now_ms + SILENT_MS;
        }
    }

    /// Notes that nobody waits for the answer to `question` any more: another request may ask at once. What the object may have
    /// granted is not used. Returns whether the answer was still awaited.
    pub fn abandon(&mut self, question: &IsolateQuestion) -> bool {
        let abandoned = self.take_pending(question);
        if let Some(Pending { lease_id, .. }) = abandoned {
            self.report(Report { id: lease_id, units: 0 });
        }
        abandoned.is_some()
    }

    /// Notes that a charge is to be given back, until the object has confirmed it.
    pub fn give_back(&mut self, id: u64) {
        if self.back.len() >= MAX_REPORTS {
            self.back.remove(0);
        }
        self.back.push(id);
    }

    /// Returns when to ask without a request: before a lease ends if there is demand, so that nobody waits. After it if there is
    /// none, to report it, and if many isolates ask: asking early, they would ask more often and wait for each other.
    pub fn due_ms(&self, now_ms: u64) -> Option<u64> {
        if self.is_pending(now_ms) {
            return None;
        }
        let has_reports = !self.reports.is_empty() || !self.back.is_empty();
        let due_ms = match self.held {
            Some(held) if held.is_for_typing => {
                if has_reports {
                    now_ms
                } else {
                    held.until_ms + REPORT_MS
                }
            }
            Some(held) if self.demand.units(now_ms) > 0 && !self.is_crowded => {
                let ahead_ms = self.took_ms * 3 / 2 + AHEAD_MS;
                held.until_ms.saturating_sub(ahead_ms).max(held.from_ms + (held.until_ms - held.from_ms) / 2)
            }
            Some(held) => held.until_ms,
            None if has_reports => now_ms,
            None => return None,
        };
        Some(if now_ms < self.silent_ms { due_ms.max(self.silent_ms) } else { due_ms })
    }

    /// Returns the name of the question for a lease whose answer is awaited.
    pub fn awaited_id(&self) -> Option<u64> {
        Some(self.pending?.lease_id)
    }

    /// Tells whether there is nothing to use and nothing to report.
    pub fn is_empty(&self) -> bool {
        self.held.is_none() && self.reports.is_empty() && self.back.is_empty() && self.pending.is_none()
    }

    /// Tells whether what the object of a key that is not large said of its counts changes with the next report.
    pub fn has_news(&self) -> bool {
        !self.is_large && !self.is_empty()
    }

    /// Ends the lease in hand. From here on nothing of it is used.
    pub fn end(&mut self) {
        if let Some(HeldLease { id, units, left, .. }) = self.held.take() {
            self.report(Report { id, units: units - left });
        }
    }

    fn take_pending(&mut self, question: &IsolateQuestion) -> Option<Pending> {
        self.pending.take_if(|pending| pending.lease_id == question.id)
    }

    fn report(&mut self, report: Report) {
        if self.reports.len() >= MAX_REPORTS {
            self.reports.remove(0);
        }
        self.reports.push(report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: u64 = 1_795_176_000_000;

    fn lease(id: u64, units: u32) -> Option<Lease> {
        Some(Lease { id, units, ttl_ms: 1_000, ..Lease::NONE })
    }

    const BEGINS: Kind = Kind::Typed { begins: true };
    const TYPED: Kind = Kind::Typed { begins: false };

    fn large() -> IsolateLeases {
        IsolateLeases { is_large: true, ..IsolateLeases::default() }
    }

    /// Creates an isolate that got a lease of 10 units of a large key, 100 ms after its question at noon.
    fn with_lease() -> IsolateLeases {
        let mut leases = large();
        leases.note(20, NOON);
        let question = ask(&mut leases, 1, NOON);
        assert_eq!(question, IsolateQuestion { id: 1, seen: 20, types: false, reports: Vec::new(), back: Vec::new() });
        assert!(leases.is_asking(NOON + 99) && leases.ask(2, Kind::Other, NOON + 99).seen == 0);
        leases.apply_reply(&question, lease(1, 10), NOON + 100);
        leases
    }

    /// Asks for a lease of a large key.
    fn ask(leases: &mut IsolateLeases, id: u64, now_ms: u64) -> IsolateQuestion {
        let question = leases.ask(id, Kind::Other, now_ms);
        assert!(leases.is_asking(now_ms), "nothing else was under way");
        question
    }

    /// Creates the leases of somebody who types: five units with the first keystroke.
    fn with_typist() -> IsolateLeases {
        let mut leases = IsolateLeases::default();
        leases.note(1, NOON);
        let question = leases.ask(1, BEGINS, NOON);
        assert!(question.types && question.seen == 1 && !leases.is_asking(NOON), "others do not wait");
        leases.apply_reply(&question, Some(Lease { is_for_typing: true, ..lease(1, 5).expect("a lease") }), NOON + 100);
        leases
    }

    #[test]
    fn a_word_takes_two_questions() {
        let mut leases = with_typist();
        for n in 1..5 {
            leases.note(1, NOON + n * 200);
            assert_eq!(leases.take(1, TYPED, NOON + n * 200), Some(5 - n as u32));
        }
        // The lease has ended. Its report goes with the last keystroke, which asks for nothing more.
        leases.note(1, NOON + 1_000);
        assert_eq!((leases.take(1, TYPED, NOON + 1_000), leases.due_ms(NOON + 1_000)), (None, Some(NOON + 1_940)));
        let question = leases.ask(2, TYPED, NOON + 1_000);
        assert_eq!((question.types, &*question.reports), (false, &[Report { id: 1, units: 4 }][..]));
        leases.apply_reply(&question, None, NOON + 1_100);
        assert!(leases.is_empty() && leases.due_ms(NOON + 1_100).is_none());
        // Whoever types on gets another one.
        leases.note(1, NOON + 1_200);
        assert!(leases.ask(3, TYPED, NOON + 1_200).types);
    }

    #[test]
    fn who_is_lent_to() {
        assert_eq!([types(1, BEGINS), types(1, TYPED), types(9, Kind::Other)], [true, false, false]);
        assert_eq!([types(2, TYPED), types(9, TYPED)], [true, true]);
        // A server that asks steadily gets one lease after the other, also twice a second.
        let mut leases = with_typist();
        for at in 2..=7 {
            leases.note(1, NOON + at * 500);
        }
        let question = leases.ask(2, TYPED, NOON + 3_500);
        assert_eq!((question.types, question.reports.len()), (false, 1));
        leases.note(1, NOON + 3_900);
        let question = leases.ask(3, TYPED, NOON + 3_900);
        assert!(question.types && question.reports.len() == 1);
    }

    fn types(noted: u32, kind: Kind) -> bool {
        let mut leases = IsolateLeases::default();
        leases.note(noted, NOON);
        leases.ask(1, kind, NOON).types
    }

    #[test]
    fn typing_leases_serve_only_autocomplete() {
        let mut leases = with_typist();
        assert_eq!(leases.take(1, Kind::Other, NOON + 200), None);
        let question = leases.ask(2, Kind::Other, NOON + 200);
        assert_eq!(
            (question.types, &*question.reports),
            (false, &[Report { id: 1, units: 0 }][..]),
            "what the object says is exact"
        );
        assert_eq!(leases.take(1, TYPED, NOON + 200), None);
    }

    #[test]
    fn a_refund_is_repeated_until_confirmed() {
        let mut leases = IsolateLeases::default();
        leases.give_back(7);
        assert_eq!((leases.due_ms(NOON), leases.is_empty()), (Some(NOON), false));
        let lost = leases.ask(8, Kind::Other, NOON);
        assert_eq!(lost.back, [7]);
        leases.fail(&lost, NOON + 1_500);
        let question = leases.ask(9, Kind::Other, NOON + 1_600);
        leases.give_back(8);
        leases.apply_reply(&question, None, NOON + 1_700);
        assert_eq!(leases.ask(10, Kind::Other, NOON + 1_700).back, [8]);
    }

    #[test]
    fn a_lease_holds_from_the_question_on() {
        let mut leases = with_lease();
        assert_eq!(leases.take(3, Kind::Other, NOON + 100), Some(7));
        assert_eq!(leases.take(8, Kind::Other, NOON + 100), None);
        assert_eq!(leases.take(7, Kind::Other, NOON + 939), Some(0));
        assert_eq!(leases.take(0, Kind::Other, NOON + 940), None, "it ended by the time of the question");
        assert_eq!(leases.take(0, Kind::Other, NOON - 1), None, "the clock stepped back");
    }

    #[test]
    fn what_was_used_is_reported_once() {
        let mut leases = with_lease();
        leases.take(3, Kind::Other, NOON + 500);
        let question = ask(&mut leases, 2, NOON + 1_000);
        assert_eq!(question.reports, [Report { id: 1, units: 3 }]);
        leases.apply_reply(&question, lease(2, 5), NOON + 1_100);
        assert_eq!(leases.take(1, Kind::Other, NOON + 1_100), Some(4));
        let question = ask(&mut leases, 3, NOON + 1_200);
        assert_eq!(question.reports, [], "the lease goes on until another one comes");
        assert_eq!(leases.take(1, Kind::Other, NOON + 1_250), Some(3));
        leases.apply_reply(&question, lease(3, 5), NOON + 1_300);
        assert_eq!(ask(&mut leases, 4, NOON + 1_400).reports, [Report { id: 2, units: 2 }]);
    }

    #[test]
    fn a_reply_to_no_question_is_dropped() {
        let mut leases = with_lease();
        let lost = ask(&mut leases, 2, NOON + 900);
        leases.fail(&lost, NOON + 2_400);
        assert!(leases.is_silent(NOON + 2_401) && !leases.is_silent(NOON + 3_400));
        leases.apply_reply(&lost, lease(2, 5), NOON + 2_500);
        assert!(!leases.has(1, Kind::Other, NOON + 1_000), "it was reported as unused");
        let question = ask(&mut leases, 3, NOON + 3_500);
        assert_eq!(question.reports, [Report { id: 2, units: 0 }, Report { id: 1, units: 0 }]);
        // The request that asked has ended without word.
        let again = ask(&mut leases, 4, NOON + 3_500 + LOST_MS);
        assert_eq!(again.reports.last(), Some(&Report { id: 3, units: 0 }));
        leases.apply_reply(&question, lease(3, 5), NOON + 3_501 + LOST_MS);
        assert!(!leases.has(1, Kind::Other, NOON + 3_501) && leases.is_asking(NOON + 3_501 + LOST_MS));
    }

    #[test]
    fn an_abandoned_question_leaves_room_for_the_next() {
        let mut leases = with_lease();
        let abandoned = ask(&mut leases, 2, NOON + 500);
        assert!(leases.abandon(&abandoned));
        assert!(!leases.is_asking(NOON + 501) && !leases.is_silent(NOON + 501));
        assert_eq!(leases.take(1, Kind::Other, NOON + 501), Some(9), "the lease in hand goes on");
        let question = ask(&mut leases, 3, NOON + 501);
        assert_eq!(question.reports, [Report { id: 2, units: 0 }], "what it may have been granted comes back");
        leases.apply_reply(&abandoned, lease(2, 50), NOON + 600);
        assert!(leases.is_asking(NOON + 600) && !leases.has(10, Kind::Other, NOON + 600), "its answer comes too late");
        assert!(!leases.abandon(&abandoned) && leases.is_asking(NOON + 600), "another one is awaited now");
    }

    #[test]
    fn when_to_ask() {
        let mut leases = with_lease();
        assert_eq!(leases.due_ms(NOON + 200), Some(NOON + 940 - 150 - 20));
        assert_eq!(leases.due_ms(NOON + 2_000), Some(NOON + 940), "without demand, when it ends");
        let mut crowded = large();
        crowded.note(20, NOON);
        let question = ask(&mut crowded, 1, NOON);
        crowded.apply_reply(&question, lease(1, 10).map(|lease| Lease { is_crowded: true, ..lease }), NOON + 100);
        assert_eq!(crowded.due_ms(NOON + 200), Some(NOON + 940), "with many others, when it ends");
        let question = ask(&mut leases, 2, NOON + 2_000);
        assert_eq!(leases.due_ms(NOON + 2_001), None, "a question is under way");
        leases.fail(&question, NOON + 3_500);
        assert_eq!(leases.due_ms(NOON + 3_600), Some(NOON + 4_500));
        let question = ask(&mut leases, 3, NOON + 4_500);
        leases.apply_reply(&question, lease(3, 0), NOON + 4_600);
        assert_eq!((leases.due_ms(NOON + 4_600), leases.is_empty()), (None, true));
    }

    #[test]
    fn reports_are_bounded() {
        let mut leases = IsolateLeases::default();
        for id in 0..3 * MAX_REPORTS as u64 {
            leases.report(Report { id, units: 1 });
        }
        assert_eq!(leases.reports.len(), MAX_REPORTS);
        assert_eq!(leases.reports.last(), Some(&Report { id: 3 * MAX_REPORTS as u64 - 1, units: 1 }));
    }
}
