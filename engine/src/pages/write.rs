//! Writes an index in pages: a root, and pages that are indexes of some of the places each.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::directory::{
    Corners, Crown, Directory, GlobePage, LEAST_STEP, LanguagePages, Leaf, PageEntry, PageId, Shelf, file_name,
};
use super::split::{Division, Entry, PageSizes, divide};
use crate::engine::Engine;
use crate::geo::{Coordinate, metres_to_chord};
use crate::index::{
    Contents, Cost, Elsewhere, Index, Layer, TableKeys, WriteError, alternate_keys, as_stored, check, checksum,
    divide_borders, encode, encode_borders, hilbert, language_bit, no_keys, of_class, of_importance, share, sound_keys,
    stored_importance, translations, usual_keys,
};
use crate::record::{Border, Capital, FurtherCountry, Gazetteer, Name, NameClass, PlaceFacts, Record, Role};
use crate::text::fold;

/// Largest number of places of a page of the globe.
const GLOBE_PAGE: usize = 900;

/// Largest number of ids of a page of ids.
const ID_PAGE: usize = 8_192;

/// Largest number of names of a page of a language.
const LANGUAGE_PAGE: usize = 3_500;

/// Largest number of regions of a page of them.
const REGION_PAGE: usize = 1_000;

/// What a prefix of an alternate ranks behind one of a usual name, and of another spelling: as in the search.
const BEGUN_ALTERNATE: Cost = share(0.30);
const BEGUN_SPELLING: Cost = share(0.15);

/// A page that was written.
#[derive(Clone, Debug)]
pub struct WrittenPage {
    /// Its checksum.
    pub hash: u64,
    /// The file.
    pub bytes: Vec<u8>,
    /// How much of the work is done: names and places in pages, of those that there are.
    pub done: usize,
    /// All names and places.
    pub of: usize,
}

impl WrittenPage {
    /// The name of its file: as [`super::Paged::file_name`] gives it.
    pub fn file_name(&self) -> String {
        file_name(self.hash)
    }
}

/// What takes a page when it is done.
type Take<'s, E> = &'s mut dyn FnMut(WrittenPage) -> Result<(), E>;

/// Writes a gazetteer in pages, and hands each to `take`, in the order of their numbers. Returns the root: an index of countries,
/// states and the most important places, with the directory of pages.
///
/// # Errors
/// As for [`crate::index::write`], and those of `take`.
pub fn write_paged<E: From<WriteError>>(gazetteer: &Gazetteer, sizes: PageSizes, take: Take<E>) -> Result<Vec<u8>, E> {
    check(gazetteer)?;
    let source = Source::of(gazetteer);
    let (names, sounds) = (source.name_keys(), source.sound_keys());
    let of = names.len() + sounds.len() + gazetteer.places.len();
    let mut writer = Writer { source: &source, directory: Directory::default(), take, done: 0, of };
    let root_keys = writer.shelf(&names, sizes, Table::Names)?;
    writer.shelf(&sounds, PageSizes { root: 0, crown: 0, ..sizes }, Table::Sounds)?;
    writer.globe()?;
    writer.ids()?;
    writer.borders_and_letters()?;
    writer.regions()?;
    writer.facts_of_the_whole()?;
    writer.root(&root_keys)
}

/// The gazetteer, by id.
struct Source<'g> {
    gazetteer: &'g Gazetteer,
    number: HashMap<u64, u32>,
    facts: HashMap<u64, &'g PlaceFacts>,
    further: BTreeMap<u64, Vec<FurtherCountry>>,
}

/// A key with the class of its name; `None`: a code.
#[derive(Clone, Debug)]
struct Key {
    text: String,
    place: u32,
    class: Option<NameClass>,
}

/// The keys of one page by the id of the place.
type PageKeys<'k> = HashMap<u64, Vec<&'k Key>>;

#[derive(Clone, Copy, PartialEq)]
enum Table {
    Names,
    Sounds,
}

impl<'g> Source<'g> {
    fn of(gazetteer: &'g Gazetteer) -> Self {
        let number = gazetteer.places.iter().zip(0..).map(|(place, number)| (place.id, number)).collect();
        let facts = gazetteer.facts.iter().map(|facts| (facts.place, facts)).collect();
        let mut further: BTreeMap<u64, Vec<FurtherCountry>> = BTreeMap::new();
        for one in &gazetteer.further_countries {
            further.entry(one.region).or_default().push(*one);
        }
        Self { gazetteer, number, facts, further }
    }

    fn place(&self, id: u64) -> Option<&'g Record> {
        self.number.get(&id).map(|&number| &self.gazetteer.places[number as usize])
    }

    /// The keys of all names and codes, in order.
    fn name_keys(&self) -> Vec<Key> {
        self.keys(|place| {
            let names =
                usual_keys(place).into_iter().chain(alternate_keys(place)).map(|(key, class)| (key, Some(class)));
            names.chain(place.codes.iter().map(|code| (code.text.to_ascii_lowercase(), None))).collect()
        })
    }

    fn sound_keys(&self) -> Vec<Key> {
        self.keys(|place| sound_keys(place).into_iter().map(|(key, class)| (key, Some(class))).collect())
    }

    fn keys(&self, of: impl Fn(&Record) -> Vec<(String, Option<NameClass>)>) -> Vec<Key> {
        let mut keys = Vec::new();
        for (place, number) in self.gazetteer.places.iter().zip(0..) {
            let mut of_place = of(place);
            of_place.sort();
            of_place.dedup_by(|later, first| later.0 == first.0 && later.1.is_some() == first.1.is_some());
            keys.extend(of_place.into_iter().map(|(text, class)| Key { text, place: number, class }));
        }
        keys.sort_by(|a, b| (&a.text, a.place, a.class).cmp(&(&b.text, b.place, b.class)));
        keys
    }

    fn entry<'k>(&self, key: &'k Key) -> Entry<'k> {
        let place = &self.gazetteer.places[key.place as usize];
        let cost = of_importance(stored_importance(place.importance)) + key.class.map_or(0, of_class);
        let begun = match key.class {
            Some(NameClass::Primary) | None => 0,
            Some(NameClass::English) => BEGUN_SPELLING,
            Some(NameClass::Other | NameClass::Weak) => BEGUN_ALTERNATE,
        };
        Entry { key: &key.text, place: key.place, weight: cost + begun, cost }
    }

    /// The larger places that contain one, without those that the root has.
    fn ancestors(&self, place: &'g Record) -> impl Iterator<Item = &'g Record> {
        std::iter::successors(place.parent.and_then(|id| self.place(id)), |place| self.place(place.parent?))
            .take_while(|place| !is_in_root(place))
    }

    /// What a page has of some places and of what contains them.
    fn content(
        &self,
        places: impl IntoIterator<Item = &'g Record>,
        codes: &dyn Fn(&Record) -> bool,
        names: &Written,
    ) -> PageContent {
        let mut all: BTreeMap<u64, Record> = BTreeMap::new();
        // What only contains others is no answer: its bounds and facts are left out.
        let mut shown: BTreeSet<u64> = BTreeSet::new();
        for place in places {
            all.insert(place.id, self.shown(place, codes(place), names));
            shown.insert(place.id);
            for area in self.ancestors(place) {
                all.entry(area.id).or_insert_with(|| self.bare(area, names));
            }
        }
        let facts = shown.iter().filter_map(|id| self.facts.get(id)).map(|facts| (*facts).clone()).collect();
        let further_countries = all.keys().filter_map(|id| self.further.get(id)).flatten().copied().collect();
        let bare = all.keys().filter(|id| !shown.contains(id)).copied().collect();
        let named = all.values().filter_map(|place| Some((place.id, self.named_elsewhere(place)?))).collect();
        let gazetteer =
            Gazetteer { places: all.into_values().collect(), facts, further_countries, ..Gazetteer::default() };
        PageContent { gazetteer, bare, named }
    }

    /// Bits of the languages in which a place has names beside those that a page shows.
    fn named_elsewhere(&self, shown: &Record) -> Option<u32> {
        let here = translations(shown);
        let all = translations(self.place(shown.id)?);
        let elsewhere = all.iter().filter(|(tag, _)| here.iter().all(|(known, _)| known != tag));
        elsewhere.map(|(tag, _)| language_bit(tag)).reduce(|all, bit| all | bit)
    }

    /// A place as the parent of others. Only of a city it matters where it lies.
    fn bare(&self, place: &Record, names: &Written) -> Record {
        let shown = Record { bounds: None, ..self.shown(place, false, names) };
        match place.kind.role {
            Role::County => {
                Record { position: Coordinate { lat: 0.0, lon: 0.0 }, importance: 0.0, extent_m: 0.0, ..shown }
            }
            _ => shown,
        }
    }

    /// A place as a page shows it.
    fn shown(&self, place: &Record, codes: bool, names: &Written) -> Record {
        let first = place.names.iter().take(1).map(|name| Name { lang: None, ..name.clone() });
        let is_written = |name: &str| match names {
            Written::First => false,
            Written::Keys(keys) => {
                let folded = fold(name);
                keys.get(&place.id).is_some_and(|keys| keys.iter().any(|key| key.text == folded))
            }
            Written::All => true,
        };
        let others = translations(place).into_iter().filter(|(_, name)| is_written(name));
        let others = others.map(|(tag, name)| Name {
            text: name.to_owned(),
            class: NameClass::Other,
            lang: Some(tag.to_owned()),
        });
        Record {
            id: place.id,
            kind: place.kind.clone(),
            names: first.chain(others).collect(),
            codes: if codes { place.codes.clone() } else { Vec::new() },
            position: place.position,
            parent: place.parent,
            country: place.country,
            importance: place.importance,
            extent_m: place.extent_m,
            bounds: place.bounds,
        }
    }
}

/// The names of a place that a page shows.
enum Written<'k> {
    /// The first.
    First,
    /// The first, and those by which the page finds it.
    Keys(&'k PageKeys<'k>),
    /// All.
    All,
}

/// What a page has of places.
struct PageContent {
    gazetteer: Gazetteer,
    /// Places that are there only as parents of others.
    bare: BTreeSet<u64>,
    /// Bits of languages in which places have further names.
    named: BTreeMap<u64, u32>,
}

/// Countries and states, which the labels of all others need.
fn is_in_root(place: &Record) -> bool {
    place.kind.role <= Role::State
}

struct Writer<'s, 'g, E> {
    source: &'s Source<'g>,
    directory: Directory,
    take: Take<'s, E>,
    done: usize,
    of: usize,
}

impl<'g, E: From<WriteError>> Writer<'_, 'g, E> {
    /// Adds a page.
    fn add(&mut self, contents: &Contents) -> Result<PageId, E> {
        let bytes = encode(contents, &|_| {})?;
        let hash = checksum(&bytes).expect("a file has a frame");
        let id = PageId(self.directory.pages.len() as u32);
        self.directory.pages.push(PageEntry { hash, bytes: bytes.len() as u32 });
        (self.take)(WrittenPage { hash, bytes, done: self.done, of: self.of })?;
        Ok(id)
    }

    /// Adds a page of some places, with keys.
    fn add_places(
        &mut self,
        content: PageContent,
        keys: &PageKeys,
        table: Table,
        has_tiles: bool,
    ) -> Result<PageId, E> {
        let PageContent { gazetteer, bare, named } = content;
        let is_here: HashSet<u64> = gazetteer.places.iter().map(|place| place.id).collect();
        let outside: BTreeSet<u64> =
            gazetteer.places.iter().filter_map(|place| place.parent).filter(|id| !is_here.contains(id)).collect();
        let of = |place: &Record, is_wanted: &dyn Fn(NameClass) -> bool| {
            let of_place = keys.get(&place.id).into_iter().flatten();
            let classes =
                of_place.filter_map(|key| Some((key.text.clone(), key.class.filter(|&class| is_wanted(class))?)));
            classes.collect::<Vec<_>>()
        };
        let usual = |place: &Record| of(place, &|class| !class.is_alternate());
        let alternates = |place: &Record| of(place, &|class| class.is_alternate());
        let sounds = |place: &Record| of(place, &|_| true);
        let keys = match table {
            Table::Names => TableKeys { usual: &usual, alternates: &alternates, sounds: &no_keys },
            Table::Sounds => TableKeys { usual: &no_keys, alternates: &no_keys, sounds: &sounds },
        };
        let contents = Contents {
            keys,
            outside_parents: outside.into_iter().collect(),
            bare,
            named,
            has_tiles,
            ..Contents::of(&gazetteer)
        };
        self.add(&contents)
    }

    /// Adds the pages of keys. Returns those of the first crown, which are for the root.
    fn shelf<'k>(&mut self, keys: &'k [Key], sizes: PageSizes, table: Table) -> Result<Vec<&'k Key>, E> {
        let source = self.source;
        let is_root = |key: &Key| {
            let place = &source.gazetteer.places[key.place as usize];
            table == Table::Names && is_in_root(place) && key.class.is_none_or(|class| !class.is_alternate())
        };
        let mut by_place: HashMap<(&str, u32), Vec<&Key>> = HashMap::new();
        keys.iter().for_each(|key| by_place.entry((&key.text, key.place)).or_default().push(key));
        let mut root: Vec<&Key> = keys.iter().filter(|key| is_root(key)).collect();
        let entries: Vec<Entry> = keys.iter().filter(|key| !is_root(key)).map(|key| source.entry(key)).collect();
        let mut shelf = Shelf::default();
        for Division { prefix, range, entries } in divide(entries, sizes) {
            let of_entry = |entry: &Entry<'k>| {
                by_place[&(entry.key, entry.place)].iter().copied().filter(|key| !is_root(key)).collect::<Vec<_>>()
            };
            if prefix.is_empty() && range.is_none() {
                root.extend(entries.iter().flat_map(of_entry));
                continue;
            }
            // Phonetic keys are looked up whole.
            if entries.is_empty() {
                continue;
            }
            let is_key = entries.iter().any(|entry| entry.key == prefix);
            // A crown repeats what is in leaves.
            self.done += if range.is_some() { entries.len() } else { 0 };
            let least = entries.iter().map(|entry| entry.cost / LEAST_STEP).min().unwrap_or(0) as u8;
            let mut of_page: PageKeys = HashMap::new();
            for key in entries.iter().flat_map(of_entry) {
                of_page.entry(source.gazetteer.places[key.place as usize].id).or_default().push(key);
            }
            let has_code =
                |place: &Record| of_page.get(&place.id).is_some_and(|keys| keys.iter().any(|key| key.class.is_none()));
            let places: BTreeSet<u32> = entries.iter().map(|entry| entry.place).collect();
            let places = places.into_iter().map(|number| &source.gazetteer.places[number as usize]);
            let page = {
                let content = source.content(places, &has_code, &Written::Keys(&of_page));
                self.add_places(content, &of_page, table, false)?
            };
            match range {
                None => shelf.crowns.push(Crown { prefix, page, is_key, least }),
                Some((first, last)) => {
                    shelf.leaves.push(Leaf { prefix, first: first.into(), last: last.into(), page, least })
                }
            }
        }
        shelf.sort();
        match table {
            Table::Names => self.directory.names = shelf,
            Table::Sounds => self.directory.sounds = shelf,
        }
        Ok(root)
    }

    /// Adds the pages of all places by position.
    fn globe(&mut self) -> Result<(), E> {
        let source = self.source;
        let places = source.gazetteer.places.iter().filter(|place| !is_in_root(place));
        let mut by_curve: Vec<(u32, &Record)> =
            places.map(|place| (hilbert(as_stored(place.position)), place)).collect();
        by_curve.sort_by_key(|&(curve, place)| (curve, place.id));
        for (first, cell) in cells(&by_curve, 0..by_curve.len(), 0, u32::MAX) {
            let places = || by_curve[cell.clone()].iter().map(|&(_, place)| place);
            let corners = |layer: Layer| corners(places().filter(|place| Layer::of(place.kind.role) == layer));
            let content = source.content(places(), &|_| true, &Written::All);
            let page = self.add_places(content, &HashMap::new(), Table::Names, true)?;
            self.done += cell.len();
            let (populated, sites) = (corners(Layer::Populated), corners(Layer::Sites));
            self.directory.regions_of_globe.push(GlobePage { first, page, populated, sites });
        }
        Ok(())
    }

    /// Adds the pages of names by language.
    fn languages(&mut self, is_in_root: &dyn Fn(u64) -> bool) -> Result<(), E> {
        let mut names: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
        for place in &self.source.gazetteer.places {
            for (tag, name) in translations(place) {
                names.entry(tag).or_default().push((place.id, name));
            }
        }
        for (tag, mut of_language) in names {
            of_language.sort_unstable();
            let (of_root, others): (Vec<_>, Vec<_>) = of_language.into_iter().partition(|&(id, _)| is_in_root(id));
            let root = if of_root.is_empty() { None } else { Some(self.add_names(tag, &of_root)?) };
            let mut ids = Vec::new();
            for chunk in others.chunks(LANGUAGE_PAGE) {
                ids.push((chunk[0].0, self.add_names(tag, chunk)?));
            }
            self.directory.languages.push(LanguagePages { tag: tag.to_owned(), root, ids });
        }
        Ok(())
    }

    fn add_names(&mut self, tag: &str, names: &[(u64, &str)]) -> Result<PageId, E> {
        let (ids, names) = names.iter().copied().unzip();
        let elsewhere = Elsewhere { ids, names, language: Some(tag), curve: Vec::new() };
        self.add(&Contents { elsewhere, ..empty() })
    }

    fn ids(&mut self) -> Result<(), E> {
        let places = self.source.gazetteer.places.iter().filter(|place| !is_in_root(place));
        let mut ids: Vec<(u64, u32)> = places.map(|place| (place.id, hilbert(as_stored(place.position)))).collect();
        ids.sort_unstable();
        for chunk in ids.chunks(ID_PAGE) {
            let (ids, curve) = chunk.iter().copied().unzip();
            let page =
                self.add(&Contents { elsewhere: Elsewhere { ids, curve, ..Elsewhere::default() }, ..empty() })?;
            self.directory.ids.push((chunk[0].0, page));
        }
        Ok(())
    }

    fn borders_and_letters(&mut self) -> Result<(), E> {
        let Gazetteer { borders, transliteration, .. } = self.source.gazetteer;
        if !borders.is_empty() {
            let whole = encode_borders(borders).ok_or(WriteError::TooMany("borders"))?;
            // The countries of borders are numbered in their header; their rings are in the encoded sections.
            let bare = borders.iter().map(|border| Border { country: border.country, rings: Vec::new() });
            let gazetteer = Gazetteer { borders: bare.collect(), ..Gazetteer::default() };
            for (window, sections) in divide_borders(whole) {
                let page = self.add(&Contents { borders: Some(&sections), ..Contents::of(&gazetteer) })?;
                self.directory.borders.push((window, page));
            }
        }
        if !transliteration.is_empty() {
            let gazetteer = Gazetteer { transliteration: transliteration.clone(), ..Gazetteer::default() };
            self.directory.transliteration = Some(self.add(&Contents::of(&gazetteer))?);
        }
        Ok(())
    }

    fn regions(&mut self) -> Result<(), E> {
        let source = self.source;
        let regions: Vec<&Record> =
            source.gazetteer.places.iter().filter(|place| place.kind.role == Role::Region).collect();
        for chunk in regions.chunks(REGION_PAGE) {
            let content = source.content(chunk.iter().copied(), &|_| false, &Written::All);
            let page = self.add_places(content, &HashMap::new(), Table::Names, false)?;
            self.directory.regions.push(page);
        }
        Ok(())
    }

    /// What only a scan of all places can tell.
    fn facts_of_the_whole(&mut self) -> Result<(), E> {
        let places = &self.source.gazetteer.places;
        let types: BTreeSet<&str> = places.iter().map(|place| place.kind.r#type.as_str()).collect();
        self.directory.types = types.into_iter().map(str::to_owned).collect();
        let source = self.source.gazetteer;
        let places = places
            .iter()
            .map(|place| Record { parent: None, ..self.source.shown(place, false, &Written::First) })
            .collect();
        let gazetteer = Gazetteer {
            places,
            about: source.about.clone(),
            further_countries: source.further_countries.clone(),
            ..Gazetteer::default()
        };
        let keys = TableKeys { usual: &no_keys, alternates: &no_keys, sounds: &no_keys };
        let bytes = encode(&Contents { keys, ..Contents::of(&gazetteer) }, &|_| {})?;
        let index = Index::open_trusted(bytes.into()).expect("it was just written");
        let coverage = Engine::of(index).coverage();
        self.directory.coverage = postcard::to_allocvec(&coverage).map_err(|_| WriteError::TooMany("countries"))?;
        Ok(())
    }

    fn root(&mut self, keys: &[&Key]) -> Result<Vec<u8>, E> {
        let source = self.source;
        let areas = source.gazetteer.places.iter().filter(|place| is_in_root(place));
        let crown = keys.iter().map(|key| &source.gazetteer.places[key.place as usize]);
        let mut of_root: PageKeys = HashMap::new();
        for key in keys {
            of_root.entry(source.gazetteer.places[key.place as usize].id).or_default().push(key);
        }
        let has_code = |place: &Record| {
            is_in_root(place) || of_root.get(&place.id).is_some_and(|keys| keys.iter().any(|key| key.class.is_none()))
        };
        // Other names are in pages that come with every question in their language.
        let written = Written::Keys(&of_root);
        let PageContent { mut gazetteer, bare, .. } = source.content(areas.chain(crown), &has_code, &written);
        let is_here: HashSet<u64> = gazetteer.places.iter().map(|place| place.id).collect();
        let is_whole = |capital: &&Capital| is_here.contains(&capital.area) && is_here.contains(&capital.city);
        gazetteer.capitals = source.gazetteer.capitals.iter().filter(is_whole).copied().collect();
        gazetteer.about = source.gazetteer.about.clone();
        gazetteer.lexicon = source.gazetteer.lexicon.clone();
        gazetteer.land = source.gazetteer.land.clone();
        let of = |place: &Record, is_wanted: &dyn Fn(NameClass) -> bool| {
            let of_place = of_root.get(&place.id).into_iter().flatten();
            let classes =
                of_place.filter_map(|key| Some((key.text.clone(), key.class.filter(|&class| is_wanted(class))?)));
            classes.collect::<Vec<_>>()
        };
        let usual = |place: &Record| of(place, &|class| !class.is_alternate());
        let alternates = |place: &Record| of(place, &|class| class.is_alternate());
        let keys = TableKeys { usual: &usual, alternates: &alternates, sounds: &no_keys };
        self.languages(&|id| is_here.contains(&id))?;
        let directory = postcard::to_allocvec(&self.directory).map_err(|_| WriteError::TooMany("the directory"))?;
        Ok(encode(&Contents { keys, bare, directory, ..Contents::of(&gazetteer) }, &|_| {})?)
    }
}

/// A page without places.
fn empty<'c>() -> Contents<'c> {
    static NOTHING: std::sync::OnceLock<Gazetteer> = std::sync::OnceLock::new();
    Contents::of(NOTHING.get_or_init(Gazetteer::default))
}

/// Cells of the Hilbert curve between two positions, each with its places, which are in order: as large as a page may be.
fn cells(places: &[(u32, &Record)], range: Range<usize>, first: u32, last: u32) -> Vec<(u32, Range<usize>)> {
    if range.len() <= GLOBE_PAGE || first == last {
        return vec![(first, range)];
    }
    let quarter = (last - first) / 4;
    let mut found: Vec<(u32, Range<usize>)> = Vec::new();
    let mut start = range.start;
    for number in 0..4 {
        let from = first + number * (quarter + 1);
        let to = if number == 3 { last } else { from + quarter };
        let end = start + places[start..range.end].partition_point(|&(curve, _)| curve <= to);
        for (from, cell) in cells(places, start..end, from, to) {
            // Neighbours that fit one page share it.
            match found.last_mut() {
                Some((_, before)) if before.len() + cell.len() <= GLOBE_PAGE => before.end = cell.end,
                _ => found.push((from, cell)),
            }
        }
        start = end;
    }
    found
}

/// The box around places with their extents, if they are sites; `None` if there are none.
fn corners<'p>(places: impl Iterator<Item = &'p Record>) -> Option<Corners> {
    let mut found: Option<Corners> = None;
    for place in places {
        let vector = as_stored(place.position).unit_vector();
        let is_site = Layer::of(place.kind.role) == Layer::Sites;
        let reach = if is_site { libm::sqrt(metres_to_chord(place.extent_m * 1.06)) } else { 0.0 };
        let [low, high] = found.get_or_insert([[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]]);
        for axis in 0..3 {
            low[axis] = low[axis].min((vector[axis] - reach - f64::from(f32::EPSILON)) as f32);
            high[axis] = high[axis].max((vector[axis] + reach + f64::from(f32::EPSILON)) as f32);
        }
    }
    found
}
