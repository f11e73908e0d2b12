// Types of the package `toponym`.

/** A point in WGS84, decimal degrees. */
export interface Coordinate {
  /** -90 to 90. */
  lat: number;
  /** -180 to 180. */
  lon: number;
}

/** Options of a search. */
export interface SearchOptions {
  /** Maximum number of results: 1 to 10 for `autocomplete`, 1 to 50 for `forward`. Default 5. */
  limit?: number | null;
  /** A BCP 47 tag such as `fr` or `pt-BR`: the language that is preferred among equals. */
  lang?: string | null;
  /** Only these countries, as ISO 3166-1 alpha-2 codes. */
  countries?: readonly string[] | null;
  /** Among places of one name, prefer those near this point. */
  focus?: Coordinate | null;
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
  /** Country. */
  country: string;
  /** ISO 3166-1 alpha-2, lower case. */
  country_code: string;
  /** In answers of `reverse`: the name of the place under a key that is its category, such as `tourism`. */
  [category: string]: string | undefined;
}

/** A place, as `forward` and `reverse` return it. */
export interface Place {
  /** Stable across releases of the data. */
  place_id: number;
  /** The name followed by the areas it lies in, the smallest first. */
  display_name: string;
  /** Latitude of the centre. */
  lat: number;
  /** Longitude of the centre. */
  lon: number;
  /** Name of the country. */
  country: string;
  /** Name of the city, if the place is one or lies in one. */
  city?: string;
  /** Main category: `place`, `boundary`, `aeroway`, `railway`, `tourism`. */
  category: string;
  /** Type within the category: `city`, `aerodrome`, `museum`. */
  type: string;
  /** 0 to 1. */
  importance: number;
  /** South, north, west, east. `west > east` where the box crosses the date line. */
  boundingbox: [south: number, north: number, west: number, east: number];
  /** Address components. */
  address: Address;
  /** Probability from 0 to 1 that this is the place that was meant. */
  confidence: number;
}

/** A suggestion for a search field. */
export interface Suggestion {
  /** The name followed by the areas it lies in. */
  display_name: string;
  /** Latitude of the centre. */
  lat: number;
  /** Longitude of the centre. */
  lon: number;
  /** Name of the country. */
  country: string;
  /** Name of the city, if the place is one or lies in one. */
  city?: string;
  /** Type of the place: `city`, `aerodrome`, `museum`. */
  type: string;
}

/** The answer to one query of a batch. */
export type BatchResult =
  | {
      /** The query as it was passed. */
      query: string;
      status: "ok";
      /** Latitude of the centre. */
      lat: number;
      /** Longitude of the centre. */
      lon: number;
      /** The name followed by the areas it lies in. */
      display_name: string;
      /** Name of the country. */
      country: string;
      /** Name of the city, if the place is one or lies in one. */
      city?: string;
      /** Probability from 0 to 1 that this is the place that was meant. */
      confidence: number;
    }
  | { query: string; status: "not_found" }
  | {
      query: string;
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
export interface Explanation {
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
  /** The text is a code of the place, such as `CDG`. */
  code: boolean;
  /** The kind of place that a term of the text asks for, if the place is of that kind. */
  role?: "Country" | "State" | "County" | "City" | "Quarter" | "Airport" | "Station" | "Landmark" | undefined;
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
export interface LoadOptions {
  /** Address of a pack. Without `url` and `bytes`, `load` opens the core pack of this package. */
  url?: string | URL;
  /** SHA-256 of that pack, in hexadecimal digits. It is verified, and the index in the pack is cached for the next visit. */
  sha256?: string;
  /** Size of that pack, for the progress. */
  size?: number;
  /** A pack, compressed with gzip or plain. */
  bytes?: ArrayBuffer | ArrayBufferView;
  /** Cancels loading. The promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called while the pack arrives. */
  onProgress?: (progress: Progress) => void;
}

/**
 * Codes of a `GeocoderError`:
 * - `invalid_argument`: an argument has the wrong type or is out of range; the message names it;
 * - `invalid_index`: the pack is damaged, cut short, or of another version;
 * - `download_failed`: the pack or the engine cannot be fetched;
 * - `superseded`: a newer `autocomplete` of a `GeocoderWorker` replaced this one;
 * - `freed`: the geocoder was freed;
 * - `internal`: a bug in this package.
 */
export type ErrorCode =
  | "invalid_argument"
  | "invalid_index"
  | "download_failed"
  | "superseded"
  | "freed"
  | "internal";

/** All errors of the package: an `Error` with a code. The geocoder remains usable after one. */
export interface GeocoderError extends Error {
  code: ErrorCode;
}

/** Geocodes offline, from one pack of places. */
export class Geocoder {
  private constructor();

  /** Opens the core pack of this package, the pack at `url`, or the pack in `bytes`. */
  static load(options?: LoadOptions | null): Promise<Geocoder>;

  /** Suggestions for a text whose last word may be unfinished, the most relevant first. 1 to 500 characters. */
  autocomplete(query: string, options?: SearchOptions | null): Suggestion[];

  /** Places that match a text, the most relevant first; empty if none does. 1 to 500 characters. */
  forward(query: string, options?: SearchOptions | null): Place[];

  /** The candidates of `forward`, or with `unfinished` those of `autocomplete`, with their signals, the best first. */
  explain(query: string, options?: ExplainOptions | null): Explanation[];

  /** The place at a point, or `null` at sea and far from everything. */
  reverse(lat: number, lon: number): Place | null;

  /** The best place for each of 1 to 100 texts, in order. */
  batch(queries: readonly string[]): BatchResult[];

  /** Title, date and attribution of the pack. */
  about(): About;

  /** Frees the memory. Every later call throws `freed`. */
  free(): void;
}
