//! Text normalisation: folding, elided articles, initials, spelling variants and the sound of a name.

mod decimal;
mod decomposition;
mod elision;
mod fold;
mod initials;
mod letters;
mod lower;
mod point;
mod sound;
mod variants;

pub(crate) use decimal::decimal;
pub(crate) use decomposition::compose;
pub(crate) use elision::without_elisions;
pub(crate) use fold::{beginning, ends_with_separator};
pub use fold::{fold, segments};
pub(crate) use initials::with_initials_joined;
pub use letters::letters;
pub(crate) use letters::{are_of_one_script, first_of_syllable, in_katakana};
pub(crate) use lower::to_lower;
pub(crate) use point::point_of;
pub(crate) use sound::sound;
pub(crate) use variants::variants;

/// Compares a table with the file that holds it. With `UPDATE_EXPECT` writes the file.
#[cfg(test)]
fn check_table(name: &str, table: &[u8]) {
    let file = format!("{}/src/text/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, table).expect("the file is ours");
    }
    assert!(table == std::fs::read(&file).expect("it is there"), "renew {file} with UPDATE_EXPECT=1");
}
