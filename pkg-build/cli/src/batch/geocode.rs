//! Answers the question of a row, with the code that reads questions of the service. Remembers answers, because tables
//! repeat themselves.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;
use toponym_engine::request::{FIELDS, Fault, Fields, NearOptions, Options, Sought, TextRequest, point};
use toponym_engine::{Engine, Fact, FactSet, MAX_QUERY_CHARS, Place};

use super::columns::{Asks, Wanted};

/// Number of answers that a worker remembers, some 10 MB. When it is full, it begins anew.
const REMEMBERED: usize = 50_000;

/// Most bytes of the values of a row whose answer is remembered: names of places that repeat themselves are shorter, and with
/// longer ones the number of answers would say nothing about the memory that they take.
const LONGEST_KEY: usize = 256;

/// State of an answered row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Found.
    Ok,
    /// Found, but a person should look at it.
    Doubtful,
    /// Nothing matches.
    NotFound,
    /// The row has no question that can be answered.
    Error,
}

impl Status {
    /// All states, in the order of their counts.
    pub const ALL: [Self; 4] = [Self::Ok, Self::Doubtful, Self::NotFound, Self::Error];

    /// Returns the name in the column of states.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Doubtful => "doubtful",
            Self::NotFound => "not_found",
            Self::Error => "error",
        }
    }
}

/// The columns of every answer, before those of facts.
pub const COLUMNS: [&str; 8] = ["id", "display_name", "lat", "lon", "country_code", "confidence", "status", "reason"];

/// An answer as cells of the result columns.
#[derive(Clone, Debug)]
pub struct Answer {
    /// State of the row.
    pub status: Status,
    /// A cell for each of [`COLUMNS`] and each fact.
    pub cells: Vec<Cell>,
    /// Longitude and latitude.
    pub position: Option<[f64; 2]>,
}

impl Answer {
    /// Returns why the state is not ok; empty if it is.
    pub fn reason(&self) -> &str {
        match &self.cells[COLUMNS.len() - 1] {
            Cell::Text(reason) => reason,
            _ => "",
        }
    }
}

/// A cell of a result column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing is known.
    Empty,
    /// A text.
    Text(String),
    /// Other JSON.
    Json(String),
}

/// Settings that are the same for every row.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Columns to read.
    pub wanted: Wanted,
    /// The parameters of a text.
    pub text: Options,
    /// The parameters of a point.
    pub point: NearOptions,
    /// Places with less confidence are doubtful.
    pub doubtful_below: f64,
}

impl Settings {
    /// Returns the facts that are asked for.
    pub fn facts(&self) -> FactSet {
        self.text.facts
    }

    /// Returns the names of the result columns, without their prefix.
    pub fn columns(&self) -> Vec<&'static str> {
        COLUMNS.into_iter().chain(facts_of(self.facts()).map(Fact::name)).collect()
    }
}

fn facts_of(facts: FactSet) -> impl Iterator<Item = Fact> {
    Fact::ALL.into_iter().filter(move |fact| facts.contains(*fact))
}

/// Answers rows, for one worker.
pub struct Geocoder<'e> {
    engine: &'e Engine,
    settings: &'e Settings,
    text: TextRequest,
    known: HashMap<String, Answer>,
}

impl<'e> Geocoder<'e> {
    /// Asks `engine`.
    pub fn new(engine: &'e Engine, settings: &'e Settings) -> Self {
        let text = TextRequest { sought: Sought::Text(String::new()), limit: 1, options: settings.text.clone() };
        Self { engine, settings, text, known: HashMap::new() }
    }

    /// Returns the answer to a row with these values of the wanted columns.
    pub fn answer(&mut self, values: &[Cow<str>]) -> Answer {
        let Some(key) = key(values) else { return self.compute_answer(values) };
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let answer = self.compute_answer(values);
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, answer.clone());
        answer
    }

    fn compute_answer(&mut self, values: &[Cow<str>]) -> Answer {
        self.compute(values).unwrap_or_else(|error| self.error(error))
    }

    /// Returns the answer to a row without a question.
    pub fn error(&self, reason: String) -> Answer {
        self.without_place(Status::Error, reason)
    }

    fn compute(&mut self, values: &[Cow<str>]) -> Result<Answer, String> {
        let (found, is_vague) = match &self.settings.wanted.asks {
            Asks::Point | Asks::Geometry => {
                let [lat, lon] = values else { return Err("the geometry is not a point".to_owned()) };
                if lat.trim().is_empty() && lon.trim().is_empty() {
                    return Err("the row has no point".to_owned());
                }
                let point = point(lat.trim(), lon.trim()).map_err(fault_text)?;
                (self.settings.point.places(point, self.engine).map_err(fault_text)?.unwrap(), false)
            }
            asks => {
                self.text.sought = sought(asks, values)?;
                let is_vague = values.first().is_none_or(|smallest| smallest.trim().is_empty());
                (self.text.forward(self.engine).map_err(fault_text)?.unwrap(), is_vague)
            }
        };
        match found.first() {
            None => Ok(self.without_place(Status::NotFound, String::new())),
            Some(place) => self.of_place(place, is_vague),
        }
    }

    /// Makes the answer of a place. With `is_vague` the smallest column of the row is blank, so the answer is the area
    /// of the next one.
    fn of_place(&self, place: &Place, is_vague: bool) -> Result<Answer, String> {
        let (status, reason) = match place.confidence {
            _ if is_vague => (Status::Doubtful, format!("{} is blank", self.settings.wanted.smallest())),
            low if low < self.settings.doubtful_below => (Status::Doubtful, "low confidence".to_owned()),
            _ => (Status::Ok, String::new()),
        };
        let mut cells = vec![
            json_cell(&place.place_id),
            Cell::Text(place.display_name.clone()),
            json_cell(&place.lat),
            json_cell(&place.lon),
            place.address.get("country_code").map_or(Cell::Empty, |code| Cell::Text(code.to_owned())),
            json_cell(&place.confidence),
            Cell::Text(status.name().to_owned()),
            Cell::of_text(reason),
        ];
        if !self.settings.facts().is_empty() {
            let facts = serde_json::to_value(&place.facts).map_err(|error| error.to_string())?;
            cells.extend(facts_of(self.settings.facts()).map(|fact| Cell::of_json(facts.get(fact.name()))));
        }
        Ok(Answer { status, cells, position: Some([place.lon, place.lat]) })
    }

    fn without_place(&self, status: Status, reason: String) -> Answer {
        let mut cells = vec![Cell::Empty; COLUMNS.len() + facts_of(self.settings.facts()).count()];
        cells[COLUMNS.len() - 2] = Cell::Text(status.name().to_owned());
        cells[COLUMNS.len() - 1] = Cell::of_text(reason);
        Answer { status, cells, position: None }
    }
}

fn json_cell(value: &dyn ToString) -> Cell {
    Cell::Json(value.to_string())
}

fn fault_text(fault: Fault) -> String {
    fault.to_string()
}

impl Cell {
    fn of_text(text: String) -> Self {
        if text.is_empty() { Self::Empty } else { Self::Text(text) }
    }

    fn of_json(value: Option<&Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Empty,
            Some(Value::String(text)) => Self::Text(text.clone()),
            Some(other) => Self::Json(other.to_string()),
        }
    }
}

/// Returns the key by which an answer to these values is remembered: each value behind its length, so that no two rows have
/// one key. `None` if they are too long.
fn key(values: &[Cow<str>]) -> Option<String> {
    let length = values.iter().map(|value| value.len()).sum::<usize>();
    if length > LONGEST_KEY {
        return None;
    }
    let mut key = String::with_capacity(2 * length);
    for value in values {
        key += &value.len().to_string();
        key.push(':');
        key += value;
    }
    Some(key)
}

/// Returns the question of the values; a reason if they hold none.
fn sought(asks: &Asks, values: &[Cow<str>]) -> Result<Sought, String> {
    let Asks::Fields(places) = asks else {
        let text = values.first().and_then(|text| non_empty(text)).ok_or_else(nothing_to_look_for)?;
        if text.chars().count() > MAX_QUERY_CHARS {
            return Err(format!("the text is longer than {MAX_QUERY_CHARS} characters"));
        }
        return Ok(Sought::Text(text));
    };
    let mut each = [const { None }; FIELDS.len()];
    for (&at, value) in places.iter().zip(values) {
        each[at] = non_empty(value);
    }
    let read =
        Fields::of_texts(each).map_err(|name| format!("{name} must be between 1 and {MAX_QUERY_CHARS} characters"))?;
    read.map(Sought::Fields).ok_or_else(nothing_to_look_for)
}

fn nothing_to_look_for() -> String {
    "the row has no text to look for".to_owned()
}

fn non_empty(value: &str) -> Option<String> {
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_remembered_by_itself() {
        let rows: [&[&str]; 8] = [
            &[],
            &[""],
            &["", ""],
            &["Paris", "US"],
            &["ParisUS", ""],
            &["a\u{1f}", "b"],
            &["a", "\u{1f}b"],
            &["1:a1:b", ""],
        ];
        for (at, row) in rows.iter().enumerate() {
            for other in &rows[..at] {
                assert_ne!(key_of(row), key_of(other), "{row:?} {other:?}");
            }
        }
        let long = "x".repeat(LONGEST_KEY);
        assert!(key_of(&[&long]).is_some() && key_of(&[&long, "y"]).is_none());
    }

    fn key_of(values: &[&str]) -> Option<String> {
        key(&values.iter().map(|&value| value.into()).collect::<Vec<_>>())
    }
}
