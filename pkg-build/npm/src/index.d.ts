/** A point in WGS84, decimal degrees. */
export interface Coordinate {
  /** -90 to 90. */
  lat: number;
  /** -180 to 180. */
  lon: number;
}

/** What a search takes beside its text. */
export interface SearchOptions {
  /** Most results: 1 to 10 for `autocomplete`, 1 to 50 for `forward`. Default 5. */
  limit?: number | null;
  /** A BCP 47 tag such as `fr` or `pt-BR`: the language that is preferred among equals. */
  lang?: string | null;
  /** Only these countries, as ISO 3166-1 alpha-2 codes. */
  countries?: readonly string[] | null;
  /** Among places of one name, prefer those near this point. */
  focus?: Coordinate | null;
}

/** Address components, from the smallest to the country. Which are there varies with the place. */
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
  /** Name of the city, where the place is one or lies in one. */
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

/** A line of a search field. */
export interface Suggestion {
  /** The name followed by the areas it lies in. */
  display_name: string;
  /** Latitude of the centre. */
  lat: number;
  /** Longitude of the centre. */
  lon: number;
  /** Name of the country. */
  country: string;
  /** Name of the city, where the place is one or lies in one. */
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
      /** Name of the city, where the place is one or lies in one. */
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

/** What `explain` takes beside its text. */
export interface ExplainOptions extends SearchOptions {
  /** The last word may be unfinished, as for `autocomplete`. Default `false`. */
  unfinished?: boolean | null;
}

/** A candidate for a text, and why it stands where it stands. */
export interface Explanation {
  /** The name followed by the areas it lies in. */
  display_name: string;
  /** As in `Place`. */
  place_id: number;
  /** What candidates are ordered by, smaller is better: 1 - `importance`, and a part for each doubt. */
  cost: number;
  /** 0 to 1. */
  importance: number;
  /** Probability from 0 to 1 that this is the place that was meant. */
  confidence: number;
  /**
   * Class of the name that matched: the place's own, English or another spelling of its own, one of another language,
   * or a historic, short or colloquial one.
   */
  class: "Primary" | "English" | "Other" | "Weak";
  /** Letters left out, added, changed or swapped. */
  edits: number;
  /** The text is only a prefix of the name. */
  prefix: boolean;
  /** Areas of the context in which the place lies, and those in which it does not. */
  context: [matched: number, unmatched: number];
  /** Terms that were dropped. */
  dropped: number;
  /** The text was transliterated, or only sounds like the name. */
  respelled: boolean;
  /** The text is a code of the place, such as `CDG`. */
  code: boolean;
  /** What a term of the text says is meant, if the place is that. */
  role?: "Country" | "State" | "County" | "City" | "Quarter" | "Airport" | "Station" | "Landmark" | undefined;
}

/** What a pack says about itself. */
export interface About {
  /** Name of the pack: `core`, `default`, or your own. */
  title: string;
  /** Oldest date among the sources that have one, `YYYY-MM-DD`. */
  data_date: string;
  /** One line per source that must be credited where results are shown. */
  attribution: string[];
}

/** How far a pack has come. */
export interface Progress {
  /** Bytes so far: of the pack while it is downloaded, of the index in it where that was kept. */
  loaded: number;
  /** Bytes in all, where the server tells. */
  total?: number;
  /** The pack was there already. */
  cached: boolean;
}

/** Where a pack comes from, and who is told. */
export interface LoadOptions {
  /** Address of a pack; without `url` and `bytes` it is the core pack of this package. */
  url?: string | URL;
  /** SHA-256 of that pack, in hexadecimal digits: it is checked, and the index in the pack is kept for the next visit. */
  sha256?: string;
  /** Size of that pack, for the progress. */
  size?: number;
  /** A pack, compressed with gzip or plain. */
  bytes?: ArrayBuffer | ArrayBufferView;
  /** Gives up loading: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called while the pack arrives. */
  onProgress?: (progress: Progress) => void;
}

/**
 * What a `GeocoderError` is about:
 * - `invalid_argument`: an argument is of the wrong kind or out of range; the message tells which;
 * - `invalid_index`: the pack is damaged, cut short, or of another version;
 * - `download_failed`: the pack or the engine cannot be fetched;
 * - `superseded`: a newer `autocomplete` of a `GeocoderWorker` took the place of this one;
 * - `freed`: the geocoder was freed;
 * - `internal`: a fault of this package.
 */
export type ErrorCode =
  | "invalid_argument"
  | "invalid_index"
  | "download_failed"
  | "superseded"
  | "freed"
  | "internal";

/** What is thrown: an `Error` with a code. After one the geocoder still answers. */
export interface GeocoderError extends Error {
  code: ErrorCode;
}

/** Geocodes from one pack of places, without a network. */
export class Geocoder {
  private constructor();

  /** Opens the core pack of this package, the pack at `url`, or the pack that `bytes` hold. */
  static load(options?: LoadOptions | null): Promise<Geocoder>;

  /** Suggestions for a text whose last word may be unfinished, the most relevant first. 1 to 500 characters. */
  autocomplete(query: string, options?: SearchOptions | null): Suggestion[];

  /** Places that a text names, the most relevant first; empty when nothing matches. 1 to 500 characters. */
  forward(query: string, options?: SearchOptions | null): Place[];

  /** The candidates for a text with their signals, the best first: those of `forward` or, where it is `unfinished`, of `autocomplete`. */
  explain(query: string, options?: ExplainOptions | null): Explanation[];

  /** The place at a point; `null` at sea and far from everything. */
  reverse(lat: number, lon: number): Place | null;

  /** The best place of each of 1 to 100 texts, in order. */
  batch(queries: readonly string[]): BatchResult[];

  /** Title, date and attribution of the pack. */
  about(): About;

  /** Gives the memory back; every later call throws `freed`. */
  free(): void;
}
