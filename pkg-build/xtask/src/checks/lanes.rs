//! Runs checks in three lanes: while one compiles, two wait for browsers and services.
//!
//! A check starts when those that it is `after` have passed, and those that it is `behind` have ended. In each
//! lane, the first in the list that can start does. A lane that has nothing left helps the others.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use toponym_terminal::process;
use toponym_terminal::report;
use toponym_terminal::workspace::Workspace;

use super::check::{Check, Finished, Lane};
use super::output::Output;
use super::proof::Proofs;
use super::summary::Summary;

/// Suites that wait leave a third of two cores idle when they run one after the other.
const LANES: [Lane; 3] = [Lane::Compute, Lane::Wait, Lane::Wait];

/// Number that `renice` adds in the lane that computes: it then gets about a tenth of a core that another one wants.
const LOWER_PRIORITY: &str = "10";

/// Runs all checks to the end, even if some fail. A check whose prerequisites failed fails as well; one that `proofs` cover
/// passes at once. Returns the checks in the order in which they ended.
pub fn run(workspace: &Workspace, checks: &[Check], proofs: &Proofs) -> Vec<Finished> {
    let board = Board { checks, state: Mutex::default(), changed: Condvar::new() };
    thread::scope(|scope| {
        for lane in LANES {
            let board = &board;
            scope.spawn(move || {
                if lane == Lane::Compute {
                    give_way();
                }
                while let Some((check, is_ready)) = board.next(lane) {
                    board.finish(one(workspace, check, is_ready, proofs));
                }
            });
        }
    });
    board.state.into_inner().unwrap_or_else(PoisonError::into_inner).finished
}

/// Lowers the priority of this thread and of all that it starts, so that services and browsers of the other lanes answer in time.
/// Where that cannot be done, tests with deadlines may need a quiet machine.
fn give_way() {
    let Ok(thread) = fs_err::read_link("/proc/thread-self") else { return };
    let number = thread.file_name().unwrap_or_default();
    let mut renice = Command::new("renice");
    renice.args(["-n", LOWER_PRIORITY, "-p"]).arg(number);
    process::succeeds(renice);
}

fn one(workspace: &Workspace, check: &Check, is_ready: bool, proofs: &Proofs) -> Finished {
    let start = Instant::now();
    let outcome = report::step(check.name, |line| {
        if !is_ready {
            bail!("not run: a check that it depends on failed");
        }
        if let Some(proof) = proofs.of(workspace.root(), check)? {
            return Ok(Summary::passed(proof));
        }
        let mut output = Output::create(workspace, check.name, line)?;
        // The other lanes must not wait forever for a check that panicked.
        let run = AssertUnwindSafe(|| (check.run)(workspace, &mut output));
        catch_unwind(run).unwrap_or_else(|_| Err(anyhow!("the task itself panicked, as said above")))
    });
    match &outcome {
        Err(error) => report::say(&format!("✗ {}: {error:#}", check.name)),
        Ok(summary) if summary.is_skipped => report::say(&format!("! {}: skipped: {}", check.name, summary.note)),
        Ok(_) => {}
    }
    Finished { name: check.name, elapsed: start.elapsed(), outcome }
}

/// Assignment of checks to lanes.
struct Board<'c> {
    checks: &'c [Check],
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Results of the checks that began: true if one passed; `None` while it runs.
    started: BTreeMap<&'static str, Option<bool>>,
    finished: Vec<Finished>,
}

impl<'c> Board<'c> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next check of a lane, and marks it as started. Returns it, and whether all that it is after passed; `None`
    /// if nothing is left for the lane.
    fn next(&self, lane: Lane) -> Option<(&'c Check, bool)> {
        let mut state = self.lock();
        loop {
            let is_open = |check: &&Check| !state.started.contains_key(check.name);
            let open: Vec<&Check> = self.checks.iter().filter(is_open).collect();
            let is_idle = open.iter().all(|check| check.lane != lane);
            let mine = open.into_iter().filter(|check| check.lane == lane || is_idle);
            let mut mine = mine.peekable();
            mine.peek()?;
            let found = mine.find_map(|check| state.verdict(check, self.checks).map(|is_ready| (check, is_ready)));
            if let Some((check, is_ready)) = found {
                state.started.insert(check.name, None);
                return Some((check, is_ready));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, finished: Finished) {
        let mut state = self.lock();
        state.started.insert(finished.name, Some(finished.outcome.is_ok()));
        state.finished.push(finished);
        self.changed.notify_all();
    }
}

impl State {
    /// Returns whether all that a check is after passed; `None` if one of them, or of those of `checks` that it is behind, has not ended.
    fn verdict(&self, check: &Check, checks: &[Check]) -> Option<bool> {
        let ended = |name: &&str| self.started.get(name).copied().flatten();
        let mut users = checks.iter().filter(|other| other.after.contains(&check.behind) && other.name != check.name);
        if users.any(|other| ended(&other.name).is_none()) {
            return None;
        }
        check
            .after
            .iter()
            .map(ended)
            .collect::<Option<Vec<bool>>>()
            .map(|passed| passed.into_iter().all(|passed| passed))
    }
}

/// Picks the checks `names` and all that they are after, in the order of the list.
///
/// # Errors
/// Lists the names that there are if one of `names` is unknown.
pub fn chosen(checks: &[Check], names: &[String]) -> Result<Vec<Check>> {
    let mut wanted: Vec<&str> = Vec::new();
    let mut open: Vec<&str> = names.iter().map(String::as_str).collect();
    while let Some(name) = open.pop() {
        let Some(check) = checks.iter().find(|check| check.name == name) else {
            let known: Vec<_> = checks.iter().map(|check| format!("  {:?}", check.name)).collect();
            bail!("there is no check {name:?}; there are:\n{}", known.join("\n"));
        };
        if !wanted.contains(&check.name) {
            wanted.push(check.name);
            open.extend(check.after);
        }
    }
    Ok(checks.iter().filter(|check| wanted.contains(&check.name)).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &'static str, lane: Lane, after: &'static [&'static str]) -> Check {
        let run = match name {
            "fails" => |_: &Workspace, _: &mut Output<'_>| bail!("broken"),
            "panics" => |_: &Workspace, _: &mut Output<'_>| panic!("a defect of the task"),
            _ => |_: &Workspace, _: &mut Output<'_>| Ok(Summary::passed("done")),
        };
        Check { name, lane, after, behind: "", inputs: "", run }
    }

    fn order(checks: &[Check]) -> Vec<(&'static str, bool)> {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let finished = run(&Workspace::at(root.path()), checks, &Proofs::default());
        finished.iter().map(|check| (check.name, check.outcome.is_ok())).collect()
    }

    #[test]
    fn a_check_runs_after_those_that_it_needs() {
        let checks = [
            check("suite", Lane::Wait, &["build"]),
            check("build", Lane::Compute, &["tools"]),
            check("tools", Lane::Wait, &[]),
            check("last", Lane::Compute, &["suite"]),
        ];
        assert_eq!(order(&checks), [("tools", true), ("build", true), ("suite", true), ("last", true)]);
    }

    #[test]
    fn a_failure_stops_only_its_dependents() {
        let checks = [
            check("fails", Lane::Compute, &[]),
            check("never", Lane::Wait, &["fails"]),
            check("nor this", Lane::Wait, &["never"]),
            check("panics", Lane::Compute, &[]),
            check("other", Lane::Compute, &[]),
        ];
        let mut ended = order(&checks);
        ended.sort_unstable();
        assert_eq!(
            ended,
            [("fails", false), ("never", false), ("nor this", false), ("other", true), ("panics", false)]
        );
    }

    #[test]
    fn a_check_may_follow_without_needing() {
        let last = Check { behind: "build", ..check("last", Lane::Compute, &["build"]) };
        let build = check("build", Lane::Wait, &[]);
        let checks = [last, build, check("fails", Lane::Wait, &["build"])];
        assert_eq!(order(&checks), [("build", true), ("fails", false), ("last", true)]);
        assert_eq!(order(&[last, build]), [("build", true), ("last", true)]);
    }

    #[test]
    fn a_choice_brings_what_it_needs() {
        let checks = [
            check("tools", Lane::Wait, &[]),
            check("build", Lane::Compute, &["tools"]),
            check("suite", Lane::Wait, &["build"]),
            check("other", Lane::Wait, &["build"]),
        ];
        let names = |found: Vec<Check>| found.iter().map(|check| check.name).collect::<Vec<_>>();
        assert_eq!(names(chosen(&checks, &["suite".into()]).expect("it is known")), ["tools", "build", "suite"]);
        let error = chosen(&checks, &["suit".into()]).err().expect("it is unknown").to_string();
        assert!(error.contains("\"suit\"") && error.contains("\"suite\""), "{error}");
    }
}
