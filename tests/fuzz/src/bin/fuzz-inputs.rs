//! Writes the inputs that the repository keeps as libFuzzer reads them, one file each: `fuzz-inputs FOLDER` fills
//! `FOLDER/TARGET`, and writes the words into `FOLDER/TARGET.dict`. `fuzz-inputs --keep TARGET NAME FILE` adds a failing input to the file of its target.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use toponym_fuzz::TARGETS;
use toponym_fuzz::inputs::{self, Input};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--keep", target, name, file] => keep(target, name, file),
        [folder] => fill(Path::new(folder)),
        _ => Err("expected `fuzz-inputs FOLDER` or `fuzz-inputs --keep TARGET NAME FILE`".into()),
    }
}

fn fill(folder: &Path) -> Result<(), Box<dyn Error>> {
    for target in TARGETS {
        let folder = folder.join(target.name);
        if folder.is_dir() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        for input in inputs::of(target.name)? {
            let path = match input.kind.as_str() {
                inputs::DICTIONARY => folder.with_extension("dict"),
                _ => folder.join(format!("{}-{}", input.kind, input.name)),
            };
            fs::write(path, input.bytes)?;
        }
    }
    Ok(())
}

fn keep(target: &str, name: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let names = TARGETS.map(|target| target.name);
    if !names.contains(&target) {
        return Err(format!("there is no target {target}; there are: {}", names.join(", ")).into());
    }
    let input = Input { kind: "regression".into(), name: name.into(), bytes: fs::read(file)? };
    let path = inputs::file(target);
    let kept = if path.is_file() { fs::read_to_string(&path)? } else { String::new() };
    fs::write(&path, kept + &inputs::write(&input))?;
    println!("{} keeps it as {name}", path.display());
    Ok(())
}
