// <toponym-autocomplete>: a search field for places. It follows the combobox pattern of the ARIA Authoring Practices: the
// focus stays in the field, and aria-activedescendant names the active suggestion. It loads its places in a separate
// thread when it is first used, by a key or a pointer, or at once with `preload`. Moving through it with Tab loads nothing.

import { readCoordinates } from "./coordinates.js";
import { FormValue, defineForm } from "./element-form.js";
import { isWritten } from "./element-highlight.js";
import { askedBy, isUse } from "./element-keys.js";
import { knownOf } from "./element-known.js";
import { List } from "./element-list.js";
import { Texts, languagesOf } from "./element-messages.js";
import { option } from "./element-option.js";
import { optionsOf } from "./element-options.js";
import { placesAt, position } from "./element-points.js";
import { Popup } from "./element-popup.js";
import { forget, recent, remember } from "./element-recent.js";
import { QUICK_MS, Source } from "./element-source.js";
import { setStates } from "./element-states.js";
import { sheet } from "./element-style.js";
import { OPTIONS, SETTINGS, attributeOf, defineProperties, read, takeProperties } from "./element-table.js";
import { growTree, textBeside } from "./element-tree.js";
import { Groups } from "./groups.js";
import { inPlace, isSame } from "./in-place.js";

export { EVENTS, OBJECTS, SETTINGS, attributesOf } from "./element-table.js";

/** Attributes that say where the places are. */
const PLACES = ["src", "pages"];

/** Attributes that change what is found. */
const FILTERS = [...OPTIONS.map(attributeOf), "lang"];

/** The group of the questions of one element. */
const TYPED = "typed";

// Allows importing the module where there is no document, for example when a server renders a page.
const Base = globalThis.HTMLElement ?? class {};

export class ToponymAutocomplete extends Base {
  static formAssociated = true;
  static observedAttributes = [...Object.keys(SETTINGS).map(attributeOf), "lang", "aria-label", "value"];
  static {
    defineForm(this.prototype, (field) => field.#internals);
  }

  #internals = this.attachInternals();
  #texts = new Texts();
  #questions = new Groups();
  #source = new Source({
    // What the field says meanwhile stays: that nobody knows where the user is.
    slow: () => this.#state || this.#tell("loading"),
    ready: () => this.#ready(),
    // A search that waits for the places reports it itself.
    failed: (error) => this.#questions.isAsking(TYPED) || this.#fail(error),
    completed: () => this.#questions.isAsking(TYPED) || this.#improve(),
    incomplete: (error) => this.#isShort && this.#fail(error),
  });
  #options = {};
  #place = null;
  #committed = null;
  #state = "";
  // Enter was pressed: the first place is chosen when the answer comes.
  #isEager = false;
  // The first places have nothing for the text, which waits for the others.
  #isShort = false;
  #parts;
  #popup;
  #template;
  #input;
  #list;
  #form;
  #online = () => this.#state === "offline" && this.#isFocused && this.#suggest();

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    // Not a <style> element: a page's policy (style-src) may forbid it.
    root.adoptedStyleSheets = [sheet()];
    this.#parts = growTree(root);
    this.#input = this.#parts.input;
    this.#list = new List(this.#parts.list, this.#input, (place) => this.#fire("highlight", place));
    this.#form = new FormValue(this.#internals, this.#input);
    this.#popup = new Popup(this, this.#parts.popup);
    this.#listen();
  }

  #listen() {
    const { popup, list, clear, reset, locate } = this.#parts;
    this.#input.addEventListener("focus", () => this.#entered());
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("pointerdown", () => this.#input.disabled || this.#load());
    popup.addEventListener("keydown", (event) => event.key === "Escape" && this.#escape(event));
    // The focus may move to what the page shows in the popup, and back.
    this.addEventListener("focusout", ({ relatedTarget }) => this.contains(relatedTarget) || this.#left());
    this.addEventListener("invalid", () => this.#mark(true));
    // Otherwise the field would lose the focus, and the list would close before the click arrives.
    popup.addEventListener("pointerdown", (event) => event.preventDefault());
    popup.addEventListener("mousedown", (event) => event.preventDefault());
    clear.addEventListener("click", () => this.clearRecent());
    reset.addEventListener("mousedown", (event) => event.preventDefault());
    reset.addEventListener("click", () => (this.#reset(), this.#input.focus()));
    locate.addEventListener("click", () => (locate.focus(), this.#locate()));
    list.addEventListener("click", ({ target }) => {
      const place = this.#list.placeOf(target);
      if (place) this.#choose(place);
    });
  }

  connectedCallback() {
    takeProperties(this);
    this.#translate();
    this.#describe();
    globalThis.addEventListener("online", this.#online);
    this.#preload();
  }

  disconnectedCallback() {
    globalThis.removeEventListener("online", this.#online);
    this.#close();
    this.#source.release();
  }

  attributeChangedCallback(name, old, value) {
    if (name === "value") this.value = value ?? "";
    else if (value === old) return;
    else if (FILTERS.includes(name)) {
      this.#again();
      if (name === "lang" && this.isConnected) this.#translate();
    }
    else if (!PLACES.includes(name)) this.#describe();
    else if (!this.#source.isGiven) this.#changeSource(undefined);
  }

  formResetCallback() {
    this.value = this.getAttribute("value") ?? "";
    this.#mark(false);
  }

  formDisabledCallback(disabled) {
    this.#input.disabled = disabled;
    this.#showButtons();
    if (disabled) this.#close();
  }

  /** Takes back what `#set` gave the browser, for example after "back" or when a closed tab opens again. */
  formStateRestoreCallback(state) {
    if (typeof state !== "string") return;
    const { text, place } = JSON.parse(state);
    if (place) this.place = place;
    else this.value = text;
  }

  /** The source of suggestions: any object with `autocomplete(text, options)`, which may return a promise. */
  get geocoder() {
    return this.#source.geocoder;
  }

  set geocoder(geocoder) {
    this.#changeSource(geocoder);
  }

  /** Search options, which take precedence over those of the attributes. */
  get options() {
    return this.#options;
  }

  set options(options) {
    this.#options = options ?? {};
    this.#again();
  }

  /** Makes what the list shows of a place: `template(place, text)` gives a node or a text, or nothing for the usual label. */
  get template() {
    return this.#template;
  }

  set template(template) {
    this.#template = template ?? undefined;
  }

  /** The texts of the element. Texts that are not set keep their default. */
  get messages() {
    return this.#texts.all;
  }

  set messages(messages) {
    this.#texts.give(messages);
    this.#describe();
  }

  /** The chosen place, or `null`. */
  get place() {
    return this.#place;
  }

  set place(place) {
    this.#input.value = place?.display_name ?? "";
    this.#set(place ?? null);
    this.#committed = this.#place;
    this.#close();
  }

  /** The text of the field. */
  get value() {
    return this.#input.value;
  }

  set value(text) {
    this.#input.value = text ?? "";
    this.#set(null);
    this.#committed = null;
    this.#close();
  }

  get type() {
    return this.localName;
  }

  /** Makes the element invalid for a reason of the page. An empty text makes it valid again. */
  setCustomValidity(message) {
    this.#form.custom = message;
    this.#set(this.#place);
  }

  /** Focuses the field, and opens the list for its text, or that of recent places. */
  open() {
    this.#input.focus();
    this.#load();
    this.#suggest();
  }

  /** Closes the list, and gives up the question for it. */
  close() {
    this.#close();
  }

  /** Forgets the places that were chosen before. */
  clearRecent() {
    forget(this.getAttribute("recent"));
    // Or the focus would be in what is hidden.
    if (this.#parts.popup.contains(this.shadowRoot.activeElement)) this.#input.focus();
    if (!this.#input.value.trim()) this.#close();
  }

  /** Later, because a framework may set `geocoder` only now. */
  #preload() {
    queueMicrotask(() => this.preload && this.isConnected && this.#load());
  }

  /** Loads the places in advance. `Source` reports how that goes. */
  #load() {
    this.#source.load(this.#places).catch(() => {});
  }

  /** What the thread loads: an index in pages, or a pack, by default the core pack behind the first one. */
  get #places() {
    const { pages, src: url } = this;
    return pages ? { pages } : url ? { url } : {};
  }

  #ready() {
    this.dispatchEvent(new CustomEvent("ready"));
    if (this.#state === "loading") this.#tell("");
  }

  #changeSource(geocoder) {
    this.#source.give(geocoder);
    if (!this.#again() && this.#state === "loading") this.#tell("");
    this.#preload();
  }

  #entered() {
    // The page may have another language now.
    this.#translate();
    this.#describe();
    if (!this.#input.value.trim()) this.#offer();
  }

  #typed() {
    this.#set(null);
    this.#isEager = this.#isShort = false;
    // The list of the text before stays until the answer comes, but nothing of it is active.
    this.#list.activate(-1);
    this.#suggest();
  }

  /** Asks again what the user waits for or has before the eyes. Returns whether there was something. */
  #again() {
    const isAnswered = this.#list.isOpen || ["none", "offline", "failed"].includes(this.#state);
    const isAsked = (this.#questions.isAsking(TYPED) || this.#isShort || isAnswered) && this.#input.value.trim() !== "";
    if (isAsked) this.#suggest();
    return isAsked;
  }

  /** Asks for the text. Of all places, if the `first` have answered already, and are shown. */
  #suggest(first) {
    const text = this.#input.value;
    if (!text.trim()) return this.#offer();
    if (this.readOnly || [...text.trim()].length < this.minLength) return this.#close();
    // It rejects only if it is superseded or given up.
    this.#questions.ask({ group: TYPED }, (signal) => this.#search(text, signal, first)).catch(() => {});
  }

  /** Searches, and shows what comes. `signal` is aborted when nobody waits for it any more. */
  async #search(text, signal, first) {
    const quick = setTimeout(() => signal.aborted || this.#tell("loading"), QUICK_MS);
    const point = readCoordinates(text);
    const isAhead = !this.#source.geocoder || (point && !this.#source.isComplete);
    const known = isAhead ? knownOf(text, point, this.#chosen) : [];
    if (known.length > 0) this.#show(known, text);
    let isOfFirst = false;
    try {
      const options = { ...optionsOf(this, this.#options), signal };
      const question = (geocoder) => {
        if (point) return placesAt(geocoder, point, options);
        isOfFirst = geocoder.isComplete === false;
        return geocoder.autocomplete(text, options);
      };
      const found = await this.#source.ask(this.#places, question, signal, read(this, "delay"));
      if (signal.aborted) return;
      const suggestions = isOfFirst ? found.filter((place) => isWritten(place, text)) : found;
      const shown = first ?? known;
      const places = inPlace(shown, suggestions, this.#held(shown), options.limit);
      this.#isShort = isOfFirst && places.length === 0;
      this.#answer(places, text, shown);
      // They came meanwhile.
      if (isOfFirst && this.#source.isComplete) this.#improve();
    } catch (error) {
      if (!signal.aborted && error?.code !== "superseded") this.#fail(error);
    } finally {
      clearTimeout(quick);
    }
  }

  /** Returns what tells whether a shown place stays: the user has chosen it before, or is about to. */
  #held(shown) {
    const chosen = shown.length > 0 ? this.#chosen : [];
    return (place) => this.#list.isHeld(shown.indexOf(place)) || chosen.some((other) => isSame(place, other));
  }

  /** Shows an answer among what is `shown` for the text. */
  #answer(suggestions, text, shown) {
    this.#show(suggestions, text, shown);
    this.#fire("suggestions", suggestions);
    if (this.#isEager && this.#list.isOpen) return this.#choose(suggestions[0]);
    if (this.autoselect && this.#list.isOpen && !this.#list.active) this.#list.activate(0);
    if (this.#list.isOpen) this.#say(this.messages.count(suggestions.length));
    else this.#tell(this.#isShort ? "loading" : "none");
  }

  /** Asks all places, now that they are there, what the first ones have answered. */
  #improve() {
    if ((this.#list.isOpen || this.#isShort) && this.#input.value.trim()) this.#suggest(this.#list.places);
  }

  /** Offers the places that were chosen before, if the page wants that. */
  #offer() {
    const places = this.#chosen;
    if (!places.length || !this.#isFocused) return this.#close();
    this.#questions.giveUp(TYPED);
    this.#show(places, "");
    this.#say(`${this.messages.recent}: ${this.messages.count(places.length)}`);
  }

  /** The places that were chosen before, if the page wants that. */
  get #chosen() {
    return recent(this.getAttribute("recent"), this.#filters);
  }

  /** The options of a search; none if an attribute cannot be read, which the next search reports. */
  get #filters() {
    try {
      return optionsOf(this, this.#options);
    } catch {
      return {};
    }
  }

  #fail(error) {
    this.#isShort = false;
    this.#show([], "");
    this.#tell(navigator.onLine === false ? "offline" : "failed");
    if (error?.code === "invalid_argument") console.error(`<toponym-autocomplete>: ${error.message}`);
    this.dispatchEvent(new CustomEvent("error", { detail: error }));
  }

  #key(event) {
    if (isUse(event)) this.#load();
    const { asked, step } = askedBy(event);
    if (["move", "open", "close"].includes(asked)) event.preventDefault();
    if (asked === "move" && this.#list.isOpen) this.#list.move(step);
    else if (asked === "move" || asked === "open") this.#suggest();
    else if (asked === "close") this.#close();
    else if (asked === "caret") this.#list.activate(-1);
    else if (asked === "enter") this.#enter(event);
    else if (asked === "escape") this.#escape(event);
  }

  /**
   * Chooses the active place; without one the first for the text, as the search key of a phone promises, as soon as it is there. In a
   * field that waits for nothing it sends the form.
   */
  #enter(event) {
    const isAsked = this.#list.isOpen || this.#isShort || this.#questions.isAsking(TYPED);
    if (this.#list.active) {
      event.preventDefault();
      this.#choose(this.#list.active);
    } else if (!isAsked || !this.#input.value.trim()) {
      this.#commit();
      this.#internals.form?.requestSubmit();
    } else {
      event.preventDefault();
      if (!this.#fire("search", this.#input.value)) this.#close();
      else if (this.#isShort || this.#questions.isAsking(TYPED)) this.#isEager = true;
      else this.#choose(this.#list.places[0]);
    }
  }

  /** Closes the popup. If there is none, clears the field. */
  #escape(event) {
    const { isShown } = this.#popup;
    if (!isShown && (!this.#input.value || this.readOnly)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isShown) {
      // Or the focus would be in what is hidden.
      if (this.shadowRoot.activeElement !== this.#input) this.#input.focus();
      return this.#close();
    }
    this.#reset();
  }

  /** Empties the field for the user. */
  #reset() {
    this.#input.value = "";
    this.#set(null);
    // Gives up the question for the text that was there.
    this.#close();
    this.#fire("clear", null);
    this.#commit();
  }

  /** Chooses the place where the user is. */
  #locate() {
    const find = (signal) => this.#located(signal);
    this.#questions.ask({ group: TYPED }, find).catch(() => {});
  }

  async #located(signal) {
    this.#tell("loading");
    try {
      const point = await position();
      signal.throwIfAborted();
      const options = { ...optionsOf(this, this.#options), signal };
      const [place] = await this.#source.ask(this.#places, (geocoder) => placesAt(geocoder, point, options), signal, 0);
      if (signal.aborted) return;
      this.#choose(place);
      // Or the focus would be in what is hidden.
      this.#input.focus();
    } catch (error) {
      if (signal.aborted) return;
      this.#tell("unlocated");
      this.dispatchEvent(new CustomEvent("error", { detail: error }));
    }
  }

  /** Shows places for a text, or those that were chosen before for none. What is `shown` at the same place stays as it is. */
  #show(places, text, shown = []) {
    // The user may have left the field meanwhile.
    if (!this.#isFocused) return this.#close();
    const isRecent = places.length > 0 && !text;
    const look = { template: this.#template, hasIcons: this.icons };
    this.#list.show(places, (place, at) => option(place, at, text, look), shown);
    this.#list.label = isRecent ? this.messages.recent : this.#input.ariaLabel;
    this.#parts.heading.hidden = this.#parts.clear.hidden = !isRecent;
    this.#tell("");
  }

  #close() {
    this.#questions.giveUp(TYPED);
    this.#isEager = this.#isShort = false;
    this.#list.show([]);
    this.#parts.heading.hidden = this.#parts.clear.hidden = true;
    this.#tell("");
  }

  /** Says how the search stands, to eyes and ears: `loading`, `none`, `offline`, `failed`, or nothing. */
  #tell(state) {
    const { message } = this.#parts;
    // What is loaded in advance concerns nobody yet.
    const shown = this.#isFocused ? state : "";
    const text = shown ? this.messages[shown] : "";
    this.#state = shown;
    message.textContent = text;
    message.dataset.state = shown;
    // A popup in answer to no question would be in the way: only the button for the position asks without a text.
    message.hidden = !shown || !(this.#input.value.trim() || shown === "unlocated");
    if (message.hidden && !this.#list.isOpen) this.#popup.hide();
    else this.#popup.show();
    this.#input.setAttribute("aria-expanded", String(this.#list.isOpen));
    this.#say(text);
    this.#flag();
  }

  #say(text) {
    this.#parts.status.textContent = text;
  }

  /** Sets the states that pages can style. */
  #flag() {
    setStates(this.#internals, [this.#list.isOpen && "open", this.#state, this.#input.ariaInvalid === "true" && "invalid"]);
  }

  get #isFocused() {
    return this.matches(":focus-within");
  }

  #choose(place) {
    remember(this.getAttribute("recent"), place, this.#filters);
    this.#input.value = place.display_name;
    this.#set(place);
    this.#close();
    this.#commit();
  }

  #left() {
    this.#close();
    this.#commit();
  }

  #set(place) {
    this.#place = place;
    this.#form.send(this.getAttribute("name"), place);
    this.#showButtons();
    this.#validate();
  }

  /** At the end of the field is one of two buttons, or none. */
  #showButtons() {
    const { reset, locate } = this.#parts;
    const isClosed = this.#input.disabled || this.readOnly;
    reset.hidden = isClosed || this.#input.value === "";
    locate.hidden = isClosed || !reset.hidden || !this.locate || !globalThis.navigator?.geolocation;
  }

  #validate() {
    // As of an input, nobody can mend what is only read.
    const valueMissing = this.required && !this.readOnly && !this.#place;
    if (!this.#form.validate(valueMissing, this.messages.required)) this.#mark(false);
  }

  /** Shows that the element is invalid, once the browser or the page has looked. */
  #mark(invalid) {
    this.#input.ariaInvalid = String(invalid);
    this.#flag();
  }

  /** Fires `change` if the choice differs from the last one reported. */
  #commit() {
    if (this.#place === this.#committed) return;
    this.#committed = this.#place;
    this.#fire("change", this.#place);
  }

  /** Tells the page. Returns false if it wants to do itself what follows. */
  #fire(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: type === "search" }));
  }

  /** Takes the texts in the language of the field. */
  async #translate() {
    if (await this.#texts.speak(languagesOf(this))) this.#describe();
  }

  #describe() {
    const labels = [...(this.labels ?? [])].map((label) => textBeside(this, label).trim()).join(" ");
    const label = this.getAttribute("label") ?? this.getAttribute("aria-label") ?? (labels || this.messages.label);
    this.#input.ariaLabel = label;
    this.#list.label = label;
    this.#input.placeholder = this.getAttribute("placeholder") ?? "";
    this.#input.ariaRequired = String(this.required);
    this.#input.disabled = this.matches(":disabled");
    this.#input.readOnly = this.readOnly;
    this.#parts.heading.textContent = this.messages.recent;
    this.#parts.clear.textContent = this.messages.clear;
    this.#parts.reset.ariaLabel = this.messages.reset;
    this.#parts.locate.ariaLabel = this.messages.locate;
    this.#set(this.#place);
  }
}

defineProperties(ToponymAutocomplete.prototype);

if (globalThis.customElements && !customElements.get("toponym-autocomplete")) {
  customElements.define("toponym-autocomplete", ToponymAutocomplete);
}
