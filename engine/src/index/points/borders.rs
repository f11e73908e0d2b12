//! Finds the country and the state of a point: an exact point-in-polygon test that looks only at the edges near the point.
//!
//! The globe is a grid of cells. A cell that one border covers and none crosses stores that border. Any other cell stores, for
//! each border that crosses or covers it, whether the reference point of the cell is inside, and the edges in the cell. A point is on the same
//! side of the border as the reference point if the segment between the two crosses an even number of those edges.
//! Positions are integers (1e-5 degrees), so every test is exact.
//!
//! A point on an edge that two countries or states share must be in exactly one of them. So every point is treated as if it were
//! shifted west by an infinitesimal distance and north by an even smaller one (symbolic perturbation). No shifted point lies
//! on an edge or on the line through one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::geo::Coordinate;
use crate::index::degrees::from_degrees;
use crate::index::format::{Column, EncodedSection, Header, OpenError, Section, Sections, encode};
use crate::record::Border;

/// Size of a cell: one degree. Most cells have no edges, the others about ten.
const CELL: i32 = 100_000;
const COLUMNS: i32 = 360;
const ROWS: i32 = 180;
const CELLS: usize = (COLUMNS * ROWS) as usize;

/// The edges of the map.
const SOUTH: i32 = -90 * CELL;
const NORTH: i32 = 90 * CELL;
const WEST: i32 = -180 * CELL;
const EAST: i32 = 180 * CELL;

/// A cell word is [`NOTHING`], the number of the border that covers the cell plus 1, or [`LIST`] plus the offset of a list.
const NOTHING: u32 = 0;
const LIST: u32 = 1 << 31;

/// First word of an entry of a list: number of the border, whether the reference point is inside, number of runs of edges.
const INSIDE: u32 = 1 << 31;
const BORDER_SHIFT: u32 = 16;
const BORDER_MASK: u32 = 0x7fff;
const RUNS_MASK: u32 = 0xffff;

/// Word of a run of edges, each of which begins where the one before ends: number of the first vertex, and of edges less 1. In a
/// cell an average border has four edges: as runs they take a third of the bytes.
const RUN_BITS: u32 = 4;
const LONGEST_RUN: usize = 1 << RUN_BITS;
const VERTICES: u32 = 1 << (32 - RUN_BITS);

/// Latitude and longitude in 1e-5 degrees.
type Point = (i32, i32);

/// The borders of an index.
#[derive(Debug)]
pub(crate) struct Borders {
    vertices: Column<i32>,
    cells: Column<u32>,
    edges: Column<u32>,
    /// The country of each of the first borders.
    countries: Vec<u16>,
    /// The state of each of the others, by id.
    states: Column<u64>,
    window: Window,
}

/// A part of the grid of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Window {
    pub row: u32,
    pub column: u32,
    pub rows: u32,
    pub columns: u32,
}

impl Window {
    const WHOLE: Self = Self { row: 0, column: 0, rows: ROWS as u32, columns: COLUMNS as u32 };

    fn cells(self) -> usize {
        (self.rows as usize).saturating_mul(self.columns as usize)
    }

    /// Returns the number in the window of a cell of the globe.
    fn number(self, cell: u32) -> Option<u32> {
        let row = (cell / COLUMNS as u32).checked_sub(self.row)?;
        let column = (cell % COLUMNS as u32).checked_sub(self.column)?;
        (row < self.rows && column < self.columns).then(|| row * self.columns + column)
    }

    /// Tells whether a point is looked up in the window.
    pub fn has(self, point: Coordinate) -> bool {
        on_map(point_of(point)).into_iter().any(|point| self.number(cell_of(point)).is_some())
    }
}

impl Borders {
    pub fn open(header: &Header, sections: &Sections) -> Result<Self, OpenError> {
        let window = match Column::<u32>::new(sections.get(Section::BorderWindow)).array(0) {
            Some([row, column, rows, columns]) => Window { row, column, rows, columns },
            None => Window::WHOLE,
        };
        let borders = Self {
            window,
            vertices: Column::new(sections.get(Section::BorderVertices)),
            cells: Column::new(sections.get(Section::BorderCells)),
            edges: Column::new(sections.get(Section::BorderEdges)),
            countries: header.borders.clone(),
            states: Column::new(sections.get(Section::BorderState)),
        };
        let is_without = borders.countries.is_empty() && borders.states.len() == 0;
        let expected = if is_without { 0 } else { window.cells() };
        if borders.cells.len() == expected { Ok(borders) } else { Err(OpenError::Malformed("border cells")) }
    }

    /// Tells whether the index has no borders of countries.
    pub fn is_empty(&self) -> bool {
        self.countries.is_empty()
    }

    /// Tells whether these are the borders of a part of the globe.
    pub fn has_window(&self) -> bool {
        self.window != Window::WHOLE
    }

    /// Tells whether a point is looked up here.
    pub fn covers(&self, point: Coordinate) -> bool {
        self.cells.len() > 0 && (!self.has_window() || self.window.has(point))
    }

    /// Returns the number of the country at a point; `None` at sea.
    pub fn country_at(&self, point: Coordinate) -> Option<u16> {
        let border = self.find(point, &(0..self.countries.len() as u32))?;
        self.countries.get(border as usize).copied()
    }

    /// Returns the id of the state at a point, if its border is known.
    pub fn state_at(&self, point: Coordinate) -> Option<u64> {
        let first = self.countries.len() as u32;
        let border = self.find(point, &(first..first + self.states.len() as u32))?;
        Some(self.states.get(border - first))
    }

    /// Finds the border around a point, of those with these numbers.
    fn find(&self, point: Coordinate, among: &Range<u32>) -> Option<u32> {
        if self.cells.len() == 0 {
            return None;
        }
        on_map(point_of(point)).into_iter().find_map(|point| self.border_at(point, among))
    }

    fn border_at(&self, point: Point, among: &Range<u32>) -> Option<u32> {
        let cell = cell_of(point);
        match self.cells.get(self.window.number(cell)?) {
            NOTHING => None,
            word if word & LIST == 0 => Some(word - 1).filter(|border| among.contains(border)),
            word => self.find_in_list(word & !LIST, reference(cell), point, among),
        }
    }

    /// Finds the border in the list of a cell that contains the point. A list never reads past the end of the section.
    fn find_in_list(&self, list: u32, reference: Point, point: Point, among: &Range<u32>) -> Option<u32> {
        let end = self.edges.len() as u32;
        let mut at = list + 1;
        for _ in 0..self.edges.get(list) {
            if at >= end {
                break;
            }
            let entry = self.edges.get(at);
            let next = (at + 1).saturating_add(entry & RUNS_MASK).min(end);
            let border = entry >> BORDER_SHIFT & BORDER_MASK;
            if among.contains(&border) {
                let runs = (at + 1..next).map(|at| self.edges.get(at));
                let edges = runs.flat_map(vertices_of).filter_map(|vertex| self.edge(vertex));
                let crossed = edges.filter(|&edge| crosses(edge, (reference, point))).count();
                if (entry & INSIDE != 0) == (crossed % 2 == 0) {
                    return Some(border);
                }
            }
            at = next;
        }
        None
    }

    /// Returns the edge that starts at a vertex.
    fn edge(&self, vertex: u32) -> Option<(Point, Point)> {
        let [lat, lon, next_lat, next_lon] = self.vertices.array(vertex.checked_mul(2)?)?;
        Some(((lat, lon), (next_lat, next_lon)))
    }
}

/// Returns the positions at which a point is looked up. A pole has many longitudes but is looked up at one; a point on
/// the date line is on both edges of the map. All of these stay on the map when they are shifted west and north.
fn on_map(point: Point) -> impl IntoIterator<Item = Point> {
    let (first, second) = match point {
        (NORTH.., _) => ((NORTH - 1, 0), None),
        (..=SOUTH, _) => ((SOUTH, 0), None),
        (lat, ..=WEST | EAST..) => ((lat, EAST), Some((lat, WEST + 1))),
        _ => (point, None),
    };
    std::iter::once(first).chain(second)
}

/// Converts a position from degrees.
fn point_of(position: Coordinate) -> Point {
    (from_degrees(position.lat), from_degrees(position.lon))
}

fn cell_of((lat, lon): Point) -> u32 {
    let row = ((lat - SOUTH) / CELL).clamp(0, ROWS - 1);
    let column = ((lon - WEST) / CELL).clamp(0, COLUMNS - 1);
    (row * COLUMNS + column) as u32
}

/// Returns the south-west corner of a cell.
fn corner(cell: u32) -> Point {
    let row = cell as i32 / COLUMNS;
    let column = cell as i32 % COLUMNS;
    (row * CELL + SOUTH, column * CELL + WEST)
}

/// Returns a point in the cell that is unlikely to lie on an edge, because sources use round numbers.
fn reference(cell: u32) -> Point {
    let (south, west) = corner(cell);
    (south + 49_957, west + 50_023)
}

/// Returns twice the signed area of a triangle: positive if `c` is to the left of the line from `a` to `b`. Cannot
/// overflow for points on the globe; for others the result does not matter.
fn turn(a: Point, b: Point, c: Point) -> i64 {
    let (ay, ax) = wide(a);
    let (by, bx) = wide(b);
    let (cy, cx) = wide(c);
    ((bx - ax).wrapping_mul(cy - ay)).wrapping_sub((by - ay).wrapping_mul(cx - ax))
}

fn wide((lat, lon): Point) -> (i64, i64) {
    (i64::from(lat), i64::from(lon))
}

/// Tells whether an edge crosses the segment between two points. Both points are shifted (see above), which decides the
/// side of a point that is collinear with the edge, and of a vertex that is collinear with the segment.
fn crosses((a, b): (Point, Point), (p, q): (Point, Point)) -> bool {
    let left_of_edge = |point: Point| is_left(turn(a, b, point), b > a);
    let left_of_segment = |vertex: Point| is_left(turn(p, q, vertex), p > q);
    left_of_segment(a) != left_of_segment(b) && left_of_edge(p) != left_of_edge(q)
}

/// Tells whether a turn is to the left; `shifted` decides for collinear points.
fn is_left(turn: i64, shifted: bool) -> bool {
    turn > 0 || turn == 0 && shifted
}

/// Encodes the sections of borders. `None` if there are more than the format can number.
pub(crate) fn encode_borders(borders: &[Border]) -> Option<[EncodedSection; 4]> {
    let (states, countries): (Vec<&Border>, Vec<&Border>) = borders.iter().partition(|border| border.state().is_some());
    let ids: Vec<u64> = states.iter().filter_map(|border| border.state()).collect();
    let shapes: Vec<Shape> = countries.into_iter().chain(states).map(Shape::of).collect();
    let mut vertices = Vec::new();
    let mut at_cell: BTreeMap<u32, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
    for (border, shape) in shapes.iter().enumerate() {
        for ring in &shape.rings {
            for (at, pair) in ring.windows(2).enumerate() {
                let edge = (vertices.len() / 2 + at) as u32;
                for cell in cells_of((pair[0], pair[1])) {
                    at_cell.entry(cell).or_default().entry(border as u32).or_default().push(edge);
                }
            }
            vertices.extend(ring.iter().flat_map(|&(lat, lon)| [lat, lon]));
        }
    }
    if vertices.len() / 2 > VERTICES as usize {
        return None;
    }
    let mut cells = vec![NOTHING; CELLS];
    let mut edges: Vec<u32> = Vec::new();
    // Cells inside one state and its country have one list.
    let mut lists: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    let nothing = BTreeMap::new();
    for (number, word) in cells.iter_mut().enumerate() {
        let point = reference(number as u32);
        let around: Vec<u32> =
            (0..shapes.len() as u32).filter(|&border| shapes[border as usize].contains(point)).collect();
        let crossing = at_cell.get(&(number as u32)).unwrap_or(&nothing);
        *word = match around[..] {
            [] if crossing.is_empty() => NOTHING,
            [border] if crossing.is_empty() => border + 1,
            _ => {
                let list = list_of(crossing, &around)?;
                LIST | *lists.entry(list).or_insert_with_key(|list| {
                    let offset = edges.len() as u32;
                    edges.extend(list);
                    offset
                })
            }
        };
    }
    let used = if borders.is_empty() { Vec::new() } else { cells };
    Some([
        (Section::BorderVertices, encode(vertices)),
        (Section::BorderCells, encode(used)),
        (Section::BorderEdges, encode(edges)),
        (Section::BorderState, encode(ids)),
    ])
}

/// Rows and columns of the cells that a page of borders has.
const PAGE_CELLS: u32 = 30;

/// Divides borders into windows, each with its sections. `whole` are the sections of all borders, of which the first
/// `countries` are of countries.
pub(crate) fn divide_borders(whole: [EncodedSection; 4], countries: usize) -> Vec<(Window, Vec<EncodedSection>)> {
    let [vertices, cells, edges, states] = whole.map(|(_, bytes)| bytes);
    let borders = Borders {
        vertices: Column::new(vertices.into()),
        cells: Column::new(cells.into()),
        edges: Column::new(edges.into()),
        countries: vec![0; countries],
        states: Column::new(states.into()),
        window: Window::WHOLE,
    };
    fn starts(count: i32) -> impl Iterator<Item = u32> + Clone {
        (0..count as u32).step_by(PAGE_CELLS as usize)
    }
    let mut divided = Vec::new();
    for row in starts(ROWS) {
        for column in starts(COLUMNS) {
            let window = Window { row, column, rows: PAGE_CELLS, columns: PAGE_CELLS };
            divided.push((window, borders.within(window)));
        }
    }
    divided
}

impl Borders {
    /// Encodes the sections of the cells of a window: the vertices and states that it needs are numbered anew,
    /// countries are not.
    fn within(&self, window: Window) -> Vec<EncodedSection> {
        let numbers = (0..window.rows).flat_map(|row| (0..window.columns).map(move |column| (row, column)));
        let words =
            numbers.map(|(row, column)| self.cells.get((window.row + row) * COLUMNS as u32 + window.column + column));
        let words: Vec<u32> = words.collect();
        let offsets: BTreeSet<u32> = words.iter().filter(|&word| word & LIST != 0).map(|word| word & !LIST).collect();
        let entries = || offsets.iter().flat_map(|&list| self.entries(list));
        // Each edge is the number of its first vertex, and needs the next one too.
        let vertices = entries().flat_map(|at| self.runs_of(at)).flat_map(vertices_of);
        let used: BTreeSet<u32> = vertices.flat_map(|vertex| [vertex, vertex + 1]).collect();
        let vertex_number: BTreeMap<u32, u32> = used.iter().copied().zip(0..).collect();
        let first = self.countries.len() as u32;
        let covering = words.iter().filter(|&word| word & LIST == 0 && *word != NOTHING).map(|word| word - 1);
        let borders = covering.chain(entries().map(|at| self.edges.get(at) >> BORDER_SHIFT & BORDER_MASK));
        let states: BTreeSet<u32> = borders.filter(|&border| border >= first).collect();
        let state_number: BTreeMap<u32, u32> = states.iter().copied().zip(first..).collect();
        let number = |border: u32| state_number.get(&border).copied().unwrap_or(border);
        let mut edges = Vec::new();
        let mut lists = BTreeMap::new();
        for &list in &offsets {
            lists.insert(list, LIST | edges.len() as u32);
            edges.push(self.edges.get(list));
            for at in self.entries(list) {
                let entry = self.edges.get(at);
                let border = number(entry >> BORDER_SHIFT & BORDER_MASK);
                edges.push(entry & (INSIDE | RUNS_MASK) | border << BORDER_SHIFT);
                for run in self.runs_of(at) {
                    let vertex = vertex_number[&(run >> RUN_BITS)];
                    edges.push(vertex << RUN_BITS | run & (LONGEST_RUN as u32 - 1));
                }
            }
        }
        let cells = words.iter().map(|&word| match word {
            NOTHING => NOTHING,
            word if word & LIST == 0 => number(word - 1) + 1,
            word => lists[&(word & !LIST)],
        });
        let vertices =
            used.iter().flat_map(|&vertex| [self.vertices.get(2 * vertex), self.vertices.get(2 * vertex + 1)]);
        vec![
            (Section::BorderVertices, encode(vertices)),
            (Section::BorderCells, encode(cells)),
            (Section::BorderEdges, encode(edges)),
            (Section::BorderState, encode(states.iter().map(|border| self.states.get(border - first)))),
            (Section::BorderWindow, encode([window.row, window.column, window.rows, window.columns])),
        ]
    }

    /// Iterates over the positions of the entries of a list that was just written.
    fn entries(&self, list: u32) -> impl Iterator<Item = u32> {
        let all = std::iter::successors(Some(list + 1), |&at| Some(at + 1 + (self.edges.get(at) & RUNS_MASK)));
        all.take(self.edges.get(list) as usize)
    }

    /// Iterates over the runs of edges of an entry of a list.
    fn runs_of(&self, entry: u32) -> impl Iterator<Item = u32> {
        let count = self.edges.get(entry) & RUNS_MASK;
        (entry + 1..=entry + count).map(|at| self.edges.get(at))
    }
}

/// Encodes the list of a cell: the borders that cross it, then those of `around`, which contain its reference point,
/// that do not.
fn list_of(crossing: &BTreeMap<u32, Vec<u32>>, around: &[u32]) -> Option<Vec<u32>> {
    let empty = Vec::new();
    let covering = around.iter().filter(|border| !crossing.contains_key(border));
    let entries: Vec<(&u32, &Vec<u32>)> = crossing.iter().chain(covering.map(|border| (border, &empty))).collect();
    let mut list = vec![entries.len() as u32];
    for (border, edges) in entries {
        let runs = runs(edges);
        if *border > BORDER_MASK || runs.len() > RUNS_MASK as usize {
            return None;
        }
        let inside = if around.contains(border) { INSIDE } else { 0 };
        list.push(border << BORDER_SHIFT | runs.len() as u32 | inside);
        list.extend(runs);
    }
    Some(list)
}

/// Returns the runs of edges in order.
fn runs(edges: &[u32]) -> Vec<u32> {
    let of_ring = edges.chunk_by(|edge, next| edge + 1 == *next);
    let runs = of_ring.flat_map(|edges| edges.chunks(LONGEST_RUN));
    runs.map(|run| run[0] << RUN_BITS | (run.len() as u32 - 1)).collect()
}

/// Iterates over the first vertex of each edge of a run.
fn vertices_of(run: u32) -> impl Iterator<Item = u32> {
    let first = run >> RUN_BITS;
    first..=first + run % LONGEST_RUN as u32
}

/// A border with its bounding box.
struct Shape {
    rings: Vec<Vec<Point>>,
    low: Point,
    high: Point,
}

impl Shape {
    fn of(border: &Border) -> Self {
        let points = |ring: &Vec<Coordinate>| ring.iter().copied().map(point_of).collect();
        let rings: Vec<Vec<Point>> = border.rings.iter().map(points).collect();
        let mut low = (i32::MAX, i32::MAX);
        let mut high = (i32::MIN, i32::MIN);
        for &(lat, lon) in rings.iter().flatten() {
            low = (low.0.min(lat), low.1.min(lon));
            high = (high.0.max(lat), high.1.max(lon));
        }
        Self { rings, low, high }
    }

    /// Tells whether the shape contains a point: by the even-odd rule, with a segment to a point outside.
    fn contains(&self, point: Point) -> bool {
        if point.0 < self.low.0 || point.0 > self.high.0 || point.1 < self.low.1 || point.1 > self.high.1 {
            return false;
        }
        let outside = (point.0 + 7, self.high.1 + CELL);
        let edges = self.rings.iter().flat_map(|ring| ring.windows(2));
        edges.filter(|pair| crosses((pair[0], pair[1]), (point, outside))).count() % 2 == 1
    }
}

/// Returns the cells that an edge touches.
fn cells_of((a, b): (Point, Point)) -> Vec<u32> {
    let first = cell_of((a.0.min(b.0), a.1.min(b.1)));
    let last = cell_of((a.0.max(b.0), a.1.max(b.1)));
    let rows = first as i32 / COLUMNS..=last as i32 / COLUMNS;
    let columns = first as i32 % COLUMNS..=last as i32 % COLUMNS;
    let all = rows.flat_map(|row| columns.clone().map(move |column| (row * COLUMNS + column) as u32));
    all.filter(|&cell| touches((a, b), corner(cell))).collect()
}

/// Tells whether an edge touches a cell that overlaps its bounding box: not all corners are on one side of its line.
fn touches((a, b): (Point, Point), (south, west): Point) -> bool {
    let corners = [(south, west), (south + CELL, west), (south, west + CELL), (south + CELL, west + CELL)];
    let left = corners.iter().filter(|&&corner| turn(a, b, corner) > 0).count();
    let right = corners.iter().filter(|&&corner| turn(a, b, corner) < 0).count();
    left != 4 && right != 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Bordered;

    /// Checks a list that says that it has more entries, and an entry that it has more edges, than there are bytes for.
    #[test]
    fn forged_counts_end_with_the_section() {
        fn check(edges: Vec<u32>, list: u32, expect: Option<u16>) {
            let borders = Borders {
                vertices: Column::new(encode([0, 0, 0, 7]).into()),
                cells: Column::new(encode(vec![LIST | list; CELLS]).into()),
                edges: Column::new(encode(edges).into()),
                countries: vec![3, 4],
                states: Column::new(Vec::new().into()),
                window: Window::WHOLE,
            };
            assert_eq!(borders.country_at(Coordinate { lat: 1.5, lon: 2.5 }), expect);
        }
        let first = INSIDE;
        let second = INSIDE | 1 << BORDER_SHIFT;
        check(vec![1, first], 0, Some(3));
        check(vec![2, first & !INSIDE, second], 0, Some(4));
        check(vec![u32::MAX], 0, None);
        check(vec![u32::MAX, 0, 0, 0], 0, None);
        check(vec![u32::MAX, RUNS_MASK, u32::MAX, u32::MAX / 2], 0, None);
        check(vec![1, first | RUNS_MASK, u32::MAX, u32::MAX / 2, 1], 0, Some(3));
        check(vec![1, first], !LIST, None);
        check(vec![1, INSIDE | BORDER_MASK << BORDER_SHIFT], 0, None);
    }

    fn open_borders(borders: &[Border]) -> Borders {
        let [vertices, cells, edges, states] = encode_borders(borders).expect("they are few").map(|(_, bytes)| bytes);
        Borders {
            vertices: Column::new(vertices.into()),
            cells: Column::new(cells.into()),
            edges: Column::new(edges.into()),
            countries: borders.iter().filter_map(|border| border.country()).map(|code| code[0].into()).collect(),
            states: Column::new(states.into()),
            window: Window::WHOLE,
        }
    }

    /// Compares borders with their shapes inside the bounds of a map of four countries: one around a smaller one, one
    /// with a bay and an island, one across cells.
    #[test]
    fn a_written_border_holds_what_its_shape_contains() {
        let bay =
            [(13.1, 9.1), (13.1, 9.9), (13.9, 9.9), (13.9, 9.7), (13.3, 9.7), (13.3, 9.2), (13.9, 9.1), (13.1, 9.1)];
        let island = [(14.2, 9.4), (14.4, 9.6), (14.2, 9.8), (14.2, 9.4)];
        let countries = [
            border(b'C', &[&bay, &island]),
            border(b'A', &[&ring_of_square(10.25, 10.75)]),
            border(b'B', &[&ring_of_square(9.5, 12.5)]),
            border(b'D', &[&[(9.0, 13.0), (12.0, 16.3), (8.2, 15.9), (9.0, 13.0)]]),
        ];
        let borders = open_borders(&countries);
        assert_eq!((borders.cells.len(), borders.is_empty()), (64_800, false));
        let shapes = countries.each_ref().map(Shape::of);
        for (lat, lon) in (800_000..1_500_000)
            .step_by(12_347)
            .flat_map(|lat| (850_000..1_700_000).step_by(12_346).map(move |lon| (lat, lon)))
        {
            let expect = shapes.iter().position(|shape| shape.contains((lat, lon)));
            let found = borders.country_at(Coordinate { lat: f64::from(lat) / 1e5, lon: f64::from(lon) / 1e5 });
            assert_eq!(found, expect.map(|at| u16::from(b"CABD"[at])), "{lat} {lon}");
        }
        let none = open_borders(&[]);
        assert_eq!((none.cells.len(), none.is_empty()), (0, true));
        assert_eq!(none.country_at(Coordinate { lat: 10.5, lon: 10.5 }), None);
    }

    fn ring_of_square(low: f64, high: f64) -> [(f64, f64); 5] {
        [(low, low), (low, high), (high, high), (high, low), (low, low)]
    }

    fn border(country: u8, rings: &[&[(f64, f64)]]) -> Border {
        Border {
            of: Bordered::Country([country; 2]),
            rings: rings.iter().map(|ring| ring.iter().map(|&(lat, lon)| Coordinate { lat, lon }).collect()).collect(),
        }
    }

    /// Compares with points that are really moved: all edges and ways between the points of a small grid.
    #[test]
    fn an_edge_crosses_the_perturbed_way() {
        const FINE: i128 = 1 << 40;
        const HAIR: i128 = 1 << 20;
        fn wide((lat, lon): Point) -> (i128, i128) {
            (i128::from(lat) * FINE, i128::from(lon) * FINE)
        }
        fn moved(point: Point) -> (i128, i128) {
            (wide(point).0 + 1, wide(point).1 - HAIR)
        }
        fn is_left([a, b]: [(i128, i128); 2], c: (i128, i128)) -> bool {
            (b.1 - a.1) * (c.0 - a.0) > (b.0 - a.0) * (c.1 - a.1)
        }
        let grid: Vec<Point> = (0..9).map(|at| (at / 3, at % 3)).collect();
        fn pairs(first: &[Point]) -> Vec<(Point, Point)> {
            first.iter().flat_map(|&a| first.iter().map(move |&b| (a, b))).collect()
        }
        for (a, b) in pairs(&grid) {
            for (p, q) in pairs(&grid) {
                let edge = [wide(a), wide(b)];
                let way = [moved(p), moved(q)];
                let ends_differ = is_left(edge, way[0]) != is_left(edge, way[1]);
                let expect = ends_differ && is_left(way, edge[0]) != is_left(way, edge[1]);
                assert_eq!(crosses((a, b), (p, q)), expect, "{a:?} {b:?} {p:?} {q:?}");
            }
        }
        assert_eq!(turn((1, 2), (4, 9), (8, 7)), 34);
    }

    /// Checks a point, the number of its cell, and the corner and the reference point of that cell.
    #[test]
    fn cells_are_numbered_from_the_south_west() {
        fn check(point: Point, cell: u32, south_west: Point, inside: Point) {
            assert_eq!((cell_of(point), corner(cell), reference(cell)), (cell, south_west, inside), "{point:?}");
        }
        check((-9_000_000, -18_000_000), 0, (-9_000_000, -18_000_000), (-8_950_043, -17_949_977));
        check((-8_900_001, -17_800_001), 1, (-9_000_000, -17_900_000), (-8_950_043, -17_849_977));
        check((-8_900_000, -18_000_000), 360, (-8_900_000, -18_000_000), (-8_850_043, -17_949_977));
        check((0, 0), 32_580, (0, 0), (49_957, 50_023));
        check((4_850_000, 235_000), 49_862, (4_800_000, 200_000), (4_849_957, 250_023));
        // What lies on the northern or eastern edge of the map, or behind it, is in the last cell.
        check((9_000_000, 18_000_000), 64_799, (8_900_000, 17_900_000), (8_949_957, 17_950_023));
        check((9_200_000, 18_200_000), 64_799, (8_900_000, 17_900_000), (8_949_957, 17_950_023));
        check((-9_200_000, -18_200_000), 0, (-9_000_000, -18_000_000), (-8_950_043, -17_949_977));
    }

    #[test]
    fn points_of_the_map_edge_are_looked_up() {
        fn check(point: Point, expect: &[Point]) {
            assert_eq!(on_map(point).into_iter().collect::<Vec<_>>(), expect, "{point:?}");
        }
        check((5, 7), &[(5, 7)]);
        check((8_999_999, 17_999_999), &[(8_999_999, 17_999_999)]);
        for lon in [-18_000_000, -7, 7, 18_000_000] {
            check((9_000_000, lon), &[(8_999_999, 0)]);
            check((-9_000_000, lon), &[(-9_000_000, 0)]);
        }
        check((5, 18_000_000), &[(5, 18_000_000), (5, -17_999_999)]);
        check((5, -18_000_000), &[(5, 18_000_000), (5, -17_999_999)]);
    }

    /// Checks lines that cut off one corner of a cell, and lines that pass it by.
    #[test]
    fn a_line_touches_cells_between_its_sides() {
        let near = CELL / 10;
        let far = CELL - near;
        fn check(a: Point, b: Point, expect: bool) {
            for (south, west) in [(0, 0), (3 * CELL, -2 * CELL)] {
                let moved = |(lat, lon): Point| (lat + south, lon + west);
                assert_eq!(touches((moved(a), moved(b)), (south, west)), expect, "{a:?} {b:?} {south} {west}");
                assert_eq!(touches((moved(b), moved(a)), (south, west)), expect, "{b:?} {a:?} {south} {west}");
            }
        }
        check((0, near), (near, 0), true);
        check((0, far), (near, CELL), true);
        check((far, 0), (CELL, near), true);
        check((far, CELL), (CELL, far), true);
        check((-2 * near, near), (near, -2 * near), false);
        check((-2 * near, far), (near, CELL + 2 * near), false);
        check((far, -2 * near), (CELL + 2 * near, near), false);
        check((far, CELL + 2 * near), (CELL + 2 * near, far), false);
        // Along an edge of the cell, and through a corner alone.
        check((0, near), (0, far), true);
        check((near, -near), (-near, near), true);
    }

    #[test]
    fn an_edge_lists_the_cells_it_touches() {
        fn check(a: (f64, f64), b: (f64, f64), expect: &[(i32, i32)]) {
            fn point((lat, lon): (f64, f64)) -> Point {
                (from_degrees(lat), from_degrees(lon))
            }
            fn cells(edge: (Point, Point)) -> Vec<Point> {
                cells_of(edge).into_iter().map(corner).collect::<Vec<_>>()
            }
            let expect: Vec<Point> = expect.iter().map(|&(lat, lon)| (lat * CELL, lon * CELL)).collect();
            assert_eq!(cells((point(a), point(b))), expect, "{a:?} {b:?}");
            assert_eq!(cells((point(b), point(a))), expect, "{b:?} {a:?}");
        }
        check((0.2, 0.3), (0.8, 0.9), &[(0, 0)]);
        check((-0.5, 0.5), (1.5, 0.6), &[(-1, 0), (0, 0), (1, 0)]);
        check((0.5, -1.5), (0.6, 0.5), &[(0, -2), (0, -1), (0, 0)]);
        check((0.9, 0.5), (1.9, 1.4), &[(0, 0), (1, 0), (1, 1)]);
        check((0.9, 1.5), (1.9, 0.6), &[(0, 1), (1, 0), (1, 1)]);
        check((10.1, 20.5), (12.9, 21.5), &[(10, 20), (11, 20), (11, 21), (12, 21)]);
        // Through a corner: all four cells that meet there.
        check((0.5, 0.5), (1.5, 1.5), &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        check((0.5, 1.5), (1.5, 0.5), &[(0, 0), (0, 1), (1, 0), (1, 1)]);
    }

    /// Checks that a point on the edge between two neighbours is in the one to its west or north.
    #[test]
    fn a_shape_contains_the_perturbed_point() {
        let ring = [(0.0, 0.0), (0.0, 9.0), (9.0, 9.0), (9.0, 0.0), (0.0, 0.0)];
        let ring = ring.map(|(lat, lon)| Coordinate { lat, lon }).to_vec();
        let shape = Shape::of(&Border { of: Bordered::Country(*b"AA"), rings: vec![ring] });
        let check = |lat: f64, lon: f64, expect: bool| {
            assert_eq!(shape.contains((from_degrees(lat), from_degrees(lon))), expect, "{lat} {lon}");
        };
        check(5.0, 5.0, true);
        check(0.0, 5.0, true);
        check(9.0, 5.0, false);
        check(5.0, 0.0, false);
        check(5.0, 9.0, true);
        for (lat, lon) in [(-1.0, 5.0), (10.0, 5.0), (5.0, -1.0), (5.0, 10.0), (-1.0, -1.0), (10.0, 10.0)] {
            check(lat, lon, false);
        }
    }

    #[test]
    fn what_the_format_cannot_count_is_refused() {
        fn check(border: u32, edges: u32, expect: bool) {
            // Edges that do not touch are runs of their own.
            let through = BTreeMap::from([(border, (0..edges).map(|edge| 2 * edge).collect())]);
            let list = list_of(&through, &[]);
            assert_eq!(list.is_some(), expect, "{border} {edges}");
            if let Some(list) = list {
                assert_eq!(list[..2], [1, border << BORDER_SHIFT | edges]);
            }
        }
        check(1, 3, true);
        check(BORDER_MASK, RUNS_MASK, true);
        check(BORDER_MASK + 1, 1, false);
        check(BORDER_MASK + 2, 1, false);
        check(1, RUNS_MASK + 1, false);
        check(1, RUNS_MASK + 2, false);
    }

    #[test]
    fn edges_that_touch_are_one_run() {
        fn check(edges: &[u32], expect: &[(u32, u32)]) {
            let found = runs(edges);
            let shown: Vec<_> = found.iter().map(|run| (run >> RUN_BITS, run % LONGEST_RUN as u32 + 1)).collect();
            assert_eq!(shown, expect, "{edges:?}");
            assert_eq!(found.into_iter().flat_map(vertices_of).collect::<Vec<_>>(), edges);
        }
        check(&[], &[]);
        check(&[7], &[(7, 1)]);
        check(&[7, 8, 9, 11, 13, 14], &[(7, 3), (11, 1), (13, 2)]);
        check(&(100..133).collect::<Vec<_>>(), &[(100, 16), (116, 16), (132, 1)]);
    }
}
