// The playground: sends each query to the engine in this page and to the HTTP API, and shows the answers on a map.

import { GeocoderWorker } from "./toponym/worker.js";
import "./toponym/element.js";
import { api } from "./api.mjs";
import { showMap } from "./map.mjs";
import { optionsOf } from "./options.mjs";
import { address, askPackage, formatted, packageOptions, question, readAddress, sought } from "./question.mjs";
import { signals } from "./signals.mjs";

const $ = (id) => document.getElementById(id);

/** Demo credentials, which only exist on local services. */
const LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

const http = api(location.origin);
const map = showMap($("map"), { asked: ({ lat, lon }) => ask("reverse", { lat: lat.toFixed(7), lon: lon.toFixed(7) }) });

/** Number of candidates to explain for a complete text. */
const CANDIDATES = 6;

const options = optionsOf($("options"), { changed: () => last && ask(...last) });

let latest = 0;

/** What was asked last, without options: its route, and its own parameters. */
let last;

const loading = load();
// The element searches while the user types.
$("place").geocoder = { autocomplete: async (text) => (await ask("autocomplete", { q: text })) ?? [] };
$("place").addEventListener("change", ({ detail }) => detail && ask("forward", { query: detail.display_name }));
$("fields").addEventListener("submit", submitted((fields) => Object.keys(fields).length > 0 && ask("forward", fields)));
$("lookup").addEventListener("submit", submitted(({ ref }) => ask("place", /^\d+$/.test(ref) ? { place_id: ref } : { ref })));
addEventListener("hashchange", askAddress);
askAddress();

/** Sends a question to the engine and to the API. Returns what the engine found; `undefined` if it refused the question. */
async function ask(route, own) {
  const asked = ++latest;
  last = [route, own];
  const sent = question(route, own, options.read(route));
  showAddress(address(sent));
  if (http.ready) answered("http", asked, () => http.get(address(sent)));
  let found;
  await answered("offline", asked, async () => formatted(sent, (found = await askPackage(await loading, sent))));
  if (found === undefined || asked !== latest) return found;
  const places = [found ?? []].flat();
  if (route === "reverse") showPoint(own, places);
  else map.mark(places);
  if (route === "autocomplete" || route === "forward") explain(asked, own, sent);
  return found;
}

function showPoint({ lat, lon }, [place, ...others]) {
  const point = { lat: Number(lat), lon: Number(lon) };
  $("where").textContent = `${point.lat.toFixed(3)}, ${point.lon.toFixed(3)}: ${place ? place.display_name : "no place here"}`;
  map.mark(place ? [place, ...others] : [], point);
}

/** Calls `then` with what is set in a form. */
function submitted(then) {
  return (event) => {
    event.preventDefault();
    const set = [...new FormData(event.target)].map(([name, text]) => [name, text.trim()]);
    then(Object.fromEntries(set.filter(([, text]) => text)));
  };
}

/**
 * Shows the address of a question, as a link to this page with that question, to share it. The page's own address stays as
 * it is while the user types: browsers send a request for the icon whenever it changes.
 */
function showAddress(text) {
  $("request").hidden = false;
  $("address").textContent = location.origin + text;
  $("address").href = `#${text}`;
}

/** Asks the question in the address of this page. */
function askAddress() {
  const read = readAddress(location.hash.slice(1));
  if (!read) return;
  const { route, own, options: given } = read;
  const areSet = options.show(route, given);
  for (const form of ["fields", "lookup"]) {
    for (const control of $(form).elements) if (control.name) control.value = own[control.name] ?? "";
  }
  if (own.place_id) $("lookup").elements.ref.value = own.place_id;
  $("more").open ||= areSet || route === "place" || (route === "forward" && !own.query);
  $("place").value = own.q ?? own.query ?? "";
  ask(route, own);
}

async function load() {
  const start = performance.now();
  const onProgress = ({ loaded, total, cached }) => {
    const share = total ? `${Math.round((100 * loaded) / total)} %` : `${loaded} bytes`;
    $("loading").textContent = cached ? "The places were kept from an earlier visit." : `Loading places: ${share}`;
  };
  try {
    const offline = await GeocoderWorker.load({ onProgress });
    const about = await offline.about();
    const took = Math.round(performance.now() - start);
    $("loading").textContent = `Places of ${about.data_date || "today"}, ready after ${took} ms. No request leaves this page while you type here.`;
    $("attribution").replaceChildren(...about.attribution.map((line) => element("li", line)));
    return offline;
  } catch (error) {
    $("loading").textContent = `The places cannot be loaded: ${error.message}`;
    throw error;
  }
}

/** Offline only: the HTTP API has no `explain`. */
async function explain(asked, own, sent) {
  const unfinished = sent.route === "autocomplete";
  const shown = { ...packageOptions(sent), unfinished };
  if (!unfinished) shown.limit = Math.max(CANDIDATES, shown.limit);
  const found = await (await loading).explain(sought(sent), shown);
  if (asked !== latest) return;
  const text = Object.values(own).join(", ");
  $("signals").hidden = !found.length;
  $("signals").replaceChildren(signals(found));
  $("signals-help").textContent = found.length
    ? `“${text}” as ${unfinished ? "the beginning of a text" : "a whole text"}: the smaller the cost, the better.`
    : `“${text}” has no candidates.`;
}

/** Shows the answer of one side, or why there is none. */
async function answered(side, asked, query) {
  const start = performance.now();
  try {
    const found = await query();
    show(side, asked, performance.now() - start, found);
  } catch (error) {
    if (asked === latest) $(side).replaceChildren(element("p", error.message));
  }
}

/** Shows an answer, unless a newer query has overtaken it. */
function show(side, asked, took, found) {
  if (asked !== latest) return;
  const time = element("p", `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`);
  time.className = "small";
  time.dataset.ms = String(took);
  $(side).replaceChildren(time, found === null || (Array.isArray(found) && found.length !== 1) ? list(found) : raw(found));
}

function list(found) {
  if (!found?.length) return element("p", "Nothing found");
  const items = element("ol");
  items.append(...found.map((place) => element("li", `${place.display_name} (${place.type})`)));
  return items;
}

function raw(found) {
  const whole = element("pre", JSON.stringify(Array.isArray(found) ? found[0] : found, null, 2));
  whole.tabIndex = 0;
  return whole;
}

function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

$("credentials").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { expiresAt } = await http.exchange($("key").value.trim(), $("secret").value.trim());
    $("token").textContent = `The token is valid until ${new Date(expiresAt).toLocaleTimeString()}.`;
    if (last) ask(...last);
  } catch (error) {
    $("token").textContent = error.message;
  }
});

if (LOCAL) {
  $("key").value = "gck_localdemo";
  $("secret").value = "gcs_localdemo";
}

// Makes the page work offline from the second visit on. Failure, such as in a private window, does no harm.
navigator.serviceWorker?.register("/playground/sw.js").catch(() => {});
