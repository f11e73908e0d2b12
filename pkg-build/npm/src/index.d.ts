// Types of the package `toponym`.

// For `Symbol.dispose`: `using geo = await Geocoder.load()` frees the memory at the end of the block.
/// <reference lib="esnext.disposable" />

/** A point in WGS84, decimal degrees. */
export interface Coordinate {
  /** -90 to 90. */
  lat: number;
  /** -180 to 180. */
  lon: number;
}

/** What a place is: each place is of exactly one of these kinds. */
export type PlaceKind =
  | "country"
  | "state"
  | "county"
  | "city"
  | "quarter"
  | "airport"
  | "station"
  | "landmark"
  | "region"
  | "postcode";

/** A kind of places, for all types of it, or one of the types of the data, such as `museum`. */
export type Kind = PlaceKind | (string & {});

/** What every call takes. */
export interface Abortable {
  /**
   * Gives the call up. It fails with the signal's reason: in a `GeocoderWorker` at once, and if the thread has not begun
   * with it, it is never asked. `Geocoder` answers in the same moment, so there a call fails only if the signal is aborted already.
   */
  signal?: AbortSignal | null | undefined;
}

/**
 * A BCP 47 tag such as `fr` or `pt-BR`, or `auto`: the first of `navigator.languages` in which the pack has names, or where
 * there are none, the language of the system. Of a tag that the pack lacks, shorter ones are tried: `pt-BR`, then `pt`.
 */
export type Language = "auto" | (string & {});

/** Which places may be answers. All that is set must hold. */
export interface Filters {
  /** Only these countries, as ISO 3166-1 alpha-2 codes. */
  countries?: readonly string[] | null;
  /** Only these kinds of places. */
  types?: readonly Kind[] | null;
  /** Only places with their centre in this box, in degrees. `west > east` crosses the date line. */
  bbox?: readonly [west: number, south: number, east: number, north: number] | null;
  /** Only places in the country, state, county, city or region with this `place_id`. */
  within?: number | null;
}

/**
 * A question in fields: the first that is set names the place, and the others are areas that it must lie in. Fields that do
 * not go together find nothing.
 */
export interface Fields {
  /** Name of a place of any kind. */
  name?: string | null;
  /** Name of a city, town, village or part of a city. */
  city?: string | null;
  /** Name of a second-level division. */
  county?: string | null;
  /** Name or code of a first-level division. */
  state?: string | null;
  /** Name or code of a country. */
  country?: string | null;
}

/** A fact that an answer can have beside the others; the same name is its key in the answer. */
export type Fact = keyof Facts;

/** How answers are shown. */
export interface Shown extends Abortable {
  /** Facts that each answer has as well, or all of them. What the pack does not know is left out. */
  fields?: readonly Fact[] | "all" | null;
}

/** What is known of a place, of the `fields` that were asked for. */
export interface Facts {
  /** Its name in `lang`, without the areas that it lies in. */
  name?: string;
  /**
   * The name by which a text found it: as written if the pack knows how, otherwise in lower case and without diacritics. Not if
   * it was found by its sound, or next to a city.
   */
  matched?: {
    name: string;
    /** BCP 47 tags of the languages in which the place has this name, as far as they are known. */
    languages?: string[];
  };
  /** Number of inhabitants of a city, a quarter or a country. */
  population?: number;
  /** Name in the time zone database of IANA. A country, state or county has one if all its cities do. */
  timezone?: string;
  /** The state, or the state in which the place lies, by ISO 3166-2: `FR-IDF`. */
  iso_3166_2?: string;
  /** The capital of a country or state. */
  capital?: { place_id: number; name: string };
  /** Its codes. */
  codes?: {
    /** Of an airport. */
    iata?: string;
    /** Of an airport. */
    icao?: string;
    /** Of a country by ISO 3166-1 alpha-2, of a state by ISO 3166-2. */
    iso?: string;
    /** The id at GeoNames of a city, quarter or country. */
    geonames?: number;
  };
  /** The places that contain it, the smallest first. */
  ancestors?: { place_id: number; name: string; type: Kind }[];
  /** Metres from the point of `reverse`, or from `focus`, to its centre; 0 for an area that contains the point. */
  distance?: number;
}

/** Options of a search. */
export interface SearchOptions extends Filters, Shown {
  /** Maximum number of results: 1 to 10 for `autocomplete`, 1 to 50 for `forward`. Default 5. */
  limit?: number | null;
  /** The language of names, which is also preferred among equals. */
  lang?: Language | null;
  /** Among places of one name, prefer those near this point. */
  focus?: Coordinate | null;
}

/** Options of `reverse`. */
export interface ReverseOptions extends Filters, Shown {
  /** As many of the nearest places, 1 to 10, in an array. */
  limit?: number | null;
  /** Only places whose centre is at most so many metres away, up to 500,000. Default 75,000. */
  radius?: number | null;
  /** Language of names. */
  lang?: Language | null;
}

/** Options of `batch` and `place`. */
export interface NameOptions extends Shown {
  /** Language of names. */
  lang?: Language | null;
}

/** Address components, from the smallest to the country. Each place has some of them. */
export interface Address {
  /** Street number. */
  house_number?: string;
  /** Street. */
  road?: string;
  /** Quarter. */
  quarter?: string;
  /** District or suburb. */
  suburb?: string;
  /** City. */
  city?: string;
  /** County or department. */
  county?: string;
  /** State or region. */
  state?: string;
  /** Postal code. */
  postcode?: string;
  /** Country. Not of a place that lies in none, such as a sea. */
  country?: string;
  /** ISO 3166-1 alpha-2, lower case. Not of a place that lies in none. */
  country_code?: string;
  /** In answers of `reverse`: the name of the place under a key that is its category, such as `tourism`. */
  [category: string]: string | undefined;
}

/** A place, as `forward` and `reverse` return it. */
export interface Place extends Facts {
  /** Stable across releases of the data. */
  place_id: number;
  /** The name followed by the areas it lies in, the smallest first. */
  display_name: string;
  /** Latitude of the centre. */
  lat: number;
  /** Longitude of the centre. */
  lon: number;
  /** Name of the country; empty if it lies in none, such as a sea. */
  country: string;
  /** Name of the city, if the place is one or lies in one. */
  city?: string;
  /** Main category: `place`, `boundary`, `aeroway`, `railway`, `tourism`, `natural`, `water` or `waterway`. */
  category: string;
  /** Type within the category: `city`, `aerodrome`, `museum`. */
  type: string;
  /** 0 to 1. */
  importance: number;
  /** South, north, west, east. `west > east` where the box crosses the date line. */
  boundingbox: [south: number, north: number, west: number, east: number];
  /** The same box in the order of every `bbox`: west, south, east, north. */
  bbox: [west: number, south: number, east: number, north: number];
  /** Address components. */
  address: Address;
  /** Probability from 0 to 1 that this is the place that was meant. */
  confidence: number;
}

/** A suggestion for a search field. */
export interface Suggestion extends Facts {
  /** Stable across releases of the data: what `place()` takes. */
  place_id: number;
  /** Its name in `lang`, without the areas that it lies in. */
  name: string;
  /** The name followed by the areas it lies in. */
  display_name: string;
  /** Latitude of the centre. */
  lat: number;
  /** Longitude of the centre. */
  lon: number;
  /** Name of the country; empty if it lies in none, such as a sea. */
  country: string;
  /** Name of the city, if the place is one or lies in one. */
  city?: string;
  /** ISO 3166-1 alpha-2 of the country, lower case. Not of a place that lies in none, such as a sea. */
  country_code?: string;
  /** What it is: `city` for cities, towns and villages alike, `airport`, `landmark`. */
  kind: PlaceKind;
  /** Type of the place: `city`, `aerodrome`, `museum`. */
  type: string;
}

/** One query of a batch: a text, fields, or a point for `reverse`. */
export type BatchQuery = string | Fields | Coordinate;

/** The answer to one query of a batch. */
export type BatchResult =
  | (Facts & {
      /** The query as it was passed. */
      query: BatchQuery;
      status: "ok";
      /** Latitude of the centre. */
      lat: number;
      /** Longitude of the centre. */
      lon: number;
      /** The name followed by the areas it lies in. */
      display_name: string;
      /** Name of the country; empty if it lies in none, such as a sea. */
      country: string;
      /** Name of the city, if the place is one or lies in one. */
      city?: string;
      /** Probability from 0 to 1 that this is the place that was meant. */
      confidence: number;
    })
  | { query: BatchQuery; status: "not_found" }
  | {
      query: BatchQuery;
      status: "error";
      /** What to change. */
      error: string;
    };

/** Options of `explain`. */
export interface ExplainOptions extends SearchOptions {
  /** The last word may be unfinished, as for `autocomplete`. Default `false`. */
  unfinished?: boolean | null;
}

/** A candidate for a text, with the signals that decide its rank. */
export interface Explanation extends Facts {
  /** The name followed by the areas it lies in. */
  display_name: string;
  /** As in `Place`. */
  place_id: number;
  /** Candidates are ordered by cost, smaller is better: 1 - `importance`, plus penalties. */
  cost: number;
  /** 0 to 1. */
  importance: number;
  /** Probability from 0 to 1 that this is the place that was meant. */
  confidence: number;
  /**
   * Class of the name that matched. `Primary`: the display, official or local name. `English`: English, or a variant
   * spelling of the primary name. `Other`: another language. `Weak`: historic, short or colloquial.
   */
  class: "Primary" | "English" | "Other" | "Weak";
  /** Letters omitted, added, changed or swapped. */
  edits: number;
  /** The text is only a prefix of the name. */
  prefix: boolean;
  /** How many areas of the context contain the place, and how many do not. */
  context: [matched: number, unmatched: number];
  /** Terms that were dropped. */
  dropped: number;
  /** The text was transliterated, or only sounds like the name. */
  respelled: boolean;
  /** If the name is guessed, because the text may spell it in another script: how unlikely that is, in nats for each letter. */
  spelling?: number | undefined;
  /** The text is a code of the place, such as `CDG`. */
  code: boolean;
  /** The kind of place that a term of the text asks for, if the place is of that kind. */
  role?: "Country" | "State" | "County" | "City" | "Quarter" | "Airport" | "Station" | "Landmark" | "Region" | undefined;
}

/** Description of a pack. */
export interface About {
  /** Name of the pack: `core`, `default`, or your own. */
  title: string;
  /** Oldest date among the sources that have one, `YYYY-MM-DD`. */
  data_date: string;
  /** One line per source that you must credit where you show results. */
  attribution: string[];
}

/** Progress of loading a pack. */
export interface Progress {
  /** Bytes so far: of the pack during a download, of the index in it if that was cached. */
  loaded: number;
  /** Bytes in all, if the server sends the size. */
  total?: number;
  /** The pack was already available locally. */
  cached: boolean;
}

/** Options of `load`: the source of the pack, progress and cancellation. */
export interface LoadOptions extends Pack {
  /**
   * Several packs instead of one: they answer together. The same `place_id` in several is one place, shown as in the first.
   * 1 to 16 packs; `"core"` is the core pack of this package.
   */
  packs?: readonly ("core" | Pack)[];
  /** Cancels loading. The promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called while a pack arrives. */
  onProgress?: (progress: Progress) => void;
}

/** Options of `load` for an index in pages. */
export interface PagesOptions {
  /**
   * Address of the file `root` that `toponym index --paged` writes. The pages lie beside it, and are fetched when a question needs
   * them.
   */
  pages: string | URL;
  /**
   * Packs beside it, such as your own places: they answer together, and stay in memory. A place that a page has too is shown as
   * in the page, if the question fetches that. At most 16; `"core"` is the core pack of this package.
   */
  packs?: readonly ("core" | Pack)[] | null;
  /** Bytes of pages that stay in memory, unpacked. Default 30,000,000. */
  memory?: number | null;
  /**
   * Bytes of files, as they are fetched, that stay in Cache Storage for later visits: of all indexes of the origin together. 0 keeps
   * nothing. Default 50,000,000.
   */
  cache?: number | null;
  /** Milliseconds without a byte after which a download is given up. It is begun once more. Default 10,000. */
  timeout?: number | null;
  /**
   * Fetches in place of the global `fetch`: to sign requests, or from a binding of a Worker. Not for threads, which no function
   * can cross.
   */
  fetch?: ((url: string, init?: RequestInit) => Promise<Response>) | null;
  /** Cancels loading. The promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called while the root arrives. */
  onProgress?: (progress: Progress) => void;
}

/** Options of `autocomplete`. */
export interface SuggestOptions extends SearchOptions {
  /**
   * Names the search field that asks. A newer call of the same group supersedes an unanswered one, which is aborted and rejects
   * with the code `superseded`. Calls without a group supersede none: each has the answer to its own text. A `Geocoder` of packs
   * answers at once, so that none is unanswered.
   */
  group?: PropertyKey | object | null;
}

/** What `prefetch` fetches: the places of countries, in a box, or both. */
export interface Region extends Abortable {
  /** ISO 3166-1 alpha-2 codes. */
  countries?: readonly string[] | null;
  /** In degrees. `west > east` crosses the date line. */
  bbox?: readonly [west: number, south: number, east: number, north: number] | null;
  /** Also names in this language. */
  lang?: Language | null;
  /** Called for each page. */
  onProgress?: (progress: Prefetched) => void;
}

/** How much of a region is there. */
export interface Prefetched {
  /** Pages that are there. */
  pages: number;
  /** Pages of the region. */
  of: number;
  /** Bytes of the pages that are there, as they are fetched. */
  bytes: number;
  /** Pages that stay for later visits: fewer than `pages` where the browser keeps nothing, or has no more room. */
  kept: number;
}

/** Where a pack is. */
export interface Pack {
  /** Address of a pack. Without `url` and `bytes`, it is the core pack of this package. */
  url?: string | URL;
  /** SHA-256 of that pack, in hexadecimal digits. It is verified, and the index in the pack is cached for the next visit. */
  sha256?: string;
  /** Size of that pack, for the progress. */
  size?: number;
  /** A pack, compressed with gzip or plain. */
  bytes?: ArrayBuffer | ArrayBufferView;
}

/**
 * Codes of a `GeocoderError`:
 * - `invalid_argument`: an argument has the wrong type or is out of range; the message names it;
 * - `invalid_index`: the pack, root or page is damaged, cut short, or of another version;
 * - `download_failed`: the pack, a page or the engine cannot be fetched;
 * - `superseded`: a newer `autocomplete` of the same `group` superseded this one;
 * - `incomplete`: the method needs all places, and only the first are there: `await geocoder.complete()` before it;
 * - `freed`: the geocoder was freed;
 * - `internal`: a bug in this package.
 */
export type ErrorCode =
  | "invalid_argument"
  | "invalid_index"
  | "download_failed"
  | "superseded"
  | "incomplete"
  | "freed"
  | "internal";

/** All errors of the package: an `Error` with a code. The geocoder remains usable after one. */
export interface GeocoderError extends Error {
  code: ErrorCode;
}

/** Geocodes from an index in pages, with the methods of `Geocoder` as promises. Made by `Geocoder.load({ pages })`. */
export interface PagedGeocoder {
  /** A question may fetch pages. */
  readonly paged: true;

  /** Like `Geocoder.autocomplete`. A newer call of the same `group` supersedes an unanswered one. */
  autocomplete(query: string, options?: SuggestOptions | null): Promise<Suggestion[]>;

  /** Like `Geocoder.forward`. */
  forward(query: string | Fields, options?: SearchOptions | null): Promise<Place[]>;

  /** Like `Geocoder.explain`. */
  explain(query: string | Fields, options?: ExplainOptions | null): Promise<Explanation[]>;

  /** Like `Geocoder.reverse`. */
  reverse(lat: number, lon: number, options?: (ReverseOptions & { limit?: null }) | null): Promise<Place | null>;

  /** Like `Geocoder.reverse` with a limit. */
  reverse(lat: number, lon: number, options: ReverseOptions & { limit: number }): Promise<Place[]>;

  /** Like `Geocoder.batch`. */
  batch(queries: readonly BatchQuery[], options?: NameOptions | null): Promise<BatchResult[]>;

  /** Like `Geocoder.place`. */
  place(reference: number | string, options?: NameOptions | null): Promise<Place | null>;

  /** Like `Geocoder.about`. */
  about(options?: Abortable | null): Promise<About>;

  /**
   * Fetches the pages of a region, so that its places are found without a connection. Rejected with the code `invalid_argument` if
   * they are more than what stays for later visits (`cache` of `load`).
   */
  prefetch(region: Region): Promise<Prefetched>;

  /** Frees the memory and ends the downloads. Calls under way and later ones are rejected with the code `freed`. */
  free(): void;

  /** Like `free()`, for `using`. */
  [Symbol.dispose](): void;

  /** Like `free()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Geocodes offline, from one pack of places or several. */
export class Geocoder {
  private constructor();

  /**
   * Opens the root of an index in pages, and packs beside it. The geocoder answers with promises.
   * @example <caption>Geocode from pages on a static host</caption>
   * const places = await Geocoder.load({ pages: "https://places.example.com/root" });
   * (await places.forward("Lisboa", { limit: 1 }))[0]?.display_name; // "Lisbon, Portugal"
   * places.free();
   */
  static load(options: PagesOptions): Promise<PagedGeocoder>;

  /**
   * Opens the core pack of this package, the pack at `url`, or the pack in `bytes`. In browsers the geocoder of the core pack is there
   * as soon as a small first pack is, and the core pack loads behind it; `{ packs: ["core"] }` waits for that.
   * @example <caption>Geocode offline, from the pack of this package</caption>
   * const geocoder = await Geocoder.load();
   * geocoder.forward("Monaco di Baviera")[0]?.display_name; // "Munich, Bavaria, Germany"
   * geocoder.free();
   */
  static load(options?: LoadOptions | null): Promise<Geocoder>;

  /**
   * Whether all places are there. Before, `autocomplete` answers from the first, `about` credits those, and the other methods throw
   * `incomplete`. Always true in Node and in Workers, whose packs lie beside the code.
   */
  readonly isComplete: boolean;

  /**
   * Waits until all places are there. If they could not be loaded, tries again.
   * @example <caption>Wait for all places before the first reverse geocoding</caption>
   * await geo.complete();
   * geo.reverse(48.8584, 2.2945)?.city; // "Paris"
   */
  complete(options?: Abortable | null): Promise<void>;

  /**
   * Suggestions for a text whose last word may be unfinished, the most relevant first; none for a blank text. At most 500 characters.
   * @example <caption>Suggest cities while somebody types</caption>
   * const [first] = geo.autocomplete("reyk", { types: ["city"], limit: 3 });
   * first?.display_name; // "Reykjavík, Capital Region, Iceland"
   */
  autocomplete(query: string, options?: SuggestOptions | null): Suggestion[];

  /**
   * Places that match a text or fields, the most relevant first; empty if none does. 1 to 500 characters.
   * @example <caption>Find a place by its fields, named in French</caption>
   * const [paris] = geo.forward({ city: "Paris", state: "TX" }, { lang: "fr" });
   * paris?.country; // "États-Unis"
   */
  forward(query: string | Fields, options?: SearchOptions | null): Place[];

  /**
   * The candidates of `forward`, or with `unfinished` those of `autocomplete`, with their signals, the best first.
   * @example <caption>See why a place is found</caption>
   * const [best] = geo.explain("Muinch");
   * best?.display_name; // "Munich, Bavaria, Germany"
   * best?.edits; // 1
   */
  explain(query: string | Fields, options?: ExplainOptions | null): Explanation[];

  /**
   * The place at a point, or `null` at sea and far from everything.
   * @example <caption>Find the place at a point</caption>
   * geo.reverse(47.5596, 7.5886)?.city; // "Basel"
   * geo.reverse(40, -30); // null
   */
  reverse(lat: number, lon: number, options?: (ReverseOptions & { limit?: null }) | null): Place | null;

  /**
   * The nearest places to a point that pass the filters. The place at the point comes first, if it passes.
   * @example <caption>List the airports near a point</caption>
   * const airports = geo.reverse(51.5, -0.12, { types: ["airport"], limit: 2, fields: ["distance"] });
   * airports.length; // 2
   * airports.every(({ distance }) => distance !== undefined && distance < 75_000); // true
   */
  reverse(lat: number, lon: number, options: ReverseOptions & { limit: number }): Place[];

  /**
   * The best place for each of 1 to 100 texts, fields or points, in order.
   * @example <caption>Geocode a list</caption>
   * const results = geo.batch(["Rome", { city: "Paris", state: "TX" }, { lat: 48.86, lon: 2.29 }, "asdfghjkl"]);
   * results.map(({ status }) => status); // ["ok", "ok", "ok", "not_found"]
   */
  batch(queries: readonly BatchQuery[], options?: NameOptions | null): BatchResult[];

  /**
   * The place with a `place_id`, or with a code: `iata:CDG`, `icao:LFPG`, `iso:FR`, `iso:JP-13`, `geonames:2988507`.
   * @example <caption>Look up an airport by its code</caption>
   * geo.place("iata:CDG")?.type; // "aerodrome"
   * geo.place("iata:QQQ"); // null
   */
  place(reference: number | string, options?: NameOptions | null): Place | null;

  /**
   * Title, date and attribution of the pack; of several, title and date of the first, and the attribution of all.
   * @example <caption>Credit the sources of the data</caption>
   * const { attribution } = geo.about();
   * attribution.some((line) => line.includes("GeoNames")); // true
   */
  about(options?: Abortable | null): About;

  /**
   * Frees the memory. Every later call throws `freed`.
   * @example <caption>Free the memory when the last question is answered</caption>
   * const once = await Geocoder.load();
   * const france = once.place("iso:FR");
   * once.free();
   * france?.display_name; // "France"
   */
  free(): void;

  /** Like `free()`, for `using`. */
  [Symbol.dispose](): void;

  /** Like `free()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
