// Compiled against the package's types: what must be accepted, and what must not.

import { Geocoder, type BatchResult, type Explanation, type GeocoderError, type Language, type PagedGeocoder, type Place, type Prefetched, type Suggestion } from "toponym";
import { GeocoderWorker } from "toponym/worker";
import { ToponymAutocomplete } from "toponym/element";
import { featureCollection } from "toponym/geojson";

const geo: Geocoder = await Geocoder.load({ signal: new AbortController().signal, onProgress: ({ loaded, total }) => loaded / (total ?? 1) });
await Geocoder.load();
await Geocoder.load({ url: new URL("https://example.com/a.bin"), sha256: "ab", size: 3 });
await Geocoder.load({ bytes: new Uint8Array(3) });

const suggestions: Suggestion[] = geo.autocomplete("par", { limit: 3, lang: "fr", countries: ["FR"], focus: { lat: 1, lon: 2 } });
const places: Place[] = geo.forward("par", null);
const box: [number, number, number, number] = places[0]!.bbox;
const city: string | undefined = places[0]!.city;
const tourism: string | undefined = places[0]!.address.tourism;
const code: string | undefined = places[0]!.address.country_code;
// @ts-expect-error: a sea lies in no country
const nation: string = places[0]!.address.country;
const here: Place | null = geo.reverse(1, 2);
const near: Place[] = geo.reverse(1, 2, { limit: 3, radius: 500, types: ["city", "museum"] });
const named: Place | null = geo.place("iata:CDG", { lang: "fr" }) ?? geo.place(4);
const shown: string = featureCollection(near).features[0]!.properties.display_name;
const nowhere: number = featureCollection(geo.reverse(0, 0)).features.length;
const people: number | undefined = geo.forward("a", { fields: ["population", "codes"] })[0]!.population;
const iata: string | undefined = geo.place(4, { fields: "all" })?.codes?.iata;
// @ts-expect-error: no such fact
geo.reverse(1, 2, { fields: ["people"] });
geo.forward({ city: "Paris", state: "TX" }, { bbox: [1, 2, 3, 4], within: 3 });
geo.batch(["a", { city: "Paris" }, { lat: 1, lon: 2 }], { lang: "de" });
const auto: Language = "auto";
geo.forward("a", { lang: auto });
for (const result of geo.batch(["a"]) satisfies BatchResult[]) {
  if (result.status === "ok") result.lat.toFixed(2);
  else if (result.status === "error") result.error.trim();
  // @ts-expect-error: there is no place
  else result.lat;
}
const why: Explanation[] = geo.explain("par", { limit: 3, unfinished: true });
const [matched, unmatched]: [number, number] = why[0]!.context;
if (why[0]!.class === "Weak" && (why[0]!.role === "Airport" || why[0]!.role === "Region")) why[0]!.cost.toFixed(2);
const lines: string[] = geo.about().attribution;
try {
  geo.free();
} catch (error) {
  const known: "invalid_index" | string = (error as GeocoderError).code;
}

const { place_id, name: alone, country_code: its, kind } = suggestions[0]!;
const again: Place | null = geo.place(place_id, { signal: null });
const known: "city" | "museum" = kind === "city" ? kind : "museum";
const country: string = its ?? alone.toLowerCase();
// @ts-expect-error: a kind, not a type
kind === "museum";
{
  using briefly = await Geocoder.load();
  await using thread = await GeocoderWorker.load();
  briefly.about({ signal: AbortSignal.abort() });
  await thread.about();
}

// @ts-expect-error: made by load()
new Geocoder();
// @ts-expect-error: a query is needed
geo.forward();
// @ts-expect-error: no such option
geo.forward("a", { limits: 1 });
// @ts-expect-error: autocomplete is unfinished by itself
geo.autocomplete("a", { unfinished: true });
// @ts-expect-error: a box has four sides
geo.forward("a", { bbox: [1, 2, 3] });
// @ts-expect-error: one language
geo.forward("a", { lang: ["de", "fr"] });
// @ts-expect-error: numbers
geo.reverse("1", "2");

const worker: GeocoderWorker = await GeocoderWorker.load();
const later: Promise<Suggestion[]> = worker.autocomplete("par");
const newest: Promise<Suggestion[]> = worker.autocomplete("par", { group: "from", signal: AbortSignal.timeout(9) });
geo.autocomplete("par", { group: Symbol("from") });
// @ts-expect-error: no such option
worker.autocomplete("par", { superseded: "reject" });
const laterWhy: Promise<Explanation[]> = worker.explain("par");
// @ts-expect-error: a promise
const now: Suggestion[] = worker.autocomplete("par");

const field: ToponymAutocomplete = document.createElement("toponym-autocomplete");
field.geocoder = geo;
field.geocoder = worker;
field.geocoder = { autocomplete: async () => [] };
field.messages = { none: "rien", count: (n) => `${n}` };
field.addEventListener("change", (event) => event.detail?.display_name);
document.querySelector("toponym-autocomplete")?.place?.lat;

const paged: PagedGeocoder = await Geocoder.load({ pages: new URL("https://example.com/root"), memory: 1e7, cache: 0, timeout: 5_000, fetch: (url, init) => fetch(url, init) });
const typed: Promise<Suggestion[]> = paged.autocomplete("par", { group: {} });
const point: Place | null = await paged.reverse(1, 2);
const fetched: Prefetched = await paged.prefetch({ countries: ["LU"], bbox: [5, 49, 7, 51], onProgress: ({ pages, of, bytes, kept }) => pages / of + bytes + kept });
const threaded: GeocoderWorker = await GeocoderWorker.load({ pages: "https://example.com/root" });
await threaded.prefetch({ countries: ["LU"] });
new ToponymAutocomplete().pages = "https://example.com/root";
new ToponymAutocomplete().geocoder = paged;
// @ts-expect-error: promises
const atOnce: Place[] = paged.forward("Paris");
await Geocoder.load({ pages: "https://example.com/root", packs: ["core"] });
// @ts-expect-error: an index in pages, or a pack
await Geocoder.load({ pages: "https://example.com/root", url: "core.bin" });
// @ts-expect-error: only an index in pages is fetched in parts
geo.prefetch({ countries: ["LU"] });

export { again, atOnce, fetched, point, typed, country, known as kindOf, newest, matched, laterWhy, unmatched, suggestions, box, city, tourism, code, here, lines, near, named, later, now };
