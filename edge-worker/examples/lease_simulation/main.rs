//! The metering of one key with many isolates, with the code of the service on both sides: how the calls of the object, its rows
//! and the waits grow with the isolates, what is admitted, and what is billed. Prints a JSON line for each case:
//!
//!     cargo run -p toponym-edge --example lease_simulation -- shapes
//!     cargo run --release -p toponym-edge --example lease_simulation
//!
//! The first are the shapes that `tests/bench/service/bill.mjs` prices, and floods with faults. The second is a key of 25,000 requests a
//! second, which is drawn as `tests/snapshots/leases.svg` too.

mod figures;
mod object;
mod plot;
mod traffic;
mod world;

use figures::Figures;
use toponym_edge::meter::plan::Plan;
use traffic::{Case, Traffic};
use world::World;

/// Numbers of isolates of the key of 25,000 requests a second.
const ISOLATES: [usize; 6] = [50, 100, 250, 500, 750, 1_000];

/// Limits a minute: demand is half of the first, and twice the second.
const LIMITS: [u32; 2] = [3_000_000, 750_000];

/// Time for which its requests come, seconds: as long as the flood on workerd (tests/bench/service/leases.mjs).
const SECONDS: u64 = 90;

const SVG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/snapshots/leases.svg");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().any(|argument| argument == "shapes") {
        let cases = traffic::shapes().into_iter().chain(traffic::floods());
        cases.for_each(|case| World::new(case).run().print());
        return Ok(());
    }
    let plain = Traffic::Plain(25_000.0);
    let case = |isolates, limit| Case {
        shape: "25,000 a second",
        plan: Plan::Enterprise,
        limit,
        traffic: plain,
        isolates,
        seconds: SECONDS,
        faults: false,
    };
    let cases = LIMITS.into_iter().flat_map(|limit| ISOLATES.map(|isolates| case(isolates, limit)));
    let figures: Vec<Figures> = cases
        .map(|case| {
            let figures = World::new(case).run();
            figures.print();
            figures
        })
        .collect();
    plot::plot(SVG.as_ref(), &figures)
}

#[test]
fn isolates_never_admit_more_than_the_limit() {
    for case in traffic::floods() {
        let figures = World::new(case).run();
        let named = format!("{} in {} isolates", case.shape, case.isolates);
        assert_eq!(figures.over(), 0, "{named}: {} of {}", figures.worst, case.limit);
        assert!(figures.billed_above() <= figures.above_at_most(), "{named}: {figures:?}");
        assert!(figures.billed_below() <= figures.lost, "{named}: {figures:?}");
    }
}

#[test]
fn isolates_bill_what_they_answered() {
    for case in traffic::shapes() {
        let figures = World::new(case).run();
        let counts = (figures.billed, figures.lost, figures.failed, figures.over());
        assert_eq!(counts, (figures.served, 0, 0, 0), "{} in {} isolates", case.shape, case.isolates);
    }
}
