//! Tests that Ctrl-C during a build leaves the old index unchanged and no temporary files.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use toponym_builder::index::{IndexOptions, partial};
use toponym_builder::unfinished_file;

/// Generous start-up time for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page that no version has, by its name.
const PAGE: &str = "0123456789abcdef";

#[test]
fn an_interrupted_build_keeps_the_index() {
    interrupt(&[]);
}

#[test]
fn an_interrupted_build_leaves_no_pages() {
    interrupt(&["--paged"]);
}

fn interrupt(options: &[&str]) {
    let dir = tempfile::tempdir().expect("a temporary folder can be created");
    let out = dir.path().join("index.toponym");
    let pipe = dir.path().join("places.csv");
    std::fs::write(&out, "as it was").expect("the folder can be written");
    // Nobody writes to the pipe, so the build waits for its first byte.
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is part of the system").success());
    let mut build = Command::new(env!("CARGO_BIN_EXE_toponym"))
        .args(["index", "--add"])
        .arg(&pipe)
        .arg("--out")
        .arg(&out)
        .args(options)
        .stderr(Stdio::null())
        .spawn()
        .expect("the program is built");
    // Opening the pipe waits until the build opens its other end, which is after it set its signal handler.
    let (sender, opened) = channel();
    std::thread::spawn(move || sender.send(std::fs::File::options().write(true).open(pipe)));
    let writer = opened.recv_timeout(PATIENCE).expect("the build opens the file").expect("the pipe is there");
    // What the build would be writing later, and a download would leave.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = dir.path().join("index.pages");
    let index = if options.is_empty() { out.clone() } else { pages.join("root.toponym") };
    let files = [index.clone(), index.with_extension("toponym.json"), out.with_extension("merges.csv")];
    let partials = files.map(|path| partial(&path, build.id()));
    std::fs::create_dir_all(&pages).expect("the folder can be written");
    let unfinished = unfinished_file(&IndexOptions::new(&root).cache, build.id());
    for name in [PAGE, ".root.7.partial"].iter().take(2 * options.len()) {
        std::fs::write(pages.join(name), "incomplete").expect("the folder can be written");
    }
    partials.iter().for_each(|path| std::fs::write(path, "incomplete").expect("the folder can be written"));
    std::fs::create_dir_all(&unfinished).expect("the folder can be written");
    std::fs::write(unfinished.join("package.tgz"), "incomplete").expect("the folder can be written");

    let interrupted = Command::new("kill").args(["-INT", &build.id().to_string()]).status();
    assert!(interrupted.expect("kill is part of the system").success());
    let status = build.wait().expect("it ends");
    drop(writer);

    assert_eq!(status.code(), Some(130), "{status}");
    assert_eq!(std::fs::read_to_string(&out).expect("it is there"), "as it was");
    assert!(!unfinished.exists(), "{}", unfinished.display());
    assert_eq!(std::fs::read_dir(&pages).expect("the folder is ours").count(), 0);
    assert_eq!(std::fs::read_dir(dir.path()).expect("the folder is ours").count(), 3);
}
