//! 25,000 requests a second on one key from many isolates in five regions, with the ledger and the leases of the
//! service: the object's load, what is admitted, and how long requests wait. Prints a JSON line for each case, and draws
//! them all as `tests/snapshots/leases.svg`:
//!
//!     cargo run --release -p toponym-edge --example lease_simulation

mod plot;
mod world;

use world::{PER_SECOND, World};

/// Numbers of isolates.
const ISOLATES: [usize; 6] = [50, 100, 250, 500, 750, 1_000];

/// Limits a minute: demand is half of the first, and twice the second.
const LIMITS: [u32; 2] = [3_000_000, 750_000];

const SVG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/snapshots/leases.svg");

/// Results of one case.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Number of isolates.
    pub isolates: usize,
    /// Units a minute.
    pub limit: u32,
    /// Most units in any 60 s.
    pub worst: u64,
    /// Share of what an exact log admits.
    pub share: f64,
    /// Share of the requests that got 503.
    pub failed: f64,
    /// Questions that reach the object, a second.
    pub questions_per_s: f64,
    /// Share of its time that the object works.
    pub object_busy: f64,
    /// Median wait of admitted requests, milliseconds.
    pub wait_p50_ms: u64,
    /// Wait of admitted requests at the 99th percentile, milliseconds.
    pub wait_p99_ms: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cases = LIMITS.into_iter().flat_map(|limit| ISOLATES.map(|isolates| (isolates, limit)));
    let figures: Vec<Figures> = cases
        .map(|(isolates, limit)| {
            let figures = World::new(isolates, limit).run();
            show(&figures);
            figures
        })
        .collect();
    plot::plot(SVG.as_ref(), &figures)
}

fn show(figures: &Figures) {
    let Figures { isolates, limit, worst, share, failed, questions_per_s, object_busy, wait_p50_ms, wait_p99_ms } =
        figures;
    println!(
        "{{\"isolates\":{isolates},\"limit\":{limit},\"offered_per_s\":{PER_SECOND},\"worst\":{worst},\"share\":{share:.3},\
         \"failed\":{failed:.4},\"questions_per_s\":{questions_per_s:.0},\"questions_per_request\":{:.4},\
         \"object_busy\":{object_busy:.2},\"wait_p50_ms\":{wait_p50_ms},\"wait_p99_ms\":{wait_p99_ms}}}",
        questions_per_s / PER_SECOND,
    );
}
