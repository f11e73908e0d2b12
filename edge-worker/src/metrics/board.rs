//! The board: the one object that collects the samples of all isolates. It holds the traffic of seven days, probes, and
//! the latest coverage figures.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

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
pub const HOUR_MINUTES: u64 = 60;

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

/// The writes after a message.
#[derive(Clone, Debug, PartialEq)]
pub enum BoardWrite {
    /// The sum of a bucket.
    Sum(Bucket, Box<Counts>),
    /// The last batches of all isolates.
    Isolates(BTreeMap<u64, Last>),
    /// A probe, by its minute.
    Probe(u64, bool),
    /// The number of good probes of an hour in which every minute has one.
    ProbedHour(u64, u64),
    /// The figures of coverage.
    Coverage(Box<Snapshot>),
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
    /// Sums of each bucket over all isolates.
    pub sums: BTreeMap<Bucket, Counts>,
    /// The last batches, by isolate.
    pub last: BTreeMap<u64, Last>,
    /// Buckets whose sums changed since they were written.
    unsaved: BTreeSet<Bucket>,
    /// Probes by minute since the epoch.
    pub probes: BTreeMap<u64, bool>,
    /// Numbers of good probes of the hours in which every minute has a probe, by hour since the epoch. They stand for these
    /// probes, which change no more.
    pub probed_hours: BTreeMap<u64, u64>,
    /// The coverage of the last refresh.
    pub coverage: Option<Box<Snapshot>>,
}

/// The limits of what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oldest {
    /// First bucket with a sum.
    pub sum: Bucket,
    /// First minute with a probe. The last probe up to it also stays: it shows that the service was deployed by then,
    /// however long it has been down since.
    pub probe: u64,
}

impl Oldest {
    /// Returns the limits at `now_ms`.
    pub fn at(now_ms: u64) -> Self {
        let now = Bucket::of(now_ms);
        let sum = now.first_of(KEPT);
        Self { sum, probe: minute_of(sum) }
    }
}

/// Stored rows that a message needs. A message that adds a minute needs nothing of the days before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The buckets whose sums it changes, for which it also needs the last batches.
    pub buckets: Vec<Bucket>,
    /// The first bucket whose sum it shows.
    pub sums: Option<Bucket>,
    /// The minutes whose probes it counts: all of them, or the number of a probed hour that lies among them. It needs the last
    /// probe up to the first of them too.
    pub probes: Option<Range<u64>>,
    /// The hour of which it asks whether it is a probed one.
    pub hour: Option<u64>,
    /// True if the message shows the figures of coverage.
    pub coverage: bool,
}

impl Message {
    /// Returns what the answer at `now_ms` needs.
    pub fn needs(&self, now_ms: u64) -> Needs {
        let now = Bucket::of(now_ms);
        let day = now.first_of(DAY);
        match self {
            Self::Samples(batch) => {
                Needs { buckets: young(batch, now_ms).map(|(bucket, _)| *bucket).collect(), ..Needs::default() }
            }
            Self::Probe { at_ms, .. } => {
                let minute = at_ms / MINUTE_MS;
                let hour = minute / HOUR_MINUTES;
                Needs { hour: Some(hour), probes: ends_hour(minute).then_some(minutes_of(hour)), ..Needs::default() }
            }
            Self::Refresh(_) => Needs::default(),
            Self::Metrics => {
                // A probe may be early by the clock of this object.
                let end = minutes_of(now_ms / MINUTE_MS / HOUR_MINUTES + 1).end;
                Needs { sums: Some(day), probes: Some(minute_of(day)..end), ..Needs::default() }
            }
            Self::Metering => Needs { sums: Some(day), ..Needs::default() },
            Self::History { hours } => Needs { sums: Some(first_of_hours(*hours, now)), ..Needs::default() },
            Self::Coverage => Needs { coverage: true, ..Needs::default() },
        }
    }
}

/// Returns the samples that isolates may still send. One bucket more than they keep, because a batch may have been delayed.
fn young(batch: &Batch, now_ms: u64) -> impl Iterator<Item = &(Bucket, Counts)> {
    let oldest = Bucket::of(now_ms).first_of(MAX_BUCKETS + 1);
    batch.counts.iter().filter(move |(bucket, _)| *bucket >= oldest)
}

/// Returns the first bucket of the last `hours`.
fn first_of_hours(hours: u64, now: Bucket) -> Bucket {
    now.first_of(hours.saturating_mul(HOUR))
}

/// Returns the minute in which a bucket starts.
fn minute_of(bucket: Bucket) -> u64 {
    bucket.start_ms() / MINUTE_MS
}

/// Returns the minutes of an hour.
fn minutes_of(hour: u64) -> Range<u64> {
    let first = hour.saturating_mul(HOUR_MINUTES);
    first..first.saturating_add(HOUR_MINUTES)
}

/// Tells whether a minute is the last one of its hour.
fn ends_hour(minute: u64) -> bool {
    minute % HOUR_MINUTES == HOUR_MINUTES - 1
}

impl Board {
    /// Answers a message, of which [`Message::needs`] is here. The caller stores the writes before it sends the answer, and those of
    /// [`Board::unsaved`] soon.
    pub fn answer(&mut self, message: Message, now_ms: u64) -> (Answer, Vec<BoardWrite>) {
        match message {
            Message::Samples(batch) => {
                self.take(&batch, now_ms);
                (Answer::Noted, Vec::new())
            }
            Message::Probe { at_ms, good } => (Answer::Noted, self.probe(at_ms / MINUTE_MS, good)),
            Message::Refresh(snapshot) => {
                self.coverage = Some(snapshot.clone());
                (Answer::Noted, vec![BoardWrite::Coverage(snapshot)])
            }
            Message::Metrics => (Answer::Metrics(self.metrics(now_ms)), Vec::new()),
            Message::Metering => (Answer::Metering(report::metering(&self.day(now_ms))), Vec::new()),
            Message::History { hours } => (Answer::History(self.history(hours, now_ms)), Vec::new()),
            Message::Coverage => (Answer::Coverage(self.coverage.clone()), Vec::new()),
        }
    }

    /// Takes a batch, unless it was taken before.
    fn take(&mut self, batch: &Batch, now_ms: u64) {
        let is_known = self.last.get(&batch.isolate).is_some_and(|last| batch.sequence <= last.sequence);
        if is_known || young(batch, now_ms).next().is_none() {
            return;
        }
        self.last.insert(batch.isolate, Last { sequence: batch.sequence, at_ms: now_ms });
        for (bucket, counts) in young(batch, now_ms) {
            self.sums.entry(*bucket).or_default().add(counts);
            self.unsaved.insert(*bucket);
        }
    }

    /// Takes the writes of samples that were not written yet.
    pub fn unsaved(&mut self, now_ms: u64) -> Vec<BoardWrite> {
        let changed = std::mem::take(&mut self.unsaved);
        let sums = changed
            .into_iter()
            .filter_map(|bucket| Some(BoardWrite::Sum(bucket, self.sums.get(&bucket)?.clone().into())));
        let mut writes: Vec<_> = sums.collect();
        if !writes.is_empty() {
            self.last.retain(|_, last| now_ms < last.at_ms + ISOLATE_MS);
            writes.push(BoardWrite::Isolates(self.last.clone()));
        }
        writes
    }

    /// Takes a probe, unless its hour has all of its probes: then it comes twice.
    fn probe(&mut self, minute: u64, good: bool) -> Vec<BoardWrite> {
        let hour = minute / HOUR_MINUTES;
        if self.probed_hours.contains_key(&hour) {
            return Vec::new();
        }
        self.probes.insert(minute, good);
        let probe = BoardWrite::Probe(minute, good);
        let of_hour = self.probes.range(minutes_of(hour));
        if !ends_hour(minute) || (of_hour.clone().count() as u64) < HOUR_MINUTES {
            return vec![probe];
        }
        let good = of_hour.filter(|(_, good)| **good).count() as u64;
        self.probed_hours.insert(hour, good);
        vec![probe, BoardWrite::ProbedHour(hour, good)]
    }

    fn metrics(&self, now_ms: u64) -> SlaMetrics {
        let first = Bucket::of(now_ms).first_of(DAY);
        report::metrics(&self.day(now_ms), self.probes_since(minute_of(first), now_ms))
    }

    /// Returns the sum of the last day.
    fn day(&self, now_ms: u64) -> Counts {
        let mut day = Counts::default();
        self.sums.range(Bucket::of(now_ms).first_of(DAY)..).for_each(|(_, counts)| day.add(counts));
        day
    }

    /// Counts the minutes from `first` on in which the service was deployed. A minute without a probe counts as down, because a
    /// service that is down does not probe.
    fn probes_since(&self, first: u64, now_ms: u64) -> Probes {
        let minutes = self.probes.keys().copied();
        let of_hours = self.probed_hours.keys().map(|hour| minutes_of(*hour));
        let Some(deployed) = minutes.clone().chain(of_hours.clone().map(|minutes| minutes.start)).min() else {
            return Probes::default();
        };
        let latest = minutes.chain(of_hours.map(|minutes| minutes.end - 1)).max().unwrap_or(deployed);
        let due = (now_ms / MINUTE_MS).saturating_sub(MAX_PROBE_MINUTES);
        let (first, last) = (first.max(deployed), due.max(latest));
        if first > last {
            return Probes::default();
        }
        Probes { total: last - first + 1, good: self.good_probes(first) }
    }

    /// Counts the good probes from a minute on.
    fn good_probes(&self, first: u64) -> u64 {
        // The minute may lie within a probed hour.
        let hours = self.probed_hours.range(first.div_ceil(HOUR_MINUTES)..);
        let is_counted = |minute: u64| {
            let hour = minute / HOUR_MINUTES;
            minutes_of(hour).start >= first && self.probed_hours.contains_key(&hour)
        };
        let others = self.probes.range(first..).filter(|(minute, good)| **good && !is_counted(**minute));
        hours.map(|(_, good)| *good).sum::<u64>() + others.count() as u64
    }

    fn history(&self, hours: u64, now_ms: u64) -> SlaHistory {
        let first = first_of_hours(hours, Bucket::of(now_ms));
        report::history(hours, self.sums.range(first..).map(|(bucket, counts)| (*bucket, counts)))
    }

    /// Drops everything older than the limits.
    pub fn forget(&mut self, oldest: Oldest) {
        self.sums.retain(|bucket, _| *bucket >= oldest.sum);
        let first = self.probes.range(..=oldest.probe).next_back().map_or(oldest.probe, |(before, _)| *before);
        self.probes.retain(|minute, _| *minute >= first);
        self.probed_hours.retain(|hour, _| *hour >= oldest.probe / HOUR_MINUTES);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const NOON: u64 = 1_795_176_000_000;
    const DAY_MS: u64 = 86_400_000;

    /// Sends a batch of some requests. Returns the number of writes.
    fn report(board: &mut Board, isolate: u64, at_ms: u64, (sequence, requests): (u64, u64), now_ms: u64) -> usize {
        let mut counts = Counts::default();
        (0..requests).for_each(|n| counts.record(200, n + 1));
        let batch = Batch { isolate, sequence, counts: vec![(Bucket::of(at_ms), counts)] };
        assert_eq!(board.answer(Message::Samples(batch), now_ms), (Answer::Noted, Vec::new()));
        board.unsaved(now_ms).len()
    }

    fn ask(board: &Board, message: Message, now_ms: u64) -> Value {
        let (answer, changes) = board.clone().answer(message, now_ms);
        assert_eq!(changes, []);
        serde_json::to_value(answer).expect("answers are JSON")
    }

    fn requests(board: &Board, now_ms: u64) -> u64 {
        ask(board, Message::Metrics, now_ms)["metrics"]["requests"]["total"].as_u64().expect("a number")
    }

    #[test]
    fn a_batch_counts_once() {
        let mut board = Board::default();
        assert_eq!(report(&mut board, 1, NOON, (1, 3), NOON), 2, "the sum and the isolates");
        assert_eq!(report(&mut board, 1, NOON, (1, 3), NOON), 0, "it came twice");
        assert_eq!(report(&mut board, 2, NOON, (1, 4), NOON), 2);
        assert_eq!(report(&mut board, 1, NOON, (2, 5), NOON), 2);
        assert_eq!(requests(&board, NOON), 12);
    }

    #[test]
    fn a_batch_that_is_late_counts_as_long_as_isolates_send_it() {
        let mut board = Board::default();
        let last = NOON + (MAX_BUCKETS + 1) * 300_000 - 1;
        assert_eq!((report(&mut board, 1, NOON, (1, 3), last), report(&mut board, 1, NOON, (2, 3), last + 1)), (2, 0));
        assert_eq!(requests(&board, last), 3);
        let later = last + ISOLATE_MS - 1;
        assert_eq!(report(&mut board, 2, later, (1, 1), later), 2);
        assert_eq!(board.last.keys().collect::<Vec<_>>(), [&1, &2]);
        assert_eq!(report(&mut board, 2, later, (2, 1), later + 1), 2);
        assert_eq!(board.last.keys().collect::<Vec<_>>(), [&2]);
    }

    #[test]
    fn a_day_a_week_and_nothing_after() {
        let mut board = Board::default();
        report(&mut board, 0, NOON, (1, 3), NOON);
        board.answer(Message::Probe { at_ms: NOON, good: false }, NOON);
        let points = |board: &Board, hours, now_ms| {
            let history = ask(board, Message::History { hours }, now_ms);
            history["history"]["points"].as_array().expect("points").len()
        };
        let last = NOON + DAY_MS - 1;
        assert_eq!((requests(&board, last), requests(&board, last + 1)), (3, 0));
        assert_eq!((points(&board, 24, last), points(&board, 24, last + 1), points(&board, 25, last + 1)), (1, 0, 1));
        assert_eq!((points(&board, 168, NOON + 7 * DAY_MS - 1), points(&board, 168, NOON + 7 * DAY_MS)), (1, 0));
        board.forget(Oldest::at(NOON + 7 * DAY_MS - 1));
        assert_eq!((board.sums.len(), board.probes.len()), (1, 1));
        board.forget(Oldest::at(NOON + 7 * DAY_MS));
        assert_eq!((board.sums.len(), board.probes.len()), (0, 1), "a probe before all others stays");
        board.answer(Message::Probe { at_ms: NOON + MINUTE_MS, good: true }, NOON);
        board.forget(Oldest::at(NOON + 8 * DAY_MS));
        assert_eq!(board.probes.into_iter().collect::<Vec<_>>(), [(NOON / MINUTE_MS + 1, true)]);
    }

    #[test]
    fn probes_of_the_day_make_the_uptime() {
        let mut board = Board::default();
        let probe = |board: &mut Board, at_ms, good| drop(board.answer(Message::Probe { at_ms, good }, at_ms));
        probe(&mut board, NOON - 2 * DAY_MS, false);
        (0..3).for_each(|minute| probe(&mut board, NOON - minute * MINUTE_MS, true));
        probe(&mut board, NOON - 3 * MINUTE_MS, false);
        probe(&mut board, NOON - 3 * MINUTE_MS + 1, false);
        let uptime = |now_ms| ask(&board, Message::Metrics, now_ms)["metrics"]["availability"]["uptime"].as_f64();
        let day = 24.0 * 60.0 - 4.0;
        let expect = |good: f64| Some((good / (day) * 100_000.0).floor() / 1_000.0);
        assert_eq!(uptime(NOON), expect(3.0), "deployed two days before, and silent since");
    }

    #[test]
    fn an_hour_with_all_its_probes_is_one_number() {
        let hour = NOON / MINUTE_MS / HOUR_MINUTES;
        let send = |board: &mut Board, minute: u64, good| {
            let at_ms = NOON + minute * MINUTE_MS;
            board.answer(Message::Probe { at_ms, good }, at_ms).1
        };
        let uptime = |board: &Board| {
            ask(board, Message::Metrics, NOON + HOUR_MINUTES * MINUTE_MS)["metrics"]["availability"]["uptime"].clone()
        };
        let mut board = Board::default();
        (0..59).for_each(|minute| assert_eq!(send(&mut board, minute, minute != 7).len(), 1));
        assert_eq!(send(&mut board, 7, false).len(), 1, "a minute may come twice until then");
        let complete = BoardWrite::ProbedHour(hour, 59);
        assert_eq!(send(&mut board, 59, true), [BoardWrite::Probe(hour * HOUR_MINUTES + 59, true), complete]);
        assert_eq!(uptime(&board), 98.333);
        assert_eq!(send(&mut board, 7, true), [], "and no more then");
        board.probes.clear();
        assert_eq!(uptime(&board), 98.333, "the number stands for its probes");

        let mut gap = Board::default();
        (0..60).filter(|minute| *minute != 7).for_each(|minute| drop(send(&mut gap, minute, true)));
        assert!(gap.probed_hours.is_empty());
        assert_eq!(uptime(&gap), 98.333);
    }

    /// Sends probes at these minutes after noon, where a negative number is a failed one, and returns the uptime some
    /// minutes after noon.
    #[test]
    fn a_minute_without_a_probe_is_one_of_outage() {
        let check = |probes: &[i64], minutes: u64, expect: f64| {
            let mut board = Board::default();
            for minute in probes {
                let at_ms = NOON + minute.unsigned_abs() * MINUTE_MS + 59_999;
                board.answer(Message::Probe { at_ms, good: *minute >= 0 }, at_ms);
            }
            let shown = ask(&board, Message::Metrics, NOON + minutes * MINUTE_MS);
            assert_eq!(shown["metrics"]["availability"]["uptime"], expect, "{probes:?} after {minutes} minutes");
        };
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
            let (status, ms) = ([200, 200, 200, 404, 503][(random() % 5) as usize], random() % 3_000);
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
        assert_eq!(board.sums, expect);
    }
}
