//! Damaged copies of the small index: each is an error, and none a panic.

use toponym_engine::Engine;

use crate::small;

/// Opens beginnings of the index.
pub fn check_cut() {
    let whole = small::index();
    for length in samples(whole.len()) {
        assert!(Engine::open(whole[..length].to_vec()).is_err(), "the first {length} bytes of {}", whole.len());
    }
}

/// Opens copies of the index with one bit changed.
pub fn check_changed() {
    let whole = small::index();
    for position in samples(whole.len()) {
        let mut changed = whole.clone();
        changed[position] ^= 1;
        assert!(Engine::open(changed).is_err(), "byte {position} of {} was changed", whole.len());
    }
}

/// Returns every position in the frame and the first part of the header, then a sample.
fn samples(length: usize) -> impl Iterator<Item = usize> {
    const DENSE: usize = 512;
    const STRIDE: usize = 997;
    (0..DENSE).chain((DENSE..length).step_by(STRIDE))
}
