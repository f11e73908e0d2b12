// The Rust that the playground offers to copy, as tests. Written by `UPDATE_EXPECT=1 node --test tests/code/code.test.mjs`.

#[test]
fn text() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Search};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search { facts: FactSet::ALL, ..Search::new("Springfield", 5) };
    let found = engine.forward(&search);
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Springfield, Illinois, United States");
    Ok(())
}

#[test]
fn unfinished() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, Search};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search::new("springf", 6);
    let found = engine.autocomplete(&search);
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Springfield, Illinois, United States");
    Ok(())
}

#[test]
fn filters() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, Fact, FactSet, Filter, Search, geo::Bounds};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search {
        lang: Some("fr"),
        facts: FactSet::default().with(Fact::Name).with(Fact::Iso31662),
        ..Search::new("Springfield", 3)
    };
    let found = engine.forward(&search.filtered(Filter {
        types: &["city", "county"],
        bounds: Some(Bounds { west: -100.0, south: 30.0, east: -70.0, north: 45.0 }),
        ..Filter::in_countries(&[*b"US", *b"CA"])
    }));
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Springfield, Illinois, États-Unis");
    Ok(())
}

#[test]
fn unfinished_with_filters() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, Filter, Search};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search { lang: Some("de"), ..Search::new("pari", 4) };
    let found = engine.autocomplete(&search.filtered(Filter { types: &["airport", "city"], ..Filter::in_countries(&[*b"FR", *b"US"]) }));
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Paris, Île de France, Frankreich");
    Ok(())
}

#[test]
fn near() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Search, geo::Coordinate};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search {
        facts: FactSet::ALL,
        focus: Coordinate::new(39.8, -89.6),
        ..Search::new("Springfield", 2)
    };
    let found = engine.forward(&search);
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Springfield, Illinois, United States");
    Ok(())
}

#[test]
fn within() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Filter, Search};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search { facts: FactSet::ALL, ..Search::new("Saint-Denis", 12) };
    let found = engine.forward(&search.filtered(Filter { types: &["city"], within: Some(3017382), ..Filter::default() }));
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Saint-Denis, Île-de-France, France");
    Ok(())
}

#[test]
fn unfinished_within_and_near() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, Fact, FactSet, Filter, Search, geo::Coordinate};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search {
        facts: FactSet::default().with(Fact::Population),
        focus: Coordinate::new(48.9, 2.4),
        ..Search::new("saint", 6)
    };
    let found = engine.autocomplete(&search.filtered(Filter { within: Some(3017382), ..Filter::default() }));
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Saint-Denis, Île-de-France, France");
    Ok(())
}

#[test]
fn a_box_over_the_date_line() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Filter, Search, geo::Bounds};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search { facts: FactSet::ALL, ..Search::new("Suva", 5) };
    let found = engine.forward(&search.filtered(Filter {
        bounds: Some(Bounds { west: 177.0, south: -20.0, east: -178.0, north: -15.0 }),
        ..Filter::default()
    }));
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Suva, Central, Fiji");
    Ok(())
}

#[test]
fn commas() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Search};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search { facts: FactSet::ALL, ..Search::new("Washington, D.C., USA", 5) };
    let found = engine.forward(&search);
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Washington, District of Columbia, United States");
    Ok(())
}

#[test]
fn quotation_marks() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Search};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search {
        facts: FactSet::ALL,
        ..Search::new("L'Aquila \"città\" \\ <b> ${x} $HOME `ls`", 5)
    };
    let found = engine.forward(&search);
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "L'Aquila, Abruzzo, Italy");
    Ok(())
}

#[test]
fn like_an_option() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Search};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search { facts: FactSet::ALL, ..Search::new("-san jose", 1) };
    let found = engine.forward(&search);
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "San José, Costa Rica");
    Ok(())
}

#[test]
fn the_user_s_language() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Search};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search { lang: Some("de"), facts: FactSet::ALL, ..Search::new("Munich", 5) };
    let found = engine.forward(&search);
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "München, Bayern, Deutschland");
    Ok(())
}

#[test]
fn geojson() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Search, geojson::FeatureCollection};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let search = Search { lang: Some("ar"), facts: FactSet::ALL, ..Search::new("cairo", 2) };
    let found = engine.forward(&search);
    let json = serde_json::to_string(&FeatureCollection(&found))?;
    assert_eq!(crate::code_to_copy::first(&json), "القاهرة, مصر");
    Ok(())
}

#[test]
fn fields() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Search, Structured};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let fields = Structured { city: Some("Paris"), state: Some("TX"), ..Structured::default() };
    let search = Search { facts: FactSet::ALL, ..fields.search(5).expect("a field is set") };
    let found = engine.forward(&search);
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Paris, Texas, United States");
    Ok(())
}

#[test]
fn fields_with_filters() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, Fact, FactSet, Filter, Search, Structured};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let fields = Structured { city: Some("Paris"), country: Some("US"), ..Structured::default() };
    let search = Search {
        lang: Some("es"),
        facts: FactSet::default().with(Fact::Population),
        ..fields.search(5).expect("a field is set")
    };
    let found = engine.forward(&search.filtered(Filter { types: &["city"], ..Filter::in_countries(&[*b"US"]) }));
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Paris, Texas, Estados Unidos");
    Ok(())
}

#[test]
fn point() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Shown, geo::Coordinate};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let point = Coordinate::new(48.8584, 2.2945).expect("degrees");
    let found = engine.reverse(point, Shown { facts: FactSet::ALL, ..Shown::default() });
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Eiffel Tower, Paris, Île-de-France, France");
    Ok(())
}

#[test]
fn point_in_a_language() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, Fact, FactSet, Shown, geo::Coordinate};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let point = Coordinate::new(-33.92, 18.42).expect("degrees");
    let found = engine.reverse(point, Shown { lang: Some("de"), facts: FactSet::default().with(Fact::Timezone) });
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Kapstadt, Westkap, Südafrika");
    Ok(())
}

#[test]
fn points_nearby() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Filter, Nearby, geo::Coordinate};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let point = Coordinate::new(48.8584, 2.2945).expect("degrees");
    let found = engine.nearby(&Nearby {
        radius_m: 20000.0,
        filter: Filter { types: &["station", "landmark"], ..Filter::default() },
        lang: Some("fr"),
        facts: FactSet::ALL,
        ..Nearby::new(point, 3)
    });
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Eiffel Tower, Paris, Île-de-France, France");
    Ok(())
}

#[test]
fn point_as_geojson() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Filter, Nearby, geo::Coordinate, geojson::FeatureCollection};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let point = Coordinate::new(40.71, -74.01).expect("degrees");
    let found = engine.nearby(&Nearby {
        filter: Filter::in_countries(&[*b"US"]),
        facts: FactSet::ALL,
        ..Nearby::new(point, 1)
    });
    let found: Vec<_> = found.into_iter().map(|(place, _)| place).collect();
    let json = serde_json::to_string(&FeatureCollection(&found))?;
    assert_eq!(crate::code_to_copy::first(&json), "Financial District, New York City, New York, United States");
    Ok(())
}

#[test]
fn id() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Reference, Shown};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let reference = Reference::Id(2988507);
    let found = engine.place(&reference, Shown { lang: Some("ja"), facts: FactSet::ALL });
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Paris, Île-de-France, France");
    Ok(())
}

#[test]
fn id_as_geojson() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, FactSet, Reference, Shown, geojson::FeatureCollection};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let reference = Reference::Id(2988507);
    let found = engine.place(&reference, Shown { facts: FactSet::ALL, ..Shown::default() });
    let found: Vec<_> = found.into_iter().collect();
    let json = serde_json::to_string(&FeatureCollection(&found))?;
    assert_eq!(crate::code_to_copy::first(&json), "Paris, Île-de-France, France");
    Ok(())
}

#[test]
fn code() -> crate::code_to_copy::Outcome {
    use toponym_engine::{Engine, Fact, FactSet, Reference, Shown};

    let engine = Engine::open(crate::code_to_copy::index())?;
    let reference: Reference = "iata:CDG".parse().expect("a reference");
    let found = engine.place(&reference, Shown {
        facts: FactSet::default().with(Fact::Codes).with(Fact::Population),
        ..Shown::default()
    });
    assert_eq!(crate::code_to_copy::first(&serde_json::to_string(&found)?), "Charles de Gaulle International Airport, Paris, Île-de-France, France");
    Ok(())
}
