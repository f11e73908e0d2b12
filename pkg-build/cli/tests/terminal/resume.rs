//! A batch that is stopped goes on, and its output is that of one that was not.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Folder, village};

/// Enough rows that a run is stopped among them.
const ROWS: usize = 40_000;

/// How long a run may take to begin on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const OPTIONS: [&str; 4] = ["--city-column", "city", "--jobs", "1"];

/// A folder with a table whose rows all differ.
fn folder() -> Folder {
    let folder = Folder::new();
    let rows: String =
        (0..ROWS).map(|number| format!("{number},{}{}\n", village(number % 500), number / 500)).collect();
    folder.write("in.csv", format!("id,city\n{rows}"));
    folder
}

fn batch(folder: &Folder, out: &str, more: &[&str]) -> Command {
    let mut command = folder.command(&["batch", "in.csv", "-o", out]);
    command.args(OPTIONS).args(more).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Waits until the run has stored that it wrote some rows.
fn wait_for_rows(folder: &Folder, child: &mut Child) {
    let since = Instant::now();
    let has_rows = || {
        let state = std::fs::read(folder.path("out.csv.part.json")).ok();
        let state: Option<serde_json::Value> = state.and_then(|state| serde_json::from_slice(&state).ok());
        state.is_some_and(|state| state["rows"].as_u64() > Some(0))
    };
    while !has_rows() {
        assert!(
            child.try_wait().expect("it is a child").is_none(),
            "it ended before it was stopped: more ROWS are needed"
        );
        assert!(since.elapsed() < PATIENCE, "it wrote no rows");
        sleep(Duration::from_millis(2));
    }
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is part of the system").success());
}

#[test]
fn a_stopped_run_goes_on_to_the_same_bytes() {
    let folder = folder();
    assert!(batch(&folder, "whole.csv", &[]).status().expect("it runs").success());
    for (sent, code) in [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None)] {
        let mut child = batch(&folder, "out.csv", &[]).spawn().expect("the program is built");
        wait_for_rows(&folder, &mut child);
        signal(&child, sent);
        let stopped = child.wait_with_output().expect("it ends");
        assert_eq!(stopped.status.code(), code, "{sent}");
        assert!(!folder.path("out.csv").exists(), "{sent}: what is unfinished has another name");
        if sent == "-KILL" {
            // What a crash leaves behind the rows that are known to be whole.
            let part = [folder.bytes("out.csv.part"), b"half a r".to_vec()].concat();
            folder.write("out.csv.part", part);
        }
        let resumed = batch(&folder, "out.csv", &[]).output().expect("it runs");
        let told = String::from_utf8_lossy(&resumed.stderr).into_owned();
        assert!(resumed.status.success() && told.contains("going on behind row"), "{sent}: {told}");
        assert!(folder.bytes("out.csv") == folder.bytes("whole.csv"), "{sent}: the bytes differ");
        assert!(!folder.path("out.csv.part").exists() && !folder.path("out.csv.part.json").exists());
        std::fs::remove_file(folder.path("out.csv")).expect("it is there");
    }
}

#[test]
fn a_run_of_something_else_is_refused() {
    let folder = folder();
    let mut child = batch(&folder, "out.csv", &[]).spawn().expect("the program is built");
    wait_for_rows(&folder, &mut child);
    signal(&child, "-INT");
    child.wait().expect("it ends");
    let told = |more: &[&str]| {
        let output = batch(&folder, "out.csv", more).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(told(&["--lang", "de"]).contains("with other options: give the same as then to go on, or --restart"));
    folder.write("other.toponym", folder.bytes("places.toponym"));
    let twice = told(&["--index", "other.toponym", "--index", "places.toponym"]);
    assert!(twice.contains("with another index"), "{twice}");
    let table = folder.read("in.csv");
    folder.write("in.csv", table.replace("\n7,", "\n77,"));
    assert!(told(&[]).contains("with another input"));
    assert!(batch(&folder, "out.csv", &["--restart"]).status().expect("it runs").success());
    assert!(folder.read("out.csv").contains("\n77,"));
}
