//! A batch that is stopped goes on, and its output is that of one that was not.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Folder, village};

/// Enough rows that a run is stopped among them.
const ROWS: usize = 40_000;

/// Time that a run may take to begin on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const OPTIONS: [&str; 4] = ["--city-column", "city", "--jobs", "1"];

/// The formats, each with the end of what is in its output before the first row.
const FORMATS: [(&str, &str); 4] = [
    ("csv", "toponym_reason\n"),
    ("ndjson", ""),
    ("json", "["),
    ("geojson", "{\"type\":\"FeatureCollection\",\"features\":["),
];

/// Makes a table whose rows all differ.
fn table(format: &str) -> String {
    let rows = (0..ROWS).map(|number| {
        let city = format!("{}{}", village(number % 500), number / 500);
        let object = || format!("{{\"id\":{number},\"city\":\"{city}\"}}");
        match format {
            "csv" => format!("{number},{city}\n"),
            "ndjson" => object() + "\n",
            "json" => object(),
            _ => format!("{{\"type\":\"Feature\",\"geometry\":null,\"properties\":{}}}", object()),
        }
    });
    match format {
        "csv" => format!("id,city\n{}", rows.collect::<String>()),
        "ndjson" => rows.collect(),
        "json" => format!("[{}]", rows.collect::<Vec<_>>().join(",")),
        _ => {
            let features = rows.collect::<Vec<_>>().join(",");
            format!("{{\"type\":\"FeatureCollection\",\"features\":[{features}],\"name\":\"x\"}}")
        }
    }
}

/// Creates a folder with a CSV table whose rows all differ.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.csv", table("csv"));
    folder
}

/// Creates a run on the table in the format of `out`.
fn batch(folder: &Folder, out: &str, more: &[&str]) -> Command {
    let format = out.rsplit('.').next().expect("it has an ending");
    let mut command = folder.command(&["batch", &format!("in.{format}"), "-o", out]);
    command.args(OPTIONS).args(more).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs a command that has to succeed, and returns what it says.
fn finish(folder: &Folder, out: &str) -> String {
    let run = batch(folder, out, &[]).output().expect("it runs");
    let told = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success(), "{out}: {told}");
    told
}

/// Runs a command that has to fail, and returns what it says.
fn refuse(folder: &Folder, out: &str, more: &[&str]) -> String {
    let run = batch(folder, out, more).output().expect("it runs");
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    String::from_utf8_lossy(&run.stderr).into_owned()
}

/// Begins a run, and stops it among its rows.
fn stop(folder: &Folder, out: &str) {
    let mut child = batch(folder, out, &[]).spawn().expect("the program is built");
    wait_for_rows(folder, out, &mut child);
    signal(&child, "-INT");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

/// Lists the files that a run leaves beside its output while it is unfinished.
fn rest(folder: &Folder, out: &str) -> Vec<String> {
    let endings = [".part", ".part.json", ".part.json.new"];
    endings.map(|ending| format!("{out}{ending}")).into_iter().filter(|name| folder.path(name).exists()).collect()
}

/// Waits until the run has stored that it wrote some rows.
fn wait_for_rows(folder: &Folder, out: &str, child: &mut Child) {
    let since = Instant::now();
    let has_rows = || {
        let state = std::fs::read(folder.path(&format!("{out}.part.json"))).ok();
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
fn a_resumed_run_gives_the_same_bytes() {
    let folder = folder();
    finish(&folder, "whole.csv");
    for (sent, code) in [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None)] {
        let mut child = batch(&folder, "out.csv", &[]).spawn().expect("the program is built");
        wait_for_rows(&folder, "out.csv", &mut child);
        signal(&child, sent);
        let stopped = child.wait_with_output().expect("it ends");
        assert_eq!(stopped.status.code(), code, "{sent}");
        assert!(!folder.path("out.csv").exists(), "{sent}: what is unfinished has another name");
        if sent == "-KILL" {
            // What a crash leaves behind the rows that are known to be whole, and of a state that it was storing.
            let part = [folder.bytes("out.csv.part"), b"half a r".to_vec()].concat();
            folder.write("out.csv.part", part);
            folder.write("out.csv.part.json.new", "{\"ident");
        }
        let told = finish(&folder, "out.csv");
        assert!(told.contains("going on behind row"), "{sent}: {told}");
        assert!(folder.bytes("out.csv") == folder.bytes("whole.csv"), "{sent}: the bytes differ");
        assert!(rest(&folder, "out.csv").is_empty(), "{:?}", rest(&folder, "out.csv"));
        std::fs::remove_file(folder.path("out.csv")).expect("it is there");
    }
}

/// Resumes every format among its rows, and behind its header, which must not be written twice.
#[test]
fn every_format_goes_on() {
    for (format, header_end) in FORMATS {
        let whole = format!("whole.{format}");
        let out = format!("out.{format}");
        let part = format!("{out}.part");
        let state = format!("{out}.part.json");
        let folder = Folder::new();
        folder.write(&format!("in.{format}"), table(format));
        finish(&folder, &whole);
        stop(&folder, &out);
        let told = finish(&folder, &out);
        assert!(told.contains("going on behind row"), "{format}: {told}");
        assert!(folder.bytes(&out) == folder.bytes(&whole), "{format}: the bytes differ");
        std::fs::remove_file(folder.path(&out)).expect("it is there");

        stop(&folder, &out);
        let text = folder.read(&part);
        let header = &text[..text.find(header_end).expect("it begins so") + header_end.len()];
        let mut stored: serde_json::Value = serde_json::from_str(&folder.read(&state)).expect("it is JSON");
        stored["rows"] = 0.into();
        stored["bytes"] = header.len().into();
        stored["counts"] = serde_json::json!([0, 0, 0, 0]);
        folder.write(&state, stored.to_string());
        folder.write(&part, header);
        finish(&folder, &out);
        assert!(folder.bytes(&out) == folder.bytes(&whole), "{format}: the bytes differ behind the header");
    }
}

#[test]
fn a_run_of_something_else_is_refused() {
    let folder = folder();
    stop(&folder, "out.csv");
    let told = |more: &[&str]| refuse(&folder, "out.csv", more);
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

/// Keeps nothing of a run that wrote no row: the corrected command is not another one.
#[test]
fn a_failed_start_blocks_no_later_run() {
    let folder = Folder::new();
    folder.write("in.csv", "id,city,toponym_id\n1,Paris,2\n");
    folder.write("in.json", "[{\"city\":\"Paris\"},{\"city\":\"Paris\",\"toponym_id\":1}]");
    for (wrong, right) in [
        ("batch in.csv -o out.csv --city-column town", "batch in.csv -o out.csv --city-column city --prefix geo_"),
        ("batch in.csv -o out.csv --city-column city", "batch in.csv -o out.csv --city-column city --prefix geo_"),
        ("batch in.json -o out.json --city-column city", "batch in.json -o out.json --city-column city --prefix geo_"),
    ] {
        let out = wrong.split(' ').nth(3).expect("the output is named");
        assert_eq!(folder.run(wrong).code, Some(1), "{wrong}");
        assert!(rest(&folder, out).is_empty(), "{wrong}: {:?}", rest(&folder, out));
        // What a crash leaves.
        folder.write(&format!("{out}.part"), "[");
        folder.write(&format!("{out}.part.json"), STATE_WITHOUT_ROWS);
        let run = folder.run(right);
        assert_eq!(run.code, Some(0), "{right}: {run:?}");
        assert!(rest(&folder, out).is_empty(), "{right}: {:?}", rest(&folder, out));
    }
    serde_json::from_str::<serde_json::Value>(&folder.read("out.json")).expect("it begins once");
}

const STATE_WITHOUT_ROWS: &str = r#"{"identity":{"version":"0","input":[1,"a"],"indexes":[],"options":"other"},"rows":0,"bytes":1,"counts":[0,0,0,0]}"#;

/// Two runs would write over each other. A lock is gone with the process that holds it, however it ends.
#[test]
fn one_run_at_a_time_writes_a_file() {
    let folder = folder();
    stop(&folder, "out.csv");
    let part = folder.bytes("out.csv.part");
    let state = folder.bytes("out.csv.part.json");
    let held = std::fs::File::options().write(true).open(folder.path("out.csv.part")).expect("it is there");
    held.lock().expect("it can be locked");
    for more in [&[] as &[&str], &["--restart"], &["--lang", "de"]] {
        let told = refuse(&folder, "out.csv", more);
        assert!(told.contains("another run writes out.csv"), "{told}");
    }
    assert!(part == folder.bytes("out.csv.part") && state == folder.bytes("out.csv.part.json"), "they are the other's");
    drop(held);
    assert!(finish(&folder, "out.csv").contains("going on behind row"));
}
