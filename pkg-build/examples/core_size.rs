//! tmp
use std::collections::*;
use std::io::Write;
use std::path::Path;
use toponym_build::index::{IndexOptions, gazetteer};
use toponym_engine::*;

fn gz(g: &Gazetteer) -> (usize, usize) {
    let bytes = index::write(g).unwrap();
    let mut e = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    e.write_all(&bytes).unwrap();
    (bytes.len(), e.finish().unwrap().len())
}
fn latin(n: &Name) -> bool {
    n.text.chars().filter(|c| c.is_alphabetic()).all(|c| (c as u32) < 0x250 || (0x1e00..0x1f00).contains(&(c as u32)))
}

fn core(g: &Gazetteer, place_in: &dyn Fn(&Record) -> bool, name_in: &dyn Fn(&Record, &Name) -> bool) -> Gazetteer {
    let parents: BTreeMap<u64, Option<u64>> = g.places.iter().map(|p| (p.id, p.parent)).collect();
    let mut places: Vec<Record> = g.places.iter().filter(|p| place_in(p)).cloned().collect();
    let kept: BTreeSet<u64> = places.iter().map(|p| p.id).collect();
    for p in &mut places {
        p.parent =
            std::iter::successors(p.parent, |id| parents.get(id).copied().flatten()).find(|id| kept.contains(id));
        let r = p.clone();
        let mut first = true;
        p.names.retain(|n| std::mem::take(&mut first) || name_in(&r, n));
    }
    Gazetteer {
        places,
        letters: vec![],
        about: g.about.clone(),
        lexicon: g.lexicon.clone(),
        borders: g.borders.clone(),
        ..Gazetteer::default()
    }
}
fn main() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let options = IndexOptions::new(root);
    let g = gazetteer(&options).unwrap();
    use NameClass::*;
    let place = |p: &Record| match p.kind.role {
        Role::Country | Role::State | Role::Station | Role::Landmark => true,
        Role::City | Role::Quarter => p.importance >= 0.447,
        Role::Airport => p.codes.iter().any(|c| c.scheme == CodeScheme::Iata),
        Role::County => false,
    };
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for p in g.places.iter().filter(|p| place(p)) {
        for (i, n) in p.names.iter().enumerate() {
            *count
                .entry(format!(
                    "{:?} {} {:?} latin={}",
                    p.kind.role,
                    if i == 0 { "first" } else { "more" },
                    n.class,
                    latin(n)
                ))
                .or_default() += 1;
        }
    }
    for (k, v) in &count {
        println!("{v:>8} {k}");
    }
    let all = |p: &Record, n: &Name| match n.class {
        Primary | English => true,
        Other => latin(n),
        Weak => false,
    };
    let from = |x: f64| {
        move |p: &Record, n: &Name| match n.class {
            Primary | English => true,
            Other => latin(n) && p.importance >= x,
            Weak => false,
        }
    };
    let show = |what: &str, c: &Gazetteer| println!("{what:50} {:?} places {}", gz(c), c.places.len());
    let base = core(&g, &place, &all);
    show("base, no letters", &base);
    let mut quiet = base.clone();
    quiet.borders.clear();
    show("without borders", &quiet);
    let mut b = base.clone();
    for p in &mut b.places {
        p.importance = (p.importance * 512.0).round() / 512.0;
    }
    show("importance in 512", &b);
    let mut b = base.clone();
    for p in &mut b.places {
        p.position.lat = (p.position.lat * 1e3).round() / 1e3;
        p.position.lon = (p.position.lon * 1e3).round() / 1e3;
    }
    show("coordinates 1e-3", &b);
    let mut b = base.clone();
    for p in &mut b.places {
        p.position.lat = (p.position.lat * 1e4).round() / 1e4;
        p.position.lon = (p.position.lon * 1e4).round() / 1e4;
    }
    show("coordinates 1e-4", &b);
    let mut b = base.clone();
    for p in &mut b.places {
        p.bounds = p.bounds.filter(|_| p.kind.role == Role::Country);
    }
    show("bounds of countries only", &b);
    for x in [0.5, 0.55, 0.6, 0.65, 0.7, 2.0] {
        show(&format!("latin others from {x}"), &core(&g, &place, &from(x)));
    }
    let primary = |_: &Record, n: &Name| n.class == Primary;
    show("primary only", &core(&g, &place, &primary));
    let none = |_: &Record, _: &Name| false;
    show("first name only", &core(&g, &place, &none));
    for r in [Role::State, Role::Airport, Role::Station, Role::Landmark, Role::Quarter] {
        show(&format!("without {r:?}"), &core(&g, &|p: &Record| place(p) && p.kind.role != r, &all));
    }
}
