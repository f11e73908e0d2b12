//! Draws pairs of places to judge by hand: half of them places that the build merged, half places of one kind that it kept apart,
//! although they are near each other and have like names, or have one name and are not far from each other. Of each half, kinds have the share that they have among all such pairs. The same
//! index, report and seed give the same pairs. Pairs that `tests/merges.csv` has already are left out; those of this example are in `tests/drawn-pairs.csv`.
//!
//! ```text
//! cargo toponym index
//! cargo run --release -p toponym-builder --example pairs_to_judge -- [COUNT] [SEED] > pairs.csv
//! ```

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::path::Path;

use fastrand::Rng;
use toponym_builder::inspect::Contents;
use toponym_engine::geo::{Coordinate, METRES_PER_DEGREE};
use toponym_engine::{Role, fold};

/// Seed without an argument.
const SEED: u64 = 34;

/// Number of pairs without an argument.
const USUAL: usize = 300;

/// Kinds, and how far apart two places may be that somebody could take for one: twice as far as the rules reach.
const KINDS: [(&str, &[Role], f64); 4] = [
    ("settlement", &[Role::City, Role::Quarter], 6_000.0),
    ("airport", &[Role::Airport], 6_000.0),
    ("station", &[Role::Station], 2_400.0),
    ("landmark", &[Role::Landmark], 2_400.0),
];

/// Two places of one name that are nearer than this may be one.
const NAMESAKES_M: f64 = 20_000.0;

/// Words of fewer letters do not make two names alike.
const LEAST_LETTERS: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(USUAL), |count| count.parse())?;
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let index = Contents::open(std::fs::read(root.join("build/index.toponym"))?)?;
    let judged = judged_pairs(&root.join("pkg-build/builder/tests/merges.csv"))?;
    let seed = std::env::args().nth(2).map_or(Ok(SEED), |seed| seed.parse())?;
    let mut rng = Rng::with_seed(seed);
    let halves = [merged_pairs(&root.join("build/index.merges.csv"))?, apart(&index)];
    let mut out = csv::Writer::from_writer(std::io::stdout().lock());
    out.write_record(["place", "country", "id", "name", "lat", "lon", "known_id", "known_name", "metres", "merged"])?;
    for (half, is_merged) in halves.into_iter().zip([true, false]) {
        let half: Vec<Pair> = half.into_iter().filter(|pair| !judged.contains(&pair.names())).collect();
        for pair in sample(half, count / 2, &mut rng) {
            let Pair { kind, country, ids: [id, known_id], names: [name, known_name], at, metres } = pair;
            let lat = at.lat().to_string();
            let lon = at.lon().to_string();
            let metres = format!("{metres:.0}");
            let row = [kind, country, id, name, lat, lon, known_id, known_name, metres, is_merged.to_string()];
            out.write_record(row)?;
        }
    }
    Ok(out.flush()?)
}

/// Two places that are or may be one.
#[derive(Clone)]
struct Pair {
    kind: String,
    country: String,
    ids: [String; 2],
    names: [String; 2],
    at: Coordinate,
    metres: f64,
}

impl Pair {
    fn names(&self) -> BTreeSet<String> {
        self.names.iter().cloned().collect()
    }
}

/// Returns the names of the pairs that are judged already.
fn judged_pairs(path: &Path) -> Result<BTreeSet<BTreeSet<String>>, Box<dyn Error>> {
    let mut judged = BTreeSet::new();
    for row in csv::Reader::from_path(path)?.deserialize() {
        let row: HashMap<String, String> = row?;
        judged.insert(["name", "known_name"].iter().map(|&column| row[column].clone()).collect());
    }
    Ok(judged)
}

/// Reads the pairs that a build merged.
fn merged_pairs(report: &Path) -> Result<Vec<Pair>, Box<dyn Error>> {
    let mut pairs = Vec::new();
    for row in csv::Reader::from_path(report)?.deserialize() {
        let row: HashMap<String, String> = row?;
        let of = |column: &str| row[column].clone();
        pairs.push(Pair {
            kind: of("kind"),
            country: of("country"),
            ids: [of("id"), of("merged_with_id")],
            names: [of("name"), of("merged_with_name")],
            at: Coordinate::new(row["lat"].parse()?, row["lon"].parse()?).ok_or("a position is out of range")?,
            metres: row["metres_apart"].parse()?,
        });
    }
    Ok(pairs)
}

/// A place of an index.
struct Place<'i> {
    id: u64,
    name: &'i str,
    folded: String,
    country: [u8; 2],
    at: Coordinate,
}

/// Finds the pairs of neighbours with like names that are two places of the index.
fn apart(index: &Contents) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (kind, roles, reach_m) in KINDS {
        let rows = (0..index.rows()).filter(|&row| index.role(row).is_some_and(|role| roles.contains(&role)));
        let mut places: Vec<Place> = rows.filter_map(|row| place(index, row)).collect();
        places.sort_by(|a, b| a.at.lat().total_cmp(&b.at.lat()));
        for (number, a) in places.iter().enumerate() {
            let north = a.at.lat() + NAMESAKES_M / METRES_PER_DEGREE;
            for b in places[number + 1..].iter().take_while(|b| b.at.lat() <= north) {
                // The folded names are compared first: distances take longer.
                let reach_m = if a.folded == b.folded { NAMESAKES_M } else { reach_m };
                let metres = a.at.distance_m(b.at);
                if metres < reach_m && a.country == b.country && are_alike(&a.folded, &b.folded) {
                    pairs.push(Pair {
                        kind: kind.to_owned(),
                        country: String::from_utf8_lossy(&a.country).into_owned(),
                        ids: [a, b].map(|place| place.id.to_string()),
                        names: [a, b].map(|place| place.name.to_owned()),
                        at: a.at,
                        metres,
                    });
                }
            }
        }
    }
    pairs
}

fn place(index: &Contents, row: u32) -> Option<Place<'_>> {
    let name = index.display_name(row)?;
    let country = index.country(row)?;
    let at = index.position(row)?;
    Some(Place { id: index.id(row)?, name, folded: fold(name), country, at })
}

/// Checks whether one name has all long words of the other.
fn are_alike(a: &str, b: &str) -> bool {
    let a = words(a);
    let b = words(b);
    !a.is_empty() && !b.is_empty() && (a.is_subset(&b) || b.is_subset(&a))
}

fn words(name: &str) -> BTreeSet<String> {
    name.split(' ').filter(|word| word.chars().count() >= LEAST_LETTERS).map(str::to_owned).collect()
}

/// Draws so many pairs, of each kind its share.
fn sample(pairs: Vec<Pair>, count: usize, rng: &mut Rng) -> Vec<Pair> {
    let all = pairs.len().max(1);
    let mut drawn = Vec::new();
    for (kind, ..) in KINDS {
        let of_kind = pairs.iter().filter(|pair| pair.kind == kind || kind == "landmark" && pair.kind == "region");
        let mut of_kind: Vec<&Pair> = of_kind.collect();
        rng.shuffle(&mut of_kind);
        // At least one of each.
        let share = (of_kind.len() * count).div_ceil(all);
        drawn.extend(of_kind.into_iter().take(share).cloned());
    }
    drawn.truncate(count);
    drawn
}
