//! The list of sections in FORMAT.md must match the table in the code.

use toponym_engine::index::{FORMAT_VERSION, MEANINGS, SECTIONS};

const BEGIN: &str = "<!-- sections: UPDATE_EXPECT=1 cargo test --test format -->\n\n";
const END: &str = "\n<!-- end of sections -->";

#[test]
fn the_format_lists_every_section() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/FORMAT.md");
    let format = std::fs::read_to_string(path).expect("there is a FORMAT.md");
    assert!(format.contains(&format!("\nVersion {FORMAT_VERSION}. ")), "FORMAT.md is of another version");
    let (before, rest) = format.split_once(BEGIN).expect("it has a place for the sections");
    let (found, after) = rest.split_once(END).expect("the place has an end");
    let mut rows = String::new();
    for (number, (section, meaning)) in SECTIONS.iter().zip(MEANINGS).enumerate() {
        rows += &format!("| {number} | {} | {} | {meaning} |\n", section.name, section.element.name());
    }
    let expect = format!("| # | section | element | meaning |\n|---|---|---|---|\n{rows}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{expect}{END}{after}")).expect("FORMAT.md can be written");
    } else {
        assert_eq!(found, expect, "UPDATE_EXPECT=1 renews FORMAT.md");
    }
}
