//! Tests what a key's object stores, and how often: quiet keys and busy ones, over sleep and over ends without a word.

use toponym_edge::durable::message::{Command, Envelope, Reply};
use toponym_edge::meter::ledger::RESERVE_MS;
use toponym_edge::meter::plan::Plan;

use super::support::{InMemory, NOON};

const MONTH_MS: u64 = 30 * 86_400_000;

const KEY: &str = "gck_shop";

fn charge(platform: &InMemory) -> Reply {
    let command = Command::Charge { cost: 1, caller: Default::default(), question: None };
    let now_ms = platform.clock.get();
    platform.decide(KEY, Envelope::new(KEY, command, now_ms), now_ms)
}

/// Returns the units that are billed, of all months.
fn used_units(platform: &InMemory) -> u64 {
    let shown = serde_json::to_value(platform.command(KEY, Command::Show)).expect("a reply is JSON");
    let months = shown["shown"]["usage"].as_array().expect("months").iter();
    months.filter_map(|month| month["used"].as_u64()).sum()
}

fn rows_written(platform: &InMemory) -> u32 {
    platform.objects.borrow()[KEY].written
}

/// Creates a platform with a key, and counts the rows that the key took.
fn shop(plan: Plan) -> (InMemory, u32) {
    let platform = InMemory::new();
    platform.create("shop", plan, |_| {});
    let before = rows_written(&platform);
    (platform, before)
}

/// Ends the object after each request, in its sleep or without a word.
#[test]
fn a_quiet_key_writes_each_request() {
    for every_ms in [15_000, 61_000, 3_600_000] {
        let (platform, before) = shop(Plan::PayAsYouGo);
        let mut count = 0;
        for at_ms in (NOON..NOON + MONTH_MS).step_by(every_ms) {
            platform.clock.set(at_ms);
            assert!(matches!(charge(&platform), Reply::Admitted { .. }));
            count += 1;
            if count % 2 == 0 { platform.end(KEY) } else { platform.sleep(KEY) }
        }
        // The month that is over takes one more.
        assert!(rows_written(&platform) - before <= count + 1, "{} for {count}", rows_written(&platform) - before);
        assert_eq!(used_units(&platform), u64::from(count));
    }
}

#[test]
fn a_busy_key_writes_rarely_and_counts_exactly() {
    let (platform, before) = shop(Plan::Enterprise);
    let count = 3_000;
    for at_ms in (NOON..NOON + count * 100).step_by(100) {
        platform.clock.set(at_ms);
        assert!(matches!(charge(&platform), Reply::Admitted { .. }));
    }
    let rows = rows_written(&platform) - before;
    assert!(rows <= count as u32 / 20, "{rows} rows for {count} requests");
    platform.sleep(KEY);
    assert_eq!(platform.objects.borrow()[KEY].to_saved().expect("a row").reserve, 0);
    assert_eq!(used_units(&platform), count);
}

/// Checks that the ledger is too high by what was left of the reserve, for a minute; the month stays so.
#[test]
fn a_crash_errs_upwards_by_one_reserve() {
    let (platform, _) = shop(Plan::Enterprise);
    let count = 100;
    for at_ms in (NOON..NOON + count * 50).step_by(50) {
        platform.clock.set(at_ms);
        charge(&platform);
    }
    let reserve = u64::from(platform.objects.borrow()[KEY].to_saved().expect("a row").reserve);
    assert!(reserve > 10, "{reserve}");
    let before = used_units(&platform);
    platform.end(KEY);
    let after = used_units(&platform);
    assert!((before..=before + reserve).contains(&after), "{after} after {before} with {reserve}");
    // Once it was counted it is counted once.
    platform.end(KEY);
    assert_eq!(used_units(&platform), after);
    platform.clock.set(platform.clock.get() + RESERVE_MS + 60_100);
    let Reply::Admitted { standing, .. } = charge(&platform) else { panic!("it fits") };
    assert_eq!(standing.remaining, standing.limit - 1);
    assert_eq!(used_units(&platform), after + 1);
}

/// Checks that a clock that was ahead and is set right forgets nothing that counts.
#[test]
fn a_clock_set_back_forgets_no_charge() {
    let (platform, _) = shop(Plan::Free);
    for at_ms in (NOON..NOON + 3_000).step_by(100) {
        platform.clock.set(at_ms);
        assert!(matches!(charge(&platform), Reply::Admitted { .. }));
    }
    platform.sleep(KEY);
    platform.clock.set(NOON + 70_000);
    platform.command(KEY, Command::Show);
    platform.end(KEY);
    platform.clock.set(NOON + 10_000);
    assert!(matches!(charge(&platform), Reply::Refused { .. }));
}
