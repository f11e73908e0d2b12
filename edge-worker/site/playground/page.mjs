// The playground: sends each query to the engine in this page and to the HTTP API, and shows the answers on a map.

import { GeocoderWorker } from "./toponym/worker.js";
import "./toponym/element.js";
import { api } from "./api.mjs";
import { showMap } from "./map.mjs";
import { signals } from "./signals.mjs";

const $ = (id) => document.getElementById(id);

/** Demo credentials, which only exist on local services. */
const LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

const http = api(location.origin);
const map = showMap($("map"), { asked: reverse });

/** Number of candidates to explain for a complete text. */
const CANDIDATES = 6;

let latest = 0;

const geocoder = timed(await load());
$("place").geocoder = geocoder;
$("place").addEventListener("change", ({ detail }) => detail && forward(detail.display_name));

/** Wraps the geocoder: shows the time of each autocomplete, and sends the same text to the API. */
function timed(offline) {
  return {
    forward: (...args) => offline.forward(...args),
    reverse: (...args) => offline.reverse(...args),
    explain: (...args) => offline.explain(...args),
    async autocomplete(text, options) {
      const asked = ++latest;
      const start = performance.now();
      const found = await offline.autocomplete(text, options);
      show("offline", asked, performance.now() - start, found);
      map.mark(found);
      if (http.ready) beside(asked, () => http.autocomplete(text, options.limit));
      explain(asked, text, { ...options, unfinished: true });
      return found;
    },
  };
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

async function forward(text) {
  const asked = ++latest;
  await Promise.all([
    answered("offline", asked, () => geocoder.forward(text, { limit: 1 })),
    explain(asked, text, { limit: CANDIDATES }),
    http.ready && beside(asked, () => http.forward(text, 1)),
  ]);
}

async function reverse({ lat, lon }) {
  const asked = ++latest;
  $("where").textContent = `${lat.toFixed(3)}, ${lon.toFixed(3)}`;
  const found = await answered("offline", asked, () => geocoder.reverse(lat, lon));
  if (asked === latest) $("where").textContent += found ? `: ${found.display_name}` : ": no place here";
  map.mark(found ? [found] : [], { lat, lon });
  if (http.ready) await beside(asked, () => http.reverse(lat, lon));
}

/** Offline only: the HTTP API has no `explain`. */
async function explain(asked, text, options) {
  const found = await geocoder.explain(text, options);
  if (asked !== latest) return;
  $("signals").hidden = !found.length;
  $("signals").replaceChildren(signals(found));
  $("signals-help").textContent = found.length
    ? `“${text}” as ${options.unfinished ? "the beginning of a text" : "a whole text"}: the smaller the cost, the better.`
    : `“${text}” has no candidates.`;
}

function beside(asked, query) {
  return answered("http", asked, query);
}

async function answered(side, asked, query) {
  const start = performance.now();
  try {
    const found = await query();
    show(side, asked, performance.now() - start, found);
    return found;
  } catch (error) {
    if (asked === latest) $(side).replaceChildren(element("p", error.message));
    return undefined;
  }
}

/** Shows an answer, unless a newer query has overtaken it. */
function show(side, asked, took, found) {
  if (asked !== latest) return;
  const time = element("p", `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`);
  time.className = "small";
  time.dataset.ms = String(took);
  $(side).replaceChildren(time, Array.isArray(found) && found.length !== 1 ? list(found) : raw(found));
}

function list(found) {
  if (!found.length) return element("p", "Nothing found");
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
