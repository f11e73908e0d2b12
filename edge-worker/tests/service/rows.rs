//! Tests what a key's object stores over a month, with many evictions.

use toponym_edge::durable::message::{Command, Envelope, Reply};
use toponym_edge::meter::plan::Plan;

use super::support::{InMemory, NOON};

const MONTH_MS: u64 = 30 * 86_400_000;

/// Maximum rows that an object reads when it wakes: two minutes of slots, and the newest row of each log.
const MAX_ROWS: usize = 1_203;

fn charge(platform: &InMemory) -> Reply {
    let command = Command::Charge { cost: 1, caller: Default::default(), ask: None };
    let now_ms = platform.clock.get();
    platform.decide("gck_shop", Envelope::new("gck_shop", command, now_ms), now_ms)
}

/// The object's memory ends after each request, so that no life of it is long.
#[test]
fn a_month_of_sparse_use_leaves_few_rows() {
    for every_ms in [15_000, 61_000, 3_600_000] {
        let platform = InMemory::new();
        platform.create("shop", Plan::PayAsYouGo, |_| {});
        let mut used = 0;
        for at_ms in (NOON..NOON + MONTH_MS).step_by(every_ms) {
            platform.clock.set(at_ms);
            assert!(matches!(charge(&platform), Reply::Admitted { .. }));
            used += 1;
            assert!(platform.objects.borrow()["gck_shop"].rows() <= 10, "after {used} requests");
        }
        let shown = serde_json::to_value(platform.command("gck_shop", Command::Show)).expect("a reply is JSON");
        let months = shown["shown"]["usage"].as_array().expect("months").iter();
        let total: u64 = months.filter_map(|month| month["used"].as_u64()).sum();
        assert_eq!(total, used, "{shown}");
    }
}

#[test]
fn dense_use_leaves_two_minutes_of_rows() {
    let platform = InMemory::new();
    platform.create("shop", Plan::Enterprise, |_| {});
    for at_ms in (NOON..NOON + 300_000).step_by(100) {
        platform.clock.set(at_ms);
        assert!(matches!(charge(&platform), Reply::Admitted { .. }));
    }
    assert!(platform.objects.borrow()["gck_shop"].rows() <= MAX_ROWS);
}

/// A clock that was ahead and is set right: what it deleted meanwhile does not count anyway.
#[test]
fn a_clock_that_is_set_back_forgets_nothing_that_counts() {
    let platform = InMemory::new();
    platform.create("shop", Plan::Free, |_| {});
    for at_ms in (NOON..NOON + 3_000).step_by(100) {
        platform.clock.set(at_ms);
        assert!(matches!(charge(&platform), Reply::Admitted { .. }));
    }
    platform.clock.set(NOON + 70_000);
    platform.command("gck_shop", Command::Show);
    platform.clock.set(NOON + 10_000);
    assert!(matches!(charge(&platform), Reply::Refused { .. }));
}
