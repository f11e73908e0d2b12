//! Tests that Ctrl-C during a build leaves the old index unchanged and no temporary files.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Generous start-up time for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn an_interrupted_build_leaves_the_index_as_it_was() {
    let dir = tempfile::tempdir().expect("a temporary folder can be created");
    let (out, pipe) = (dir.path().join("index.toponym"), dir.path().join("places.csv"));
    std::fs::write(&out, "as it was").expect("the folder can be written");
    // Nobody writes to the pipe, so the build waits for its first row.
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is part of the system").success());
    let mut build = Command::new(env!("CARGO_BIN_EXE_toponym"))
        .args(["index", "--add"])
        .arg(&pipe)
        .arg("--out")
        .arg(&out)
        .stderr(Stdio::null())
        .spawn()
        .expect("the program is built");
    wait_until(&mut build, is_reading_a_pipe);
    // The temporary file that the build would be writing.
    let partial = toponym_builder::index::partial(&out).to_string_lossy().into_owned();
    let partial = partial.replace(&format!(".{}.", std::process::id()), &format!(".{}.", build.id()));
    std::fs::write(&partial, "incomplete").expect("the folder can be written");

    let interrupted = Command::new("kill").args(["-INT", &build.id().to_string()]).status();
    assert!(interrupted.expect("kill is part of the system").success());
    let status = build.wait().expect("it ends");

    assert_eq!(status.code(), Some(130), "{status}");
    assert_eq!(std::fs::read_to_string(&out).expect("it is there"), "as it was");
    assert!(!Path::new(&partial).exists(), "{partial}");
    assert_eq!(std::fs::read_dir(dir.path()).expect("the folder is ours").count(), 2);
}

fn wait_until(child: &mut Child, is_so: impl Fn(u32) -> bool) {
    let started = Instant::now();
    while !is_so(child.id()) {
        assert!(child.try_wait().expect("it is ours").is_none(), "it ended by itself");
        assert!(started.elapsed() < PATIENCE, "it never got there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The signal handler is set before the first file is opened, and opening a pipe blocks until its other end is opened.
fn is_reading_a_pipe(process: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).map(Iterator::count).unwrap_or_default();
    let waits = std::fs::read_to_string(format!("/proc/{process}/wchan")).unwrap_or_default();
    threads > 1 && (waits.contains("fifo") || waits.contains("wait_for_partner"))
}
