//! Tests the billing terms of months.

use serde_json::{Value, json};
use toponym_edge::durable::message::{Command, Reply};
use toponym_edge::durable::record::Patch;
use toponym_edge::meter::plan::{Overrides, Plan};

use super::support::{InMemory, NOON};

const DAY_MS: u64 = 86_400_000;

/// 2026-12-01, 2027-01-01 and 2027-02-01, each at noon.
const MONTHS: [u64; 3] = [NOON + 11 * DAY_MS, NOON + 42 * DAY_MS, NOON + 73 * DAY_MS];

/// Creates a key of Starter with two included units, of which five were used in November.
fn used_in_november() -> InMemory {
    let platform = InMemory::new();
    platform.create("shop", Plan::Starter, |record| record.overrides.per_month = Some(2));
    (0..5).for_each(|_| charge(&platform));
    platform
}

fn charge(platform: &InMemory) {
    let reply = platform.command("gck_shop", Command::Charge { cost: 1, caller: Default::default(), question: None });
    assert!(matches!(reply, Reply::Admitted { .. }), "{reply:?}");
}

fn change(platform: &InMemory, plan: Plan, per_month: Option<u64>) {
    let overrides = Some(Overrides { per_minute: None, per_month });
    platform.command("gck_shop", Command::Change(Box::new(Patch { plan: Some(plan), overrides, ..Patch::default() })));
}

fn check(platform: &InMemory, expect: Value) {
    let reply = serde_json::to_value(platform.command("gck_shop", Command::Show)).expect("a reply is JSON");
    assert_eq!(reply["shown"]["usage"], expect);
}

fn november(overage: u64) -> Value {
    json!({ "month": "2026-11", "used": 5, "overage": overage, "plan": "starter", "included": 2 })
}

#[test]
fn a_month_that_is_over_keeps_its_terms() {
    let platform = used_in_november();
    check(&platform, json!([november(3)]));
    platform.clock.set(MONTHS[0]);
    check(&platform, json!([november(3)]));
    charge(&platform);
    change(&platform, Plan::PayAsYouGo, None);
    let december = json!({ "month": "2026-12", "used": 1, "overage": 1, "plan": "pay-as-you-go", "included": 0 });
    check(&platform, json!([december, november(3)]));
}

#[test]
fn an_early_change_spares_earlier_months() {
    let platform = used_in_november();
    platform.clock.set(MONTHS[0]);
    change(&platform, Plan::Free, None);
    change(&platform, Plan::Growth, Some(7));
    check(&platform, json!([november(3)]));
    charge(&platform);
    platform.clock.set(MONTHS[1]);
    charge(&platform);
    check(&platform, json!([growth("2027-01"), growth("2026-12"), november(3)]));
}

fn growth(month: &str) -> Value {
    json!({ "month": month, "used": 1, "overage": 0, "plan": "growth", "included": 7 })
}

#[test]
fn a_change_holds_for_its_whole_month() {
    let platform = used_in_november();
    change(&platform, Plan::Enterprise, None);
    charge(&platform);
    platform.clock.set(MONTHS[0]);
    charge(&platform);
    check(&platform, json!([enterprise("2026-12", 1), enterprise("2026-11", 6)]));
}

fn enterprise(month: &str, used: u64) -> Value {
    json!({ "month": month, "used": used, "overage": 0, "plan": "enterprise" })
}

/// Closes a month by a clock that is ahead, sets it right, and uses the month on: nothing of it is lost, its terms stay.
#[test]
fn a_month_closed_early_counts_to_its_end() {
    let platform = used_in_november();
    platform.clock.set(MONTHS[0]);
    change(&platform, Plan::Growth, None);
    // An object that goes on ignores a clock that steps back.
    platform.end("gck_shop");
    platform.clock.set(MONTHS[0] - DAY_MS);
    charge(&platform);
    let six = json!({ "month": "2026-11", "used": 6, "overage": 4, "plan": "starter", "included": 2 });
    check(&platform, json!([six]));
    platform.clock.set(MONTHS[0]);
    charge(&platform);
    let december = json!({ "month": "2026-12", "used": 1, "overage": 0, "plan": "growth", "included": 500_000 });
    check(&platform, json!([december, six]));
}

/// Checks that a month without stored terms takes those at the upgrade: they are the best that is known of it, and no
/// later change is.
#[test]
fn a_month_without_terms_takes_the_next_ones() {
    let platform = used_in_november();
    platform.clock.set(MONTHS[0]);
    charge(&platform);
    platform.objects.borrow_mut().get_mut("gck_shop").expect("it is stored").forget_billing();
    platform.end("gck_shop");
    let december = json!({ "month": "2026-12", "used": 1, "overage": 0, "plan": "starter", "included": 2 });
    check(&platform, json!([december, november(3)]));
    change(&platform, Plan::Growth, None);
    let december = json!({ "month": "2026-12", "used": 1, "overage": 0, "plan": "growth", "included": 500_000 });
    check(&platform, json!([december, november(3)]));
}
