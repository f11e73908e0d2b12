//! A folder with a small index, in which the program is run.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use toponym_engine::geo::Coordinate;
use toponym_engine::{Gazetteer, Kind, Name, NameClass, Record, Role, index};

/// A folder of its own.
pub struct Folder {
    dir: TempDir,
}

/// Output of a run, and its exit code.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

impl Folder {
    /// Creates a folder with `places.toponym`.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder can be created");
        let folder = Self { dir };
        folder.write("places.toponym", index::write(&gazetteer()).expect("the gazetteer is sound"));
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("the folder can be written");
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("it is UTF-8")
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Creates a command of the program in this folder, with the small index.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(self.dir.path());
        command.args(arguments).env("TOPONYM_INDEX", self.path("places.toponym"));
        command
    }

    /// Runs the words of `line`.
    pub fn run(&self, line: &str) -> Run {
        self.run_with(&line.split(' ').collect::<Vec<_>>(), "")
    }

    /// Runs with `input` as standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        finish(self.command(arguments), input)
    }
}

/// Creates a command of the program in a folder.
pub fn program(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toponym"));
    command.current_dir(dir).env_remove("TOPONYM_INDEX");
    command
}

/// Runs a command to its end.
pub fn finish(mut command: Command, input: &str) -> Run {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the program is built");
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().expect("it is a pipe").write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    Run { out: text(stdout), err: text(stderr), code: status.code() }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Makes a gazetteer of France, Germany and the United States, with some cities.
fn gazetteer() -> Gazetteer {
    let country = |id, name: &str, code, at| place(id, Role::Country, name, at, None, code, 0.9);
    let city =
        |id, name: &str, at, parent, code, importance| place(id, Role::City, name, at, Some(parent), code, importance);
    let mut munich = city(6, "Munich", (48.13743, 11.57549), 2, b"DE", 0.8);
    munich.names.push(Name { text: "München".into(), class: NameClass::Primary, lang: Some("de".into()) });
    let mut places = vec![
        country(1, "France", b"FR", (46.0, 2.0)),
        country(2, "Germany", b"DE", (51.0, 9.0)),
        country(3, "United States", b"US", (39.8, -98.5)),
        city(4, "Paris", (48.85341, 2.3488), 1, b"FR", 0.9),
        city(5, "Paris", (33.66094, -95.55551), 3, b"US", 0.4),
        munich,
        city(7, "Saint-Denis", (48.93564, 2.35387), 1, b"FR", 0.5),
    ];
    places.extend((0..500).map(|number| {
        let at = (f64::from(number) / 10.0, 100.0 + f64::from(number) / 10.0);
        city(1_000 + number as u64, &village(number as usize), at, 2, b"DE", 0.2)
    }));
    Gazetteer { places, ..Gazetteer::default() }
}

/// Returns the name of a village, of syllables that tell it from the others.
pub fn village(number: usize) -> String {
    const SYLLABLES: [&str; 8] = ["Bar", "lom", "tig", "ned", "fus", "kal", "rop", "wen"];
    let digits = [number / 64 % 8, number / 8 % 8, number % 8];
    format!("{}hausen", digits.map(|digit| SYLLABLES[digit]).concat())
}

fn place(
    id: u64,
    role: Role,
    name: &str,
    (lat, lon): (f64, f64),
    parent: Option<u64>,
    country: &[u8; 2],
    importance: f64,
) -> Record {
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: role.name().into() },
        names: vec![Name { text: name.into(), class: NameClass::Primary, lang: None }],
        codes: match role {
            Role::Country => vec![toponym_engine::Code {
                scheme: toponym_engine::CodeScheme::Iso2,
                text: String::from_utf8_lossy(country).into_owned(),
            }],
            _ => vec![],
        },
        position: Coordinate::new(lat, lon).expect("it is on the globe"),
        parent,
        country: *country,
        importance,
        extent_m: 5_000.0,
        bounds: None,
    }
}
