//! Fuzz target for records that objects store, and messages between the Worker and its objects.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toponym_edge::auth::keyring::Keyring;
use toponym_edge::durable::directory::{DirectoryRequest, Listed};
use toponym_edge::durable::key::{self, Key, Stored};
use toponym_edge::durable::message::{Envelope, Reply};
use toponym_edge::durable::record::{KeyRecord, KeyView, Patch};
use toponym_edge::durable::rows::Unreadable;
use toponym_edge::meter::exchanges::{Exchanges, SavedExchanges, Source};
use toponym_edge::meter::ledger::{Ledger, Saved};
use toponym_edge::meter::plan::{Overrides, Plan};
use toponym_edge::metrics::board::{Answer, Board, Message};
use toponym_edge::metrics::counts::Counts;
use toponym_edge::metrics::rows::BoardRows;
use toponym_edge::metrics::snapshot::Snapshot;
use toponym_edge::metrics::tally::Batch;

use crate::support::NOON;

/// Reads the name of a record on a line, then its JSON. A record must survive being stored again, and its receiver must
/// not panic.
pub fn records(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Some((name, json)) = text.split_once('\n') else { return };
    match name {
        "Answer" => drop(store_again::<Answer>(json)),
        "Batch" => {
            if let Some(batch) = store_again::<Batch>(json) {
                let mut board = Board::default();
                board.answer(Message::Samples(batch.clone()), NOON);
                board.take_unsaved(NOON);
                board.answer(Message::Samples(batch), NOON);
                assert_eq!(board.take_unsaved(NOON), [], "a batch counts once");
            }
        }
        "Counts" => {
            if let Some(counts) = store_again::<Counts>(json) {
                let mut sum = counts.clone();
                sum.add(&counts);
                assert!((0.0..=100.0).contains(&sum.success_rate()), "{sum:?}");
            }
        }
        "Envelope" => {
            if let Some(envelope) = store_again::<Envelope>(json) {
                decide(&envelope);
            }
        }
        "KeyRecord" => {
            if let Some(record) = store_again::<KeyRecord>(json) {
                record.limits();
            }
        }
        "KeyView" => drop(store_again::<KeyView>(json)),
        "Keyring" => {
            if let Ok(ring) = Keyring::parse(json) {
                assert_eq!(ring.get(ring.active().0), Some(ring.active().1), "the active key is one of the ring");
            }
        }
        "Listed" => drop(store_again::<Listed>(json)),
        "Message" => {
            if let Some(message) = store_again::<Message>(json) {
                say(message);
            }
        }
        "Patch" => drop(store_again::<Patch>(json)),
        "Question" => drop(store_again::<DirectoryRequest>(json)),
        "Reply" => drop(store_again::<Reply>(json)),
        "BoardRows" => {
            let rows = Rows::read(json);
            let rows = BoardRows { hours: rows.of("hours"), facts: rows.of("facts") };
            let mut board = Board::default();
            board.add(rows, &mut Unreadable::default());
            ask(board);
        }
        "Saved" => {
            if let Some(saved) = store_again::<Saved>(json) {
                Ledger::restore(saved).look(&Plan::Growth.limits(Overrides::default()), NOON);
            }
        }
        "SavedExchanges" => {
            if let Some(saved) = store_again::<SavedExchanges>(json) {
                let _counted = Exchanges::restore(saved).count(Source(1), true, NOON);
            }
        }
        "Snapshot" => drop(store_again::<Snapshot>(json)),
        _ => {}
    }
}

/// Reads a record, and checks that it survives being stored again.
fn store_again<T: Serialize + DeserializeOwned + Debug>(json: &str) -> Option<T> {
    let record: T = serde_json::from_str(json).ok()?;
    let once = serde_json::to_string(&record).expect("a record is JSON");
    let again: T = serde_json::from_str(&once).unwrap_or_else(|error| panic!("{error} in {once}"));
    assert_eq!(serde_json::to_string(&again).expect("a record is JSON"), once);
    Some(again)
}

/// Sends the message to the object of an unknown key, and to that of an existing one.
fn decide(envelope: &Envelope) {
    let mut vacant = Stored::Nothing;
    key::decide(&mut vacant, envelope.clone(), NOON);
    let record = r#"{"clientId":"app_a","account":"a","name":"a","plan":"free","enabled":true,"createdMs":0,
        "secret":{"pepper":"k1","hash":"x"}}"#;
    let mut key = Stored::Key(Box::new(Key::new(serde_json::from_str(record).expect("the record is whole"))));
    let mut later = NOON;
    for _ in 0..3 {
        key::decide(&mut key, envelope.clone(), later);
        later += 60_000;
    }
}

/// Rows of tables, by the name of the table.
struct Rows(Value);

impl Rows {
    fn read(json: &str) -> Self {
        Self(serde_json::from_str(json).unwrap_or_default())
    }

    /// Reads the rows of a table that have its columns.
    fn of<T: DeserializeOwned>(&self, table: &str) -> Vec<T> {
        let rows = self.0[table].as_array().into_iter().flatten();
        rows.filter_map(|row| serde_json::from_value(row.clone()).ok()).collect()
    }
}

/// Sends a message to a board twice, and then requests its figures.
fn say(message: Message) {
    let mut board = Board::default();
    board.answer(message.clone(), NOON);
    board.answer(message, NOON);
    ask(board);
}

fn ask(mut board: Board) {
    for question in [Message::Metrics, Message::History { hours: 168 }, Message::Coverage] {
        board.take_unsaved(NOON);
        let answer = board.answer(question, NOON);
        assert_eq!(board.take_unsaved(NOON), [], "asking changes nothing");
        let json = serde_json::to_string(&answer).expect("an answer is JSON");
        assert!(serde_json::from_str::<Answer>(&json).is_ok(), "{json}");
    }
}
