//! Answers about a point from all segments of an index: the country and the state it lies in, and the places around it.

use super::places::PlaceRef;
use super::points::Nearest;
use super::segment::{Index, Opened, Segment};
use crate::geo::{Centre, Coordinate};
use crate::record::Role;

/// A place, and the distance of its centre from a point.
#[derive(Clone, Copy)]
pub(crate) struct Near<'i> {
    pub place: PlaceRef<'i>,
    pub distance_m: f64,
}

/// A point, and what lies around it.
#[derive(Clone, Copy)]
pub(crate) struct Vicinity<'i> {
    index: &'i Index,
    centre: Centre,
}

impl<'i> Vicinity<'i> {
    pub(super) fn new(index: &'i Index, point: Coordinate) -> Self {
        Self { index, centre: Centre::new(point) }
    }

    /// Returns the country that contains the point; `None` at sea.
    pub fn country(self) -> Option<[u8; 2]> {
        self.ask_borders(|file| {
            let number = file.borders.country_at(self.centre.point)?;
            Some(file.header.countries.get(usize::from(number))?.iso2)
        })
    }

    /// Returns the id of the state that contains the point, if its border is known.
    pub fn state(self) -> Option<u64> {
        self.ask_borders(|file| file.borders.state_at(self.centre.point))
    }

    /// Asks the first segment whose borders cover the point and, among windows of borders, then the others.
    fn ask_borders<T>(self, of_file: impl Fn(&Opened) -> Option<T>) -> Option<T> {
        let mut covering = self.index.files.iter().filter(|file| file.borders.covers(self.centre.point));
        let first = covering.next()?;
        // At 180 degrees east a point is looked up in two windows.
        let mut others = covering.filter(|file| first.borders.has_window() && file.borders.has_window());
        of_file(first).or_else(|| others.find_map(|file| of_file(file)))
    }

    /// Tells whether the point is near land. Always true if the index has no land grid.
    pub fn is_near_land(self) -> bool {
        self.index
            .files
            .iter()
            .find(|file| !file.land.is_empty())
            .is_none_or(|file| file.land.is_near(self.centre.point))
    }

    /// Finds the nearest city or quarter at most `within_m` metres away, in `country` if one is given, for which `is_meant` is
    /// true of its segment and row. Of equally near ones, returns the first row.
    pub fn nearest_populated(
        self,
        within_m: f64,
        country: Option<[u8; 2]>,
        is_meant: impl Fn(Segment<'i>, u32) -> bool,
    ) -> Option<Near<'i>> {
        let mut nearest: Option<Near> = None;
        for segment in self.index.segments() {
            let Some(keep) = segment.file.in_country(country) else { continue };
            let within_m = nearest.map_or(within_m, |nearest| nearest.distance_m);
            let near = segment.file.populated().nearest(&self.centre, within_m, keep, |row| is_meant(segment, row));
            let near = near.map(|near| Near::new(segment, near));
            // One of a later segment that is as near may be a copy.
            nearest = nearest.filter(|known| near.is_none_or(|near| known.distance_m <= near.distance_m)).or(near);
        }
        nearest
    }

    /// Finds the `limit` nearest populated places and sites, at most `within_m` metres away, for which `keep` is true; the
    /// nearest first, equally near ones by row.
    pub fn nearest(self, within_m: f64, limit: usize, keep: impl Fn(PlaceRef) -> bool) -> Vec<Near<'i>> {
        let mut found: Vec<Near> = Vec::new();
        for segment in self.index.segments() {
            for points in [segment.file.populated(), segment.file.sites()] {
                let near =
                    points.nearest_many(&self.centre, within_m, limit, |row| keep(segment.copy(row))).into_iter();
                found.extend(near.map(|near| Near::new(segment, near)));
            }
        }
        found.sort_unstable_by(|a, b| a.distance_m.total_cmp(&b.distance_m).then(a.place.row.cmp(&b.place.row)));
        found.dedup_by_key(|near| near.place.row);
        found.truncate(limit);
        found
    }

    /// Iterates over the airports, stations and landmarks whose extent covers the point, with centres at most `within_m`
    /// metres away, in `country` if one is given; in any order, and as often as segments have them.
    pub fn sites_over(self, within_m: f64, country: Option<[u8; 2]>) -> impl Iterator<Item = Near<'i>> {
        let found = self.index.segments().filter_map(move |segment| {
            let found = segment.file.sites().over(self.centre, within_m, segment.file.in_country(country)?);
            Some(found.map(move |near| Near::new(segment, near)))
        });
        found.flatten()
    }

    /// Iterates over the sites of a role within `reach_m` metres, each with its segment; in any order, and as often as
    /// segments have them.
    pub fn sites_within(self, reach_m: f64, role: Role) -> impl Iterator<Item = (Segment<'i>, Nearest)> {
        self.index.segments().flat_map(move |segment| {
            let found =
                segment.file.sites().within(&self.centre, reach_m, |row| segment.file.places.kind(row).role == role);
            found.into_iter().map(move |near| (segment, near))
        })
    }

    /// Iterates over the regions whose bounds contain the point.
    pub fn regions(self) -> impl Iterator<Item = PlaceRef<'i>> {
        let copies = self.index.segments().flat_map(move |segment| {
            let rows = segment.file.places.regions_over(self.centre.point);
            rows.map(move |row| segment.copy(row))
        });
        copies.filter(|copy| copy.as_shown().row == copy.row)
    }
}

impl<'i> Near<'i> {
    fn new(segment: Segment<'i>, Nearest { row, distance_m }: Nearest) -> Self {
        Self { place: segment.place(row), distance_m }
    }
}
