//! Prints statistics of the gazetteer without writing an index: counts by role, type, name class and script, and every
//! place with one of the given names.
//!
//! `cargo run --release -p toponym-builder --example gazetteer_stats [NAME...]`

use std::collections::BTreeMap;
use std::path::Path;

use toponym_builder::index::{IndexOptions, gazetteer};
use toponym_engine::{Gazetteer, Record};
use unicode_script::UnicodeScript;

fn main() -> Result<(), toponym_builder::BuildError> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut options = IndexOptions::new(root);
    if let Some(cache) = std::env::var_os("TOPONYM_CACHE") {
        options.cache = cache.into();
    }
    let gazetteer = gazetteer(&options)?;
    count(&gazetteer, "roles and types", |place| {
        vec![format!("{:?} {} {}", place.kind.role, place.kind.category, place.kind.r#type)]
    });
    count(&gazetteer, "name classes", |place| {
        place.names.iter().map(|name| format!("{:?} {:?}", place.kind.role, name.class)).collect()
    });
    count(&gazetteer, "scripts", |place| {
        let first = |text: &str| text.chars().find(|c| c.is_alphabetic()).map(|c| c.script().full_name());
        place.names.iter().filter_map(|name| Some(first(&name.text)?.to_owned())).collect()
    });
    count(&gazetteer, "codes", |place| place.codes.iter().map(|code| format!("{:?}", code.scheme)).collect());
    for wanted in std::env::args().skip(1) {
        show(&gazetteer, &wanted);
    }
    Ok(())
}

fn count(gazetteer: &Gazetteer, title: &str, labels: impl Fn(&Record) -> Vec<String>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for label in gazetteer.places.iter().flat_map(labels) {
        *counts.entry(label).or_default() += 1;
    }
    println!("\n{title}");
    for (label, count) in counts {
        println!("{count:>10} {label}");
    }
}

fn show(gazetteer: &Gazetteer, wanted: &str) {
    println!("\n== {wanted}");
    let called = |place: &&Record| place.names.iter().any(|name| name.text == wanted);
    let mut places: Vec<&Record> = gazetteer.places.iter().filter(called).collect();
    places.sort_by(|a, b| b.importance.total_cmp(&a.importance));
    for place in places.iter().take(8) {
        println!("{:.3} {} {:?} {}", place.importance, place.id, place.kind.role, hierarchy(gazetteer, place));
        println!("      at {:?} extent {:.0} m, box {:?}", place.position, place.extent_m, place.bounds);
        println!("      codes {:?}", place.codes.iter().map(|code| code.text.as_str()).collect::<Vec<_>>());
        let names: Vec<String> = place
            .names
            .iter()
            .map(|name| format!("{}{:?}:{}", name.lang.as_deref().unwrap_or(""), name.class, name.text))
            .collect();
        println!("      {}", names.join(" | "));
    }
}

fn hierarchy(gazetteer: &Gazetteer, place: &Record) -> String {
    let mut names = vec![place.names[0].text.as_str()];
    let mut parent = place.parent;
    while let Some(id) = parent {
        let index = gazetteer.places.binary_search_by_key(&id, |place| place.id).expect("a parent is a record");
        names.push(&gazetteer.places[index].names[0].text);
        parent = gazetteer.places[index].parent;
    }
    names.join(", ")
}
