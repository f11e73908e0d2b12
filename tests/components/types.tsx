// Compiled against the types of the packages: what must be accepted, and what must not.

import MaplibreGeocoder, { type MaplibreGeocoderApi } from "@maplibre/maplibre-gl-geocoder";
import { Geocoder as LeafletControl, type geocoders } from "leaflet-control-geocoder";
import { createRef } from "react";
import { h } from "vue";
import { Geocoder, type BatchResult, type Place } from "toponym";
import { ToponymAutocomplete as Element, type Chosen } from "toponym/element";
import { HttpGeocoder, type BasicSuggestion, type HttpError, type Source } from "toponym/http";
import { suggester, view } from "toponym/map";
import { GeocoderWorker } from "toponym/worker";
import { display, geocoderApi } from "toponym-maplibre";
import { toponymGeocoder } from "toponym-leaflet";
import { ToponymAutocomplete } from "toponym-react";
import { usePlaces } from "toponym-react/use-places";
import { ToponymAutocomplete as VueField } from "toponym-vue";
import { usePlaces as useVuePlaces } from "toponym-vue/use-places";

const local: Geocoder = await Geocoder.load();
const thread: GeocoderWorker = await GeocoderWorker.load();
const service = new HttpGeocoder("https://api.example.com", { token: async ({ isExpired }) => (isExpired ? "new" : "old") });
const sources: Source[] = [local, thread, service];
const there: Place | null = await service.reverse(1, 2);
const several: Place[] = await service.reverse(1, 2, { limit: 3, signal: new AbortController().signal });
const code = (error: HttpError): number | undefined => (error.code === "rate_limited" ? error.retryAfter : error.status);
// @ts-expect-error: without a token the service answers nothing
new HttpGeocoder("https://api.example.com");
// @ts-expect-error: no such option
service.autocomplete("par", { limits: 3 });
const typed: BasicSuggestion[] = await service.autocomplete("par", { group: "from", signal: AbortSignal.timeout(9) });
const name: string = typed[0]!.name;
// @ts-expect-error: the service suggests no ids
typed[0]!.place_id;
const batch: BatchResult[] = await service.batch(["Rome", { lat: 1, lon: 2 }], { lang: "fr" });
const credits: string[] = (await service.about()).attribution;

const box: [number, number, number, number] = view(several[0]!);
const suggested: Promise<(Place | BasicSuggestion)[]> = suggester(thread)("par", { lang: "fr" });

const api: MaplibreGeocoderApi = geocoderApi(service, { typing: true });
new MaplibreGeocoder(api, { ...display, showResultsWhileTyping: true });
const geocoder: geocoders.IGeocoder = toponymGeocoder(thread, { lang: "auto", countries: ["FR"], nearby: true });
new LeafletControl({ geocoder });
// @ts-expect-error: the map gives the focus
toponymGeocoder(thread, { focus: { lat: 1, lon: 2 } });
// @ts-expect-error: no source
geocoderApi({});

const ref = createRef<Element>();
const field = (
  <ToponymAutocomplete
    ref={ref}
    id="where"
    name="where"
    required
    recent="cities"
    countries={["FR"]}
    bbox={[1, 2, 3, 4]}
    focus={{ lat: 1, lon: 2 }}
    geocoder={service}
    messages={{ none: "rien" }}
    place={null}
    onChange={(place) => place?.display_name.length}
    onError={(error) => error.message}
    aria-describedby="help"
  >
    <small slot="attribution">Places</small>
  </ToponymAutocomplete>
);
// @ts-expect-error: a list
const wrong = <ToponymAutocomplete countries="FR" />;
// @ts-expect-error: no such property
const wronger = <ToponymAutocomplete contries={["FR"]} />;
const plain = <toponym-autocomplete name="where" focus-at="1,2" recent="" class="wide" />;
// @ts-expect-error: a text
const wrongPlain = <toponym-autocomplete name={3} />;

const node = h(VueField, { modelValue: null, countries: ["FR"], "onUpdate:modelValue": (place: Chosen | null) => place?.lat });
// @ts-expect-error: a list
h(VueField, { countries: "FR" });

const status: "idle" | "loading" | "ready" | "failed" = usePlaces("par", { geocoder: service, countries: ["FR"], delay: 100 }).status;
const first: Chosen | undefined = useVuePlaces(() => "par", () => ({ limit: 3 })).items.value[0];
// @ts-expect-error: the hook gives up by itself
usePlaces("par", { signal: new AbortController().signal });

const element = document.createElement("toponym-autocomplete");
element.options = { types: ["airport"] };
element.required = true;
element.addEventListener("error", ({ detail }) => detail.message);
element.addEventListener("change", ({ detail }) => detail?.lat);
for (const source of [local, thread, service]) element.geocoder = source;
element.geocoder = { autocomplete: async (text, options) => [{ display_name: `${text} ${options?.signal?.aborted}`, lat: 1, lon: 2 }] };
const chosen: number | undefined = element.place?.place_id;
element.addEventListener("focus", (event) => event.relatedTarget);
element.setCustomValidity("no");
element.clearRecent();

export { status, first, batch, chosen, credits, name, sources, there, code, box, suggested, field, wrong, wronger, plain, wrongPlain, node };
