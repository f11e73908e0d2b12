//! Tests of the whole search on a small world: the candidates of a query with their penalties and evidence.

use super::candidate::{Candidate, Evidence};
use super::{candidates, candidates_without_edits, confidences};
use crate::filter::{AreaNames, Filter};
use crate::geo::Coordinate;
use crate::index::{Index, UNIT, write};
use crate::query::{Mode, Search};
use crate::record::{Code, CodeScheme, FurtherCountry, Gazetteer, Kind, Lexicon, Name, NameClass, Record, Role};

/// A place of the world: id, role, names (`=` English, `~` other), codes, position, parent, country, importance, extent in km.
pub(super) type Line = (u64, Role, &'static str, &'static str, (f64, f64), u64, &'static [u8; 2], f64, f64);

const WORLD: [Line; 17] = [
    (1, Role::Country, "France|~Frankreich", "2:FR 3:FRA", (47.0, 2.0), 0, b"FR", 0.9, 500.0),
    (2, Role::State, "Île-de-France", "s:IDF", (48.7, 2.5), 1, b"FR", 0.7, 60.0),
    (3, Role::City, "Paris|~Lutetia|~パリ", "", (48.85, 2.35), 2, b"FR", 0.88, 9.0),
    (4, Role::Quarter, "Montmartre", "", (48.89, 2.34), 3, b"FR", 0.4, 1.0),
    (5, Role::Airport, "Charles de Gaulle", "a:CDG i:LFPG", (49.01, 2.55), 1, b"FR", 0.7, 3.0),
    (6, Role::Station, "Gare du Nord", "", (48.88, 2.355), 1, b"FR", 0.5, 0.3),
    (7, Role::Country, "United States|~Amerika", "2:US 3:USA", (40.0, -100.0), 0, b"US", 0.95, 2_000.0),
    (8, Role::State, "Texas", "s:TX s:Q s:13", (31.0, -99.0), 7, b"US", 0.75, 500.0),
    (9, Role::City, "Paris", "", (33.66, -95.55), 8, b"US", 0.45, 5.0),
    (10, Role::City, "Houston", "", (29.76, -95.37), 8, b"US", 0.8, 30.0),
    (11, Role::Airport, "Hobby", "a:HOU", (29.65, -95.28), 7, b"US", 0.55, 3.0),
    (12, Role::City, "Parisot", "", (44.26, 1.86), 1, b"FR", 0.2, 1.0),
    (13, Role::City, "Saint-Denis|=St Denis", "", (48.93, 2.36), 2, b"FR", 0.6, 4.0),
    (14, Role::County, "Harris", "", (29.8, -95.4), 8, b"US", 0.6, 40.0),
    (15, Role::Landmark, "Rothko Chapel", "", (29.737, -95.396), 7, b"US", 0.3, 0.1),
    (16, Role::City, "Галич", "", (58.4, 42.3), 17, b"RU", 0.3, 3.0),
    (17, Role::Country, "Россия|=Russia", "2:RU 3:RUS", (60.0, 90.0), 0, b"RU", 0.92, 4_000.0),
];

pub(super) fn record(&(id, role, names, codes, (lat, lon), parent, country, importance, extent_km): &Line) -> Record {
    let name = |text: &str| {
        let (class, lang) = match text.chars().next() {
            Some('=') => (NameClass::English, Some("en")),
            Some('~') => (NameClass::Other, Some("de")),
            _ => (NameClass::Primary, None),
        };
        Name { text: text.trim_start_matches(['=', '~']).to_owned(), class, lang: lang.map(str::to_owned) }
    };
    let code = |code: &str| {
        let (scheme, text) = code.split_once(':').expect("a code has its scheme");
        let scheme = match scheme {
            "2" => CodeScheme::Iso2,
            "3" => CodeScheme::Iso3,
            "s" => CodeScheme::State,
            "a" => CodeScheme::Iata,
            _ => CodeScheme::Icao,
        };
        Code { scheme, text: text.to_owned() }
    };
    Record {
        id,
        kind: Kind { role, category: "place".into(), r#type: format!("{role:?}") },
        names: names.split('|').map(name).collect(),
        codes: codes.split_whitespace().map(code).collect(),
        position: Coordinate { lat, lon },
        parent: Some(parent).filter(|&parent| parent > 0),
        country: *country,
        importance,
        extent_m: extent_km * 1_000.0,
        bounds: None,
    }
}

pub(super) fn world() -> Index {
    let kinds: [(&str, &[Role]); 4] = [
        ("airport", &[Role::Airport]),
        ("city", &[Role::City]),
        ("gare", &[Role::Station]),
        ("terminal", &[Role::Station, Role::Landmark]),
    ];
    let lexicon = Lexicon {
        kinds: kinds.map(|(word, roles)| (word.to_owned(), roles.to_vec())).to_vec(),
        fillers: ["in", "near"].map(str::to_owned).to_vec(),
        types: Vec::new(),
    };
    let letters = [('г', "g"), ('а', "a"), ('л', "l"), ('и', "i"), ('ч', "ch"), ('п', "p"), ('р', "r"), ('ж', "zh")];
    let mut transliteration = letters.map(|(letter, latin)| (letter, latin.to_owned())).to_vec();
    transliteration.sort_unstable();
    open(&Gazetteer { places: WORLD.iter().map(record).collect(), lexicon, transliteration, ..Gazetteer::default() })
}

fn open(gazetteer: &Gazetteer) -> Index {
    Index::open(write(gazetteer).expect("the gazetteer is sound").into()).expect("the index is whole")
}

/// Creates an index of some places alone.
pub(super) fn index_of(lines: &[Line]) -> Index {
    index_of_records(lines.iter().map(record).collect())
}

pub(super) fn index_of_records(places: Vec<Record>) -> Index {
    open(&Gazetteer { places, ..Gazetteer::default() })
}

/// Shows a candidate as `3 Paris 0.15 edits 1`: the place, its penalties in points of importance, and evidence other than an
/// exact match.
fn show(index: &Index, Candidate { row, cost, evidence, .. }: Candidate) -> String {
    let place = index.place(row);
    let penalty = (f64::from(cost) - f64::from(place.cost())) / f64::from(UNIT);
    let Evidence { class, edits, prefix, matched, unmatched, dropped, dropped_numbers, respelled, code, role, .. } =
        evidence;
    let mut shown = format!("{} {} {penalty:.3}", place.id(), place.display_name());
    let counts =
        [("edits", edits), ("matched", matched), ("unmatched", unmatched), ("dropped", dropped + dropped_numbers)];
    shown.extend(counts.into_iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!(" {what} {count}")));
    let facts = [
        ("prefix", prefix),
        ("respelled", respelled),
        ("code", code),
        ("kind", role == Some(place.role())),
        ("other kind", role.is_some_and(|role| role != place.role())),
        ("alternate", class.is_alternate()),
    ];
    shown.extend(facts.into_iter().filter(|(_, is)| *is).map(|(what, _)| format!(" {what}")));
    shown
}

/// Checks the three cheapest candidates of each text.
fn check(index: &Index, mode: Mode, cases: &[(&str, &[&str])]) {
    let shown = |text: &str| {
        let found = candidates(index, &Search::new(text, 3), mode);
        found.into_iter().take(3).map(|candidate| show(index, candidate)).collect::<Vec<_>>()
    };
    let others =
        cases.iter().map(|&(text, expect)| (text, expect, shown(text))).filter(|(_, expect, found)| found != expect);
    let others: Vec<String> = others.map(|(text, _, found)| format!("{text}: {found:?}")).collect();
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn a_complete_text() {
    check(
        &world(),
        Mode::Forward,
        &[
            ("paris", &["3 Paris 0.000", "9 Paris 0.000"]),
            ("paris, tx", &["9 Paris 0.000 matched 1", "3 Paris 0.830 unmatched 1"]),
            // ISO 3166-2 codes with a digit are not words.
            ("paris, 13", &["3 Paris 0.030 dropped 1", "9 Paris 0.030 dropped 1"]),
            ("paris texas", &["9 Paris 0.000 matched 1", "3 Paris 0.830 unmatched 1"]),
            ("texas paris", &["9 Paris 0.020 matched 1", "8 Texas 0.720 unmatched 1"]),
            ("texas, paris", &["9 Paris 0.800 matched 1", "8 Texas 1.500 unmatched 1"]),
            ("paris, france", &["3 Paris 0.000 matched 1", "9 Paris 0.400 unmatched 1"]),
            ("houston, france", &["10 Houston 0.400 unmatched 1"]),
            ("houston france texas", &["10 Houston 0.400 matched 1 unmatched 1"]),
            ("pariss", &["3 Paris 0.280 edits 1", "9 Paris 0.280 edits 1"]),
            ("hosuton", &["10 Houston 0.259 edits 1"]),
            ("par", &["3 Paris 0.300 prefix", "9 Paris 0.300 prefix", "12 Parisot 0.300 prefix"]),
            ("FR", &["1 France 0.050 code"]),
            ("fr", &["1 France 0.300 prefix"]),
            ("CDG", &["5 Charles de Gaulle -0.300 code"]),
            ("cdg", &["5 Charles de Gaulle 0.180 code"]),
            ("Cdg", &["5 Charles de Gaulle 0.180 code"]),
            ("LFPG", &["5 Charles de Gaulle -0.300 code"]),
            ("lfpg", &["5 Charles de Gaulle 0.230 code"]),
            ("Lfpg", &["5 Charles de Gaulle 0.230 code"]),
            ("USA", &["7 United States 0.500 code"]),
            ("TX", &["8 Texas 0.200 code"]),
            ("paris airport", &["5 Charles de Gaulle 0.234 kind", "3 Paris 0.550", "9 Paris 0.550"]),
            ("paris gare", &["3 Paris 0.550", "6 Gare du Nord 0.296 kind", "9 Paris 0.550"]),
            ("houston airport", &["11 Hobby 0.214 kind", "10 Houston 0.550"]),
            ("airport cdg", &["5 Charles de Gaulle 0.000 code kind"]),
            ("12345 houston", &["10 Houston 0.030 dropped 1"]),
            ("d 12345 houston", &["10 Houston 0.060 dropped 2"]),
            ("xyz houston", &["10 Houston 0.250 dropped 1"]),
            ("houston xyz abc", &["10 Houston 0.500 dropped 2"]),
            ("montmartre paris", &["4 Montmartre 0.000 matched 1"]),
            ("gare du nord paris", &["6 Gare du Nord 0.000 matched 1"]),
            ("montmartre france", &["4 Montmartre 0.000 matched 1"]),
            ("montmartre, ile-de-france", &["4 Montmartre 0.000 matched 1"]),
            ("montmartre texas", &["4 Montmartre 0.400 unmatched 1"]),
            ("rothko chapel houston", &["15 Rothko Chapel 0.000 matched 1"]),
            ("saint denis paris", &["13 Saint-Denis 0.470 matched 1"]),
            ("парис", &["3 Paris 0.430 edits 1 respelled", "9 Paris 0.430 edits 1 respelled"]),
            ("галич", &["16 Галич 0.000"]),
            ("галичь", &["16 Галич 0.280 edits 1"]),
            ("howston texis", &[]),
            ("paris texsa", &["9 Paris 0.200 matched 1", "3 Paris 1.030 unmatched 1"]),
            ("paris tx", &["9 Paris 0.000 matched 1", "3 Paris 0.830 unmatched 1"]),
            ("paris usa", &["9 Paris 0.000 matched 1", "3 Paris 0.830 unmatched 1"]),
            ("lutetia", &["3 Paris 0.220 alternate"]),
            ("st den", &["13 Saint-Denis 0.460 prefix"]),
            ("ile de france", &["2 Île-de-France 0.000"]),
            ("paris ile de france france", &["3 Paris 0.000 matched 2", "9 Paris 0.800 unmatched 2"]),
            ("harris texas", &["14 Harris 0.000 matched 1"]),
            ("city paris", &["3 Paris 0.100 kind", "9 Paris 0.100 kind"]),
            ("near paris", &["3 Paris 0.030 dropped 1", "9 Paris 0.030 dropped 1"]),
            ("パリ", &["3 Paris 0.220 alternate"]),
            ("frankr", &["1 France 0.820 prefix alternate"]),
            ("paris in france", &["3 Paris 0.030 matched 1 dropped 1", "9 Paris 0.430 unmatched 1 dropped 1"]),
            ("paris, houston", &["3 Paris 0.400 unmatched 1", "9 Paris 0.400 unmatched 1"]),
            ("st denis", &["13 Saint-Denis 0.010"]),
            // A code has two to four letters.
            ("Q", &[]),
            ("12345", &[]),
            ("near", &[]),
            ("texas par", &["8 Texas 0.250 dropped 1"]),
            ("paris airp", &["3 Paris 0.250 dropped 1", "9 Paris 0.250 dropped 1"]),
            ("gare cdg", &[]),
            ("montmartre gare", &["4 Montmartre 0.550", "6 Gare du Nord 0.801 kind"]),
            ("paris terminal", &["3 Paris 0.550", "6 Gare du Nord 0.376 kind", "9 Paris 0.550"]),
            ("st dennys", &["13 Saint-Denis 0.470 edits 2"]),
            ("sd dannas", &["13 Saint-Denis 0.769 edits 2 respelled"]),
        ],
    );
}

#[test]
fn a_text_that_is_being_typed() {
    check(
        &world(),
        Mode::Autocomplete,
        &[
            ("paris", &["3 Paris -0.065", "9 Paris 0.000", "12 Parisot 0.040 prefix"]),
            ("paris texas", &["9 Paris 0.000 matched 1"]),
            ("texas paris", &["9 Paris 0.200 matched 1"]),
            ("paris, france", &["3 Paris 0.000 matched 1"]),
            ("houston, france", &["1 France 0.250 dropped 1", "10 Houston 0.250 dropped 1"]),
            (
                "houston france texas",
                &["1 France 0.500 dropped 2", "10 Houston 0.500 dropped 2", "8 Texas 0.500 dropped 2"],
            ),
            ("pariss", &["3 Paris 0.330 edits 1", "9 Paris 0.330 edits 1"]),
            ("par", &["3 Paris 0.040 prefix", "9 Paris 0.040 prefix", "12 Parisot 0.040 prefix"]),
            ("FR", &["1 France 0.040 prefix"]),
            ("cdg", &["5 Charles de Gaulle 0.180 code"]),
            ("lfpg", &["5 Charles de Gaulle 0.230 code"]),
            ("airport paris", &["5 Charles de Gaulle 0.234 kind", "3 Paris 0.700", "9 Paris 0.700"]),
            ("paris gare", &["6 Gare du Nord 0.240 matched 1 prefix", "3 Paris 0.700", "9 Paris 0.700"]),
            ("montmartre texas", &["8 Texas 0.250 dropped 1", "4 Montmartre 0.250 dropped 1"]),
            ("paris texsa", &["9 Paris 0.200 matched 1"]),
            ("st den", &["13 Saint-Denis 0.200 prefix"]),
            ("city paris", &["3 Paris 0.250 kind", "9 Paris 0.250 kind", "12 Parisot 0.290 prefix kind"]),
            ("rotko", &["15 Rothko Chapel 0.450 edits 1 prefix"]),
            (
                "near paris",
                &["3 Paris 0.350 dropped 1", "9 Paris 0.350 dropped 1", "12 Parisot 0.390 dropped 1 prefix"],
            ),
            ("frankr", &["1 France 0.310 prefix alternate"]),
            ("paris, houston", &["3 Paris 0.250 dropped 1", "10 Houston 0.250 dropped 1", "9 Paris 0.250 dropped 1"]),
            ("par texas", &["8 Texas 0.250 dropped 1"]),
            ("paris airp", &["5 Charles de Gaulle 0.234 kind", "3 Paris 0.700", "9 Paris 0.700"]),
            ("airport hous", &["10 Houston 0.740 prefix", "11 Hobby 0.514 prefix kind"]),
            ("paris, tex, usa", &["3 Paris 0.500 dropped 2", "9 Paris 0.500 dropped 2"]),
            ("hyustn airp", &["10 Houston 0.517 edits 2 respelled"]),
        ],
    );
}

/// White space finishes a term, a separator completes a name. Where no whole name is found, or only a village, longer ones are
/// looked for.
#[test]
fn finished_words_begin_no_longer_words() {
    let index = index_of(&[
        (1, Role::Country, "Landia", "", (0.0, 0.0), 0, b"XX", 0.9, 1.0),
        (2, Role::State, "Nova", "", (0.0, 0.0), 1, b"XX", 0.7, 1.0),
        (3, Role::State, "Novara", "", (9.0, 9.0), 1, b"XX", 0.75, 1.0),
        (4, Role::State, "Nova Terra", "", (5.0, 5.0), 1, b"XX", 0.72, 1.0),
        (5, Role::City, "Santiago", "", (9.0, 9.0), 3, b"XX", 0.88, 1.0),
        (6, Role::City, "San José", "", (0.0, 0.0), 2, b"XX", 0.8, 1.0),
        (7, Role::City, "San", "", (5.0, 5.0), 4, b"XX", 0.5, 1.0),
        (8, Role::City, "Siant", "", (5.0, 5.0), 4, b"XX", 0.1, 1.0),
        (9, Role::City, "Saintes", "", (0.0, 0.0), 2, b"XX", 0.6, 1.0),
        (10, Role::City, "Saint Paul", "", (0.0, 0.0), 2, b"XX", 0.6, 1.0),
    ]);
    let saints = "10 Saint Paul 0.450 edits 1 prefix";
    check(
        &index,
        Mode::Autocomplete,
        &[
            ("san", &["5 Santiago 0.040 prefix", "6 San José 0.040 prefix", "7 San -0.065"]),
            ("san ", &["6 San José 0.040 prefix", "7 San -0.065"]),
            ("san\u{3000}", &["6 San José 0.040 prefix", "7 San -0.065"]),
            ("SAN \t", &["6 San José 0.040 prefix", "7 San -0.065"]),
            ("san,", &["7 San -0.065"]),
            ("san, ", &["7 San -0.065"]),
            ("san，", &["7 San -0.065"]),
            (
                "sant ",
                &["6 San José 0.495 edits 1 prefix", "10 Saint Paul 0.495 edits 1 prefix", "7 San 0.405 edits 1"],
            ),
            ("san jose ", &["6 San José -0.065"]),
            ("san jo,", &["7 San 0.250 dropped 1"]),
            // Nothing but a village is called so, and another name may go on or be misspelt.
            ("saint,", &["10 Saint Paul 0.040 prefix"]),
            ("siant ", &[saints, "8 Siant 0.000"]),
            ("siant,", &[saints, "8 Siant 0.000"]),
            ("siant", &["5 Santiago 0.450 edits 1 prefix", "9 Saintes 0.450 edits 1 prefix", saints]),
            // So do the words of a context.
            ("san, nova", &["7 San 0.000 matched 1"]),
            ("san, nov", &["7 San 0.040 matched 1"]),
            ("san, nova ", &["7 San 0.000 matched 1"]),
            ("san, nova,", &["2 Nova 0.250 dropped 1", "7 San 0.250 dropped 1"]),
            ("santiago, nova", &["5 Santiago 0.000 matched 1"]),
            ("santiago, nova ", &["5 Santiago 0.250 dropped 1", "2 Nova 0.250 dropped 1"]),
        ],
    );
    check(
        &index,
        Mode::Forward,
        &[
            ("san", &["7 San 0.000"]),
            ("san ", &["7 San 0.000"]),
            ("sant ", &["5 Santiago 0.300 prefix"]),
            ("sant,", &["5 Santiago 0.300 prefix"]),
        ],
    );
}

/// Initials with dots are read as a word, and as words of their own, which they are in some names.
#[test]
fn initials_with_dots_are_a_word() {
    let index = index_of(&[
        (1, Role::Country, "United States|~US|~USA", "2:US 3:USA", (40.0, -100.0), 0, b"US", 0.95, 2_000.0),
        (2, Role::State, "New York", "s:NY", (43.0, -75.0), 1, b"US", 0.8, 300.0),
        (3, Role::City, "Albany", "", (42.7, -73.8), 2, b"US", 0.6, 5.0),
        (4, Role::State, "Georgia", "s:GA", (33.0, -83.0), 1, b"US", 0.8, 300.0),
        (5, Role::City, "Albany", "", (31.6, -84.2), 4, b"US", 0.65, 5.0),
        (6, Role::City, "Krishna R. Puram|~K R Puram", "", (13.0, 77.7), 0, b"IN", 0.5, 5.0),
        (7, Role::City, "St. Albany", "", (42.0, -74.0), 2, b"US", 0.5, 5.0),
        (8, Role::City, "Nara", "", (34.7, 135.8), 0, b"JP", 0.7, 5.0),
        (9, Role::Country, "U.S. Virgin Islands", "2:VI", (18.3, -64.9), 0, b"VI", 0.7, 50.0),
    ]);
    let albany: &[&str] = &["3 Albany 0.000 matched 1", "5 Albany 0.450 unmatched 1"];
    let puram: &[&str] = &["6 Krishna R. Puram 0.220 alternate"];
    check(
        &index,
        Mode::Forward,
        &[
            ("Albany, NY", albany),
            ("Albany, N.Y.", albany),
            ("Albany, N. Y.", albany),
            ("Albany, N.Y", albany),
            ("albany n.y.", albany),
            ("Albany, N.Y., U.S.A.", &["3 Albany 0.000 matched 2", "5 Albany 0.450 matched 1 unmatched 1"]),
            ("K.R. Puram", puram),
            ("K. R. Puram", puram),
            ("St. Albany", &["7 St. Albany 0.000"]),
            ("U.S. Virgin Islands", &["9 U.S. Virgin Islands 0.000"]),
            ("U.S.A.", &["1 United States 0.220 alternate"]),
            // Not the beginning of a name, with and without dots.
            ("N.A.", &[]),
            ("N/A", &[]),
        ],
    );
    check(&index, Mode::Autocomplete, &[("albany, n.y", &["3 Albany 0.000 matched 1"])]);
    let confidence = |text: &str| confidences(&index, &candidates(&index, &Search::new(text, 5), Mode::Forward));
    assert_eq!(confidence("Albany, N.Y."), confidence("Albany, NY"));
    let areas = AreaNames { state: Some("N.Y."), ..AreaNames::default() };
    let fields = Search { filter: Filter { areas, ..Filter::default() }, ..Search::new("Albany", 5) };
    let found = candidates(&index, &fields, Mode::Forward);
    assert_eq!(found.iter().map(|one| index.place(one.row).id()).collect::<Vec<_>>(), [3]);
}

/// A lake on the border of two countries, a river of the name of a state, a sea of none, and a town of each.
const WATERS: [Line; 11] = [
    (1, Role::Country, "Westland", "2:WL", (0.0, 0.0), 0, b"WL", 0.9, 400.0),
    (2, Role::Country, "Ostland", "2:OL", (0.0, 6.0), 0, b"OL", 0.9, 400.0),
    (3, Role::State, "Missip", "", (0.0, 0.0), 1, b"WL", 0.7, 100.0),
    (4, Role::Region, "Missip", "", (0.0, 1.0), 1, b"WL", 0.6, 200.0),
    (5, Role::City, "Clint", "", (0.0, 0.1), 3, b"WL", 0.3, 1.0),
    (6, Role::City, "Clint", "", (0.0, 2.0), 1, b"WL", 0.8, 1.0),
    (7, Role::Region, "Lago", "", (0.0, 3.0), 0, b"WL", 0.6, 50.0),
    (8, Role::City, "Bella", "", (0.1, 3.1), 2, b"OL", 0.3, 1.0),
    (9, Role::City, "Bella", "", (0.1, 9.0), 2, b"OL", 0.7, 1.0),
    (10, Role::Region, "Mare", "", (0.0, 3.0), 0, b"ZZ", 0.6, 900.0),
    (11, Role::City, "Bella", "", (0.1, 2.9), 1, b"ZY", 0.5, 1.0),
];

#[test]
fn regions_are_contexts_by_their_box_and_countries() {
    let further_countries = vec![FurtherCountry { region: 7, country: *b"OL" }];
    let places = WATERS.iter().map(record).collect();
    let index = open(&Gazetteer { places, further_countries, ..Gazetteer::default() });
    check(
        &index,
        Mode::Forward,
        &[
            ("Bella, Lago", &["8 Bella 0.000 matched 1", "11 Bella 0.600 unmatched 1", "9 Bella 0.800 unmatched 1"]),
            ("Bella, Mare", &["9 Bella 0.000 matched 1", "11 Bella 0.000 matched 1", "8 Bella 0.000 matched 1"]),
            ("Clint, Missip", &["5 Clint 0.000 matched 1", "6 Clint 0.900 unmatched 1"]),
            ("Lago, Ostland", &["7 Lago 0.000 matched 1"]),
        ],
    );
    let countries = [*b"OL"];
    let of_country = Search { filter: Filter::in_countries(&countries), ..Search::new("Lago", 3) };
    let found = candidates(&index, &of_country, Mode::Forward);
    assert_eq!(found.iter().map(|one| index.place(one.row).id()).collect::<Vec<_>>(), [7]);
}

#[test]
fn a_context_may_be_misspelt() {
    check(&world(), Mode::Forward, &[("Paris, Texsa", &["9 Paris 0.200 matched 1", "3 Paris 1.030 unmatched 1"])]);
}

#[test]
fn text_without_spaces_splits_into_area_and_name() {
    let lines: [Line; 4] = [
        (1, Role::Country, "中国", "2:CN", (30.0, 110.0), 0, b"CN", 0.9, 900.0),
        (2, Role::State, "江苏省", "", (33.0, 119.0), 1, b"CN", 0.7, 200.0),
        (3, Role::City, "苏州", "", (31.3, 120.6), 2, b"CN", 0.6, 10.0),
        (4, Role::City, "苏州", "", (20.0, 100.0), 1, b"CN", 0.8, 10.0),
    ];
    let lexicon = Lexicon { kinds: vec![("省".to_owned(), vec![Role::State])], ..Lexicon::default() };
    let index = open(&Gazetteer { places: lines.iter().map(record).collect(), lexicon, ..Gazetteer::default() });
    let first = |text: &str| {
        let found = candidates(&index, &Search::new(text, 1), Mode::Forward);
        found.first().map(|first| index.place(first.row).id())
    };
    let check = |text: &str, expect: Option<u64>| assert_eq!(first(text), expect, "{text}");
    check("江苏苏州", Some(3));
    check("江苏省苏州", Some(3));
    check("苏州", Some(4));
    check("江州苏州", None);
    // Too long for an area and a name.
    check(&format!("江苏{}", "苏州".repeat(10)), None);
}

#[test]
fn a_text_that_sounds_like_a_name() {
    let index = world();
    check(
        &index,
        Mode::Forward,
        &[
            ("charl de gol", &["5 Charles de Gaulle 0.652 edits 2 respelled"]),
            ("sharl de gaul", &["5 Charles de Gaulle 0.605 edits 2 respelled"]),
            ("sarl dö goll", &["5 Charles de Gaulle 0.746 edits 2 respelled"]),
            ("hyustn", &["10 Houston 0.479 edits 2 respelled"]),
            ("monmatr", &[]),
        ],
    );
    check(
        &index,
        Mode::Autocomplete,
        &[
            ("charl de gol", &["5 Charles de Gaulle 0.637 edits 2 respelled"]),
            ("sharl de gaul", &["5 Charles de Gaulle 0.678 edits 2 respelled"]),
            ("sarl dö goll", &[]),
            ("hyustn", &["10 Houston 0.517 edits 2 respelled"]),
            // Finished words sound like a name as a whole.
            ("charl de gol ", &["5 Charles de Gaulle 0.652 edits 2 respelled"]),
            ("hyus ", &[]),
        ],
    );
}

#[test]
fn language_countries_and_focus() {
    let index = world();
    let check = |search: Search, expect: &[&str]| {
        let found = candidates(&index, &search, Mode::Forward);
        let found: Vec<String> = found.into_iter().map(|candidate| show(&index, candidate)).collect();
        assert_eq!(found, expect, "{search:?}");
    };
    let german = |text| Search { lang: Some("de"), ..Search::new(text, 3) };
    check(german("frankreich"), &["1 France 0.070 alternate"]);
    check(german("frankr"), &["1 France 0.670 prefix alternate"]);
    check(german("frankreihc"), &["1 France 0.440 edits 1 alternate"]);
    let countries = [*b"US"];
    let american = |text| Search { filter: Filter::in_countries(&countries), ..Search::new(text, 3) };
    check(american("paris"), &["9 Paris 0.000"]);
    check(american("par"), &["9 Paris 0.300 prefix"]);
    check(american("CDG"), &[]);
    check(american("paris airport"), &["9 Paris 0.550"]);
    let near = |lat, lon| Search { focus: Coordinate::new(lat, lon), ..Search::new("paris", 3) };
    check(near(33.7, -95.5), &["3 Paris 0.256", "9 Paris 0.000"]);
    check(near(33.0, -95.5), &["3 Paris 0.257", "9 Paris 0.041"]);
}

/// Checks the three cheapest candidates of a text that stands for one or more cities, given by name and importance.
#[test]
fn a_doubt_more_or_less() {
    let check = |mode: Mode, cities: &[(&'static str, f64)], text: &str, expect: &[&str]| {
        let city = |(id, &(name, importance)): (u64, &(&'static str, f64))| {
            record(&(id, Role::City, name, "", (0.0, 0.0), 0, b"XX", importance, 1.0))
        };
        let lexicon = Lexicon {
            kinds: [("city", Role::City), ("port", Role::Airport)]
                .map(|(word, role)| (word.to_owned(), vec![role]))
                .to_vec(),
            ..Lexicon::default()
        };
        let index = open(&Gazetteer { places: (1..).zip(cities).map(city).collect(), lexicon, ..Gazetteer::default() });
        super::tests::check(&index, mode, &[(text, expect)]);
    };
    let stored = |importance: u16| f64::from(importance) / f64::from(u16::MAX);
    let forward =
        |cities: &[(&'static str, f64)], text: &str, expect: &[&str]| check(Mode::Forward, cities, text, expect);
    // A name that costs 0.62 is what was meant; of one that costs more it is not sure.
    let cities = |importance: u16| [("Abend", stored(importance)), ("Abendland", 0.9)];
    forward(&cities(24_903), "abend", &["1 Abend 0.000"]);
    forward(&cities(24_902), "abend", &["2 Abendland 0.300 prefix", "1 Abend 0.000"]);
    // What costs more than 1.20 is a guess, and the number is dropped.
    let cities = |importance: u16| [("Ab 1x", stored(importance)), ("Ab", 0.9)];
    forward(&cities(6_552), "ab 1", &["1 Ab 1x 0.300 prefix"]);
    forward(&cities(6_551), "ab 1", &["2 Ab 0.030 dropped 1", "1 Ab 1x 0.300 prefix"]);
    // A longer name is not a reason to look for no edits, and neither is another name with edits.
    forward(&[("Paris", 0.88), ("Paki", 0.7)], "pari", &["1 Paris 0.300 prefix", "2 Paki 0.355 edits 1"]);
    forward(&[("Paris", 0.88), ("Parus", 0.8)], "paros", &["1 Paris 0.310 edits 1", "2 Parus 0.310 edits 1"]);
    // A second slip is looked for where what has one costs 0.80 or more.
    let cities = |importance: u16| [("Oldenburg", stored(importance)), ("Oldenbarn", 0.6)];
    forward(&cities(38_012), "oldenbirg", &["1 Oldenburg 0.230 edits 1"]);
    forward(&cities(38_008), "oldenbirg", &["1 Oldenburg 0.230 edits 1", "2 Oldenbarn 0.460 edits 2"]);
    // The doubts about the other terms count before a name with edits is looked for.
    forward(&[("Parisot", 0.17)], "city pariwot", &["1 Parisot 0.359 edits 1 kind"]);
    forward(&[("Parisot", 0.15)], "city pariwot", &[]);
    // A term for a kind is not part of a name by itself.
    forward(&[("Port", 0.5)], "zzz port", &[]);
    forward(&[("Port", 0.5)], "port", &["1 Port 0.000"]);
    // A greater place that is only begun pushes out lesser ones of the whole name.
    let mut cities = vec![("Ulm", 0.1); 7];
    cities.push(("Ulmen", 0.9));
    check(Mode::Autocomplete, &cities, "ulm", &["8 Ulmen 0.040 prefix", "1 Ulm 0.000", "2 Ulm 0.000"]);
}

#[test]
fn so_many_rivals_are_kept() {
    let lines: Vec<Line> = (1..=99).map(|id| (id, Role::City, "Ulm", "", (0.0, 0.0), 0, b"XX", 0.5, 1.0)).collect();
    let index = index_of(&lines);
    let check = |mode: Mode, limit: usize, expect: usize| {
        assert_eq!(candidates(&index, &Search::new("ulm", limit), mode).len(), expect, "{mode:?} {limit}");
    };
    check(Mode::Forward, 1, 62);
    check(Mode::Forward, 50, 62);
    check(Mode::Forward, 60, 72);
    check(Mode::Forward, usize::MAX, 99);
    check(Mode::Autocomplete, 1, 9);
    check(Mode::Autocomplete, 10, 18);
}

#[test]
fn stages_as_numbers() {
    use super::counted::{by_sound, context, terms};
    let index = world();
    assert_eq!([terms(""), terms("paris"), terms("Paris, Texas, US")], [0, 1, 3]);
    let contexts = ["", "texas", "texas usa", "texas nowhere"].map(|text| context(&index, text));
    assert_eq!(contexts, [Some(0), Some(1), Some(2), None]);
    assert_eq!(["", "hyustn", "paris"].map(|text| by_sound(&index, text)), [0, 1, 2]);
}

/// A hundred famous namesakes elsewhere take no room from the place that the context names, and come behind it.
#[test]
fn a_context_is_an_order() {
    let mut lines: Vec<Line> = vec![
        (1, Role::Country, "Land", "", (0.0, 0.0), 0, b"XX", 0.9, 1.0),
        (2, Role::State, "Staat", "", (0.0, 0.0), 1, b"XX", 0.6, 1.0),
        (3, Role::City, "Paris", "", (0.0, 0.0), 2, b"XX", 0.01, 1.0),
        (4, Role::City, "Parix", "", (0.0, 0.0), 2, b"XX", 0.5, 1.0),
    ];
    lines.extend((5..105).map(|id| (id, Role::City, "Paris", "", (1.0, 0.0), 1, b"XX", 0.8, 1.0)));
    let index = index_of(&lines);
    for text in ["paris, staat", "paris staat", "staat paris", "paris, staat, land"] {
        let found = candidates(&index, &Search::new(text, 5), Mode::Forward);
        let ids: Vec<u64> = found.iter().take(2).map(|candidate| index.place(candidate.row).id()).collect();
        assert_eq!((ids[0], found[0].evidence.unmatched), (3, 0), "{text}");
        let confidence = confidences(&index, &found);
        assert!(confidence[0] > 0.8 && confidence[1] < 0.1, "{text}: {confidence:?}");
    }
}

/// For one answer, names with edits are not looked for behind a place that fits the context. For several they come behind it, and take
/// nothing from its confidence.
#[test]
fn one_fitting_place_is_enough_for_one_answer() {
    let lines: [Line; 4] = [
        (1, Role::Country, "Land", "", (0.0, 0.0), 0, b"XX", 0.9, 1.0),
        (2, Role::State, "Staat", "", (0.0, 0.0), 1, b"XX", 0.6, 1.0),
        (3, Role::City, "Paris", "", (0.0, 0.0), 2, b"XX", 0.1, 1.0),
        (4, Role::City, "Parix", "", (0.0, 0.0), 2, b"XX", 0.5, 1.0),
    ];
    let index = index_of(&lines);
    let check = |text: &str, limit: usize, expect: &[u64], needs_edits: bool| {
        let search = Search::new(text, limit);
        let found = candidates(&index, &search, Mode::Forward);
        let ids: Vec<u64> = found.iter().map(|candidate| index.place(candidate.row).id()).collect();
        let (_, is_all) = candidates_without_edits(&index, &search, Mode::Forward);
        assert_eq!((ids.as_slice(), !is_all), (expect, needs_edits), "{text} {limit}");
        confidences(&index, &found)[0]
    };
    let [one, several] =
        [(1, &[3][..]), (2, &[3, 4])].map(|(limit, expect)| check("paris, staat", limit, expect, limit > 1));
    assert_eq!(one, several);
    // Without a context, the greater place may be meant.
    check("paris", 1, &[4, 3], true);
    check("paril, staat", 1, &[4], true);
}
