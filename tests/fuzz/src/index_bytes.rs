//! Fuzz target for opening arbitrary bytes as an index.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use toponym_engine::Engine;
use toponym_engine::index::{FORMAT_VERSION, MAGIC, sections};
use xxhash_rust::xxh3::xxh3_64;

use crate::world::ask_everything;

/// Bytes before the header: `engine/FORMAT.md`, section Frame.
const FRAME: usize = 32;

/// Opens any bytes, as they are and with a valid frame: the result is an error or an engine, never a panic. An engine then
/// gets every kind of query. With a forged transducer of names a query may panic, but must not run forever or take
/// unbounded memory (`engine/FORMAT.md`, section Frame).
pub fn index_bytes(data: &[u8]) {
    let _ = Engine::open(data.to_vec());
    let framed = frame(data);
    let _ = sections(framed.clone());
    for engine in [Engine::open(framed.clone()), Engine::open_trusted(framed)].into_iter().flatten() {
        quietly(|| ask_everything(&engine));
    }
}

/// Returns the bytes with correct magic, version, length and checksum.
pub fn frame(data: &[u8]) -> Vec<u8> {
    let mut file = data.to_vec();
    if file.len() < FRAME {
        return file;
    }
    let length = file.len() as u64;
    let checksum = xxh3_64(&file[FRAME..]);
    file[0..8].copy_from_slice(&MAGIC);
    file[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    file[16..24].copy_from_slice(&length.to_le_bytes());
    file[24..32].copy_from_slice(&checksum.to_le_bytes());
    file
}

/// Runs code that may panic. libFuzzer's own hook would end the process before the panic is caught.
fn quietly(work: impl FnOnce()) {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let _ = catch_unwind(AssertUnwindSafe(work));
    set_hook(hook);
}
