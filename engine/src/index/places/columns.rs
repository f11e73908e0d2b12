//! The columns of places: position, importance, kind, names and so on, read by row.

use std::ops::Range;
use std::sync::OnceLock;

use bytes::Bytes;

use crate::geo::{Bounds, Coordinate, METRES_PER_DEGREE, power};
use crate::index::degrees::{DEGREE_UNIT, to_degrees};
use crate::index::format::{Column, Country, Header, OpenError, Section, Sections, text_at};
use crate::index::layer::Layer;
use crate::record::{Kind, Role};

/// Stored extents are `EXTENT_FLOOR_M * EXTENT_RATIO^n`: 20 m to 7,000 km in 255 steps of 5 %.
const EXTENT_FLOOR_M: f64 = 20.0;
const EXTENT_RATIO: f64 = 1.0513;

/// Tolerance for rounding of stored positions and of arithmetic, in units of latitude.
const SLACK: u32 = 3;

/// Files with more rows than a page has do not list them by id.
const MAX_LISTED: usize = 1 << 16;

/// Roles of areas, in the order of their rows.
const AREA_ROLES: [Role; 5] = [Role::Postcode, Role::Region, Role::County, Role::State, Role::Country];

/// The columns of an index.
#[derive(Debug)]
pub(crate) struct Places {
    kinds: Vec<Kind>,
    countries: Vec<Country>,
    latitude: Column<i32>,
    longitude: Column<i32>,
    importance: Column<u16>,
    kind: Column<u8>,
    country: Column<u16>,
    parent: Column<u32>,
    remote_parent: Column<u64>,
    bare_row: Column<u32>,
    id: Column<u64>,
    /// Rows in the order of their ids, made when first needed.
    by_id: OnceLock<Vec<u32>>,
    /// Rows of the areas of each role: runs in the order of their ids.
    areas: Vec<Range<u32>>,
    extent: Column<u8>,
    display_name: Column<u32>,
    text: Bytes,
    bounds_row: Column<u32>,
    bounds: Column<i32>,
    capital_area: Column<u32>,
    capital: Column<u32>,
    shared_region: Column<u32>,
    further_country: Column<u16>,
    /// Metres of each stored extent: saves reverse a power per site.
    extents_m: Vec<f64>,
    /// Units of latitude of each stored extent, with the [`SLACK`].
    reaches: Vec<u32>,
}

impl Places {
    pub fn open(header: &Header, sections: &Sections) -> Result<Self, OpenError> {
        let get = |section| sections.get(section);
        let mut places = Self {
            kinds: header.kinds.clone(),
            countries: header.countries.clone(),
            latitude: Column::new(get(Section::Latitude)),
            longitude: Column::new(get(Section::Longitude)),
            importance: Column::new(get(Section::Importance)),
            kind: Column::new(get(Section::Kind)),
            country: Column::new(get(Section::Country)),
            parent: Column::new(get(Section::Parent)),
            remote_parent: Column::new(get(Section::RemoteParent)),
            bare_row: Column::new(get(Section::BareRow)),
            id: Column::new(get(Section::Id)),
            by_id: OnceLock::new(),
            areas: Vec::new(),
            extent: Column::new(get(Section::Extent)),
            display_name: Column::new(get(Section::DisplayName)),
            text: get(Section::Text),
            bounds_row: Column::new(get(Section::BoundsRow)),
            bounds: Column::new(get(Section::Bounds)),
            capital_area: Column::new(get(Section::CapitalArea)),
            capital: Column::new(get(Section::Capital)),
            shared_region: Column::new(get(Section::SharedRegion)),
            further_country: Column::new(get(Section::FurtherCountry)),
            extents_m: (0..=u8::MAX).map(decode_extent).collect(),
            reaches: (0..=u8::MAX).map(|extent| reach(decode_extent(extent))).collect(),
        };
        places.check(header.rows() as usize)?;
        places.areas = places.runs_of_areas(header.layer(Layer::Areas));
        Ok(places)
    }

    /// Finds the rows of the areas of each role: roles are in descending order.
    fn runs_of_areas(&self, areas: Range<u32>) -> Vec<Range<u32>> {
        let mut starts: Vec<u32> =
            AREA_ROLES.map(|role| self.first_row(&areas, |row| self.kind(row).role > role)).into();
        starts.push(areas.end);
        starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// Returns the first of some rows for which `before` is false, as in [`slice::partition_point`].
    fn first_row(&self, rows: &Range<u32>, before: impl Fn(u32) -> bool) -> u32 {
        let mut low = rows.start;
        let mut high = rows.end;
        while low < high {
            let middle = low + (high - low) / 2;
            if before(middle) { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn check(&self, rows: usize) -> Result<(), OpenError> {
        let lengths = [
            self.latitude.len(),
            self.longitude.len(),
            self.importance.len(),
            self.kind.len(),
            self.country.len(),
            self.parent.len(),
            self.id.len(),
            self.extent.len(),
            self.display_name.len(),
        ];
        if lengths.iter().any(|&length| length != rows) {
            return Err(OpenError::Malformed("length of a column"));
        }
        if self.bounds.len() != 4 * self.bounds_row.len() {
            return Err(OpenError::Malformed("bounds"));
        }
        if self.capital.len() != self.capital_area.len() {
            return Err(OpenError::Malformed("capitals"));
        }
        if self.further_country.len() != self.shared_region.len() {
            return Err(OpenError::Malformed("further countries"));
        }
        // These numbers index lists of the header. The lists may be empty if there are no places: then no row is looked up.
        fn is_listed(number: Option<usize>, listed: usize) -> bool {
            number.is_none_or(|number| number < listed)
        }
        let kind = self.kind.values().max().map(usize::from);
        let country = self.country.values().chain(self.further_country.values()).max().map(usize::from);
        if !is_listed(kind, self.kinds.len()) || !is_listed(country, self.countries.len()) {
            return Err(OpenError::Malformed("kinds or countries"));
        }
        Ok(())
    }

    pub fn position(&self, row: u32) -> Coordinate {
        Coordinate { lat: to_degrees(self.latitude.get(row)), lon: to_degrees(self.longitude.get(row)) }
    }

    /// Iterates over the rows of a range, each with its latitude and longitude in units of 1e-5 degrees.
    #[inline]
    pub fn stored_positions(&self, rows: Range<u32>) -> impl Iterator<Item = (u32, (i32, i32))> + '_ {
        let positions = self.latitude.range(rows.clone()).zip(self.longitude.range(rows.clone()));
        rows.zip(positions)
    }

    /// Iterates over the rows of a range whose extent reaches a latitude in units of 1e-5 degrees, and few others.
    #[inline]
    pub fn rows_reaching(&self, lat: i32, rows: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        let discs = self.latitude.range(rows.clone()).zip(self.extent.range(rows.clone()));
        rows.zip(discs).filter_map(move |(row, (own, extent))| {
            let reaches = own.abs_diff(lat) <= self.reaches[usize::from(extent)];
            reaches.then_some(row)
        })
    }

    pub fn importance(&self, row: u32) -> u16 {
        self.importance.get(row)
    }

    pub fn kind(&self, row: u32) -> &Kind {
        &self.kinds[self.kind_number(row)]
    }

    /// Returns the number of the country in the header's list.
    #[inline]
    pub fn country_number(&self, row: u32) -> u16 {
        self.country.get(row)
    }

    pub fn country(&self, row: u32) -> Country {
        self.country_of_number(self.country_number(row))
    }

    pub fn parent(&self, row: u32) -> Option<u32> {
        self.existing_row(self.parent.get(row))
    }

    /// Returns the id of a remote parent: one that another file has.
    pub fn remote_parent(&self, row: u32) -> Option<u64> {
        let at = self.parent.get(row).checked_sub(self.id.len() as u32)?;
        ((at as usize) < self.remote_parent.len()).then(|| self.remote_parent.get(at))
    }

    /// Tells whether a row is only there as a parent of others: bounds and facts of the place are remote.
    #[inline]
    pub fn is_bare(&self, row: u32) -> bool {
        // No row of an index in one file is.
        self.bare_row.len() > 0 && self.bare_row.find(row).is_some()
    }

    pub fn id(&self, row: u32) -> u64 {
        self.id.get(row)
    }

    /// Finds the row with an id. For a place that is not an area, looks through a large file, because a list of its rows by id
    /// would stay in memory.
    pub fn row_of(&self, id: u64) -> Option<u32> {
        if self.id.len() > MAX_LISTED && self.by_id.get().is_none() {
            for run in self.areas.iter().rev() {
                let row = self.first_row(run, |row| self.id(row) < id);
                if run.contains(&row) && self.id(row) == id {
                    return Some(row);
                }
            }
            return self.id.values().position(|other| other == id).map(|row| row as u32);
        }
        let by_id = self.rows_by_id();
        let at = by_id.partition_point(|&row| self.id(row) < id);
        by_id.get(at).copied().filter(|&row| self.id(row) == id)
    }

    /// Lists the rows by id, also those of a large file, for who looks up many.
    pub fn list(&self) {
        self.rows_by_id();
    }

    fn rows_by_id(&self) -> &[u32] {
        self.by_id.get_or_init(|| {
            let mut listed: Vec<u32> = (0..self.id.len() as u32).collect();
            listed.sort_unstable_by_key(|&row| self.id(row));
            listed
        })
    }

    /// Returns the number of the kind in the header's list.
    #[inline]
    pub fn kind_number(&self, row: u32) -> usize {
        usize::from(self.kind.get(row))
    }

    #[inline]
    pub fn extent_m(&self, row: u32) -> f64 {
        self.extents_m[usize::from(self.extent.get(row))]
    }

    pub fn display_name(&self, row: u32) -> &str {
        text_at(&self.text, self.display_name.get(row)).unwrap_or_default()
    }

    /// Returns the stored bounds of a place, or else the box around its extent.
    pub fn bounds(&self, row: u32) -> Bounds {
        let stored = self.bounds_row.find(row).and_then(|at| self.stored_bounds(at));
        stored.unwrap_or_else(|| Bounds::around(self.position(row), self.extent_m(row)))
    }

    /// Returns the bounds with a number among those that are stored.
    fn stored_bounds(&self, at: u32) -> Option<Bounds> {
        let [south, north, west, east] = self.bounds.array(4 * at)?.map(to_degrees);
        Some(Bounds { south, north, west, east })
    }

    /// Iterates over the regions whose bounds contain a point. Of those around an extent, latitude alone excludes most, without
    /// trigonometry.
    pub fn regions_over(&self, point: Coordinate) -> impl Iterator<Item = u32> + '_ {
        let at = AREA_ROLES.iter().position(|&role| role == Role::Region);
        let rows = at.and_then(|at| self.areas.get(at)).cloned().unwrap_or_default();
        let lat = (point.lat / DEGREE_UNIT) as i32;
        // Both are in ascending order.
        let mut next = self.bounds_row.partition_point(|row| row < rows.start);
        rows.filter(move |&row| {
            let has_own = (next as usize) < self.bounds_row.len() && self.bounds_row.get(next) == row;
            if has_own {
                next += 1;
                return self.stored_bounds(next - 1).is_some_and(|bounds| bounds.contains(point));
            }
            let reach = self.reaches[usize::from(self.extent.get(row))];
            self.latitude.get(row).abs_diff(lat) <= reach && self.bounds(row).contains(point)
        })
    }

    /// Returns the capital of a country or state.
    pub fn capital(&self, area: u32) -> Option<u32> {
        self.capital_area.find(area).and_then(|at| self.existing_row(self.capital.get(at)))
    }

    /// Iterates over the numbers of the countries of a region beside its own.
    pub fn further_countries(&self, region: u32) -> impl Iterator<Item = u16> + '_ {
        // Nearly all places are before the first region, and are not looked up.
        let may_have = self.shared_region.len() > 0 && self.shared_region.get(0) <= region;
        let first = if may_have { self.shared_region.partition_point(|row| row < region) } else { 0 };
        let of_region = (first..self.shared_region.len() as u32).take(self.countries.len());
        let of_region = of_region.take_while(move |&at| self.shared_region.get(at) == region);
        of_region.map(|at| self.further_country.get(at))
    }

    /// Returns the country with a number.
    pub fn country_of_number(&self, number: u16) -> Country {
        self.countries[usize::from(number)]
    }

    /// Checks a row number from the file: `None` for [`NO_ROW`](crate::index::format::NO_ROW) and any other row that does not
    /// exist. Columns would return 0 for it.
    pub fn existing_row(&self, row: u32) -> Option<u32> {
        ((row as usize) < self.id.len()).then_some(row)
    }
}

/// Rounds an extent in metres as in the index.
pub(crate) fn extent_as_stored(metres: f64) -> f64 {
    decode_extent(encode_extent(metres))
}

fn decode_extent(stored: u8) -> f64 {
    EXTENT_FLOOR_M * power(EXTENT_RATIO, stored.into())
}

/// Converts an extent in metres to units of latitude, with the [`SLACK`].
fn reach(metres: f64) -> u32 {
    (metres / METRES_PER_DEGREE / DEGREE_UNIT) as u32 + SLACK
}

pub(crate) fn encode_extent(metres: f64) -> u8 {
    let steps = libm::log(metres.max(EXTENT_FLOOR_M) / EXTENT_FLOOR_M) / libm::log(EXTENT_RATIO);
    libm::round(steps).min(255.0) as u8
}
