//! An index in pages that answers questions: with an answer, or with the pages that it lacks.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

use super::directory::{Directory, file_name};
use super::page_id::{PageId, in_order};
use super::plan::{TextPlan, page_around, pages_of_filter};
use crate::answer::{Answer, Geocode};
use crate::coverage::CountryCoverage;
use crate::engine::Engine;
use crate::facts::Fact;
use crate::geo::metres_to_chord;
use crate::index::{Index, OpenError, Opened, RowId, as_stored, checksum, language_ranges};
use crate::nearby::{AREA_WITHIN_M, Nearby};
use crate::query::{Mode, Search};
use crate::record::{About, Role};
use crate::reference::Reference;
use crate::reverse;
use crate::search::candidates;
use crate::shown::Shown;
use crate::view::{Asked, View};

/// Most pages of the globe that a question for what is near a point looks at.
const NEAR_PAGES: usize = 12;

/// More than what rounding does to the square of a distance on the unit sphere.
const ROUNDING: f64 = 1e-9;

/// Result of a question to an index in pages: what it asked for, or the pages that are missing.
pub(super) type Needed<T> = Result<T, Vec<PageId>>;

/// An index in pages, alone or [joined](Paged::join) with others. The host fetches the pages that a question lacks, and asks again.
pub struct Paged {
    root: Arc<Opened>,
    directory: Directory,
    /// The indexes that were joined, the first first.
    joined: Vec<Arc<Opened>>,
    /// Index of the root and the indexes that were joined.
    index: Index,
    pages: HashMap<PageId, Kept>,
    /// Counts views.
    views: AtomicU64,
}

/// A page that is there.
struct Kept {
    file: Arc<Opened>,
    bytes: usize,
    /// The last view that it was part of.
    used: AtomicU64,
}

impl std::fmt::Debug for Paged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Paged").field("pages", &self.directory.len()).field("present", &self.pages.len()).finish()
    }
}

impl Paged {
    /// Opens a root.
    ///
    /// # Errors
    /// If the bytes are not the complete, undamaged root of an index in pages of this version.
    ///
    /// # Example: ask an index in pages, and fetch what it lacks
    ///
    /// ```
    /// # let mut pages = Vec::new();
    /// # let places = toponym_workload::example_gazetteer();
    /// # let mut take = |written: toponym_engine::pages::WrittenPages| -> Result<(), toponym_engine::index::WriteError> {
    /// #     pages.extend(written.pages);
    /// #     Ok(())
    /// # };
    /// # let root = toponym_engine::pages::write_paged(&places, Default::default(), &mut take)?;
    /// use toponym_engine::{Answer, Geocode, Search, pages::Paged};
    ///
    /// let mut paged = Paged::open(root)?;
    /// let search = Search::new("louvre", 1);
    /// let found = loop {
    ///     match paged.forward(&search) {
    ///         Answer::Ready(places) => break places,
    ///         // Fetch the file called `paged.file_name(page)`.
    ///         Answer::Missing(missing) => {
    ///             for page in missing {
    ///                 paged.insert(page, pages[page.number() as usize].bytes.clone())?;
    ///             }
    ///         }
    ///     }
    /// };
    /// assert_eq!(found[0].display_name, "Louvre, Paris, Île-de-France, France");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(root: impl Into<Bytes>) -> Result<Self, OpenError> {
        Self::of(Opened::open(root.into())?)?.ok_or(OpenError::Malformed("directory of pages"))
    }

    /// Opens an index like [`Paged::open`], but skips the checksum, as [`Engine::open_trusted`] does. `None` if it is
    /// an index in one file.
    ///
    /// # Errors
    /// If the bytes are neither.
    pub fn open_trusted(file: impl Into<Bytes>) -> Result<Option<Self>, OpenError> {
        Self::of(Opened::open_trusted(file.into())?)
    }

    fn of(root: Opened) -> Result<Option<Self>, OpenError> {
        if !root.is_root() {
            return Ok(None);
        }
        let root = Arc::new(root);
        let directory = Directory::open(&root.directory)?;
        let index = Index::from_files([root.clone()]);
        Ok(Some(Self { root, directory, joined: Vec::new(), index, pages: HashMap::new(), views: AtomicU64::new(0) }))
    }

    /// Adds the index of an engine, which is in memory: both answer as one, as after [`Engine::join`]. Call it again for further
    /// ones.
    ///
    /// A place that both have is one place. It is shown as in its page if the question looks at that page, and else as in the
    /// index that was joined, so the two should say the same of it.
    pub fn join(&mut self, other: Engine) {
        for file in other.into_index().into_files() {
            // Every question looks up which of its places pages have.
            file.places.list();
            self.joined.push(file);
        }
        self.index = Index::from_files(self.with_joined([]));
    }

    /// Joins the indexes that another one was joined with, which keeps them: for a newer root that takes its place.
    pub fn join_as(&mut self, other: &Self) {
        self.joined.extend(other.joined.iter().cloned());
        self.index = Index::from_files(self.with_joined([]));
    }

    /// Iterates over the root, some files, and the indexes that were joined.
    fn with_joined(&self, files: impl IntoIterator<Item = Arc<Opened>>) -> impl Iterator<Item = Arc<Opened>> {
        [self.root.clone()].into_iter().chain(files).chain(self.joined.iter().cloned())
    }

    /// Adds a page.
    ///
    /// # Errors
    /// If the bytes are not that page.
    pub fn insert(&mut self, page: PageId, bytes: impl Into<Bytes>) -> Result<(), OpenError> {
        let bytes: Bytes = bytes.into();
        let listed = self.directory.checksum(page).ok_or(OpenError::Malformed("number of a page"))?;
        if checksum(&bytes) != Some(listed) {
            return Err(OpenError::Damaged);
        }
        let length = bytes.len();
        let used = AtomicU64::new(self.views.load(Ordering::Relaxed));
        // The checksum that it says it has is that of the directory: whether it has it is looked at here.
        let file = Arc::new(Opened::open(bytes)?);
        self.pages.insert(page, Kept { file, bytes: length, used });
        Ok(())
    }

    /// Returns the index of what needs no page.
    pub(super) fn root_index(&self) -> &Index {
        &self.index
    }

    pub(super) fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Returns the name of the file of a page: its checksum as 16 hexadecimal digits.
    pub fn file_name(&self, page: PageId) -> Option<String> {
        self.directory.checksum(page).map(file_name)
    }

    /// Returns the number of pages.
    pub fn page_count(&self) -> usize {
        self.directory.len()
    }

    /// Returns the coverage, as [`Engine::coverage`], counted when the index was written: without indexes that were
    /// joined.
    pub fn coverage(&self) -> Vec<CountryCoverage> {
        postcard::from_bytes(&self.directory.coverage).unwrap_or_default()
    }

    /// Returns every page with what it is for, in the order of their numbers.
    ///
    /// # Example: list the files of an index in pages
    ///
    /// ```
    /// # let mut pages = Vec::new();
    /// # let places = toponym_workload::example_gazetteer();
    /// # let mut take = |written: toponym_engine::pages::WrittenPages| -> Result<(), toponym_engine::index::WriteError> {
    /// #     pages.extend(written.pages);
    /// #     Ok(())
    /// # };
    /// # let root = toponym_engine::pages::write_paged(&places, Default::default(), &mut take)?;
    /// use toponym_engine::pages::Paged;
    ///
    /// let paged = Paged::open(root)?;
    /// let files: Vec<String> = paged.kinds().into_iter().filter_map(|(page, _)| paged.file_name(page)).collect();
    /// assert_eq!(files.len(), paged.page_count());
    /// assert_eq!(files[0], pages[0].file_name());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kinds(&self) -> Vec<(PageId, &'static str)> {
        let mut kinds: Vec<_> = self.directory.kinds().collect();
        kinds.sort_unstable();
        kinds
    }

    /// Forgets a page.
    pub fn remove(&mut self, page: PageId) {
        self.pages.remove(&page);
    }

    /// Forgets the pages that no question has looked at for longest, until the others have at most so many bytes.
    pub fn keep_within(&mut self, bytes: usize) {
        let mut kept: usize = self.pages.values().map(|page| page.bytes).sum();
        if kept <= bytes {
            return;
        }
        let by_use = self.pages.iter().map(|(&id, page)| (page.used.load(Ordering::Relaxed), id));
        for id in in_order(by_use.collect()) {
            if kept <= bytes {
                break;
            }
            kept -= self.pages.remove(&id).map_or(0, |page| page.bytes);
        }
    }

    /// Creates an engine with the root and some pages, behind them those with the names of the root's places in a
    /// language, the indexes that were joined, and pages of names: last, so that rows of all others stay what they are.
    pub(super) fn engine(&self, pages: &BTreeSet<PageId>, lang: Option<&str>, names: &[PageId]) -> Needed<Engine> {
        let ranges = lang.map(language_ranges).unwrap_or_default();
        let of_root = ranges.iter().filter_map(|tag| self.directory.language(tag)?.root);
        let pages: Vec<PageId> = pages.iter().copied().chain(of_root).collect();
        let all = || pages.iter().chain(names);
        let missing: Vec<PageId> = all().filter(|page| !self.pages.contains_key(page)).copied().collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let now = self.views.fetch_add(1, Ordering::Relaxed) + 1;
        all().for_each(|page| self.pages[page].used.store(now, Ordering::Relaxed));
        let file_of = |page: &PageId| self.pages[page].file.clone();
        let files = self.with_joined(pages.iter().map(file_of)).chain(names.iter().map(file_of));
        Ok(Engine::from_index(Index::from_files(files)))
    }

    /// Creates an engine as another of some pages, with the names of some rows in a language.
    fn with_names(&self, engine: Engine, pages: &BTreeSet<PageId>, rows: Vec<RowId>, shown: Shown) -> Needed<Engine> {
        let names = self.names_of(engine.index(), rows, shown);
        if names.is_empty() { Ok(engine) } else { self.engine(pages, shown.lang, &names) }
    }

    /// Returns the pages of a language with the names of some rows, of what contains them and of their capitals, that an index
    /// lacks.
    fn names_of(&self, index: &Index, rows: Vec<RowId>, Shown { lang, facts }: Shown) -> Vec<PageId> {
        let Some(lang) = lang else { return Vec::new() };
        let languages = index.languages(Some(lang));
        let mut places = Vec::new();
        for row in rows {
            let place = index.place(row);
            places.extend(place.with_ancestors());
            if facts.contains(Fact::Capital) {
                places.extend(place.capital());
            }
        }
        let mut pages: BTreeSet<PageId> = BTreeSet::new();
        for (rank, tag) in language_ranges(lang).iter().enumerate() {
            let Some(language) = self.directory.language(tag) else { continue };
            let unnamed = places.iter().filter(|place| place.may_have_remote_name(&languages, (rank, tag)));
            pages.extend(unnamed.filter_map(|place| language.page(place.id())));
        }
        pages.into_iter().collect()
    }

    /// Creates an engine with what a text means.
    fn of_text(&self, search: &Search, mode: Mode) -> Needed<View<'_>> {
        let plan = TextPlan::new(&self.index, &self.directory, search, mode);
        let first = plan.first();
        let engine = self.engine(&first, search.lang, &[])?;
        let found = plan.found_at_first(engine.index());
        let second = if found.is_some() { first.clone() } else { plan.second(engine.index(), &first) };
        if second != first {
            // Further names would take a third fetch. The pages have those by which places are found; others keep their display
            // names.
            return self.engine(&second, search.lang, &[]).map(View::made);
        }
        let found = engine.distinct(found.unwrap_or_else(|| candidates(engine.index(), search, mode)));
        let rows = found.iter().take(search.limit).map(|candidate| candidate.row).collect();
        let engine = self.with_names(engine, &first, rows, search.into())?;
        Ok(View::made(engine).with_found(found))
    }

    /// Creates an engine with what lies near a point.
    fn near(&self, asked: &Nearby) -> Needed<Engine> {
        let point = asked.point.canonical();
        let mut pages = pages_of_filter(&self.index, &self.directory, &asked.filter);
        pages.extend(self.directory.pages_of_facts(asked.facts));
        if !asked.filter.types.is_empty() {
            pages.extend(self.directory.regions.iter());
        }
        pages.extend(self.directory.border_pages(point));
        pages.extend(self.directory.globe.page(as_stored(point).curve_position()));
        let engine = self.engine(&pages, asked.lang, &[])?;
        let index = engine.index();
        let reach = reverse::reach_m(index, point);
        let found = reverse::populated_at(index, point).map_or(reach, |near| near.distance_m);
        let radius_m = asked.radius_m.max(found).min(AREA_WITHIN_M);
        pages.extend(asked.filter.within.and_then(|id| page_around(index, &self.directory, id)));
        // Rounding must not leave out a place at exactly this distance.
        pages.extend(self.directory.globe.within(
            point.unit_vector(),
            metres_to_chord(radius_m) + ROUNDING,
            NEAR_PAGES,
        ));
        // Further names would take a third fetch: what the first pages have is mostly what is found.
        let mut rows = Vec::new();
        if asked.lang.is_some() {
            let here = reverse::place_at(index, point).into_iter().chain(reverse::nearby(index, asked));
            rows.extend(here.map(|near| near.place.row));
        }
        let names = self.names_of(index, rows, asked.into());
        self.engine(&pages, asked.lang, &names)
    }

    /// Creates an engine with the place that a reference means.
    fn of_reference(&self, reference: &Reference, shown: Shown) -> Needed<Engine> {
        let mut pages: BTreeSet<PageId> = self.directory.pages_of_facts(shown.facts).collect();
        match reference {
            Reference::Id(id) if !self.root.has_whole(*id) => {
                pages.extend(self.directory.id_page(*id));
                let engine = self.engine(&pages, None, &[])?;
                pages.extend(page_around(engine.index(), &self.directory, *id));
            }
            Reference::Id(_) => {}
            Reference::Code { code, .. } => pages.extend(self.directory.names.path(&code.to_ascii_lowercase())),
        }
        let engine = self.engine(&pages, shown.lang, &[])?;
        let rows = engine.find(reference).map(|place| place.row).into_iter().collect();
        self.with_names(engine, &pages, rows, shown)
    }
}

impl Geocode for Paged {
    fn about_each(&self) -> Vec<&About> {
        self.index.segments().map(|segment| &segment.file.header.about).collect()
    }

    fn has_language(&self, tag: &str) -> bool {
        let is_of_pages = language_ranges(tag).iter().any(|tag| self.directory.language(tag).is_some());
        is_of_pages || self.joined.iter().any(|file| !file.translations.languages(tag).is_empty())
    }

    fn has_type(&self, name: &str) -> bool {
        let is_of_pages = self.directory.types.iter().any(|known| known == name);
        Role::from_name(name).is_some() || is_of_pages || self.joined.iter().any(|file| file.has_type(name))
    }

    fn view(&self, asked: Asked) -> Answer<View<'_>> {
        let view = match asked {
            Asked::Text(search, mode) => self.of_text(search, mode),
            Asked::Near(nearby) => self.near(&nearby).map(View::made),
            Asked::Place(reference, shown) => self.of_reference(reference, shown).map(View::made),
        };
        view.map_or_else(Answer::Missing, Answer::Ready)
    }
}
