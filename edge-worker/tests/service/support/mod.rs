//! The in-memory platform: a clock that tests set, objects that keep what the real ones store, and fault injection.
//!
//! Every request to an object and all that it stores pass through JSON. [`InMemory::end`] ends an object without a word, so that
//! what it did not store is lost; [`InMemory::sleep`] ends it after its alarm, as the platform does.

mod requests;
mod stored;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toponym_edge::auth::credentials::SecretHash;
use toponym_edge::clock::Clock;
use toponym_edge::durable::demo;
use toponym_edge::durable::directory::{DirectoryRequest, Listed};
use toponym_edge::durable::home::{Home, StoredRecord, Table};
use toponym_edge::durable::key::{Key, KeyWrite, Stored as Loaded, decide};
use toponym_edge::durable::message::{Command, Envelope, Reply};
use toponym_edge::durable::record::KeyRecord;
use toponym_edge::error::Failure;
use toponym_edge::meter::exchanges::Exchanges;
use toponym_edge::meter::ledger::Ledger;
use toponym_edge::meter::plan::{Overrides, Plan};
use toponym_edge::metrics::board::{Answer, Board, Message};
use toponym_edge::metrics::flush;
use toponym_edge::places::Places;
use toponym_edge::platform::{FetchedPages, Made, Memory};
use toponym_edge::response::Response;
use toponym_edge::{Config, Platform, router};
use toponym_engine::geo::Coordinate;
use toponym_engine::index::WriteError;
use toponym_engine::pages::{PageSizes, WrittenPages, write_paged};
use toponym_engine::{Engine, Gazetteer};

pub use requests::{TestBody, credentials, json_of, poll, request, run};
pub use stored::Stored;
use stored::read;

/// 2026-11-20T12:00:00Z.
pub const NOON: u64 = 1_795_176_000_000;

/// The variables of a deployment in tests.
pub const RING: &str = r#"{"active":"k1","keys":{"k1":"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}}"#;

/// Unknown keys that a network may present: the limit of the guard in wrangler.toml.
pub const STRANGERS: u32 = 20;

/// A platform in memory.
pub struct InMemory {
    pub clock: Cell<u64>,
    pub config: Option<Config>,
    pub places: RefCell<Option<Rc<Places>>>,
    /// The files of pages by name, if the index is in pages.
    pub files: RefCell<BTreeMap<String, Vec<u8>>>,
    /// Number of fetches of pages so far.
    pub fetches: Cell<u32>,
    /// Pages that one fetch may have, as if the platform allowed no more.
    pub pages_a_fetch: Cell<usize>,
    /// Number of fetches of each page.
    pub fetched: RefCell<BTreeMap<String, u32>>,
    pub objects: RefCell<HashMap<String, Stored>>,
    /// Memory of the objects.
    living: RefCell<HashMap<String, Loaded>>,
    /// True if objects answer.
    pub reachable: Cell<bool>,
    /// True if the next reply of an object is lost on its way, after the object has done what was asked.
    pub loses_reply: Cell<bool>,
    /// Losses of the next replies: true for each that is lost on its way, after the object has done what was asked.
    pub loses_replies: RefCell<VecDeque<bool>>,
    /// Luggage of the keys that moved, by its number.
    luggage: RefCell<Vec<Stored>>,
    /// True if objects, the board too, are long in answering.
    pub slow: Cell<bool>,
    /// Time that an object's question takes on its way.
    pub delay_ms: Cell<u64>,
    /// True if a call for the engine panics, as a defect in a handler would.
    pub defect: Cell<bool>,
    /// Regions in which objects that did not exist were asked to be, by their keys.
    pub placed: RefCell<BTreeMap<String, Option<String>>>,
    /// Number of calls of objects so far.
    pub asked: Cell<u32>,
    /// Number of times that the engine was asked for so far.
    pub computed: Cell<u32>,
    /// Keys that do not exist, by the network that presented them.
    pub strangers: RefCell<BTreeMap<String, u32>>,
    /// The directory, and whether it answers.
    pub listed: RefCell<BTreeMap<String, Listed>>,
    buried: RefCell<BTreeMap<String, Listed>>,
    pub directory_answers: Cell<bool>,
    /// The board, and whether it answers.
    pub board: RefCell<Board>,
    pub board_answers: Cell<bool>,
    /// Number of calls of the board so far.
    pub board_asked: Cell<u32>,
    /// Place where the platform takes callers to be.
    pub caller_place: Cell<Option<Coordinate>>,
    pub log: RefCell<Vec<String>>,
    /// Number of random values so far. All values are distinct.
    drawn: Cell<u16>,
    memory: Memory,
}

fn write_index(gazetteer: &Gazetteer) -> Vec<u8> {
    toponym_engine::index::write(gazetteer).expect("the test gazetteer is sound")
}

impl InMemory {
    /// Creates a deployment with the demo keys and the small gazetteer, at [`NOON`].
    pub fn new() -> Self {
        Self::with_variables(&[("TOPONYM_DEMO", "true")])
    }

    /// Creates a deployment with the places of several indexes, the first of which is the small gazetteer.
    pub fn with_indexes(others: &[Gazetteer]) -> Self {
        let platform = Self::new();
        platform.open(write_index(&crate::gazetteer::gazetteer()), others);
        platform
    }

    fn open(&self, first: Vec<u8>, others: &[Gazetteer]) {
        let files = std::iter::once(first).chain(others.iter().map(write_index)).map(Bytes::from);
        let places = Places::open(files).expect("indexes just written open");
        self.places.replace(Some(Rc::new(places)));
    }

    /// Creates a deployment with the places of several indexes, the first of which is the small gazetteer in pages.
    pub fn with_pages(others: &[Gazetteer]) -> Self {
        let mut files = BTreeMap::new();
        let mut take = |written: WrittenPages| -> Result<(), WriteError> {
            files.extend(written.pages.into_iter().map(|page| (page.file_name(), page.bytes)));
            Ok(())
        };
        // Nothing but countries and states is in the root.
        let sizes = PageSizes { root: 0, crown: 500, page: 500 };
        let root = write_paged(&crate::gazetteer::gazetteer(), sizes, &mut take).expect("the test gazetteer is sound");
        let platform = Self::new();
        platform.open(root, others);
        platform.files.replace(files);
        platform
    }

    /// Creates a deployment with these variables besides the required ones.
    pub fn with_variables(extra: &[(&str, &str)]) -> Self {
        let base = [("TOPONYM_SIGNING_KEYS", RING), ("TOPONYM_PEPPER", RING)];
        let get = |name: &str| {
            let found = extra.iter().chain(&base).find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let index = write_index(&crate::gazetteer::gazetteer());
        let engine = Engine::open(index).expect("an index just written opens");
        Self {
            clock: Cell::new(NOON),
            config: Config::read(get).ok(),
            places: RefCell::new(Some(Rc::new(Places::Whole(engine)))),
            files: RefCell::default(),
            fetches: Cell::new(0),
            pages_a_fetch: Cell::new(usize::MAX),
            fetched: RefCell::default(),
            objects: RefCell::default(),
            living: RefCell::default(),
            reachable: Cell::new(true),
            loses_reply: Cell::new(false),
            loses_replies: RefCell::default(),
            luggage: RefCell::default(),
            slow: Cell::new(false),
            delay_ms: Cell::new(1),
            defect: Cell::new(false),
            placed: RefCell::default(),
            asked: Cell::new(0),
            computed: Cell::new(0),
            strangers: RefCell::default(),
            listed: RefCell::default(),
            buried: RefCell::default(),
            directory_answers: Cell::new(true),
            board: RefCell::default(),
            board_answers: Cell::new(true),
            board_asked: Cell::new(0),
            caller_place: Cell::default(),
            log: RefCell::default(),
            drawn: Cell::new(0),
            memory: Memory::default(),
        }
    }

    /// Creates a key `gck_<name>` with secret `gcs_<name>`, changed by `change`.
    pub fn create(&self, name: &str, plan: Plan, change: impl FnOnce(&mut KeyRecord)) {
        let config = self.config.as_ref().expect("the deployment has its variables");
        let mut record = KeyRecord {
            client_id: format!("app_{name}"),
            account: "account".into(),
            name: name.into(),
            plan,
            overrides: Overrides::default(),
            enabled: true,
            restrictions: Default::default(),
            secret: SecretHash::new(&format!("gcs_{name}"), &config.peppers),
            created_ms: NOON,
            location: None,
            moves: 0,
        };
        change(&mut record);
        let reply = self.command(&format!("gck_{name}"), Command::Create(Box::new(record)));
        assert!(matches!(reply, Reply::Shown(_)), "{reply:?}");
    }

    /// Resets the counts of calls and computations.
    pub fn forget_counts(&self) {
        self.asked.set(0);
        self.computed.set(0);
    }

    /// Changes the stored record of a key.
    pub fn edit(&self, key: &str, change: impl FnOnce(&mut KeyRecord)) {
        let mut objects = self.objects.borrow_mut();
        let stored = objects.get_mut(key).and_then(|stored| stored.record.as_mut()).expect("the key was created");
        let mut record = serde_json::from_str(stored).expect("a record survives its JSON form");
        change(&mut record);
        *stored = serde_json::to_string(&record).expect("a record is JSON");
        self.living.borrow_mut().remove(key);
    }

    /// Returns what the object of a key counts of its requests.
    pub fn ledger(&self, key: &str) -> Ledger {
        match self.living.borrow().get(key) {
            Some(Loaded::Key(loaded)) => loaded.requests.clone(),
            _ => self.objects.borrow()[key].to_saved().map(Ledger::restore).unwrap_or_default(),
        }
    }

    /// Ends an object without a word.
    pub fn end(&self, key: &str) {
        self.living.borrow_mut().remove(key);
    }

    /// Lets the alarms of an object come, and ends it.
    pub fn sleep(&self, key: &str) {
        let alarm_ms = || self.objects.borrow().get(key).and_then(|stored| stored.alarm_ms);
        while let Some(alarm_ms) = alarm_ms() {
            self.wake(key, alarm_ms);
        }
        self.end(key);
    }

    fn wake(&self, name: &str, now_ms: u64) {
        let mut objects = self.objects.borrow_mut();
        let mut living = self.living.borrow_mut();
        let stored = objects.get_mut(name).expect("an alarm is that of an object");
        stored.alarm_ms = None;
        let changes = match living.get_mut(name) {
            Some(Loaded::Key(key)) => key.wake(now_ms),
            // It has ended or has moved since.
            _ => {
                let row = stored.to_saved().map(Ledger::restore).and_then(|mut ledger| ledger.wake(None, now_ms));
                row.map(|row| KeyWrite::Requests(Box::new(row))).into_iter().collect()
            }
        };
        changes.iter().for_each(|change| stored.apply(change));
    }

    /// Stores for `to` what is stored of `from`.
    pub fn copy(&self, from: &str, to: &str) {
        let mut objects = self.objects.borrow_mut();
        let stored = objects[from].clone();
        objects.insert(to.to_owned(), stored);
        self.living.borrow_mut().remove(to);
    }

    /// Asks an object past all layers.
    pub fn command(&self, key: &str, command: Command) -> Reply {
        run(self.ask(key, command)).expect("objects are reachable")
    }

    /// Sends a request without headers: `GET /path?query`, or `POST /path` with a body.
    pub fn send(&self, line: &str, body: &str) -> Response {
        self.send_with(line, &[], body)
    }

    /// Sends a request with a bearer token.
    pub fn send_as(&self, token: &str, line: &str, body: &str) -> Response {
        self.send_with(line, &[("authorization", &format!("Bearer {token}"))], body)
    }

    /// Sends the [`request`].
    pub fn send_with(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Response {
        run(toponym_edge::handle(self, request(line, headers, body)))
    }

    /// Sends the isolate's samples.
    pub fn settle(&self) -> bool {
        run(flush::flush(self))
    }

    /// Exchanges the credentials of `gck_<name>` for a token of an hour.
    pub fn token(&self, name: &str) -> String {
        let response = self.send("POST /api-clients/token", &credentials(name));
        let body = json_of(&response);
        body["token"].as_str().unwrap_or_else(|| panic!("no token for {name}: {body}")).to_owned()
    }
}

impl Clock for InMemory {
    fn now_ms(&self) -> u64 {
        self.clock.get()
    }

    /// Waits until the clock has gone on: that is for tests to set.
    async fn pause(&self, ms: u64) {
        let until_ms = self.clock.get() + ms;
        poll_fn(|_| if self.clock.get() >= until_ms { Poll::Ready(()) } else { Poll::Pending }).await;
    }
}

impl Platform for InMemory {
    type Body = TestBody;

    fn config(&self) -> Result<&Config, Failure> {
        self.config.as_ref().ok_or(Failure::Unavailable)
    }

    async fn places(&self) -> Result<Rc<Places>, Failure> {
        self.computed.set(self.computed.get() + 1);
        assert!(!self.defect.get(), "a defect on demand");
        self.places.borrow().clone().ok_or(Failure::Unavailable)
    }

    async fn pages(&self, files: &[String]) -> FetchedPages {
        self.fetches.set(self.fetches.get() + 1);
        let mut fetched = FetchedPages::default();
        for (number, name) in files.iter().enumerate() {
            if number == self.pages_a_fetch.get() {
                fetched.failure.get_or_insert(Failure::Unavailable);
                break;
            }
            let file = self.files.borrow().get(name).cloned();
            if file.is_none() {
                fetched.failure.get_or_insert(Failure::Upstream);
            }
            *self.fetched.borrow_mut().entry(name.clone()).or_default() += 1;
            fetched.files.push(file);
        }
        fetched
    }

    fn made(&self) -> Option<Made> {
        Some(Made { at: "2026-01-02T00:00:00Z".into(), arguments: "--add seven.csv".into() })
    }

    fn ask_at(&self, key: &str, home: Home, command: Command) -> impl Future<Output = Result<Reply, Failure>> {
        self.asked.set(self.asked.get() + 1);
        let name = home.object_name(key).into_owned();
        if !self.objects.borrow().contains_key(&name) && self.reachable.get() {
            self.placed.borrow_mut().insert(name.clone(), command.location().map(String::from));
        }
        // It gets there whether somebody waits for the reply or not. An object that is slow takes it when it answers.
        let sent = move || self.reply_to(&name, &Envelope::new(key, command.clone(), self.now_ms()));
        let replied = (!self.slow.get()).then(&sent);
        async move {
            self.wait().await;
            replied.unwrap_or_else(sent)
        }
    }

    async fn directory(&self, request: DirectoryRequest) -> Result<Vec<Listed>, Failure> {
        if !self.directory_answers.get() {
            return Err(Failure::Unavailable);
        }
        let mut listed = self.listed.borrow_mut();
        Ok(match pass_as_json(&request) {
            DirectoryRequest::Add(key) => {
                listed.insert(key.api_key.clone(), key);
                Vec::new()
            }
            DirectoryRequest::Bury(key) => {
                self.buried.borrow_mut().insert(key.api_key.clone(), key);
                Vec::new()
            }
            DirectoryRequest::ListDeleted { after } => {
                self.buried.borrow().values().filter(|key| key.api_key > after).cloned().collect()
            }
            DirectoryRequest::Remove(key) => listed.remove(&key).into_iter().collect(),
            DirectoryRequest::List { after } => listed.values().filter(|key| key.api_key > after).cloned().collect(),
        })
    }

    async fn board(&self, message: Message) -> Result<Answer, Failure> {
        self.board_asked.set(self.board_asked.get() + 1);
        self.wait().await;
        let answer = self.board.borrow_mut().answer(pass_as_json(&message), self.now_ms());
        // Without an answer nobody knows that it was taken.
        if self.board_answers.get() { Ok(pass_as_json(&answer)) } else { Err(Failure::Unavailable) }
    }

    async fn admits_stranger(&self, network: &str) -> bool {
        let mut strangers = self.strangers.borrow_mut();
        let presented = strangers.entry(network.to_owned()).or_default();
        *presented += 1;
        *presented <= STRANGERS
    }

    fn caller_place(&self) -> Option<Coordinate> {
        self.caller_place.get()
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn random<const N: usize>(&self) -> [u8; N] {
        let [low, high] = self.drawn.replace(self.drawn.get().wrapping_add(1)).to_le_bytes();
        std::array::from_fn(|at| low.wrapping_add(at as u8) ^ if at + 1 == N { high } else { 0 })
    }

    fn log(&self, line: &str) {
        self.log.borrow_mut().push(line.to_owned());
    }
}

impl InMemory {
    async fn wait(&self) {
        poll_fn(|_| if self.slow.get() { Poll::Pending } else { Poll::Ready(()) }).await;
    }

    /// Returns what comes of a request to the object `name`.
    fn reply_to(&self, name: &str, envelope: &Envelope) -> Result<Reply, Failure> {
        if !self.reachable.get() {
            return Err(Failure::Unavailable);
        }
        let reply = self.decide(name, pass_as_json(envelope), self.now_ms() + self.delay_ms.get());
        let is_lost = self.loses_reply.take() || self.loses_replies.borrow_mut().pop_front().unwrap_or_default();
        if is_lost { Err(Failure::Unavailable) } else { Ok(pass_as_json(&reply)) }
    }

    /// Handles a request like the object `name` at `now_ms`: loads, decides, stores.
    pub fn decide(&self, name: &str, mut envelope: Envelope, now_ms: u64) -> Reply {
        let alarm_ms = self.objects.borrow().get(name).and_then(|stored| stored.alarm_ms);
        if alarm_ms.is_some_and(|alarm_ms| alarm_ms <= now_ms) {
            self.wake(name, now_ms);
        }
        let mut objects = self.objects.borrow_mut();
        let mut living = self.living.borrow_mut();
        let stored = objects.entry(name.to_owned()).or_default();
        let mut loaded = living.remove(name).unwrap_or_else(|| self.load(&envelope.key, stored));
        if let Command::Leave { tables, .. } = &mut envelope.command {
            if let Loaded::Key(key) = &mut loaded {
                key.pack(now_ms).iter().for_each(|change| stored.apply(change));
            }
            *tables = vec![self.copy_tables(stored)];
        }
        let (reply, changes) = decide(&mut loaded, envelope, now_ms);
        for change in &changes {
            match change {
                KeyWrite::Tables(tables) => *stored = self.unpack(&tables[0], stored.record.take()),
                change => stored.apply(change),
            }
        }
        // The platform keeps no object that stores nothing.
        if *stored == Stored::default() {
            objects.remove(name);
        }
        if matches!(loaded, Loaded::Key(_)) {
            living.insert(name.to_owned(), loaded);
        }
        reply
    }

    /// Keeps a copy of all that is stored, as a table with its number.
    fn copy_tables(&self, stored: &Stored) -> Table {
        let mut luggage = self.luggage.borrow_mut();
        luggage.push(Stored { alarm_ms: None, ..stored.clone() });
        Table { name: "copies".into(), columns: vec!["number".into()], rows: (luggage.len() - 1).to_string() }
    }

    fn unpack(&self, table: &Table, record: Option<String>) -> Stored {
        let number: usize = table.rows.parse().expect("it is a number");
        Stored { record, ..self.luggage.borrow()[number].clone() }
    }

    fn load(&self, key: &str, stored: &Stored) -> Loaded {
        let record = match stored.record.as_deref().map(serde_json::from_str).transpose() {
            Err(_) if !demo::is_demo(key) => return Loaded::Unreadable,
            Ok(Some(StoredRecord::Moved(moved))) => return Loaded::Moved(Box::new(moved)),
            Ok(Some(StoredRecord::Deleted { .. })) => return Loaded::Deleted,
            Ok(Some(StoredRecord::Key(record))) => Some(*record),
            Ok(None) | Err(_) => None,
        };
        let peppers = self.config.as_ref().filter(|config| config.demo).map(|config| &config.peppers);
        let record = demo::record_of(key, record, peppers);
        let Some(record) = record else { return Loaded::Nothing };
        let mut loaded = Key::new(record);
        loaded.requests = stored.to_saved().map(Ledger::restore).unwrap_or_default();
        loaded.exchanges = read(stored.exchanges.as_deref()).map(Exchanges::restore).unwrap_or_default();
        loaded.closed = stored.months.values().copied().collect();
        Loaded::Key(Box::new(loaded))
    }
}

/// Returns a message behind its way to an object, as JSON.
fn pass_as_json<T: Serialize + DeserializeOwned>(message: &T) -> T {
    let wire = serde_json::to_string(message).expect("a message is JSON");
    serde_json::from_str(&wire).expect("a message survives its JSON form")
}

/// Lets the clock go on.
pub fn pass(platform: &InMemory, ms: u64) {
    platform.clock.set(platform.clock.get() + ms);
}

/// Lets the work behind a request run until it waits for the clock, and again each time the clock has gone on by `ms`.
pub fn tend(platform: &InMemory, steps: usize, ms: u64) {
    let mut work = pin!(router::tend(platform));
    for _ in 0..steps {
        if let Poll::Ready(()) = poll(work.as_mut()) {
            return;
        }
        pass(platform, ms);
    }
}
