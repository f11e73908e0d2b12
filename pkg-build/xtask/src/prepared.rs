//! What suites of tests share: each step is made once in a run, when the first suite needs it.

use std::collections::BTreeMap;

use anyhow::Result;

use super::checks::{self, Checks};
use super::indexes::Indexes;
use super::npm;
use super::setup;
use super::size::Size;
use super::toponym;
use super::turn;
use super::wasm_tests;
use super::worker;
use super::workspace::Workspace;

/// A step that suites need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// What builds and runs the Worker.
    Tools,
    /// What runs tests as wasm: it takes the longest to compile, and nothing else needs it.
    WasmRunner,
    /// The tests as wasm, compiled.
    WasmTests,
    /// The index, that of the core pack, and that of postal codes.
    Index,
    /// The npm packages.
    Package,
    /// The Worker with its pages.
    Worker,
    /// The Worker for fault-injection tests, beside the other.
    Faults,
}

impl Step {
    /// Its name in the table of checks.
    const fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::WasmRunner => "runner of the wasm tests",
            Self::WasmTests => "build of the wasm tests",
            Self::Index => "index",
            Self::Package => "build of the npm package",
            Self::Worker => "build of the Worker",
            Self::Faults => "build of the Worker with faults",
        }
    }

    /// The step that it needs itself.
    const fn after(self) -> Option<Self> {
        match self {
            Self::Tools => None,
            // It says what the machine lacks before the first long step.
            Self::WasmRunner | Self::Index => Some(Self::Tools),
            Self::WasmTests => Some(Self::WasmRunner),
            Self::Package => Some(Self::Index),
            Self::Worker => Some(Self::Package),
            Self::Faults => Some(Self::Worker),
        }
    }

    /// Makes it, unless it is there and up to date.
    pub fn make(self, workspace: &Workspace) -> Result<()> {
        match self {
            Self::Tools => setup::worker(workspace),
            Self::WasmRunner => {
                let _turn = turn::of(workspace, self.name())?;
                setup::wasm_tests(workspace)
            }
            Self::WasmTests => wasm_tests::compile(workspace),
            Self::Index => {
                toponym::ensure_index_and_core(workspace)?;
                toponym::ensure_postcodes(workspace)
            }
            Self::Package => npm::build(workspace, Size::Small),
            Self::Worker => worker::build(workspace, Size::Small, &Indexes::default()),
            Self::Faults => worker::build_faults(workspace),
        }
    }
}

/// The steps of a run.
pub struct Prepared<'w> {
    workspace: &'w Workspace,
    /// Those that were made, and whether they succeeded.
    made: BTreeMap<Step, bool>,
}

impl<'w> Prepared<'w> {
    /// None yet.
    pub fn new(workspace: &'w Workspace) -> Self {
        Self { workspace, made: BTreeMap::new() }
    }

    /// Makes a step and what it needs, unless they are made, each as a check of its own. Returns whether it succeeded.
    pub fn reach(&mut self, step: Step, checks: &mut Checks) -> bool {
        let workspace = self.workspace;
        self.reach_by(step, checks, &mut |step| step.make(workspace))
    }

    fn reach_by(&mut self, step: Step, checks: &mut Checks, make: &mut dyn FnMut(Step) -> Result<()>) -> bool {
        if let Some(&succeeded) = self.made.get(&step) {
            return succeeded;
        }
        let is_ready = step.after().is_none_or(|earlier| self.reach_by(earlier, checks, make));
        let succeeded = checks.run_after(is_ready, step.name(), || checks::preparation(|| make(step)));
        self.made.insert(step, succeeded);
        succeeded
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use anyhow::bail;

    use super::*;

    #[test]
    fn each_step_is_made_once_after_what_it_needs() {
        let workspace = Workspace::at(Path::new("."));
        let (mut prepared, mut checks) = (Prepared::new(&workspace), Checks::default());
        let mut made = Vec::new();
        let mut make = |step| {
            made.push(step);
            if step == Step::WasmRunner { bail!("no compiler") } else { Ok(()) }
        };
        assert!(prepared.reach_by(Step::Worker, &mut checks, &mut make));
        assert!(!prepared.reach_by(Step::WasmRunner, &mut checks, &mut make));
        assert!(!prepared.reach_by(Step::WasmRunner, &mut checks, &mut make));
        assert!(prepared.reach_by(Step::Faults, &mut checks, &mut make));
        assert_eq!(made, [Step::Tools, Step::Index, Step::Package, Step::Worker, Step::WasmRunner, Step::Faults]);
    }

    #[test]
    fn nothing_is_made_of_what_failed() {
        let workspace = Workspace::at(Path::new("."));
        let (mut prepared, mut checks) = (Prepared::new(&workspace), Checks::default());
        let mut made = Vec::new();
        let mut make = |step| {
            made.push(step);
            if step == Step::Index { bail!("no source") } else { Ok(()) }
        };
        assert!(!prepared.reach_by(Step::Worker, &mut checks, &mut make));
        assert_eq!(made, [Step::Tools, Step::Index]);
    }
}
