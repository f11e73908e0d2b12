// The playground, the page at `/`: sends each question to the engine in this page and, with a token, to the HTTP API, and
// shows the answers on a map.

// In the same file as the page: one request instead of sixteen. The page gives the element its own geocoder.
import "../../../build/npm/element.js";
import { readCoordinates } from "../../../build/npm/coordinates.js";
import { answers } from "./answers.mjs";
import { api } from "./api.mjs";
import { byId, element } from "./dom.mjs";
import { NOT_LOADED, engineOf } from "./engine.mjs";
import { onFirstUse } from "./first-use.mjs";
import { globe } from "./globe.mjs";
import { optionsOf } from "./options.mjs";
import { address, formatted, isAboutName, packageCall, packageOptions, question, readAddress, sought } from "./question.mjs";
import { shortcuts } from "./shortcuts.mjs";
import { signals } from "./signals.mjs";
import { wayOf } from "./way.mjs";

/** Demo credentials, which only exist on local services. */
const LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** Candidates to explain for a complete text. */
const CANDIDATES = 6;

/** Milliseconds without a letter after which the map turns to the first suggestion, and the address of the page follows. */
const PAUSE_MS = 350;

/** Decimals of a focus: a hundred metres are near enough. */
const FOCUS_DECIMALS = 3;

/** The zoom for a point of a link. */
const POINT_ZOOM = 5;

/** Decimals of a picked point: a metre. */
const POINT_DECIMALS = 5;

const http = api(location.origin);
const way = wayOf(byId("way"), byId("way-text"), byId("again"));
const engine = engineOf({ way, ready: ({ attribution }) => byId("attribution").replaceChildren(...attribution.map((line) => element("li", {}, line))) });
const options = optionsOf(byId("options"), { changed: optionsChanged });
const language = () => (byId("options").elements.lang.value.replace(/^auto$/, "") || navigator.language);
const map = globe(
  async () => {
    const { showMap } = await import("./map.mjs");
    return showMap(byId("map"), ADDRESSES, { free: covered, asked: picked, named: (id) => ask("place", { place_id: String(id) }), moved, language });
  },
  ({ message }) => byId("map").append(`The map cannot be shown: ${/WebGL/.test(message) ? "this browser offers no WebGL 2" : message}. The search works without it.`),
);
const shown = answers(byId("answers"), {
  address: () => new URL(`#${address(last.sent)}`, location).href,
  within: (id) => {
    byId("options").elements.within.value = id;
    byId("place").value = "";
    optionsShown();
    byId("place").focus();
  },
  chosen: (places, place) => {
    map.mark([place, ...places.filter((other) => other !== place)]);
    map.show(place);
  },
});

let latest = 0;

/** What waits for a pause in typing: the address of the page, and the map. */
let pause;

/** What was asked last: its route, its own parameters, and the whole question. */
let last;

/** The focus of a question that came by its address, until the map is there. */
let focus;

const field = byId("place");
field.geocoder = { autocomplete: suggestions };
// By its id: another place may have the same label.
field.addEventListener("change", ({ detail }) => {
  if (detail?.place_id !== undefined) ask("place", { place_id: String(detail.place_id) });
  else if (detail) picked(detail);
});
// A whole text is a question of its own.
field.addEventListener("search", (event) => {
  event.preventDefault();
  askText();
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.defaultPrevented && !event.isComposing) askText();
});
shortcuts({ field, clear });
byId("clear").addEventListener("click", clear);
byId("fold").addEventListener("click", fold);
byId("view").addEventListener("click", takeView);
byId("fields").addEventListener("submit", submitted((fields) => Object.keys(fields).length > 0 && ask("forward", fields)));
byId("lookup").addEventListener("submit", submitted(({ ref }) => ask("place", /^\d+$/.test(ref) ? { place_id: ref } : { ref })));
byId("credentials").addEventListener("submit", signIn);
byId("again").addEventListener("click", tryAgain);
// Back at the start, there is no question.
addEventListener("hashchange", () => askAddress() || clear());
addEventListener("load", atLeisure);
askAddress();

// Makes the page work offline from the second visit on. Failure, such as in a private window, does no harm.
navigator.serviceWorker?.register("/sw.js").catch(() => {});

/**
 * What need not be there at first: the demo credentials; the engine, whose three megabytes come with the first use of the page,
 * or at once where they are kept from an earlier visit.
 */
function atLeisure() {
  if (LOCAL) {
    byId("key").value = "gck_localdemo";
    byId("secret").value = "gcs_localdemo";
  }
  // A question loads it itself, and after a failure its user is asked.
  const load = () => last || void engine().catch(() => {});
  if (navigator.serviceWorker?.controller) load();
  else onFirstUse(load);
}

/** The field's suggestions. A question that is refused has none; only where there is no engine has the field a reason to say so. */
async function suggestions(text) {
  const { found = [], error } = await ask("autocomplete", { q: text }, { isTyped: true });
  if (error?.code === NOT_LOADED) throw error;
  return found;
}

function askText() {
  const query = field.value.trim();
  const point = readCoordinates(query);
  if (point) picked(point);
  else if (query) ask("forward", { query });
}

/**
 * Sends a question to the engine and to the API; the map moves to the answer unless it is in view. A typed question shows its
 * answers only in the field's list. Returns what the engine found, or its error.
 */
async function ask(route, own, { isInView = false, isTyped = false } = {}) {
  const asked = ++latest;
  const sent = { ...question(route, own, { ...options.read(route), ...focused() }), isInView, isTyped };
  last = { route, own, sent };
  document.body.dataset.state = "asked";
  clearTimeout(pause);
  if (!isTyped) follow(sent);
  const state = {};
  const arrived = (side) => (result) => {
    state[side] = result;
    if (asked === latest) present(asked, sent, state);
    return result;
  };
  if (http.ready) void timed(() => http.call(...packageCall(sent))).then(arrived("service"));
  return engine().then((call) => call(...packageCall(sent))).catch((error) => ({ error })).then(arrived("page"));
}

/** The address of the page is that of the question, for reloads and copies. */
function follow(sent) {
  history.replaceState(null, "", `#${address(sent)}`);
}

/** Shows what has arrived: the page's own answer, the service's, or both. */
function present(asked, sent, state) {
  const { page, service } = state;
  if (!sent.isTyped) answered(sent, page, service);
  else if (page) suggested(sent, page, service);
  if (page && !state.isExplained) void explain(asked, sent, page);
  state.isExplained = page !== undefined;
}

/** What `query` found or why it failed, and how long it took in milliseconds. */
async function timed(query) {
  const start = performance.now();
  try {
    return { found: await query(), took: performance.now() - start };
  } catch (error) {
    return { error, took: performance.now() - start };
  }
}

function suggested(sent, page, service) {
  awaitsNothing();
  const { found = [] } = page;
  showWay(page, service);
  byId("results").hidden = true;
  map.mark(found);
  clearTimeout(pause);
  pause = setTimeout(() => {
    follow(sent);
    if (found.length) map.now?.glance(found[0]);
  }, PAUSE_MS);
}

function answered(sent, page, service) {
  awaitsNothing();
  const isLoaded = page?.error?.code !== NOT_LOADED;
  const refusals = [page?.error && isLoaded && `In this page: ${page.error.message}`, service?.error && `Over HTTP: ${service.error.message}`].filter(Boolean);
  showWay(page, service);
  // The line below the field has said why there is no answer.
  byId("results").hidden = !isLoaded && !service;
  // The service knows more places and facts.
  const best = placesOf((service?.error ? page : (service ?? page))?.found);
  const texts = { ...(page && !page.error && { JSON: text(formatted(sent, page.found)) }), ...(service && !service.error && { Service: text(formatted(sent, service.found)) }) };
  shown.show({ sent, places: best, refusals, texts });
  say(isLoaded ? refusals : [page.error.message, ...refusals], best);
  if (sent.route === "place" && best.length && document.activeElement !== field) field.value = best[0].display_name;
  const point = sent.route === "reverse" ? { lat: Number(sent.parameters.lat), lon: Number(sent.parameters.lon) } : undefined;
  map.mark(best, point);
  if (sent.isInView) return;
  if (point) map.jump(point, POINT_ZOOM);
  else if (best.length && sent.shown !== best[0].display_name) map.show(best[0]);
  // So that the second of two answers does not move the map again.
  sent.shown = best[0]?.display_name;
}

/** Says to screen readers what the answer is. */
function say(refusals, [first, ...others]) {
  const found = first ? `${first.display_name}${others.length ? `, and ${others.length} more` : ""}` : "Nothing found";
  byId("said").textContent = refusals.join(" ") || found;
}

const text = (found) => JSON.stringify(found, null, 2) ?? "null";

/** Places of an answer: an array, a place, or nothing. */
const placesOf = (found) => [found ?? []].flat();

function showWay(page, service) {
  if (!page?.error) way.answered({ page: page?.took, service: service?.error ? undefined : service?.took });
  else if (page.error.code === NOT_LOADED) way.failed(page.error.message);
  else way.refused(page.error.message);
}

/** Offline only: the HTTP API has no `explain`. */
async function explain(asked, sent, { error }) {
  if (error || !isAboutName(sent)) return (byId("why").hidden = true);
  const unfinished = sent.route === "autocomplete";
  const { fields, ...given } = packageOptions(sent);
  const about = { ...given, unfinished };
  if (!unfinished) about.limit = Math.max(CANDIDATES, given.limit);
  const { found } = await engine().then((call) => call("explain", sought(sent), about)).catch(() => ({ found: [] }));
  if (asked !== latest) return;
  const what = typeof sought(sent) === "string" ? sought(sent) : Object.values(sought(sent)).join(", ");
  byId("why").hidden = false;
  byId("signals").hidden = !found.length;
  byId("signals").replaceChildren(signals(found));
  byId("signals-help").textContent = found.length
    ? `“${what}” as ${unfinished ? "the beginning of a text" : "a whole text"}: the smaller the cost, the better.`
    : `“${what}” has no candidates.`;
}

/** The point that is preferred, as parameters. */
function focused() {
  if (!options.isNear) return {};
  const { lat, lon } = map.now?.centre() ?? focus ?? {};
  return lat === undefined ? {} : { lat: lat.toFixed(FOCUS_DECIMALS), lon: lon.toFixed(FOCUS_DECIMALS) };
}

function picked({ lat, lon }) {
  field.value = "";
  ask("reverse", { lat: lat.toFixed(POINT_DECIMALS), lon: lon.toFixed(POINT_DECIMALS) }, { isInView: true });
}

/** After the user has moved the map: another focus, another answer. */
function moved() {
  if (options.isNear && last && isAboutName(last.sent) && last.sent.parameters.lat !== focused().lat) askAgain();
}

function askAgain() {
  if (!last) return;
  const isTyped = last.sent.isTyped && document.activeElement === field;
  void ask(last.route, last.own, { isInView: last.route === "reverse", isTyped });
}

function optionsShown() {
  byId("set").hidden = options.count === 0;
  byId("set").textContent = String(options.count);
}

function optionsChanged() {
  optionsShown();
  map.relabel();
  askAgain();
}

async function takeView() {
  await map.start();
  if (!map.now) return;
  byId("options").elements.bbox.value = map.now.box().join(",");
  optionsChanged();
}

/** Calls `then` with what is set in a form. */
function submitted(then) {
  return (event) => {
    event.preventDefault();
    const set = [...new FormData(event.target)].map(([name, value]) => [name, value.trim()]);
    then(Object.fromEntries(set.filter(([, value]) => value)));
  };
}

/** After a failure: loads again, and asks what was asked. */
function tryAgain() {
  if (last) askAgain();
  else void engine().catch(() => {});
}

/** Asks the question in the address of this page. Returns whether it has one. */
function askAddress() {
  const read = readAddress(location.hash.slice(1));
  if (!read) {
    awaitsNothing();
    return false;
  }
  const { route, own, options: given } = read;
  const areSet = options.show(route, given);
  if ("lat" in given) {
    focus = { lat: Number(given.lat), lon: Number(given.lon) };
    map.jump(focus, 4);
  }
  for (const form of ["fields", "lookup"]) {
    for (const control of byId(form).elements) if (control.name) control.value = own[control.name] ?? "";
  }
  if (own.place_id) byId("lookup").elements.ref.value = own.place_id;
  byId("filters").open ||= areSet;
  field.value = own.q ?? own.query ?? "";
  optionsShown();
  map.relabel();
  ask(route, own);
  return true;
}

/** Ends what early.js began. */
function awaitsNothing() {
  delete document.documentElement.dataset.awaited;
}

function clear() {
  latest += 1;
  awaitsNothing();
  clearTimeout(pause);
  last = undefined;
  field.value = "";
  document.body.dataset.state = "start";
  byId("results").hidden = true;
  byId("why").hidden = true;
  map.mark([]);
  if (location.hash) history.replaceState(null, "", location.pathname);
}

function fold() {
  const isOpen = byId("answers").toggleAttribute("hidden") === false;
  byId("fold").setAttribute("aria-expanded", String(isOpen));
  byId("fold").textContent = isOpen ? "Less" : "More";
}

async function signIn(event) {
  event.preventDefault();
  try {
    const { expiresAt } = await http.exchange(byId("key").value.trim(), byId("secret").value.trim());
    byId("token").textContent = `The token is valid until ${new Date(expiresAt).toLocaleTimeString()}. Both are asked from now on.`;
    askAgain();
  } catch (error) {
    byId("token").textContent = error.message;
  }
}

/** The pixels of the map that the panel covers, by side. */
function covered() {
  const panel = document.querySelector(".panel").getBoundingClientRect();
  const isBeside = panel.width < innerWidth * 0.7;
  if (isBeside) return { left: panel.right, right: 0, top: 0, bottom: 0 };
  const sheet = document.querySelector(".sheet").getBoundingClientRect();
  return { left: 0, right: 0, top: byId("question").getBoundingClientRect().bottom, bottom: innerHeight - sheet.top };
}
