//! Finds the country and the state of a point: an exact point-in-polygon test that looks only at the edges near the point.
//!
//! The globe is a grid of cells. A cell that one border covers and none crosses stores that border. Any other cell stores, for
//! each border that crosses or covers it, whether the reference point of the cell is inside, and the edges in the cell. A point is on the same
//! side of the border as the reference point if the segment between the two crosses an even number of those edges.
//! `cells.rs` has the grid and the test.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::cells::{CELL, CELLS, COLUMNS, Point, ROWS, cell_of, cells_of, crosses, on_map, point_of, reference};
use crate::geo::Coordinate;
use crate::index::format::{Column, EncodedSection, Header, OpenError, Section, Sections, encode};
use crate::record::Border;

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

    /// Checks that a point on the edge between two neighbours is in the one to its west or north.
    #[test]
    fn a_shape_contains_the_perturbed_point() {
        let ring = [(0.0, 0.0), (0.0, 9.0), (9.0, 9.0), (9.0, 0.0), (0.0, 0.0)];
        let ring = ring.map(|(lat, lon)| Coordinate { lat, lon }).to_vec();
        let shape = Shape::of(&Border { of: Bordered::Country(*b"AA"), rings: vec![ring] });
        let check = |lat: f64, lon: f64, expect: bool| {
            assert_eq!(shape.contains(point_of(Coordinate { lat, lon })), expect, "{lat} {lon}");
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
