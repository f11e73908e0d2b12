//! `toponym batch`: what becomes of the rows of a table.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::support::{Folder, Run, village};

/// Runs a batch over a table; the output and the run.
fn batch(name: &str, table: impl AsRef<[u8]>, out: &str, options: &str) -> (Folder, Run) {
    let folder = Folder::new();
    folder.write(name, table);
    let line = format!("batch {name} -o {out} {options}");
    let run = folder.run(line.trim_end());
    (folder, run)
}

fn check(name: &str, table: impl AsRef<[u8]>, out: &str, options: &str, code: i32, expect: &Expect) {
    let (folder, run) = batch(name, table, out, options);
    assert_eq!(run.code, Some(code), "{run:?}");
    expect.assert_eq(&folder.read(out));
    assert!(!folder.path(&format!("{out}.part")).exists() && !folder.path(&format!("{out}.part.json")).exists());
}

const CITY_AND_COUNTRY: &str = "--city-column city --country-column country";

#[test]
fn columns_and_their_order_stay() {
    let table =
        "id,city,note,country\n7,Paris,\"a, \"\"b\"\"\nc\",US\n8,Muenchen,,Germany\n9,Qqqqqqqq,,\n10,,,France\n11,,,\n";
    check(
        "in.csv",
        table,
        "out.csv",
        CITY_AND_COUNTRY,
        3,
        &expect![[r#"
            id,city,note,country,toponym_id,toponym_display_name,toponym_lat,toponym_lon,toponym_country_code,toponym_confidence,toponym_status,toponym_reason
            7,Paris,"a, ""b""
            c",US,5,"Paris, United States",33.66094,-95.55551,us,0.98,ok,
            8,Muenchen,,Germany,6,"Munich, Germany",48.13743,11.57549,de,0.98,ok,
            9,Qqqqqqqq,,,,,,,,,not_found,
            10,,,France,1,France,46,2,fr,0.98,doubtful,city is blank
            11,,,,,,,,,,error,the row has no text to look for
        "#]],
    );
}

/// Checks a text beside a country, and an answer that somebody should look at.
#[test]
fn a_column_of_names_beside_countries() {
    check(
        "in.csv",
        "city,country\nParis,US\nParis,\n",
        "out.csv",
        "--column city --country-column country --doubtful-below 0.98",
        0,
        &expect![[r#"
            city,country,toponym_id,toponym_display_name,toponym_lat,toponym_lon,toponym_country_code,toponym_confidence,toponym_status,toponym_reason
            Paris,US,5,"Paris, United States",33.66094,-95.55551,us,0.98,ok,
            Paris,,4,"Paris, France",48.85341,2.3488,fr,0.9799,doubtful,low confidence
        "#]],
    );
}

#[test]
fn one_column_of_text() {
    let table = "place\nParis, US\n";
    let (_, run) = batch("in.csv", table, "out.csv", "--column place");
    assert_eq!(run.code, Some(3), "an unquoted comma makes two cells: {run:?}");
    check(
        "in.csv",
        "place\n\"Paris, US\"\n",
        "out.csv",
        "--column place --prefix geo_",
        0,
        &expect![[r#"
            place,geo_id,geo_display_name,geo_lat,geo_lon,geo_country_code,geo_confidence,geo_status,geo_reason
            "Paris, US",5,"Paris, United States",33.66094,-95.55551,us,0.9793,ok,
        "#]],
    );
    check(
        "in.tsv",
        "place\tx\nParis, US\t1\n",
        "out.csv",
        "--column place --to ndjson",
        0,
        &expect![[r#"
            {"place":"Paris, US","x":"1","toponym_id":5,"toponym_display_name":"Paris, United States","toponym_lat":33.66094,"toponym_lon":-95.55551,"toponym_country_code":"us","toponym_confidence":0.9793,"toponym_status":"ok","toponym_reason":null}
        "#]],
    );
}

#[test]
fn points() {
    let table = "y;x\n48.86;2.34\n91;0\n;\n-60;-120\n";
    check(
        "in.csv",
        table,
        "out.csv",
        "--lat-column y --lon-column x --delimiter ;",
        3,
        &expect![[r#"
            y;x;toponym_id;toponym_display_name;toponym_lat;toponym_lon;toponym_country_code;toponym_confidence;toponym_status;toponym_reason
            48.86;2.34;4;Paris, France;48.85341;2.3488;fr;0.95;ok;
            91;0;;;;;;;error;lat must be between -90 and 90
            ;;;;;;;;error;the row has no point
            -60;-120;;;;;;;not_found;
        "#]],
    );
}

/// `--delimiter` says how the table is written. Its own format is kept; another one has the delimiter of its name.
#[test]
fn delimiters_of_the_output() {
    let cells = "id;city\n1;Munich\n";
    for (name, table, out, more, expect) in [
        ("in.csv", cells, "out.csv", "--delimiter ;", "id;city;geo_id;"),
        ("in.csv", cells, "out.tsv", "--delimiter ;", "id\tcity\tgeo_id\t"),
        ("in.csv", cells, "out", "--delimiter ; --to tsv", "id\tcity\tgeo_id\t"),
        ("in.tsv", cells, "out.csv", "--delimiter ;", "id,city,geo_id,"),
        ("in.tsv", cells, "out.tsv", "--delimiter ;", "id\tcity\tgeo_id\t"),
        ("in.csv", "id\tcity\n1\tMunich\n", "out.csv", "--delimiter \\t", "id\tcity\tgeo_id\t"),
        ("in.tsv", "id\tcity\n1\tMunich\n", "out.csv", "", "id,city,geo_id,"),
        ("in.ndjson", "{\"id\":1,\"city\":\"Munich\"}\n", "out.csv", "--delimiter ;", "id;city;geo_id;"),
        ("in.ndjson", "{\"id\":1,\"city\":\"Munich\"}\n", "out.tsv", "--delimiter ;", "id\tcity\tgeo_id\t"),
    ] {
        let options = format!("--city-column city --prefix geo_ {more}");
        let (folder, run) = batch(name, table, out, &options);
        assert_eq!(run.code, Some(0), "{name} {out} {more}: {run:?}");
        assert!(folder.read(out).starts_with(expect), "{name} {out} {more}: {}", folder.read(out));
    }
}

/// In a table of one column a blank line is an empty cell: no row is lost or moves up. Beside other columns it is none.
#[test]
fn blank_lines() {
    let told = [3, 4, 6].map(nothing_on).join("\n");
    for end in ["\n", "\r\n"] {
        let table = "place\nParis\n\n\nMunich\n\n".replace('\n', end);
        assert_eq!(
            lines(&table, "--column place"),
            (["Paris", "", "", "Munich", ""].map(str::to_owned).into(), told.clone())
        );
        let table = "place,x\n\nParis,1\n\nMunich\n\n".replace('\n', end);
        let (rows, told) = lines(&table, "--column place");
        assert_eq!(
            (rows, &*told),
            (vec!["Paris".into(), "Munich".into()], "✗ line 5: cells in the row: 1, in the header: 2")
        );
    }
    // Those within quotes are text, and so is one before the header.
    let table = "\n\"place\"\n\"Paris\n\n\"\n\"\"\n\"x\n\n\ny\"\n\nMunich";
    let (rows, told) = lines(table, "--column place --to ndjson");
    assert_eq!(rows.len(), 4, "the first one is skipped as a header would be: {rows:?}");
    assert_eq!(told, [nothing_on(6), nothing_on(11)].join("\n"));
}

fn nothing_on(line: u32) -> String {
    format!("✗ line {line}: the row has no text to look for")
}

fn lines(table: &str, options: &str) -> (Vec<String>, String) {
    let (folder, run) = batch("in.csv", table, "out.csv", options);
    assert_eq!(run.code, Some(3), "{table:?}: {run:?}");
    let told: Vec<String> = run.err.lines().filter(|line| line.starts_with('✗')).map(str::to_owned).collect();
    (
        folder
            .read("out.csv")
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().unwrap_or_default().to_owned())
            .collect::<Vec<_>>(),
        told.join("\n"),
    )
}

/// Keeps what a spreadsheet leaves: a byte order mark, CR LF, ragged rows, another encoding in one cell.
#[test]
fn what_is_odd_is_kept_and_told() {
    let mut table = b"\xef\xbb\xbfcity,country\r\nParis,FR\r\nParis\r\nParis,FR,more,cells\r\n".to_vec();
    table.extend_from_slice(b"M\xfcnchen,DE\r\nMunich,DE");
    let (folder, run) = batch("in.csv", &table, "out.csv", CITY_AND_COUNTRY);
    assert_eq!(run.code, Some(3));
    expect![[r#"
        <BOM>city,country,toponym_id,toponym_display_name,toponym_lat,toponym_lon,toponym_country_code,toponym_confidence,toponym_status,toponym_reason<CR>
        Paris,FR,4,"Paris, France",48.85341,2.3488,fr,0.98,ok,<CR>
        Paris,,,,,,,,error,"cells in the row: 1, in the header: 2"<CR>
        Paris,FR,,,,,,,error,"cells in the row: 4, in the header: 2",more,cells<CR>
        M�nchen,DE,,,,,,,error,"city is not UTF-8: convert the file, for example with iconv"<CR>
        Munich,DE,6,"Munich, Germany",48.13743,11.57549,de,0.98,ok,<CR>
    "#]].assert_eq(
        &String::from_utf8_lossy(&folder.bytes("out.csv")).replace('\r', "<CR>").replace('\u{feff}', "<BOM>"),
    );
    assert!(folder.bytes("out.csv").windows(7).any(|bytes| bytes == b"M\xfcnchen"), "bytes stay as they are");
    let told: Vec<&str> = run.err.lines().filter(|line| line.starts_with('✗')).collect();
    expect![[r#"
        ✗ line 3: cells in the row: 1, in the header: 2
        ✗ line 4: cells in the row: 4, in the header: 2
        ✗ line 5: city is not UTF-8: convert the file, for example with iconv"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn objects_keep_their_text() {
    let table = "{\"city\": \"Paris\", \"n\": 1.50, \"deep\": {\"a\": [1, 2]}}\n\nno json\n[1]\n{}\n{\"city\":null}\n{\"city\":7}\n";
    check(
        "in.ndjson",
        table,
        "out.ndjson",
        "--city-column city",
        3,
        &expect![[r#"
            {"city": "Paris", "n": 1.50, "deep": {"a": [1, 2]},"toponym_id":4,"toponym_display_name":"Paris, France","toponym_lat":48.85341,"toponym_lon":2.3488,"toponym_country_code":"fr","toponym_confidence":0.9799,"toponym_status":"ok","toponym_reason":null}
            {"toponym_id":null,"toponym_display_name":null,"toponym_lat":null,"toponym_lon":null,"toponym_country_code":null,"toponym_confidence":null,"toponym_status":"error","toponym_reason":"the line is not JSON","toponym_rest":"no json"}
            {"toponym_id":null,"toponym_display_name":null,"toponym_lat":null,"toponym_lon":null,"toponym_country_code":null,"toponym_confidence":null,"toponym_status":"error","toponym_reason":"the line is not a JSON object","toponym_rest":"[1]"}
            {"toponym_id":null,"toponym_display_name":null,"toponym_lat":null,"toponym_lon":null,"toponym_country_code":null,"toponym_confidence":null,"toponym_status":"error","toponym_reason":"the row has no text to look for"}
            {"city":null,"toponym_id":null,"toponym_display_name":null,"toponym_lat":null,"toponym_lon":null,"toponym_country_code":null,"toponym_confidence":null,"toponym_status":"error","toponym_reason":"the row has no text to look for"}
            {"city":7,"toponym_id":null,"toponym_display_name":null,"toponym_lat":null,"toponym_lon":null,"toponym_country_code":null,"toponym_confidence":null,"toponym_status":"not_found","toponym_reason":null}
        "#]],
    );
    let array = "[{\"city\":\"Paris\"},\n {\"city\":\"Munich\",\"x\":true}, 5]";
    check(
        "in.json",
        array,
        "out.json",
        "--city-column city",
        3,
        &expect![[r#"
            [
            {"city":"Paris","toponym_id":4,"toponym_display_name":"Paris, France","toponym_lat":48.85341,"toponym_lon":2.3488,"toponym_country_code":"fr","toponym_confidence":0.9799,"toponym_status":"ok","toponym_reason":null},
            {"city":"Munich","x":true,"toponym_id":6,"toponym_display_name":"Munich, Germany","toponym_lat":48.13743,"toponym_lon":11.57549,"toponym_country_code":"de","toponym_confidence":0.98,"toponym_status":"ok","toponym_reason":null},
            {"toponym_id":null,"toponym_display_name":null,"toponym_lat":null,"toponym_lon":null,"toponym_country_code":null,"toponym_confidence":null,"toponym_status":"error","toponym_reason":"the element is not a JSON object","toponym_rest":"5"}
            ]
        "#]],
    );
    check(
        "in.json",
        array,
        "out.csv",
        "--city-column city",
        3,
        &expect![[r#"
            city,toponym_id,toponym_display_name,toponym_lat,toponym_lon,toponym_country_code,toponym_confidence,toponym_status,toponym_reason,toponym_rest
            Paris,4,"Paris, France",48.85341,2.3488,fr,0.9799,ok,,
            Munich,6,"Munich, Germany",48.13743,11.57549,de,0.98,ok,,"{""x"":true}"
            ,,,,,,,error,the element is not a JSON object,5
        "#]],
    );
    check(
        "in.json",
        "[]",
        "out.json",
        "--city-column city",
        0,
        &expect![[r#"
        [
        ]
    "#]],
    );
    check(
        "in.ndjson",
        "",
        "out.geojson",
        "--city-column city",
        0,
        &expect![[r#"
        {"type":"FeatureCollection","features":[
        ]}
    "#]],
    );
}

#[test]
fn features_stay_features() {
    let features = r#"{"type":"FeatureCollection","name":"x","features":[
        {"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[2.34,48.86]},"properties":{"a":1}},
        {"type":"Feature","geometry":null,"properties":{"city":"Munich"}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":null}],"crs":{}}"#;
    let (folder, run) = batch("in.geojson", features, "out.geojson", "");
    assert_eq!(run.code, Some(3), "{run:?}");
    let out: Value = serde_json::from_str(&folder.read("out.geojson")).expect("it is JSON");
    assert_eq!((&out["name"], &out["crs"]), (&json!("x"), &json!({})));
    let [point, nowhere, line] = out["features"].as_array().expect("an array").as_slice() else { panic!("{out}") };
    assert_eq!(
        (&point["id"], &point["properties"]["a"], &point["properties"]["toponym_id"]),
        (&json!(1), &json!(1), &json!(4))
    );
    assert_eq!(nowhere["properties"]["toponym_status"], "error");
    assert_eq!(line["geometry"]["coordinates"], json!([[1, 2], [3, 4]]));
    assert_eq!(line["properties"]["toponym_reason"], "the geometry is not a point");
    let (folder, _) = batch("in.geojson", features, "out.geojson", "--city-column city");
    let out: Value = serde_json::from_str(&folder.read("out.geojson")).expect("it is JSON");
    assert_eq!(out["features"][1]["geometry"], json!({"type": "Point", "coordinates": [11.57549, 48.13743]}));
    check(
        "in.csv",
        "city\nMunich\n",
        "out.geojson",
        "--city-column city",
        0,
        &expect![[r#"
            {"type":"FeatureCollection","features":[
            {"type":"Feature","geometry":{"type":"Point","coordinates":[11.57549,48.13743]},"properties":{"city":"Munich","toponym_id":6,"toponym_display_name":"Munich, Germany","toponym_lat":48.13743,"toponym_lon":11.57549,"toponym_country_code":"de","toponym_confidence":0.98,"toponym_status":"ok","toponym_reason":null}}
            ]}
        "#]],
    );
}

#[test]
fn facts_and_filters() {
    let options = "--city-column city --fields name,ancestors --countrycodes us --lang fr";
    check(
        "in.csv",
        "city\nParis\n",
        "out.csv",
        options,
        0,
        &expect![[r#"
            city,toponym_id,toponym_display_name,toponym_lat,toponym_lon,toponym_country_code,toponym_confidence,toponym_status,toponym_reason,toponym_name,toponym_ancestors
            Paris,5,"Paris, United States",33.66094,-95.55551,us,0.98,ok,,Paris,"[{""name"":""United States"",""place_id"":3,""type"":""country""}]"
        "#]],
    );
    check(
        "in.csv",
        "city\nParis\n",
        "out.json",
        options,
        0,
        &expect![[r#"
            [
            {"city":"Paris","toponym_id":5,"toponym_display_name":"Paris, United States","toponym_lat":33.66094,"toponym_lon":-95.55551,"toponym_country_code":"us","toponym_confidence":0.98,"toponym_status":"ok","toponym_reason":null,"toponym_name":"Paris","toponym_ancestors":[{"name":"United States","place_id":3,"type":"country"}]}
            ]
        "#]],
    );
}

#[test]
fn what_is_refused() {
    let check = |name: &str, table: &[u8], options: &str, code: i32, part: &str| {
        let (folder, run) = batch(name, table, "out.csv", options);
        assert_eq!(run.code, Some(code), "{options}: {run:?}");
        assert!(run.err.contains(part), "{options}: {}", run.err);
        assert!(!folder.path("out.csv").exists());
    };
    let city = "--city-column city";
    check("in.csv", b"a,b\n1,2\n", city, 1, "no column is called city; the columns are a, b");
    check("in.csv", b"a;city\n1;2\n", city, 1, "--delimiter ';'");
    check("in.csv", b"city,city\n1,2\n", city, 1, "two columns are called city");
    check("in.csv", b"city,toponym_id\n1,2\n", city, 1, "--prefix");
    check("in.ndjson", b"{\"city\":\"Paris\"}\n{\"city\":\"x\",\"toponym_id\":1}\n", city, 1, "--prefix");
    check("in.csv", b"", city, 1, "the table is empty");
    check("in.csv", b"\xff\xfec\0i\0", city, 1, "UTF-16");
    check("in.csv", b"caf\xe9,city\n", city, 1, "not UTF-8");
    check("in.csv", b"city\nParis\n", "", 1, "which columns hold the places");
    check("in.csv", b"city\nParis\n", "--city-column city --jobs 0", 1, "--jobs must be at least 1");
    check("in.csv", b"city\nParis\n", "--city-column city --doubtful-below 2", 1, "from 0 to 1");
    check("in.csv", b"city\nParis\n", "--city-column city --types xyz", 1, ", not xyz");
    check("in.json", b"[{\"city\":\"Paris\"}, {", city, 1, "not an array of JSON objects, behind row 1");
    check(
        "in.json",
        b"[{\"city\":\"Paris\",\"toponym_id\":1}]",
        city,
        1,
        "error: the table has a column toponym_id already",
    );
    let first = "no column is called city; the columns of the first rows are a, b, c";
    check("in.ndjson", b"{\"a\":1,\"b\":2}\nno json\n{\"a\":1,\"c\":2}\n", city, 1, first);
    check("in.json", b"[{\"a\":1,\"b\":2},{\"c\":\"city\"}]", city, 1, first);
    let features =
        r#"{"features":[{"city":"x","properties":{"a":1,"b":2}},{"properties":null},{"properties":{"c":{}}}]}"#;
    check("in.geojson", features.as_bytes(), city, 1, first);
    check("in.ndjson", b"{}\n", city, 1, "no column is called city; the first rows have none");
    check("in.json", b"[{\"city\":\"Paris\"}]", "--column city --country-column contry", 1, "is called contry");
    check("in.geojson", b"{\"type\":\"Feature\"}", city, 1, "FeatureCollection");
    check("gone.csv", b"city\n", "--city-column city --index gone.toponym", 1, "no index at gone.toponym");
    let open = [b"city\n\"".as_slice(), &vec![b'x'; 17 * 1024 * 1024]].concat();
    check("in.csv", &open, city, 1, "is a quote left open?");
    let open = [b"[{\"city\":\"".as_slice(), &vec![b'x'; 17 * 1024 * 1024]].concat();
    check("in.json", &open, city, 1, "error: the input cannot be read, behind row 0: a row is longer than 16 MB");
    check("in.geojson", &[b"{\"features\":", &*open].concat(), city, 1, "is a quote left open?");
    let (folder, _) = batch("in.csv", "city\nParis\n", "out.csv", city);
    let run = folder.run("batch in.csv -o in.csv --city-column city");
    assert!(run.err.contains("would replace the input"), "{run:?}");
}

/// Checks that a row is bounded, not the array.
#[test]
fn an_array_may_be_longer_than_a_row() {
    let rows: Vec<String> =
        (0..20).map(|_| format!("{{\"city\":\"Paris\",\"more\":\"{}\"}}", "x".repeat(1024 * 1024))).collect();
    let (_, run) = batch("in.json", format!("[{}]", rows.join(",")), "out.json", "--city-column city");
    assert!(run.code == Some(0) && run.err.contains("20 ok"), "{run:?}");
}

/// A member that rows lack here and there is known if one of the first has it, even without a value.
#[test]
fn objects_need_not_have_every_column() {
    let table = "{\"city\":\"Paris\"}\n{\"city\":\"Paris\",\"country\":null}\n";
    let (_, run) = batch("in.ndjson", table, "out.ndjson", CITY_AND_COUNTRY);
    assert!(run.code == Some(0) && run.err.contains("2 ok"), "{run:?}");
}

#[test]
fn standard_input_and_output() {
    let folder = Folder::new();
    let arguments = ["batch", "-", "-o", "-", "--city-column", "city", "--quiet"];
    let run = folder.run_with(&arguments, "city\nParis\n");
    expect![[r#"Run { out: "city,toponym_id,toponym_display_name,toponym_lat,toponym_lon,toponym_country_code,toponym_confidence,toponym_status,toponym_reason\nParis,4,\"Paris, France\",48.85341,2.3488,fr,0.9799,ok,\n", err: "", code: Some(0) }"#]].assert_eq(&format!("{run:?}"));
    let run = folder.run_with(&["batch", "-", "-o", "-", "--from", "json", "--city-column", "city"], "[{\"a\":1}]");
    assert_eq!((run.code, &*run.out), (Some(1), ""), "what is refused has no output");
}

/// The order of rows is that of the table, whoever answers them.
#[test]
fn rows_keep_their_order_with_any_workers() {
    let names: String = (0..3_000).map(|number| format!("{number},{}\n", village(number * 7 % 500))).collect();
    let table = format!("id,city\n{names}");
    let (one, run) = batch("in.csv", &table, "out.csv", "--city-column city --jobs 1");
    assert_eq!(run.code, Some(0), "{run:?}");
    let (four, _) = batch("in.csv", &table, "out.csv", "--city-column city --jobs 4");
    assert_eq!(one.read("out.csv"), four.read("out.csv"));
    let out = one.read("out.csv");
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(rows.len(), 3_000);
    for (number, row) in rows.iter().enumerate() {
        let expect = format!("{number},{},{}", village(number * 7 % 500), 1_000 + number * 7 % 500);
        assert!(row.starts_with(&expect), "{row}: {expect}");
    }
}
