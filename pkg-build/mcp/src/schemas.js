// What the tools take and return, as zod schemas: their descriptions are what a model reads. Names that nobody knows are
// errors, so that a slip in a name is seen.

import { z } from "zod";

/** Most results of a tool: more than a model needs, and few enough for its context. */
const MOST_PLACES = 10;

/** The engine takes no longer text. */
const MOST_CHARACTERS = 500;

/** More than there are countries. */
const MOST_CODES = 250;

/** The largest id: the largest integer that JSON carries exactly. */
const MOST_ID = Number.MAX_SAFE_INTEGER;

/** The largest radius of the engine, metres. */
const MOST_METRES = 500_000;

export const KINDS = ["country", "state", "county", "city", "quarter", "airport", "station", "landmark", "region", "postcode"];

const text = (description) => z.string().trim().min(1).max(MOST_CHARACTERS).describe(description);
// White space at its end says that a word is finished.
const unfinishedText = (description) => z.string().regex(/\S/, "must not be blank").max(MOST_CHARACTERS).describe(description);
const lat = z.number().min(-90).max(90).describe("Latitude, decimal degrees, WGS84");
const lon = z.number().min(-180).max(180).describe("Longitude, decimal degrees, WGS84");
const id = z.number().int().min(1).max(MOST_ID);

const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
  .optional()
  .describe("BCP 47 tag of the language of the names in the answer, such as fr or pt-BR. Questions may be in any language without it.");

const filters = {
  countries: z
    .array(z.string().regex(/^[A-Za-z]{2}$/))
    .min(1)
    .max(MOST_CODES)
    .optional()
    .describe('Only in these countries: ISO 3166-1 alpha-2 codes, such as ["US", "CA"]'),
  types: z.array(z.enum(KINDS)).min(1).optional().describe("Only these kinds of places. city is also towns and villages."),
  within: id.optional().describe("Only in the country, state, county, city or region with this place_id"),
  bbox: z
    .array(z.number().min(-180).max(180))
    .length(4)
    .refine(([, south, , north]) => -90 <= south && south <= north && north <= 90, "must be [west, south, east, north] in degrees, with south at most north")
    .optional()
    .describe("Only with the centre in this box: [west, south, east, north], degrees; west > east crosses the date line"),
  language,
};

const limit = (usual) => z.number().int().min(1).max(MOST_PLACES).default(usual).describe("Most places in the answer");
const near = z.object({ lat, lon }).strict().optional().describe("Among places of one name, prefer those near this point, such as the user's");

const area = (what) => text(what).optional();

export const GEOCODE = z
  .object({
    query: area('The place as people write it, in any language, with slips: "Paris, Texas", "Flughafen München", "CDG". Either this, or the fields below.'),
    name: area("In place of query: the name of a place of any kind"),
    city: area("In place of query: the name of a city, town, village or quarter"),
    county: area("In place of query: the county, or where the city lies"),
    state: area("In place of query: the state, or where the city lies; a name or a code"),
    country: area("In place of query: the country, or where the rest lies; a name or a code"),
    limit: limit(5),
    near,
    ...filters,
  })
  .strict();

export const REVERSE = z
  .object({
    lat,
    lon,
    limit: z.number().int().min(1).max(MOST_PLACES).optional().describe("For the nearest places in place of the one that contains the point: how many"),
    radius: z.number().min(1).max(MOST_METRES).optional().describe("Only places whose centre is at most so many metres away; 75000 without it"),
    ...filters,
  })
  .strict();

export const AUTOCOMPLETE = z.object({ text: unfinishedText("What was typed so far; the last word may be unfinished, unless a space follows"), limit: limit(5), near, ...filters }).strict();

export const PLACE = z
  .object({
    reference: z
      .union([id, z.string().regex(/^([1-9][0-9]{0,15}|(iata|icao|iso|geonames):[A-Za-z0-9-]{1,12})$/)])
      .describe("A place_id from another answer, or a code: iata:CDG, icao:LFPG, iso:FR, iso:US-TX, geonames:2988507"),
    language,
  })
  .strict();

const facts = {
  name: z.string().optional().describe("Without the areas it lies in"),
  population: z.number().int().optional(),
  timezone: z.string().optional().describe("Of the IANA data base"),
  distance: z.number().optional().describe("Metres from the point of the question to the centre; 0 for an area that contains it"),
};

const PLACE_FOUND = z.object({
  place_id: id.describe("Stays the same; for the tool place, and for within"),
  display_name: z.string().describe("The name, and the areas it lies in"),
  ...facts,
  lat,
  lon,
  type: z.string(),
  category: z.string(),
  country: z.string(),
  country_code: z.string().optional().describe("ISO 3166-1 alpha-2"),
  confidence: z.number().min(0).max(1).describe("Probability that this is the place that was meant; above 0.8 is reliable"),
  bounds: z.object({ south: lat, north: lat, west: lon, east: lon }),
  matched: z.string().optional().describe("The name by which the question found it, if that is another than its name"),
  iso_3166_2: z.string().optional().describe("The state, or that in which it lies"),
  codes: z.object({ iata: z.string().optional(), icao: z.string().optional(), iso: z.string().optional(), geonames: z.number().optional() }).optional(),
  lies_in: z.array(z.object({ place_id: id, name: z.string(), type: z.string() })).optional().describe("The areas that contain it, the smallest first"),
});

const SUGGESTION = z.object({
  display_name: z.string().describe("For the tool geocode, should more be needed"),
  ...facts,
  lat,
  lon,
  type: z.string(),
  country: z.string(),
});

const credits = z.array(z.string()).describe("Show these wherever you show the results: the licences of the data ask for it");

export const CERTAINTIES = ["clear", "ambiguous", "unsure", "none"];

/** What geocode returns. */
export const JUDGED = z.object({
  certainty: z
    .enum(CERTAINTIES)
    .describe("clear: the first place is meant; ambiguous: several may be, so ask the user; unsure: the first is the best guess, so check it; none: nothing was found"),
  advice: z.string().describe("What to do next"),
  places: z.array(PLACE_FOUND),
  credits,
});

export const FOUND = z.object({ places: z.array(PLACE_FOUND), advice: z.string().optional(), credits });

export const SUGGESTED = z.object({ suggestions: z.array(SUGGESTION), advice: z.string().optional(), credits });
