//! Runs every target on the inputs that the repository keeps: seeds, and inputs that failed before.

use std::panic::catch_unwind;

use toponym_fuzz::{TARGETS, inputs};

#[test]
fn kept_inputs_pass() {
    let mut failed = Vec::new();
    for target in TARGETS {
        for input in inputs::of(target.name).unwrap_or_else(|error| panic!("{error}")) {
            if input.kind == inputs::DICTIONARY {
                continue;
            }
            if catch_unwind(|| (target.run)(&input.bytes)).is_err() {
                failed.push(format!("{} {} {}", target.name, input.kind, input.name));
            }
        }
    }
    assert!(failed.is_empty(), "{} inputs fail, as said above:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_target_has_uniquely_named_seeds() {
    for target in TARGETS {
        let inputs = inputs::of(target.name).unwrap_or_else(|error| panic!("{error}"));
        assert!(inputs.iter().any(|input| input.kind == "seed"), "{} has no seeds", target.name);
        let mut names: Vec<_> = inputs.iter().map(|input| (&input.kind, &input.name)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), inputs.len(), "{}: two inputs have one name", target.name);
    }
}

#[test]
fn every_file_belongs_to_a_target() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/inputs");
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("names are text");
        assert!(TARGETS.iter().any(|target| target.name == name), "{} belongs to no target", path.display());
    }
}
