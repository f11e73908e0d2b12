//! The interface to the platform that the service runs on. `workers` implements it for Workers, tests implement it in
//! memory.

use std::cell::RefCell;
use std::collections::HashSet;
use std::future::Future;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use toponym_engine::geo::Coordinate;

use crate::admission::Admissions;
use crate::clock::Clock;
use crate::config::Config;
use crate::durable::directory::{DirectoryRequest, Listed};
use crate::durable::home::Home;
use crate::durable::message::{Command, Reply};
use crate::error::Failure;
use crate::homes::{self, Homes, Objects};
use crate::http::Body;
use crate::meter::Standing;
use crate::metrics::board::{Answer, Message};
use crate::metrics::memo::Memo;
use crate::metrics::report::SlaHistory;
use crate::metrics::shared::Shared;
use crate::metrics::snapshot::Snapshot;
use crate::metrics::tally::Tally;
use crate::places::Places;
use crate::response::Response;
use crate::unwell::Unwell;

/// The place the service runs in, for the time of one request.
pub trait Platform: Clock {
    /// The request's body.
    type Body: Body;

    /// Returns the deployment's variables; [`Failure::Unavailable`] when one is missing or wrong.
    fn config(&self) -> Result<&Config, Failure>;

    /// Returns the places, opened by the first call of the isolate; [`Failure::Unavailable`] without a good index.
    fn places(&self) -> impl Future<Output = Result<Rc<Places>, Failure>>;

    /// Fetches the files of pages.
    fn pages(&self, files: &[String]) -> impl Future<Output = FetchedPages>;

    /// Returns when and how the index was made, if its builder left word.
    fn made(&self) -> Option<Made>;

    /// Asks the object in which `key` lives, at once, also if nobody awaits the reply.
    fn ask(&self, key: &str, command: Command) -> impl Future<Output = Result<Reply, Failure>>
    where
        Self: Sized,
    {
        homes::ask(self, key, command)
    }

    /// Asks an object of `key` at once, also if nobody awaits the reply; waits for at most
    /// [`crate::durable::OBJECT_DEADLINE_MS`]. [`Failure::Unavailable`] without an answer.
    fn ask_at(&self, key: &str, home: Home, command: Command) -> impl Future<Output = Result<Reply, Failure>>;

    /// Asks the directory, for at most [`crate::durable::OBJECT_DEADLINE_MS`]: the keys that the question is about.
    fn directory(&self, question: DirectoryRequest) -> impl Future<Output = Result<Vec<Listed>, Failure>>;

    /// Says something to the board of the metrics, and waits as long as for the directory.
    fn board(&self, message: Message) -> impl Future<Output = Result<Answer, Failure>>;

    /// Counts a key that does not exist, presented from `network`; whether that network may present another one: the guard
    /// in front of guessed keys.
    fn admits_stranger(&self, network: &str) -> impl Future<Output = bool>;

    /// Returns where the platform takes the caller of this request to be, from its address: to some kilometres, or to a country.
    fn caller_place(&self) -> Option<Coordinate>;

    /// Returns what the isolate remembers.
    fn memory(&self) -> &Memory;

    /// Returns `N` random bytes, fit for secrets.
    fn random<const N: usize>(&self) -> [u8; N];

    /// Logs one line for the operator: never a token, a secret or the text of a query.
    fn log(&self, line: &str);
}

impl<P: Platform> Objects for P {
    fn homes(&self) -> &Homes {
        &self.memory().homes
    }

    fn ask_home(&self, key: &str, home: Home, command: Command) -> impl Future<Output = Result<Reply, Failure>> {
        self.ask_at(key, home, command)
    }
}

/// Pages that a fetch brought, and why others are missing.
#[derive(Debug, Default)]
pub struct FetchedPages {
    /// The file of each page that came, in the order in which they were asked for.
    pub files: Vec<Option<Vec<u8>>>,
    /// Why others did not come. [`Failure::Upstream`]: one cannot be had. [`Failure::Unavailable`]: this request may fetch no
    /// more; the next one may fetch the rest.
    pub failure: Option<Failure>,
}

/// When and how an index was made: pkg-build/cli/src/deploy/worker.rs writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// As in RFC 3339.
    pub at: String,
    /// Arguments of `toponym index`, with the names of added files.
    pub arguments: String,
}

/// Largest number of keys that an isolate remembers to have met.
const MAX_MET: usize = 10_000;

/// Memory of an isolate between requests. Its loss changes no answer, only the work behind it.
#[derive(Debug, Default)]
pub struct Memory {
    /// Homes of the keys that have moved.
    pub homes: Homes,
    /// API keys as the isolate remembers them: their refusals and leases.
    pub admissions: RefCell<Admissions>,
    /// Samples that the board does not have yet. Losing them loses them from the figures, and nothing else.
    pub tally: RefCell<Tally>,
    /// The last answer of `/sla-metrics`.
    pub metrics: RefCell<Shared<Result<Response, Failure>>>,
    /// The last answer of `/sla-metrics/metering`.
    pub metering: RefCell<Shared<Result<Response, Failure>>>,
    /// The history of a day, of which that of fewer hours is the end.
    pub history: RefCell<Shared<Result<Rc<SlaHistory>, Failure>>>,
    /// The longest history, of which that of more hours is the end.
    pub longest_history: RefCell<Shared<Result<Rc<SlaHistory>, Failure>>>,
    /// The figures of coverage.
    pub coverage: RefCell<Shared<Result<Rc<Snapshot>, Failure>>>,
    /// Result of the latest check of the service.
    pub health: RefCell<Shared<Result<(), Unwell>>>,
    /// Query that the index is asked to see whether it answers.
    pub known_query: RefCell<Option<String>>,
    /// Networks that presented too many keys that do not exist.
    pub strangers: RefCell<Memo<String, ()>>,
    /// Standings of networks whose exchanges of a key are refused, by key and network.
    pub exchanges: RefCell<Memo<(String, String), Standing>>,
    met: RefCell<HashSet<String>>,
}

impl Memory {
    /// Tells whether the key was found to exist before.
    pub fn has_met(&self, key: &str) -> bool {
        self.met.borrow().contains(key)
    }

    /// Remembers that the key exists.
    pub fn meet(&self, key: &str) {
        let mut met = self.met.borrow_mut();
        if met.len() >= MAX_MET {
            met.clear();
        }
        if !met.contains(key) {
            met.insert(key.to_owned());
        }
    }
}
