//! The board: the one object that collects the samples of all isolates. It holds the traffic and the probes of seven days by the
//! hour, and the latest coverage figures.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::bucket::{Bucket, DAY, HOUR, KEPT};
use super::counts::Counts;
use super::report::{self, Probes, SlaHistory, SlaMetering, SlaMetrics};
use super::snapshot::Snapshot;
use super::tally::{Batch, MAX_BUCKETS};

/// Name of the object.
pub const NAME: &str = "board";

/// Time for which the board remembers the number of an isolate's last batch, milliseconds: longer than the isolate would resend
/// it.
const ISOLATE_MS: u64 = 2 * 60 * 60 * 1_000;

/// Length of a minute, milliseconds.
const MINUTE_MS: u64 = 60_000;

/// Minutes of an hour.
const HOUR_MINUTES: u64 = 60;

/// Longest time that a probe may take, minutes: the platform starts a cron trigger some seconds late, and a probe waits for two
/// objects.
const MAX_PROBE_MINUTES: u64 = 2;

/// Messages to the board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Samples of an isolate.
    Samples(Batch),
    /// The result of a probe.
    Probe {
        /// Time of the probe, milliseconds since the epoch.
        at_ms: u64,
        /// True if the service worked.
        good: bool,
    },
    /// New figures of coverage.
    Refresh(Box<Snapshot>),
    /// The figures of the last day.
    Metrics,
    /// The cost of metering on the last day.
    Metering,
    /// The points of the last hours.
    History {
        /// 1 to 168.
        hours: u64,
    },
    /// The figures of coverage.
    Coverage,
}

/// Replies of the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The message was taken.
    Noted,
    /// To [`Message::Metrics`].
    Metrics(SlaMetrics),
    /// To [`Message::Metering`].
    Metering(SlaMetering),
    /// To [`Message::History`].
    History(SlaHistory),
    /// To [`Message::Coverage`]; `None` before the first refresh.
    Coverage(Option<Box<Snapshot>>),
}

/// A row to write.
#[derive(Clone, Debug, PartialEq)]
pub enum BoardWrite {
    /// An hour, by its number since the epoch.
    Hour(u64, Box<Hour>),
    /// The register.
    Register(Register),
    /// The figures of coverage.
    Coverage(Box<Snapshot>),
}

/// An hour of the service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hour {
    /// Sums of its buckets over all isolates.
    pub sums: BTreeMap<Bucket, Counts>,
    /// Minutes that were probed, as bits: the lowest is the first minute.
    pub probed: u64,
    /// Minutes whose probe found the service working, as bits.
    pub good: u64,
}

/// Facts that the board remembers beyond its hours.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Register {
    /// The last batches, by isolate.
    pub last: BTreeMap<u64, Last>,
    /// Minute of the first probe, since the epoch: the service was deployed by then.
    pub first_probe: Option<u64>,
}

/// The last batch of an isolate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// Number of the batch.
    pub sequence: u64,
    /// When it arrived, milliseconds since the epoch.
    pub at_ms: u64,
}

/// The state of the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Hours, by number since the epoch.
    pub hours: BTreeMap<u64, Hour>,
    /// The register.
    pub register: Register,
    /// The coverage of the last refresh.
    pub coverage: Option<Box<Snapshot>>,
    unsaved: Unsaved,
}

/// Parts that changed since they were written.
#[derive(Clone, Debug, Default, PartialEq)]
struct Unsaved {
    hours: BTreeSet<u64>,
    register: bool,
    coverage: bool,
}

/// Returns the number of the first hour that is kept at `now_ms`.
pub fn first_kept_hour(now_ms: u64) -> u64 {
    hour_of(Bucket::of(now_ms).first_of(KEPT))
}

impl Message {
    /// Returns the first hour that the answer at `now_ms` needs, with all after it. A message that adds a minute needs nothing of
    /// the days before it.
    pub fn first_hour(&self, now_ms: u64) -> Option<u64> {
        match self {
            Self::Samples(batch) => young(batch, now_ms).map(|(bucket, _)| hour_of(*bucket)).min(),
            Self::Probe { at_ms, .. } => Some(at_ms / MINUTE_MS / HOUR_MINUTES),
            Self::Metrics | Self::Metering => Some(hour_of(first_of_hours(DAY / HOUR, now_ms))),
            Self::History { hours } => Some(hour_of(first_of_hours(*hours, now_ms))),
            Self::Refresh(_) | Self::Coverage => None,
        }
    }
}

/// Returns the samples that isolates may still send. One bucket more than they keep, because a batch may have been delayed.
fn young(batch: &Batch, now_ms: u64) -> impl Iterator<Item = &(Bucket, Counts)> {
    let oldest = Bucket::of(now_ms).first_of(MAX_BUCKETS + 1);
    batch.counts.iter().filter(move |(bucket, _)| *bucket >= oldest)
}

/// Returns the first bucket of the last `hours`.
fn first_of_hours(hours: u64, now_ms: u64) -> Bucket {
    Bucket::of(now_ms).first_of(hours.saturating_mul(HOUR))
}

/// Returns the number of the hour that has a bucket.
fn hour_of(bucket: Bucket) -> u64 {
    bucket.0 / HOUR
}

impl Board {
    /// Answers a message, whose hours are here: [`Message::first_hour`]. The caller writes what [`Board::take_unsaved`] returns.
    pub fn answer(&mut self, message: Message, now_ms: u64) -> Answer {
        match message {
            Message::Samples(batch) => self.take(&batch, now_ms),
            Message::Probe { at_ms, good } => self.probe(at_ms / MINUTE_MS, good),
            Message::Refresh(snapshot) => {
                self.coverage = Some(snapshot);
                self.unsaved.coverage = true;
            }
            Message::Metrics => return Answer::Metrics(self.metrics(now_ms)),
            Message::Metering => return Answer::Metering(report::metering(&self.day(now_ms))),
            Message::History { hours } => {
                let sums = self.sums_from(first_of_hours(hours, now_ms));
                return Answer::History(report::history(hours, sums));
            }
            Message::Coverage => return Answer::Coverage(self.coverage.clone()),
        }
        Answer::Noted
    }

    /// Takes a batch, unless it was taken before.
    fn take(&mut self, batch: &Batch, now_ms: u64) {
        let is_known = self.register.last.get(&batch.isolate).is_some_and(|last| batch.sequence <= last.sequence);
        if is_known || young(batch, now_ms).next().is_none() {
            return;
        }
        self.register.last.insert(batch.isolate, Last { sequence: batch.sequence, at_ms: now_ms });
        self.unsaved.register = true;
        for (bucket, counts) in young(batch, now_ms) {
            self.hour(hour_of(*bucket)).sums.entry(*bucket).or_default().add(counts);
        }
    }

    /// Takes a probe. The later one of a minute counts.
    fn probe(&mut self, minute: u64, good: bool) {
        let bit = 1 << (minute % HOUR_MINUTES);
        let hour = self.hour(minute / HOUR_MINUTES);
        hour.probed |= bit;
        hour.good = if good { hour.good | bit } else { hour.good & !bit };
        if self.register.first_probe.is_none_or(|first| minute < first) {
            self.register.first_probe = Some(minute);
            self.unsaved.register = true;
        }
    }

    /// Returns an hour that is about to change.
    fn hour(&mut self, hour: u64) -> &mut Hour {
        self.unsaved.hours.insert(hour);
        self.hours.entry(hour).or_default()
    }

    /// Takes the rows that changed and were not written yet. They are to be written together.
    pub fn take_unsaved(&mut self, now_ms: u64) -> Vec<BoardWrite> {
        let Unsaved { hours, register, coverage } = std::mem::take(&mut self.unsaved);
        let hours = hours.into_iter().filter_map(|at| Some(BoardWrite::Hour(at, self.hours.get(&at)?.clone().into())));
        let mut writes: Vec<_> = hours.collect();
        if register {
            self.register.last.retain(|_, last| now_ms < last.at_ms + ISOLATE_MS);
            writes.push(BoardWrite::Register(self.register.clone()));
        }
        writes.extend(self.coverage.clone().filter(|_| coverage).map(BoardWrite::Coverage));
        writes
    }

    fn metrics(&self, now_ms: u64) -> SlaMetrics {
        let first = Bucket::of(now_ms).first_of(DAY);
        report::metrics(&self.day(now_ms), self.probes_since(first.start_ms() / MINUTE_MS, now_ms))
    }

    /// Returns the sum of the last day.
    fn day(&self, now_ms: u64) -> Counts {
        let mut day = Counts::default();
        self.sums_from(Bucket::of(now_ms).first_of(DAY)).for_each(|(_, counts)| day.add(counts));
        day
    }

    fn sums_from(&self, first: Bucket) -> impl Iterator<Item = (Bucket, &Counts)> {
        let hours = self.hours.range(hour_of(first)..).map(|(_, hour)| hour);
        hours.flat_map(move |hour| hour.sums.range(first..)).map(|(bucket, counts)| (*bucket, counts))
    }

    /// Counts the minutes from `first` on in which the service was deployed. A minute without a probe counts as down, because a
    /// service that is down does not probe.
    fn probes_since(&self, first: u64, now_ms: u64) -> Probes {
        let Some(deployed) = self.register.first_probe else { return Probes::default() };
        let due = (now_ms / MINUTE_MS).saturating_sub(MAX_PROBE_MINUTES);
        let latest = self.hours.iter().rev().find(|(_, hour)| hour.probed > 0);
        let latest = latest.map(|(at, hour)| at * HOUR_MINUTES + u64::from(hour.probed.ilog2()));
        let first = first.max(deployed);
        let last = due.max(latest.unwrap_or(deployed));
        if first > last {
            return Probes::default();
        }
        let mut good = 0;
        for (at, hour) in self.hours.range(first / HOUR_MINUTES..) {
            good += u64::from((hour.good >> first.saturating_sub(at * HOUR_MINUTES)).count_ones());
        }
        Probes { total: last - first + 1, good }
    }

    /// Drops the hours before `first`.
    pub fn forget(&mut self, first: u64) {
        self.hours.retain(|hour, _| *hour >= first);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const NOON: u64 = 1_795_176_000_000;
    const DAY_MS: u64 = 86_400_000;
    const HOUR_MS: u64 = 3_600_000;

    /// Sends a batch of some requests. Returns the number of writes.
    fn report(board: &mut Board, isolate: u64, at_ms: u64, (sequence, requests): (u64, u64), now_ms: u64) -> usize {
        let mut counts = Counts::default();
        (0..requests).for_each(|n| counts.record(200, n + 1));
        let batch = Batch { isolate, sequence, counts: vec![(Bucket::of(at_ms), counts)] };
        assert_eq!(board.answer(Message::Samples(batch), now_ms), Answer::Noted);
        board.take_unsaved(now_ms).len()
    }

    fn ask(board: &Board, message: Message, now_ms: u64) -> Value {
        serde_json::to_value(board.clone().answer(message, now_ms)).expect("answers are JSON")
    }

    fn requests(board: &Board, now_ms: u64) -> u64 {
        ask(board, Message::Metrics, now_ms)["metrics"]["requests"]["total"].as_u64().expect("a number")
    }

    #[test]
    fn a_batch_counts_once() {
        let mut board = Board::default();
        assert_eq!(report(&mut board, 1, NOON, (1, 3), NOON), 2, "the hour and the register");
        assert_eq!(report(&mut board, 1, NOON, (1, 3), NOON), 0, "it came twice");
        assert_eq!(report(&mut board, 2, NOON, (1, 4), NOON), 2);
        assert_eq!(report(&mut board, 1, NOON, (2, 5), NOON), 2);
        assert_eq!(requests(&board, NOON), 12);
    }

    #[test]
    fn a_late_batch_counts_while_isolates_send_it() {
        let mut board = Board::default();
        let last = NOON + (MAX_BUCKETS + 1) * 300_000 - 1;
        assert_eq!((report(&mut board, 1, NOON, (1, 3), last), report(&mut board, 1, NOON, (2, 3), last + 1)), (2, 0));
        assert_eq!(requests(&board, last), 3);
        let later = last + ISOLATE_MS - 1;
        assert_eq!(report(&mut board, 2, later, (1, 1), later), 2);
        assert_eq!(board.register.last.keys().collect::<Vec<_>>(), [&1, &2]);
        assert_eq!(report(&mut board, 2, later, (2, 1), later + 1), 2);
        assert_eq!(board.register.last.keys().collect::<Vec<_>>(), [&2]);
    }

    #[test]
    fn a_day_a_week_and_nothing_after() {
        let mut board = Board::default();
        report(&mut board, 0, NOON, (1, 3), NOON);
        board.answer(Message::Probe { at_ms: NOON, good: false }, NOON);
        let last = NOON + DAY_MS - 1;
        assert_eq!((requests(&board, last), requests(&board, last + 1)), (3, 0));
        assert_eq!((points(&board, 24, last), points(&board, 24, last + 1), points(&board, 25, last + 1)), (1, 0, 1));
        assert_eq!((points(&board, 168, NOON + 7 * DAY_MS - 1), points(&board, 168, NOON + 7 * DAY_MS)), (1, 0));
        board.forget(first_kept_hour(NOON + 7 * DAY_MS - 1));
        assert_eq!(board.hours.len(), 1);
        board.forget(first_kept_hour(NOON + 7 * DAY_MS + HOUR_MS));
        assert!(board.hours.is_empty());
    }

    fn points(board: &Board, hours: u64, now_ms: u64) -> usize {
        let history = ask(board, Message::History { hours }, now_ms);
        history["history"]["points"].as_array().expect("points").len()
    }

    #[test]
    fn probes_of_the_day_make_the_uptime() {
        let mut board = Board::default();
        note_probe(&mut board, NOON - 2 * DAY_MS, false);
        (0..3).for_each(|minute| note_probe(&mut board, NOON - minute * MINUTE_MS, true));
        note_probe(&mut board, NOON - 3 * MINUTE_MS, false);
        note_probe(&mut board, NOON - 3 * MINUTE_MS + 1, false);
        let uptime = |now_ms| ask(&board, Message::Metrics, now_ms)["metrics"]["availability"]["uptime"].as_f64();
        let day = 24.0 * 60.0 - 4.0;
        let expect = |good: f64| Some((good / (day) * 100_000.0).floor() / 1_000.0);
        assert_eq!(uptime(NOON), expect(3.0), "deployed two days before, and silent since");
    }

    fn note_probe(board: &mut Board, at_ms: u64, good: bool) {
        drop(board.answer(Message::Probe { at_ms, good }, at_ms))
    }

    #[test]
    fn probes_are_bits_of_their_hour() {
        let hour = NOON / MINUTE_MS / HOUR_MINUTES;
        let mut board = Board::default();
        let row = |probed, good| BoardWrite::Hour(hour, Hour { probed, good, ..Hour::default() }.into());
        let first = BoardWrite::Register(Register { first_probe: Some(NOON / MINUTE_MS), ..Register::default() });
        assert_eq!(send_probe(&mut board, 0, true), [row(1, 1), first]);
        assert_eq!(send_probe(&mut board, 3, false), [row(0b1001, 1)]);
        assert_eq!(send_probe(&mut board, 3, true), [row(0b1001, 0b1001)], "the later one counts");
        assert_eq!(send_probe(&mut board, 0, false), [row(0b1001, 0b1000)]);
        (0..120).for_each(|minute| drop(send_probe(&mut board, minute, minute % 10 > 0)));
        let uptime = &ask(&board, Message::Metrics, NOON + 2 * HOUR_MS)["metrics"]["availability"]["uptime"];
        assert_eq!(*uptime, 90.0);
    }

    fn send_probe(board: &mut Board, minute: u64, good: bool) -> Vec<BoardWrite> {
        board.answer(Message::Probe { at_ms: NOON + minute * MINUTE_MS, good }, NOON);
        board.take_unsaved(NOON)
    }

    /// Sends probes at these minutes after noon, where a negative number is a failed one, and returns the uptime some
    /// minutes after noon.
    #[test]
    fn a_minute_without_a_probe_is_outage() {
        check(&[], 60, 100.0);
        check(&[0], 0, 100.0);
        check(&[0], 2, 100.0);
        check(&[0], 3, 50.0);
        check(&[0, 1, 2, 3], 3, 100.0);
        check(&[0, 1, 3], 3, 75.0);
        check(&[0, 1, -2, 3], 5, 75.0);
        check(&[-1], 3, 0.0);
        check(&[0], 7 * 24 * 60, 0.0);
        check(&[9], 3, 100.0);
    }

    fn check(probes: &[i64], minutes: u64, expect: f64) {
        let mut board = Board::default();
        for minute in probes {
            let at_ms = NOON + minute.unsigned_abs() * MINUTE_MS + 59_999;
            board.answer(Message::Probe { at_ms, good: *minute >= 0 }, at_ms);
        }
        let shown = ask(&board, Message::Metrics, NOON + minutes * MINUTE_MS);
        assert_eq!(shown["metrics"]["availability"]["uptime"], expect, "{probes:?} after {minutes} minutes");
    }

    /// Checks that the board's sums are those of all samples, with eight isolates, lost acknowledgements, and batches that arrive
    /// twice.
    #[test]
    fn the_board_shows_the_sum_over_all_isolates() {
        use super::super::tally::Tally;

        let mut state = 7_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let mut isolates: Vec<Tally> = (0..8).map(|_| Tally::default()).collect();
        let (mut board, mut expect) = (Board::default(), BTreeMap::<Bucket, Counts>::new());
        let mut now_ms = NOON;
        for step in 0..40_000_u64 {
            now_ms += random() % 60;
            let isolate = (random() % 8) as usize;
            let status = [200, 200, 200, 404, 503][(random() % 5) as usize];
            let ms = random() % 3_000;
            isolates[isolate].record(status, now_ms.saturating_sub(ms), now_ms);
            expect.entry(Bucket::of(now_ms)).or_default().record(status, ms);
            if step % 16 == 0 || step > 39_900 {
                for tally in &mut isolates {
                    let number = random();
                    while let Some(batch) = tally.batch(|| number, now_ms) {
                        let sequence = batch.sequence;
                        board.answer(Message::Samples(batch), now_ms);
                        // Every third acknowledgement is lost, and the batch comes once more.
                        if step > 39_900 || random() % 3 > 0 {
                            tally.acknowledge(sequence);
                        } else {
                            break;
                        }
                    }
                }
            }
        }
        assert!(board.sums_from(Bucket(0)).eq(expect.iter().map(|(bucket, counts)| (*bucket, counts))));
    }
}
