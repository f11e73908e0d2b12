//! Runs programs to their end. Errors name the program with its arguments.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, ensure};
use toponym_terminal::report::Line;

/// Number of output lines shown on failure: enough for several compiler errors.
const LINES_SHOWN_ON_FAILURE: usize = 200;

/// Runs `command` with its output shown.
pub fn run(mut command: Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(&command))?;
    expect_success(&command, status)
}

/// Runs `command` with its output shown, and calls `see` with every line of its standard output.
pub fn run_watched(mut command: Command, mut see: impl FnMut(&str)) -> Result<()> {
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| cannot_start(&command))?;
    let output = child.stdout.take().context("the standard output was not piped")?;
    for_each_line(output, |line| {
        println!("{line}");
        see(line);
    })?;
    let status = child.wait()?;
    expect_success(&command, status)
}

/// Runs `command` with the last line of its output next to the progress; shows the whole output on failure.
pub fn run_behind(line: &Line, command: Command) -> Result<()> {
    run_hidden(command, &[0], |text| line.detail(text))
}

/// Runs `command` and calls `see` with every line of its output. If it exits with none of `codes` it has failed, and
/// its output is shown.
pub fn run_hidden(mut command: Command, codes: &[i32], mut see: impl FnMut(&str)) -> Result<()> {
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| cannot_start(&command))?;
    // The command holds the write end too: the reader sees no end until it is dropped.
    let name = describe(&command);
    drop(command);
    let mut tail = VecDeque::new();
    for_each_line(reader, |text| {
        see(text);
        tail.push_back(text.to_owned());
        if tail.len() > LINES_SHOWN_ON_FAILURE {
            tail.pop_front();
        }
    })?;
    let status = child.wait()?;
    let output = tail.into_iter().collect::<Vec<_>>().join("\n");
    let is_good = status.code().is_some_and(|code| codes.contains(&code));
    ensure!(is_good, "{output}\n\n`{name}` failed ({status}); its output is above");
    Ok(())
}

/// The standard output of `command`, without the final line break.
pub fn output(mut command: Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| cannot_start(&command))?;
    expect_success(&command, output.status)?;
    let text = String::from_utf8(output.stdout).with_context(|| format!("`{}` wrote no text", describe(&command)))?;
    Ok(text.trim_end().to_owned())
}

/// The standard output of `command`, as [`output`]; `None` if it cannot be run, fails, or says nothing.
pub fn output_if_any(mut command: Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim_end().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Whether `command` runs and succeeds; its output is discarded.
pub fn succeeds(mut command: Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn for_each_line(output: impl Read, mut see: impl FnMut(&str)) -> Result<()> {
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        see(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(())
}

fn expect_success(command: &Command, status: ExitStatus) -> Result<()> {
    ensure!(status.success(), "`{}` failed ({status})", describe(command));
    Ok(())
}

fn cannot_start(command: &Command) -> String {
    format!("`{}` could not be started", describe(command))
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_survive_broken_text_and_a_missing_end() {
        let mut seen = Vec::new();
        for_each_line(&b"one\r\n\xff two\n\nlast"[..], |line| seen.push(line.to_owned())).expect("memory can be read");
        assert_eq!(seen, ["one", "\u{fffd} two", "", "last"]);
    }

    #[test]
    fn a_failure_shows_the_output_and_the_command() {
        let mut command = Command::new("cargo");
        command.arg("--no-such-option");
        let error =
            toponym_terminal::report::step("fails", |line| run_behind(line, command)).expect_err("it must fail");
        let text = error.to_string();
        assert!(text.contains("unexpected argument") && text.contains("`cargo --no-such-option` failed"), "{text}");
    }
}
