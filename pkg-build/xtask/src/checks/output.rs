//! Output of a check: all of it goes into `target/checks/NAME.log`, its last line beside the progress, and its end into the
//! error if it fails.

use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fs_err::{self as fs, File};
use toponym_terminal::process;
use toponym_terminal::report::Line;
use toponym_terminal::workspace::Workspace;

use super::summary::Summary;
use super::tally::Tally;

/// Number of lines shown of a failure: enough for several compiler errors.
const LINES_SHOWN_ON_FAILURE: usize = 150;

/// The output of a running check.
pub struct Output<'l> {
    line: &'l Line,
    file: File,
    path: PathBuf,
}

impl<'l> Output<'l> {
    /// Creates the file of the check `name`.
    pub fn create(workspace: &Workspace, name: &str, line: &'l Line) -> Result<Self> {
        let folder = workspace.target().join("checks");
        fs::create_dir_all(&folder)?;
        let letters = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' });
        let path = folder.join(letters.collect::<String>()).with_extension("log");
        Ok(Self { line, file: File::create(&path)?, path })
    }

    /// Runs a command whose exit status is the result.
    pub fn run(&mut self, command: Command) -> Result<Summary> {
        self.watch(command, |_| {}).map(|()| Summary::default())
    }

    /// Runs a command of tests. It fails if a test fails, or if none ran.
    pub fn tests(&mut self, command: Command) -> Result<Summary> {
        let mut tally = Tally::default();
        let mut closing = Vec::new();
        let ended = self.watch(command, |line| {
            if tally.see(line) {
                closing.push(console::strip_ansi_codes(line).into_owned());
            }
        });
        if tally.failed > 0 {
            return Err(ended.err().unwrap_or_else(|| anyhow::anyhow!("")).context(tally.to_string()))
                .with_context(|| format!("{}: {tally}", self.path.display()));
        }
        ended?;
        ensure!(tally.passed > 0, "no test ran");
        Ok(Summary { closing, ..Summary::passed(tally.to_string()) })
    }

    fn watch(&mut self, command: Command, mut see: impl FnMut(&str)) -> Result<()> {
        let mut tail = VecDeque::new();
        let (file, line) = (&mut self.file, self.line);
        writeln!(file, "$ {}", process::describe(&command))?;
        let status = process::watch(command, |text| {
            // A full disk shows in the check itself.
            let _ = writeln!(file, "{text}");
            line.detail(text);
            see(text);
            tail.push_back(text.to_owned());
            if tail.len() > LINES_SHOWN_ON_FAILURE {
                tail.pop_front();
            }
        })?;
        let end = tail.make_contiguous().join("\n");
        ensure!(status.success(), "{end}\n\n{status}; all of the output is in {}", self.path.display());
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use toponym_terminal::report;

    use super::*;

    #[test]
    fn tests_are_judged_by_counts_and_status() {
        let root = tempfile::tempdir().expect("the temporary folder can be written");
        let workspace = Workspace::at(root.path());
        let check = |script: &str, expect: Result<&str, &str>| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            let outcome = report::step("tests", |line| Output::create(&workspace, "some tests", line)?.tests(command));
            match (outcome, expect) {
                (Ok(summary), Ok(note)) => assert_eq!(summary.note, note, "{script}"),
                (Err(error), Err(part)) => assert!(format!("{error:#}").contains(part), "{script}: {error:#}"),
                (Ok(_), Err(part)) => panic!("{script}: passed, expected a failure with {part}"),
                (Err(error), Ok(_)) => panic!("{script}: {error:#}"),
            }
        };
        check("echo 'test result: ok. 3 passed; 0 failed; 1 ignored'", Ok("3 passed, 0 failed, 1 skipped"));
        check("echo 'ℹ pass 2'; echo 'ℹ fail 0'", Ok("2 passed, 0 failed, 0 skipped"));
        check("echo 'test result: FAILED. 3 passed; 1 failed'; exit 101", Err("3 passed, 1 failed"));
        check("echo 'test result: FAILED. 3 passed; 1 failed'", Err("3 passed, 1 failed"));
        check("echo why; echo 'test result: FAILED. 3 passed; 1 failed'; exit 101", Err("why"));
        check("echo 'test result: ok. 3 passed; 0 failed'; exit 101", Err("exit status: 101"));
        check("echo 'test result: ok. 0 passed; 0 failed'", Err("no test ran"));
        check("echo 'no tests to run!'", Err("no test ran"));
        let log = root.path().join("target/checks/some-tests.log");
        let said = fs::read_to_string(&log).unwrap_or_else(|_| {
            // CARGO_TARGET_DIR moves the folder.
            let target = workspace.target();
            fs::read_to_string(Path::new(&target).join("checks/some-tests.log")).expect("the log is there")
        });
        assert!(said.starts_with("$ sh -c echo 'no tests to run!'"), "{said}");
    }
}
