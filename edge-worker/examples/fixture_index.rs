//! Writes the index of the test gazetteer, to run a local Worker without the real data: `cargo run -p toponym-edge
//! --example fixture_index -- build/index.toponym`.

#[path = "../tests/service/gazetteer.rs"]
mod gazetteer;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args().nth(1).ok_or("name the file to write")?;
    std::fs::write(out, toponym_engine::index::write(&gazetteer::gazetteer())?)?;
    Ok(())
}
