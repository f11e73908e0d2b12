//! The board over its storage. The platform puts the object to sleep between two minutes, counts each row that it then reads
//! again, and gives a free account five million a day. So a message reads only the hours that it needs: one that adds a minute
//! reads one hour or two, however many days are stored.

use std::ops::Range;

use super::board::{Answer, Board, BoardWrite, Message, first_kept_hour};
use super::rows::BoardRows;
use crate::durable::rows::Unreadable;

/// Shortest time between two writes of samples, milliseconds. An object that ends without a word loses as much.
const SAVE_MS: u64 = 10_000;

/// A number above all stored ones, which are safe integers of JavaScript.
const ABOVE_ALL: u64 = (1 << 53) - 1;

/// Storage of a board.
pub trait BoardStorage {
    /// Failure of the storage.
    type Error;

    /// Reads the hours of a range; with `facts` what there is besides. Counts the rows that cannot be read.
    fn read(&self, hours: Range<u64>, facts: bool, unreadable: &mut Unreadable) -> Result<BoardRows, Self::Error>;

    /// Sets the alarm for [`StoredBoard::wake`].
    fn set_alarm(&self, at_ms: u64) -> Result<(), Self::Error>;

    /// Stores a change.
    fn write(&self, change: &BoardWrite) -> Result<(), Self::Error>;

    /// Deletes the hours before `first`.
    fn forget(&self, first: u64) -> Result<(), Self::Error>;

    /// Reports rows that could not be read, if there are any.
    fn report(&self, unreadable: &Unreadable);
}

/// A board with those hours of its storage that messages needed so far.
#[derive(Debug, Default)]
pub struct StoredBoard {
    board: Board,
    /// The first hour that was read, with all after it; `None` before anything was read.
    read_from: Option<u64>,
    /// When rows were written last.
    saved_ms: u64,
    /// True while an alarm is to come.
    is_alarm_set: bool,
    /// The first hour that was kept when older ones were deleted.
    kept_from: u64,
}

impl StoredBoard {
    /// Answers a message: reads what it needs, decides, stores.
    pub fn answer<S: BoardStorage>(&mut self, storage: &S, message: Message, now_ms: u64) -> Result<Answer, S::Error> {
        self.read(storage, message.first_hour(now_ms).unwrap_or(ABOVE_ALL))?;
        let is_of_samples = matches!(message, Message::Samples(_));
        let answer = self.board.answer(message, now_ms);
        if !is_of_samples {
            self.save(storage, now_ms)?;
        } else if !(self.saved_ms..self.saved_ms + SAVE_MS).contains(&now_ms) {
            self.wake(storage, now_ms)?;
        } else if !self.is_alarm_set {
            storage.set_alarm(self.saved_ms + SAVE_MS)?;
            self.is_alarm_set = true;
        }
        Ok(answer)
    }

    /// Writes samples that wait.
    pub fn wake<S: BoardStorage>(&mut self, storage: &S, now_ms: u64) -> Result<(), S::Error> {
        self.is_alarm_set = false;
        self.saved_ms = now_ms;
        self.save(storage, now_ms)
    }

    /// Writes what changed, and once an hour deletes what is too old.
    fn save<S: BoardStorage>(&mut self, storage: &S, now_ms: u64) -> Result<(), S::Error> {
        let writes = self.board.take_unsaved(now_ms);
        writes.iter().try_for_each(|change| storage.write(change))?;
        let first = first_kept_hour(now_ms);
        if !writes.is_empty() && first != self.kept_from {
            storage.forget(first)?;
            self.board.forget(first);
            self.kept_from = first;
        }
        Ok(())
    }

    /// Reads the hours from `first` on that are not here.
    fn read<S: BoardStorage>(&mut self, storage: &S, first: u64) -> Result<(), S::Error> {
        let end = self.read_from.unwrap_or(ABOVE_ALL);
        if first < end || self.read_from.is_none() {
            let mut unreadable = Unreadable::default();
            let rows = storage.read(first..end, self.read_from.is_none(), &mut unreadable)?;
            self.board.add(rows, &mut unreadable);
            self.read_from = Some(first);
            storage.report(&unreadable);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::convert::Infallible;
    use std::sync::LazyLock;

    use super::*;
    use crate::metrics::board::Register;
    use crate::metrics::bucket::{BUCKET_MS, Bucket, KEPT};
    use crate::metrics::counts::Counts;
    use crate::metrics::rows::{FactRow, HourRow, REGISTER};
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
        fn take_counts(&self) -> (usize, usize) {
            (self.read.take(), self.written.take())
        }
    }

    impl BoardStorage for InMemory {
        type Error = Infallible;

        fn read(&self, hours: Range<u64>, facts: bool, _: &mut Unreadable) -> Result<BoardRows, Infallible> {
            let stored = self.stored.borrow();
            let mut rows = BoardRows {
                hours: stored
                    .hours
                    .range(hours)
                    .map(|(at, hour)| HourRow { hour: *at, json: json(serde_json::to_string(hour)) })
                    .collect(),
                facts: Vec::new(),
            };
            if facts && stored.register != Register::default() {
                rows.facts
                    .push(FactRow { name: REGISTER.to_owned(), json: json(serde_json::to_string(&stored.register)) });
            }
            self.read.set(self.read.get() + rows.hours.len() + rows.facts.len());
            Ok(rows)
        }

        fn write(&self, change: &BoardWrite) -> Result<(), Infallible> {
            let mut stored = self.stored.borrow_mut();
            match change.clone() {
                BoardWrite::Hour(at, hour) => drop(stored.hours.insert(at, *hour)),
                BoardWrite::Register(register) => stored.register = register,
                BoardWrite::Coverage(snapshot) => stored.coverage = Some(snapshot),
            }
            self.written.set(self.written.get() + 1);
            Ok(())
        }

        fn forget(&self, first: u64) -> Result<(), Infallible> {
            let mut stored = self.stored.borrow_mut();
            let before = stored.hours.len();
            stored.forget(first);
            self.written.set(self.written.get() + before - stored.hours.len());
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

    fn json(value: Result<String, serde_json::Error>) -> String {
        value.expect("parts of a board are JSON")
    }

    fn samples(isolate: u64, at_ms: u64, sequence: u64) -> Message {
        let mut counts = Counts::default();
        (0..sequence % 20).for_each(|n| counts.record(if n % 7 == 6 { 503 } else { 200 }, 3 * n + 1));
        Message::Samples(Batch { isolate, sequence, counts: vec![(Bucket::of(at_ms), counts)] })
    }

    fn answer(board: &mut StoredBoard, storage: &InMemory, message: Message, now_ms: u64) -> Answer {
        match board.answer(storage, message, now_ms) {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }

    /// Asks an object that has just woken up, and lets it sleep again.
    fn woken(storage: &InMemory, message: Message, now_ms: u64) -> Answer {
        let mut board = StoredBoard::default();
        let answer = answer(&mut board, storage, message, now_ms);
        let Ok(()) = board.wake(storage, now_ms);
        answer
    }

    /// A board after a week of traffic: a probe each minute, and samples of eight isolates in each bucket.
    static AFTER_A_WEEK: LazyLock<Board> = LazyLock::new(|| {
        let storage = InMemory::default();
        let mut board = StoredBoard::default();
        for now_ms in (0..WEEK).map(|minute| NOON - (WEEK - minute) * MINUTE_MS) {
            answer(&mut board, &storage, Message::Probe { at_ms: now_ms, good: true }, now_ms);
            if now_ms % BUCKET_MS == 0 {
                (0..8).for_each(|n| drop(answer(&mut board, &storage, samples(n, now_ms, now_ms), now_ms)));
                let Ok(()) = board.wake(&storage, now_ms);
            }
        }
        let stored = storage.stored.into_inner();
        let sums = stored.hours.values().map(|hour| hour.sums.len()).sum::<usize>() as u64;
        assert!(stored.hours.len() as u64 >= WEEK / 60 && sums > KEPT - 10);
        stored
    });

    fn after_a_week() -> InMemory {
        InMemory { stored: RefCell::new(AFTER_A_WEEK.clone()), ..InMemory::default() }
    }

    /// Counts the rows of a minute, which adds a probe, and samples. The object sleeps before each message.
    #[test]
    fn adding_a_minute_touches_few_rows() {
        let storage = after_a_week();
        let check = |message: Message, most_read: usize, most_written: usize| {
            let shown = format!("{message:?}");
            woken(&storage, message, NOON);
            let (read, written) = storage.take_counts();
            println!("{read} rows read, {written} written: {}", &shown[..5]);
            assert!(read <= most_read && written <= most_written, "{read} read, {written} written: {shown}");
        };
        // The register, the hour, and the one that became a week old.
        check(Message::Probe { at_ms: NOON, good: true }, 1, 1 + 1);
        check(Message::Probe { at_ms: NOON + MINUTE_MS, good: true }, 2, 1);
        // The hour and the register.
        check(samples(1, NOON, NOON), 2, 2);
        let early_ms = NOON - (MAX_BUCKETS + 1) * BUCKET_MS;
        check(samples(1, early_ms + BUCKET_MS, NOON + 1), 1 + 2, 2);
        check(samples(1, early_ms, NOON + 2), 1, 0);
    }

    /// Checks the rows of many isolates; the board writes every ten seconds.
    #[test]
    fn samples_of_many_isolates_touch_few_rows() {
        let storage = InMemory::default();
        let mut board = StoredBoard::default();
        let send = |board: &mut StoredBoard, at_ms: u64| {
            (0..50).for_each(|n| drop(answer(board, &storage, samples(n, NOON, NOON + at_ms), NOON + at_ms)));
            storage.take_counts()
        };
        assert_eq!(send(&mut board, 1), (0, 2 + 1), "the first samples are written at once; then an alarm is set");
        assert_eq!(send(&mut board, 5_000), (0, 0));
        let Ok(()) = board.wake(&storage, NOON + 10_001);
        assert_eq!(storage.take_counts(), (0, 2));
        assert_eq!(*storage.stored.borrow(), board.board);
        let Ok(()) = board.wake(&storage, NOON + 20_001);
        assert_eq!(storage.take_counts(), (0, 0));
        // Whoever sleeps for long writes the next ones at once.
        assert_eq!(answer(&mut board, &storage, samples(1, NOON, NOON + 40_000), NOON + 40_000), Answer::Noted);
        assert_eq!(storage.take_counts(), (0, 2));
    }

    #[test]
    fn a_question_reads_the_days_that_it_shows() {
        let storage = after_a_week();
        let check = |message: Message, expect: usize| {
            woken(&storage, message, NOON);
            assert_eq!(storage.take_counts(), (expect, 0));
        };
        // The register, and hours with those that have a part of the time. The hour of noon has no row yet.
        check(Message::Metrics, 1 + 24);
        check(Message::Metering, 1 + 24);
        check(Message::History { hours: 1 }, 1 + 1);
        check(Message::History { hours: 168 }, 1 + 168);
        check(Message::Coverage, 1);
        // An object that is awake reads nothing twice.
        let mut board = StoredBoard::default();
        for (message, expect) in [
            (Message::History { hours: 24 }, 1 + 24),
            (Message::Metering, 0),
            (Message::Metrics, 0),
            (Message::History { hours: 25 }, 1),
        ] {
            answer(&mut board, &storage, message, NOON);
            assert_eq!(storage.take_counts(), (expect, 0));
        }
    }

    /// Sends the same messages to a board that holds everything, to one that sleeps before each message, and to one that
    /// never sleeps.
    #[test]
    fn a_woken_board_answers_like_a_full_one() {
        let mut state = 11_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let sleeping = InMemory::default();
        let waking = InMemory::default();
        let mut awake = StoredBoard::default();
        let mut whole = Board::default();
        let mut now_ms = NOON;
        let mut send = |message: Message, now_ms: u64| {
            let expect = whole.answer(message.clone(), now_ms);
            if !whole.take_unsaved(now_ms).is_empty() {
                whole.forget(first_kept_hour(now_ms));
            }
            assert_eq!(woken(&sleeping, message.clone(), now_ms), expect, "{message:?}");
            assert_eq!(answer(&mut awake, &waking, message, now_ms), expect);
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
        assert!(whole.hours.len() > 10, "{:?}", whole.hours.keys());
        let Ok(()) = awake.wake(&waking, now_ms);
        assert_eq!(*sleeping.stored.borrow(), whole);
        assert_eq!(*waking.stored.borrow(), whole);
    }
}
