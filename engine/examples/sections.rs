//! Lists the sections of an index file with their sizes, raw and compressed: `cargo run --release --example sections -- FILE`.

use std::io::Write;
use std::process::{Command, Stdio};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "build/index.toponym".to_owned());
    for (name, bytes) in toponym_engine::index::sections(std::fs::read(&path)?)? {
        println!("{name:20} {:>12} {:>12}", bytes.len(), gzip(&bytes)?);
    }
    Ok(())
}

fn gzip(bytes: &[u8]) -> std::io::Result<usize> {
    let mut child = Command::new("gzip").args(["-9", "-c"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let out = child.wait_with_output()?;
    writer.join().expect("the writer does not panic")?;
    Ok(out.stdout.len())
}
