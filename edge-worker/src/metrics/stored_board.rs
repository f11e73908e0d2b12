//! The board over its storage. The platform puts the object to sleep between two minutes, counts each row that it then reads
//! again, and gives a free account five million a day. So a message reads only the rows that it needs: one that adds a minute
//! a handful of them, however many days are stored.

use std::collections::BTreeSet;
use std::ops::Range;

use super::board::{Answer, Board, BoardWrite, HOUR_MINUTES, Message, Needs, Oldest};
use super::bucket::Bucket;
use super::rows::BoardRows;
use crate::durable::rows::Unreadable;

/// Shortest time between two writes of samples, milliseconds. An object that ends without a word loses as much.
const SAVE_MS: u64 = 10_000;

/// A number above all stored ones, which are safe integers of JavaScript.
const ABOVE_ALL: u64 = (1 << 53) - 1;

/// Stored rows that are read together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The last batches of all isolates.
    Isolates,
    /// The sums of some buckets.
    Sums(Range<Bucket>),
    /// The probes of some minutes, and the last one up to the first of them.
    Probes(Range<u64>),
    /// The numbers of some hours in which every minute has a probe.
    ProbedHours(Range<u64>),
    /// The figures of coverage.
    Coverage,
}

/// Storage of a board.
pub trait BoardStorage {
    /// Failure of the storage.
    type Error;

    /// Reads the rows of a part. Counts those that cannot be read.
    fn read(&self, part: &Part, unreadable: &mut Unreadable) -> Result<BoardRows, Self::Error>;

    /// Sets the alarm for [`StoredBoard::wake`].
    fn set_alarm(&self, at_ms: u64) -> Result<(), Self::Error>;

    /// Stores a change.
    fn write(&self, change: &BoardWrite) -> Result<(), Self::Error>;

    /// Deletes everything older than the limits.
    fn forget(&self, oldest: Oldest) -> Result<(), Self::Error>;

    /// Reports rows that could not be read, if there are any.
    fn report(&self, unreadable: &Unreadable);
}

/// A board with those parts of its storage that messages needed so far.
#[derive(Debug, Default)]
pub struct StoredBoard {
    board: Board,
    /// The buckets whose sums were read one by one.
    buckets: BTreeSet<Bucket>,
    /// True once the last batches were read.
    isolates: bool,
    /// When samples were written last.
    saved_ms: u64,
    /// True while an alarm is to come.
    is_alarm_set: bool,
    /// The first bucket whose sum was read.
    sums: Option<Bucket>,
    /// The hours whose probes were read.
    probes: BTreeSet<u64>,
    /// The hours whose numbers were read, if they have one.
    probed_hours: BTreeSet<u64>,
    /// True once the figures of coverage were read.
    coverage: bool,
    /// The limits by which older rows were deleted.
    forgotten: Option<Oldest>,
}

impl StoredBoard {
    /// Answers a message: reads what it needs, decides, stores.
    pub fn answer<S: BoardStorage>(&mut self, storage: &S, message: Message, now_ms: u64) -> Result<Answer, S::Error> {
        self.read(storage, message.needs(now_ms))?;
        let is_of_samples = matches!(message, Message::Samples(_));
        let (answer, changes) = self.board.answer(message, now_ms);
        for change in &changes {
            storage.write(change)?;
        }
        if !changes.is_empty() {
            self.forget(storage, Oldest::at(now_ms))?;
        }
        if is_of_samples {
            self.save_soon(storage, now_ms)?;
        }
        Ok(answer)
    }

    /// Writes samples that wait.
    pub fn wake<S: BoardStorage>(&mut self, storage: &S, now_ms: u64) -> Result<(), S::Error> {
        self.is_alarm_set = false;
        self.saved_ms = now_ms;
        let writes = self.board.unsaved(now_ms);
        writes.iter().try_for_each(|change| storage.write(change))?;
        if writes.is_empty() { Ok(()) } else { self.forget(storage, Oldest::at(now_ms)) }
    }

    /// Writes samples at once, if none were for a while, and else by an alarm.
    fn save_soon<S: BoardStorage>(&mut self, storage: &S, now_ms: u64) -> Result<(), S::Error> {
        if !(self.saved_ms..self.saved_ms + SAVE_MS).contains(&now_ms) {
            return self.wake(storage, now_ms);
        }
        if !self.is_alarm_set {
            storage.set_alarm(self.saved_ms + SAVE_MS)?;
            self.is_alarm_set = true;
        }
        Ok(())
    }

    fn read<S: BoardStorage>(&mut self, storage: &S, needs: Needs) -> Result<(), S::Error> {
        let mut unreadable = Unreadable::default();
        let probes = needs.probes.clone();
        self.read_parts(storage, self.missing(needs), &mut unreadable)?;
        // The numbers of hours, which are there now, stand for most of the probes.
        let probes = probes.map(|minutes| self.missing_probes(&minutes)).unwrap_or_default();
        self.read_parts(storage, probes, &mut unreadable)?;
        storage.report(&unreadable);
        Ok(())
    }

    fn read_parts<S: BoardStorage>(
        &mut self,
        storage: &S,
        parts: Vec<Part>,
        unreadable: &mut Unreadable,
    ) -> Result<(), S::Error> {
        for part in parts {
            let rows = storage.read(&part, unreadable)?;
            self.board.add(rows, unreadable);
            self.note(part);
        }
        Ok(())
    }

    /// Lists the parts that are needed and were not read yet, but for probes.
    fn missing(&self, needs: Needs) -> Vec<Part> {
        let is_isolates = !needs.buckets.is_empty() && !self.isolates;
        let is_known =
            |bucket: &Bucket| self.buckets.contains(bucket) || self.sums.is_some_and(|first| first <= *bucket);
        let buckets = needs.buckets.into_iter().filter(|bucket| !is_known(bucket));
        let mut missing: Vec<Part> =
            buckets.map(|bucket| Part::Sums(bucket..Bucket(bucket.0.saturating_add(1)))).collect();
        missing.extend(is_isolates.then_some(Part::Isolates));
        let sums = needs.sums.map(|first| first..self.sums.unwrap_or(Bucket(ABOVE_ALL)));
        missing.extend(sums.filter(|range| !range.is_empty()).map(Part::Sums));
        let hours = needs.probes.iter().flat_map(hours_of).chain(needs.hour);
        missing.extend(runs(hours.filter(|hour| !self.probed_hours.contains(hour))).map(Part::ProbedHours));
        missing.extend((needs.coverage && !self.coverage).then_some(Part::Coverage));
        missing
    }

    /// Lists the probes that are needed and were not read yet, in whole hours. A number stands only for an hour that is needed
    /// as a whole.
    fn missing_probes(&self, minutes: &Range<u64>) -> Vec<Part> {
        let is_known = |hour: &u64| {
            let is_whole = hour * HOUR_MINUTES >= minutes.start;
            self.probes.contains(hour) || is_whole && self.board.probed_hours.contains_key(hour)
        };
        let unknown = runs(hours_of(minutes).filter(|hour| !is_known(hour)));
        unknown.map(|hours| Part::Probes(hours.start * HOUR_MINUTES..hours.end * HOUR_MINUTES)).collect()
    }

    fn note(&mut self, part: Part) {
        match part {
            Part::Isolates => self.isolates = true,
            Part::Sums(range) if range.end == Bucket(range.start.0.saturating_add(1)) => {
                self.buckets.insert(range.start);
            }
            Part::Sums(range) => self.sums = Some(range.start),
            Part::Probes(minutes) => self.probes.extend(hours_of(&minutes)),
            Part::ProbedHours(hours) => self.probed_hours.extend(hours),
            Part::Coverage => self.coverage = true,
        }
    }

    /// Drops everything older than the limits, which change every five minutes.
    fn forget<S: BoardStorage>(&mut self, storage: &S, oldest: Oldest) -> Result<(), S::Error> {
        if self.forgotten != Some(oldest) {
            storage.forget(oldest)?;
            self.board.forget(oldest);
            self.buckets.retain(|bucket| *bucket >= oldest.sum);
            self.probes.retain(|hour| *hour >= oldest.probe / HOUR_MINUTES);
            self.probed_hours.retain(|hour| *hour >= oldest.probe / HOUR_MINUTES);
            self.forgotten = Some(oldest);
        }
        Ok(())
    }
}

/// Returns the hours of some minutes.
fn hours_of(minutes: &Range<u64>) -> Range<u64> {
    minutes.start / HOUR_MINUTES..minutes.end.div_ceil(HOUR_MINUTES)
}

/// Joins ascending hours that follow each other.
fn runs(hours: impl Iterator<Item = u64>) -> impl Iterator<Item = Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for hour in hours {
        match runs.last_mut() {
            Some(run) if run.end == hour => run.end += 1,
            Some(run) if run.contains(&hour) => {}
            _ => runs.push(hour..hour + 1),
        }
    }
    runs.into_iter()
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::convert::Infallible;
    use std::sync::LazyLock;

    use serde_json::{Value, json};

    use super::*;
    use crate::metrics::bucket::{BUCKET_MS, KEPT};
    use crate::metrics::counts::Counts;
    use crate::metrics::tally::Batch;
    use crate::metrics::tally::MAX_BUCKETS;

    const NOON: u64 = 1_795_176_000_000;
    const MINUTE_MS: u64 = 60_000;

    /// Minutes of a week.
    const WEEK: u64 = 7 * 24 * 60;

    /// A storage in memory that counts rows as the platform does.
    #[derive(Default)]
    struct InMemory {
        stored: RefCell<Board>,
        read: Cell<usize>,
        written: Cell<usize>,
    }

    impl InMemory {
        /// Takes what was counted since the last call: rows read, rows written.
        fn counted(&self) -> (usize, usize) {
            (self.read.take(), self.written.take())
        }
    }

    impl BoardStorage for InMemory {
        type Error = Infallible;

        fn read(&self, part: &Part, _unreadable: &mut Unreadable) -> Result<BoardRows, Infallible> {
            let stored = self.stored.borrow();
            let rows: Vec<Value> = match part {
                Part::Isolates if stored.last.is_empty() => Vec::new(),
                Part::Isolates => {
                    vec![json!({ "json": serde_json::to_string(&stored.last).expect("numbers are JSON") })]
                }
                Part::Sums(range) => {
                    let row = |(bucket, counts): (&Bucket, &Counts)| json!({ "bucket": bucket.0, "json": serde_json::to_string(counts).expect("counts are JSON") });
                    stored.sums.range(range.clone()).map(row).collect()
                }
                Part::Probes(range) => {
                    let before = stored.probes.range(..=range.start).next_back();
                    let first = before.map_or(range.start, |(minute, _)| *minute);
                    let row = |(minute, good): (&u64, &bool)| json!({ "minute": minute, "good": u8::from(*good) });
                    stored.probes.range(first..range.end).map(row).collect()
                }
                Part::ProbedHours(range) => {
                    let row = |(hour, good): (&u64, &u64)| json!({ "hour": hour, "good": good });
                    stored.probed_hours.range(range.clone()).map(row).collect()
                }
                Part::Coverage => {
                    let row = |coverage| json!({ "json": serde_json::to_string(coverage).expect("figures are JSON") });
                    stored.coverage.iter().map(row).collect()
                }
            };
            self.read.set(self.read.get() + rows.len());
            let rows = Value::from(rows);
            let mut found = BoardRows::default();
            let proof = "these are rows of the table";
            match part {
                Part::Isolates => found.isolates = serde_json::from_value(rows).expect(proof),
                Part::Sums(_) => found.sums = serde_json::from_value(rows).expect(proof),
                Part::Probes(_) => found.probes = serde_json::from_value(rows).expect(proof),
                Part::ProbedHours(_) => found.probed_hours = serde_json::from_value(rows).expect(proof),
                Part::Coverage => found.coverage = serde_json::from_value(rows).expect(proof),
            }
            Ok(found)
        }

        fn write(&self, change: &BoardWrite) -> Result<(), Infallible> {
            let mut stored = self.stored.borrow_mut();
            match change.clone() {
                BoardWrite::Isolates(last) => stored.last = last,
                BoardWrite::Sum(bucket, counts) => drop(stored.sums.insert(bucket, *counts)),
                BoardWrite::Probe(minute, good) => drop(stored.probes.insert(minute, good)),
                BoardWrite::ProbedHour(hour, good) => drop(stored.probed_hours.insert(hour, good)),
                BoardWrite::Coverage(snapshot) => stored.coverage = Some(snapshot),
            }
            self.written.set(self.written.get() + 1);
            Ok(())
        }

        fn forget(&self, oldest: Oldest) -> Result<(), Infallible> {
            let mut stored = self.stored.borrow_mut();
            let rows = |board: &Board| board.sums.len() + board.probes.len() + board.probed_hours.len();
            let before = rows(&stored);
            stored.forget(oldest);
            self.written.set(self.written.get() + before - rows(&stored));
            Ok(())
        }

        fn set_alarm(&self, _at_ms: u64) -> Result<(), Infallible> {
            self.written.set(self.written.get() + 1);
            Ok(())
        }

        fn report(&self, unreadable: &Unreadable) {
            assert_eq!(unreadable.total(), 0);
        }
    }

    fn samples(isolate: u64, at_ms: u64, sequence: u64) -> Message {
        let mut counts = Counts::default();
        (0..sequence % 20).for_each(|n| counts.record(if n % 7 == 6 { 503 } else { 200 }, 3 * n + 1));
        Message::Samples(Batch { isolate, sequence, counts: vec![(Bucket::of(at_ms), counts)] })
    }

    fn answered(board: &mut StoredBoard, storage: &InMemory, message: Message, now_ms: u64) -> Answer {
        match board.answer(storage, message, now_ms) {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }

    /// Asks an object that has just woken up, and lets it sleep again.
    fn woken(storage: &InMemory, message: Message, now_ms: u64) -> Answer {
        let mut board = StoredBoard::default();
        let answer = answered(&mut board, storage, message, now_ms);
        let Ok(()) = board.wake(storage, now_ms);
        answer
    }

    /// A board after a week of traffic: a probe each minute, and samples of eight isolates in each bucket.
    static AFTER_A_WEEK: LazyLock<Board> = LazyLock::new(|| {
        let storage = InMemory::default();
        let mut board = StoredBoard::default();
        for now_ms in (0..WEEK).map(|minute| NOON - (WEEK - minute) * MINUTE_MS) {
            answered(&mut board, &storage, Message::Probe { at_ms: now_ms, good: true }, now_ms);
            if now_ms % BUCKET_MS == 0 {
                (0..8).for_each(|n| drop(answered(&mut board, &storage, samples(n, now_ms, now_ms), now_ms)));
                let Ok(()) = board.wake(&storage, now_ms);
            }
        }
        let stored = storage.stored.into_inner();
        assert!(stored.probes.len() as u64 > WEEK - 10 && stored.sums.len() as u64 > KEPT - 10);
        stored
    });

    fn after_a_week() -> InMemory {
        InMemory { stored: RefCell::new(AFTER_A_WEEK.clone()), ..InMemory::default() }
    }

    /// Counts the rows of a minute, which adds a probe, and samples. The object sleeps before each message.
    #[test]
    fn adding_a_minute_after_a_week_takes_a_handful_of_rows() {
        let storage = after_a_week();
        let check = |message: Message, most_read: usize, most_written: usize| {
            let shown = format!("{message:?}");
            woken(&storage, message, NOON);
            let (read, written) = storage.counted();
            println!("{read} rows read, {written} written: {}", &shown[..5]);
            assert!(read <= most_read && written <= most_written, "{read} read, {written} written: {shown}");
        };
        // What became a week old meanwhile goes: five minutes, their sum and their hour.
        check(Message::Probe { at_ms: NOON, good: true }, 0, 1 + 5 + 1 + 1);
        check(Message::Probe { at_ms: NOON + MINUTE_MS, good: true }, 0, 1);
        // The sum of the bucket and the isolates.
        check(samples(1, NOON, NOON), 2, 2);
        let early_ms = NOON - (MAX_BUCKETS + 1) * BUCKET_MS;
        check(samples(1, early_ms + BUCKET_MS, NOON + 1), 2, 2);
        check(samples(1, early_ms, NOON + 2), 1, 0);
    }

    /// Checks the rows of many isolates; the board writes every ten seconds.
    #[test]
    fn samples_of_many_isolates_take_a_handful_of_rows() {
        let (storage, mut board) = (InMemory::default(), StoredBoard::default());
        let send = |board: &mut StoredBoard, at_ms: u64| {
            (0..50).for_each(|n| drop(answered(board, &storage, samples(n, NOON, NOON + at_ms), NOON + at_ms)));
            storage.counted()
        };
        assert_eq!(send(&mut board, 1), (0, 2 + 1), "the first samples are written at once; then an alarm is set");
        assert_eq!(send(&mut board, 5_000), (0, 0));
        let Ok(()) = board.wake(&storage, NOON + 10_001);
        assert_eq!(storage.counted(), (0, 2));
        assert_eq!(*storage.stored.borrow(), board.board);
        let Ok(()) = board.wake(&storage, NOON + 20_001);
        assert_eq!(storage.counted(), (0, 0));
        // Whoever sleeps for long writes the next ones at once.
        assert_eq!(answered(&mut board, &storage, samples(1, NOON, NOON + 40_000), NOON + 40_000), Answer::Noted);
        assert_eq!(storage.counted(), (0, 2));
    }

    /// Counts the rows of an hour, whose last minute counts the probes of that hour.
    #[test]
    fn an_hour_of_probes_reads_and_writes_each_row_once() {
        let storage = after_a_week();
        for now_ms in (0..HOUR_MINUTES).map(|minute| NOON + minute * MINUTE_MS) {
            woken(&storage, Message::Probe { at_ms: now_ms, good: true }, now_ms);
        }
        let (read, written) = storage.counted();
        // 60 probes, the number of the hour, and as many rows that became a week old, with 12 sums.
        assert_eq!((read, written), (59, 61 + 61 + 12));
    }

    #[test]
    fn a_question_reads_the_days_that_it_shows() {
        let storage = after_a_week();
        let check = |message: Message, expect: usize| {
            woken(&storage, message, NOON);
            assert_eq!(storage.counted(), (expect, 0));
        };
        // The bucket of noon has no traffic yet, and the minute of noon no probe. The day begins at 12:05: of each hour its number is
        // read, of the first one all probes too, and one probe before noon.
        let of_probes = 24 + HOUR_MINUTES as usize + 1;
        check(Message::Metrics, 287 + of_probes);
        check(Message::Metering, 287);
        check(Message::History { hours: 1 }, 11);
        check(Message::History { hours: 168 }, 2_015);
        check(Message::Coverage, 0);
        // An object that is awake reads nothing twice.
        let mut board = StoredBoard::default();
        for (message, expect) in [
            (Message::History { hours: 24 }, 287),
            (Message::Metering, 0),
            (Message::Metrics, of_probes),
            (Message::Metrics, 0),
            (Message::History { hours: 25 }, 12),
        ] {
            answered(&mut board, &storage, message, NOON);
            assert_eq!(storage.counted(), (expect, 0));
        }
    }

    /// Sends the same messages to a board that holds everything, to one that sleeps before each message, and to one that
    /// never sleeps.
    #[test]
    fn a_board_that_sleeps_answers_as_one_that_holds_everything() {
        let mut state = 11_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (sleeping, waking, mut awake) = (InMemory::default(), InMemory::default(), StoredBoard::default());
        let mut whole = Board::default();
        let mut now_ms = NOON;
        let mut send = |message: Message, now_ms: u64| {
            let (expect, changes) = whole.answer(message.clone(), now_ms);
            if !changes.is_empty() || !whole.unsaved(now_ms).is_empty() {
                whole.forget(Oldest::at(now_ms));
            }
            assert_eq!(woken(&sleeping, message.clone(), now_ms), expect, "{message:?}");
            assert_eq!(answered(&mut awake, &waking, message, now_ms), expect);
        };
        for step in 1..=6_000_u64 {
            // Some steps are an outage of a day, one is an outage of more than a week.
            now_ms += match step {
                4_000 => 8 * 24 * 60 * MINUTE_MS,
                _ if random(2_000) == 0 => 24 * 60 * MINUTE_MS,
                _ => MINUTE_MS,
            };
            if random(200) > 0 {
                send(Message::Probe { at_ms: now_ms, good: random(9) > 0 }, now_ms);
            }
            // Questions add up thousands of histograms: some hundred of them are enough.
            let message = match random(48) {
                0..3 => Message::Probe { at_ms: now_ms - random(90) * MINUTE_MS, good: random(2) > 0 },
                3..12 => samples(random(3), now_ms - random(50) * BUCKET_MS, now_ms - random(3) * MINUTE_MS),
                12 => Message::Metrics,
                13 => Message::Metering,
                14 => Message::History { hours: 1 + random(168) },
                _ => continue,
            };
            send(message, now_ms);
        }
        assert!(whole.probed_hours.len() > 10, "{:?}", whole.probed_hours);
        let Ok(()) = awake.wake(&waking, now_ms);
        assert_eq!(*sleeping.stored.borrow(), whole);
        assert_eq!(*waking.stored.borrow(), whole);
    }
}
