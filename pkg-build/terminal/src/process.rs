//! Runs programs to their end. Errors name the program with its arguments.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, ensure};

use crate::report::{self, Line};

/// Number of output lines shown on failure: enough for several compiler errors.
const LINES_SHOWN_ON_FAILURE: usize = 200;

/// Runs `command` with its output shown.
///
/// # Errors
/// If it cannot be started, or fails.
pub fn run(mut command: Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(&command))?;
    expect_success(&command, status)
}

/// Runs `command` with the last line of its output next to the progress; shows the end of the output on failure.
///
/// # Errors
/// As [`run`].
pub fn run_behind(line: &Line, command: Command) -> Result<()> {
    let name = describe(&command);
    let mut tail = VecDeque::new();
    let status = watch(command, |text| {
        line.detail(text);
        tail.push_back(text.to_owned());
        if tail.len() > LINES_SHOWN_ON_FAILURE {
            tail.pop_front();
        }
    })?;
    let output = tail.make_contiguous().join("\n");
    ensure!(status.success(), "{output}\n\n`{name}` failed ({status}); its output is above");
    Ok(())
}

/// Runs `command` as a step called `what`, as [`run_behind`] does.
///
/// # Errors
/// As [`run`].
pub fn run_as(what: &str, command: Command) -> Result<()> {
    report::step(what, |line| run_behind(line, command))
}

/// Runs `command` and calls `see` with every line of its output. Returns how it ended.
///
/// # Errors
/// If it cannot be started, or its output cannot be read.
pub fn watch(mut command: Command, mut see: impl FnMut(&str)) -> Result<ExitStatus> {
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| cannot_start(&command))?;
    // The command holds the write end too: the reader sees no end until it is dropped.
    drop(command);
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        see(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(child.wait()?)
}

/// Returns the standard output of `command`, without the final line break.
///
/// # Errors
/// As [`run`], and if it writes no text.
pub fn output(mut command: Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| cannot_start(&command))?;
    expect_success(&command, output.status)?;
    let text = String::from_utf8(output.stdout).with_context(|| format!("`{}` wrote no text", describe(&command)))?;
    Ok(text.trim_end().to_owned())
}

/// Tells whether `command` runs and succeeds; its output is discarded.
pub fn succeeds(mut command: Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn expect_success(command: &Command, status: ExitStatus) -> Result<()> {
    ensure!(status.success(), "`{}` failed ({status})", describe(command));
    Ok(())
}

fn cannot_start(command: &Command) -> String {
    format!("`{}` could not be started", describe(command))
}

/// Returns the words of a command, for people.
pub fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn lines_survive_broken_text_and_a_missing_end() {
        let mut command = Command::new("printf");
        command.arg(r"one\r\n\377 two\n\nlast");
        let mut seen = Vec::new();
        watch(command, |line| seen.push(line.to_owned())).expect("printf runs");
        assert_eq!(seen, ["one", "\u{fffd} two", "", "last"]);
    }

    #[test]
    fn a_failure_shows_the_output_and_the_command() {
        let mut command = Command::new("cargo");
        command.arg("--no-such-option");
        let error = run_as("fails", command).expect_err("it must fail");
        let text = error.to_string();
        assert!(text.contains("unexpected argument") && text.contains("`cargo --no-such-option` failed"), "{text}");
    }
}
