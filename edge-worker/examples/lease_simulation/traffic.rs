//! Shapes of traffic of one key, and the cases that are simulated.

use toponym_edge::meter::lease::held::Kind;
use toponym_edge::meter::plan::Plan;
use toponym_edge::routes::geocoding::BEGINNING;

/// Keystrokes of a word.
pub const WORD: usize = 6;

/// Time between two keystrokes, milliseconds: five a second, and up to [`JITTER_MS`] later.
pub const KEYSTROKE_MS: u64 = 200;
pub const JITTER_MS: u64 = 50;

/// Units of a batch.
pub const BATCH: u32 = 100;

/// The requests of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Traffic {
    /// Words that people type, a second.
    Typed(f64),
    /// Autocompletes of whole words, a second.
    Server(f64),
    /// Requests of other routes, a second.
    Plain(f64),
    /// Batches of [`BATCH`], a second.
    Batches(f64),
}

impl Traffic {
    /// Returns the arrivals a second: of words, requests or batches.
    pub fn arrivals_per_s(self) -> f64 {
        match self {
            Self::Typed(rate) | Self::Server(rate) | Self::Plain(rate) | Self::Batches(rate) => rate,
        }
    }

    /// Returns the requests of one arrival: units and kind.
    pub fn requests(self) -> Vec<(u32, Kind)> {
        match self {
            Self::Typed(_) => (1..=WORD).map(|letters| (1, Kind::Typed { begins: letters <= BEGINNING })).collect(),
            Self::Server(_) => vec![(1, Kind::Typed { begins: false })],
            Self::Plain(_) => vec![(1, Kind::Other)],
            Self::Batches(_) => vec![(BATCH, Kind::Other)],
        }
    }
}

/// A case.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Name of the shape; tests/bench/service/bill.mjs has the same ones.
    pub shape: &'static str,
    /// Plan of the key.
    pub plan: Plan,
    /// Limit of the key a minute.
    pub limit: u32,
    /// Requests of the key.
    pub traffic: Traffic,
    /// Number of isolates, to which the arrivals come at random.
    pub isolates: usize,
    /// Time for which they come, seconds.
    pub seconds: u64,
    /// True if the object crashes, isolates die, and replies are late or lost.
    pub faults: bool,
}

/// Numbers of isolates of each shape.
pub const ISOLATES: [usize; 4] = [1, 10, 100, 1_000];

/// An hour and more, for keys that are rarely used.
const LONG: u64 = 6_000;

/// Seconds of other shapes.
const SHORT: u64 = 300;

/// Seconds of a flood with faults: three windows.
const FLOOD: u64 = 180;

/// Returns the shapes that tests/bench/service/bill.mjs prices, without faults.
pub fn shapes() -> Vec<Case> {
    let shape = |shape, plan, limit, traffic, seconds| Case {
        shape,
        plan,
        limit,
        traffic,
        isolates: 1,
        seconds,
        faults: false,
    };
    let cases = [
        shape("typed, quiet key", Plan::Growth, 600, Traffic::Typed(1.0 / 60.0), LONG),
        shape("typed, a key of 10 a second", Plan::Enterprise, 6_000, Traffic::Typed(10.0 / WORD as f64), SHORT),
        shape("one request a minute", Plan::Growth, 600, Traffic::Server(1.0 / 60.0), LONG),
        shape("a server, 1 a second", Plan::Enterprise, 60_000, Traffic::Server(1.0), SHORT),
        shape("a server, 3 a second", Plan::Enterprise, 60_000, Traffic::Server(3.0), SHORT),
        shape("a server, 10 a second", Plan::Enterprise, 60_000, Traffic::Server(10.0), SHORT),
        shape("a server, 100 a second", Plan::Enterprise, 60_000, Traffic::Server(100.0), SHORT),
        shape("batches of 100, 1 a second", Plan::Enterprise, 60_000, Traffic::Batches(1.0), SHORT),
    ];
    everywhere(&cases)
}

/// Returns keys at more than their limit, with faults.
pub fn floods() -> Vec<Case> {
    let flood =
        |shape, plan, limit, traffic| Case { shape, plan, limit, traffic, isolates: 1, seconds: FLOOD, faults: true };
    everywhere(&[
        flood("typed, half of the limit, with faults", Plan::Growth, 600, Traffic::Typed(5.0 / WORD as f64)),
        flood("typed, three times the limit, with faults", Plan::Growth, 600, Traffic::Typed(30.0 / WORD as f64)),
        flood("a large key, twice the limit, with faults", Plan::Enterprise, 6_000, Traffic::Server(200.0)),
        flood("batches, twice the limit, with faults", Plan::Enterprise, 6_000, Traffic::Batches(2.0)),
    ])
}

fn everywhere(cases: &[Case]) -> Vec<Case> {
    cases.iter().flat_map(|case| ISOLATES.map(|isolates| Case { isolates, ..*case })).collect()
}
