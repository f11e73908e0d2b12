//! Merges the rows of all sources, country by country, into places.

use std::collections::{BTreeSet, HashMap, HashSet};

use itertools::Itertools;
use toponym_engine::{About, Capital, Gazetteer, NO_COUNTRY, Record};

use super::additions::Additions;
use super::clean_names::{self, Calling, Counts as Cleaned, Others};
use super::country_facts::Counts;
use super::draft::{Drawn, Finished, Place};
use super::drafts::Drafts;
use super::import::Rows;
use super::inputs::Inputs;
use super::matcher::Merges;
use super::shared_regions::SharedRegions;
use super::{region_namesakes, regions};
use crate::error::BuildError;
use crate::parallel;
use crate::progress::{self, Step};
use crate::scratch::encode;
use crate::sources::rows::Iso2;

/// All of a gazetteer but its places, and which rows of added files are known places.
#[derive(Debug)]
pub(crate) struct Rest {
    pub gazetteer: Gazetteer,
    pub merges: Merges,
}

/// Countries with so many rows of added files are merged at a time, each on a core, unless one country has more. They bound the
/// memory, and are enough that small countries keep all cores busy.
const ROWS_AT_A_TIME: usize = 500_000;

/// Drafts with so many places are finished at a time, each on a core, unless one has more.
const PLACES_AT_A_TIME: usize = 500_000;

/// Merges the rows of all sources, those of added files among them. `take` gets each place, in no order.
///
/// Countries are drafted one by one, and finished one by one when the names of all are known. They are put
/// into `drafts`, which are empty.
///
/// # Errors
/// When two places of a country have the same id, a table names an unknown place, the rows or drafts cannot be stored, or `take`
/// fails.
pub(crate) fn merge(
    inputs: &Inputs,
    rows: Rows,
    drafts: Drafts,
    take: impl FnMut(Place) -> Result<(), BuildError>,
) -> Result<Rest, BuildError> {
    Drafted::read(inputs, rows, drafts)?.join(inputs).finish(inputs, take)
}

/// The drafts of all countries, with what crosses borders: areas, regions and names.
struct Drafted<'t> {
    drafts: Drafts,
    areas: Vec<Record>,
    regions: SharedRegions,
    regions_with_rows: HashSet<u64>,
    calling: Calling<'t>,
    merges: Merges,
}

impl<'t> Drafted<'t> {
    /// Drafts all countries.
    fn read(inputs: &'t Inputs, rows: Rows, drafts: Drafts) -> Result<Self, BuildError> {
        let step = Step::with_total("places by country", inputs.rows() + rows.count);
        let mut drafted = Self {
            drafts,
            areas: Vec::new(),
            regions: SharedRegions::default(),
            regions_with_rows: HashSet::new(),
            calling: Calling::new(&inputs.tables.scripts, &inputs.tables.kind_words),
            merges: Merges::default(),
        };
        let codes: BTreeSet<Iso2> = inputs.countries.iter().map(|country| country.iso2).chain([NO_COUNTRY]).collect();
        let rows = rows.finish()?;
        for batch in rows.batches(codes, ROWS_AT_A_TIME) {
            let drawn = parallel::each(&batch, |&country| -> Result<_, BuildError> {
                let inputs = inputs.of(country);
                let count = inputs.rows() + rows.count_of(country);
                let drawn = progress::quietly(|| Drawn::of(country, inputs, &rows))?;
                let bytes = encode(&drawn.draft)?;
                step.advance_by(count);
                Ok((drawn, bytes))
            });
            for drawn in drawn {
                let (drawn, bytes) = drawn?;
                drafted.take(drawn, &bytes)?;
            }
        }
        step.finish(inputs.rows());
        Ok(drafted)
    }

    /// Takes the draft of a country, with its bytes.
    fn take(&mut self, drawn: Drawn, bytes: &[u8]) -> Result<(), BuildError> {
        drawn.of_sources().for_each(|place| self.calling.take(place));
        let regions = drawn.regions.iter().map(|region| region.id);
        self.regions_with_rows.extend(regions.filter(|&id| drawn.draft.has_row(id)));
        self.regions.take(drawn.draft.country, drawn.regions);
        self.areas.extend(drawn.areas);
        self.merges.append(drawn.merges);
        self.drafts.push(&drawn.draft, bytes)
    }

    /// Joins the regions of several countries, and the names of all places.
    fn join(mut self, inputs: &Inputs) -> Joined<'t> {
        let regions = region_namesakes::join_areas(self.regions.finish(&inputs.regions), &mut self.areas);
        self.areas.iter().chain(&regions).for_each(|area| self.calling.take(area));
        let languages = inputs.countries.iter().map(|country| (country.iso2, country.languages.as_slice()));
        Joined {
            drafts: self.drafts,
            areas_of: self.areas.into_iter().map(|area| (area.country, area)).into_group_map(),
            regions,
            regions_with_rows: self.regions_with_rows,
            others: self.calling.finish(),
            additions: Additions::new(&inputs.tables.additions, languages, &inputs.tables.kind_words),
            merges: self.merges,
        }
    }
}

/// The drafts of all countries, when the names of all are known.
struct Joined<'t> {
    drafts: Drafts,
    areas_of: HashMap<Iso2, Vec<Record>>,
    regions: Vec<Record>,
    regions_with_rows: HashSet<u64>,
    others: Others<'t>,
    additions: Additions,
    merges: Merges,
}

impl Joined<'_> {
    /// Finishes all countries, then the regions, and gives each place to `take`.
    fn finish(self, inputs: &Inputs, take: impl FnMut(Place) -> Result<(), BuildError>) -> Result<Rest, BuildError> {
        let count = self.drafts.places();
        let step = Step::with_total("names", count);
        let mut output = Output::new(take, self.merges);
        for batch in self.drafts.batches(PLACES_AT_A_TIME) {
            let finished = parallel::each(batch, |kept| {
                let areas = self.areas_of.get(&kept.country).cloned().unwrap_or_default();
                let draft = self.drafts.read(kept)?;
                step.advance_by(kept.places);
                draft.finish(areas, &self.others, &self.additions, &inputs.tables.groups)
            });
            for finished in finished {
                output.take_country(finished?)?;
            }
        }
        let further_countries = regions::further_countries(&inputs.regions, &self.regions);
        for mut region in self.regions {
            self.others.clean(&mut region, &mut output.cleaned);
            let is_added = self.regions_with_rows.contains(&region.id);
            output.take_region(region, is_added)?;
        }
        step.finish(count);
        let mut rest = output.finish(inputs);
        rest.gazetteer.further_countries = further_countries;
        Ok(rest)
    }
}

/// The finished places on their way to `take`, and what is counted and kept of them.
struct Output<F> {
    take: F,
    capitals: Vec<Capital>,
    counts: Counts,
    cleaned: Cleaned,
    merges: Merges,
    /// The place that each duplicate became part of.
    twice: HashMap<u64, u64>,
}

impl<F: FnMut(Place) -> Result<(), BuildError>> Output<F> {
    fn new(take: F, merges: Merges) -> Self {
        let counts = Counts::default();
        Self { take, capitals: Vec::new(), counts, cleaned: Cleaned::new(), merges, twice: HashMap::new() }
    }

    fn take_place(&mut self, place: Place) -> Result<(), BuildError> {
        self.counts.take(&place.record, place.people);
        (self.take)(place)
    }

    fn take_country(&mut self, country: Finished) -> Result<(), BuildError> {
        self.capitals.extend(country.capitals);
        self.merges.append(country.merges);
        self.twice.extend(country.twice);
        for (rule, count) in country.cleaned {
            *self.cleaned.entry(rule).or_default() += count;
        }
        country.places.into_iter().try_for_each(|place| self.take_place(place))
    }

    /// Takes a region, when all countries are finished: the place that it lies in may have become part of another.
    fn take_region(&mut self, mut record: Record, is_added: bool) -> Result<(), BuildError> {
        record.parent = record.parent.map(|id| self.twice.get(&id).copied().unwrap_or(id));
        self.take_place(Place { record, facts: None, people: 0, is_added })
    }

    /// Says what was cleaned and merged. Returns all but the places.
    fn finish(self, inputs: &Inputs) -> Rest {
        clean_names::say(&self.cleaned);
        self.merges.say();
        let mut countries = inputs.country_facts();
        self.counts.finish(&mut countries);
        let about = About { countries, ..About::default() };
        let gazetteer = Gazetteer { capitals: self.capitals, about, ..Gazetteer::default() };
        Rest { gazetteer, merges: self.merges }
    }
}
