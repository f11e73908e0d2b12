// <toponym-autocomplete>: a search field for places. It follows the combobox pattern of the ARIA Authoring Practices: the
// focus stays in the field, and aria-activedescendant names the active suggestion. It loads its places in a separate
// thread when it is first used, by a key or a pointer, or at once with `preload`. Moving through it with Tab loads nothing.

import { MESSAGES, languagesOf, translated } from "./element-messages.js";
import { readCoordinates } from "./coordinates.js";
import { option } from "./element-option.js";
import { optionsOf } from "./element-options.js";
import { placesAt, position } from "./element-points.js";
import { Popup } from "./element-popup.js";
import { isWritten } from "./element-highlight.js";
import { knownOf } from "./element-known.js";
import { forget, recent, remember } from "./element-recent.js";
import { QUICK_MS, Source } from "./element-source.js";
import { setStates } from "./element-states.js";
import { STYLE } from "./element-style.js";
import { OBJECTS, OPTIONS, SETTINGS, attributeOf, defineProperties, propertyOf, read } from "./element-table.js";
import { growTree, textBeside } from "./element-tree.js";
import { Groups } from "./groups.js";
import { inPlace, isSame } from "./in-place.js";

export { EVENTS, OBJECTS, SETTINGS, attributesOf } from "./element-table.js";

/** Attributes that say where the places are. */
const PLACES = ["src", "pages"];

/** Attributes that change what is found. */
const FILTERS = [...OPTIONS.map(attributeOf), "lang"];

const KEYS = { ArrowDown: 1, ArrowUp: -1 };

/** Keys that do not use a field: they move on, or change what other keys do. */
const PASSING = ["Tab", "Shift", "Control", "Alt", "Meta"];

/** States that the element tells of without a text in the field. */
const TOLD_UNASKED = ["unlocated"];

/** Properties that pages may set before the class is defined. */
const PROPERTIES = [...Object.keys(SETTINGS).map(propertyOf), ...OBJECTS];

/** The group of the questions of one element. */
const TYPED = "typed";

let styled;

function sheet() {
  if (!styled) (styled = new CSSStyleSheet()).replaceSync(STYLE);
  return styled;
}

// Allows importing the module where there is no document, for example when a server renders a page.
const Base = globalThis.HTMLElement ?? class {};

export class ToponymAutocomplete extends Base {
  static formAssociated = true;
  static observedAttributes = [...Object.keys(SETTINGS).map(attributeOf), "lang", "aria-label", "value"];

  #internals = this.attachInternals();
  // The texts of the page, those in the language of the field, and which that is.
  #given;
  #spoken = MESSAGES;
  #languages = "";
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
  #suggestions = [];
  #active = -1;
  #place = null;
  #committed = null;
  #custom = "";
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
  #online = () => this.#state === "offline" && this.#isFocused && this.#suggest();

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    // Not a <style> element: a page's policy (style-src) may forbid it.
    root.adoptedStyleSheets = [sheet()];
    this.#parts = growTree(root);
    this.#input = this.#parts.input;
    this.#list = this.#parts.list;
    this.#popup = new Popup(this, this.#parts.popup);
    this.#listen();
  }

  #listen() {
    const { popup, clear, reset, locate } = this.#parts;
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
    this.#list.addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item) this.#choose(this.#suggestions[[...this.#list.children].indexOf(item)]);
    });
  }

  connectedCallback() {
    for (const name of PROPERTIES) {
      if (Object.hasOwn(this, name)) {
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }
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
    return { ...this.#spoken, ...this.#given };
  }

  set messages(messages) {
    this.#given = messages;
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

  get form() {
    return this.#internals.form;
  }

  get labels() {
    return this.#internals.labels;
  }

  get validity() {
    return this.#internals.validity;
  }

  get validationMessage() {
    return this.#internals.validationMessage;
  }

  get willValidate() {
    return this.#internals.willValidate;
  }

  checkValidity() {
    return this.#internals.checkValidity();
  }

  reportValidity() {
    return this.#internals.reportValidity();
  }

  /** Makes the element invalid for a reason of the page. An empty text makes it valid again. */
  setCustomValidity(message) {
    this.#custom = String(message);
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
    this.#activate(-1);
    this.#suggest();
  }

  /** Asks again what the user waits for or has before the eyes. Returns whether there was something. */
  #again() {
    const isAnswered = this.#isOpen || ["none", "offline", "failed"].includes(this.#state);
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
    const rows = [...this.#list.children];
    return (place) => {
      const at = shown.indexOf(place);
      return at === this.#active || rows[at]?.matches(":hover") || chosen.some((other) => isSame(place, other));
    };
  }

  /** Shows an answer among what is `shown` for the text. */
  #answer(suggestions, text, shown) {
    this.#show(suggestions, text, shown);
    this.#fire("suggestions", suggestions);
    if (this.#isEager && this.#isOpen) return this.#choose(suggestions[0]);
    if (this.autoselect && this.#isOpen && this.#active < 0) this.#activate(0);
    if (this.#isOpen) this.#say(this.messages.count(suggestions.length));
    else this.#tell(this.#isShort ? "loading" : "none");
  }

  /** Asks all places, now that they are there, what the first ones have answered. */
  #improve() {
    if ((this.#isOpen || this.#isShort) && this.#input.value.trim()) this.#suggest(this.#suggestions);
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
    const name = this.getAttribute("recent");
    return name === null ? [] : recent(name, this.#filters);
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
    if (!PASSING.includes(event.key)) this.#load();
    // Leaves keys to an input method while it composes.
    if (event.isComposing || event.keyCode === 229) return;
    const step = KEYS[event.key];
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
    if (step && isPlain) {
      event.preventDefault();
      if (this.#isOpen) this.#move(step);
      else this.#suggest();
    } else if (step && event.altKey) {
      event.preventDefault();
      if (step > 0) this.#suggest();
      else this.#close();
    } else if ((event.key === "Home" || event.key === "End") && isPlain) {
      // They move the caret, so that the field is active again.
      this.#activate(-1);
    } else if (event.key === "Enter") {
      this.#enter(event);
    } else if (event.key === "Escape") {
      this.#escape(event);
    }
  }

  /**
   * Chooses the active place; without one the first for the text, as the search key of a phone promises, as soon as it is there. In a
   * field that waits for nothing it sends the form.
   */
  #enter(event) {
    const isAsked = this.#isOpen || this.#isShort || this.#questions.isAsking(TYPED);
    if (this.#isOpen && this.#active >= 0) {
      event.preventDefault();
      this.#choose(this.#suggestions[this.#active]);
    } else if (!isAsked || !this.#input.value.trim()) {
      this.#commit();
      this.#internals.form?.requestSubmit();
    } else {
      event.preventDefault();
      if (!this.#fire("search", this.#input.value)) this.#close();
      else if (this.#isShort || this.#questions.isAsking(TYPED)) this.#isEager = true;
      else this.#choose(this.#suggestions[0]);
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

  /** Moves from the field through the list and back to the field. */
  #move(step) {
    const stops = this.#suggestions.length + 1;
    this.#activate(((this.#active + 1 + step + stops) % stops) - 1);
  }

  #activate(at) {
    const old = this.#suggestions[this.#active] ?? null;
    this.#active = at;
    [...this.#list.children].forEach((item, index) => {
      const is = index === at;
      item.setAttribute("aria-selected", String(is));
      item.part.toggle("active", is);
      if (is) item.scrollIntoView({ block: "nearest" });
    });
    if (at < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `option-${at}`);
    const place = this.#suggestions[at] ?? null;
    if (place !== old) this.#fire("highlight", place);
  }

  /** Shows places for a text, or those that were chosen before for none. What is `shown` at the same place stays as it is. */
  #show(places, text, shown = []) {
    // The user may have left the field meanwhile.
    if (!this.#isFocused) return this.#close();
    const isRecent = places.length > 0 && !text;
    const look = { template: this.#template, hasIcons: this.icons };
    const stays = (at) => shown[at] && places[at] && isSame(shown[at], places[at]);
    if (!stays(this.#active)) this.#activate(-1);
    this.#suggestions = places;
    while (this.#list.children.length > places.length) this.#list.lastChild.remove();
    places.forEach((place, at) => {
      if (stays(at)) return;
      const [row, item] = [this.#list.children[at], option(place, at, text, look)];
      if (row) row.replaceWith(item);
      else this.#list.append(item);
    });
    this.#list.hidden = places.length === 0;
    this.#list.setAttribute("aria-label", isRecent ? this.messages.recent : this.#input.ariaLabel);
    this.#parts.heading.hidden = this.#parts.clear.hidden = !isRecent;
    this.#tell("");
  }

  #close() {
    this.#questions.giveUp(TYPED);
    this.#isEager = this.#isShort = false;
    this.#activate(-1);
    this.#suggestions = [];
    this.#list.replaceChildren();
    this.#list.hidden = this.#parts.heading.hidden = this.#parts.clear.hidden = true;
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
    // A popup in answer to no question would be in the way.
    message.hidden = !shown || !(this.#input.value.trim() || TOLD_UNASKED.includes(shown));
    if (message.hidden && !this.#isOpen) this.#popup.hide();
    else this.#popup.show();
    this.#input.setAttribute("aria-expanded", String(this.#isOpen));
    this.#say(text);
    this.#flag();
  }

  #say(text) {
    this.#parts.status.textContent = text;
  }

  /** Sets the states that pages can style. */
  #flag() {
    setStates(this.#internals, [this.#isOpen && "open", this.#state, this.#input.ariaInvalid === "true" && "invalid"]);
  }

  get #isOpen() {
    return !this.#list.hidden;
  }

  get #isFocused() {
    return this.matches(":focus-within");
  }

  #choose(place) {
    const name = this.getAttribute("recent");
    if (name !== null) remember(name, place, this.#filters);
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
    const text = this.#input.value;
    const name = this.getAttribute("name");
    const data = new FormData();
    if (name) {
      data.append(name, text);
      for (const field of ["lat", "lon", "place_id"]) {
        if (place?.[field] !== undefined) data.append(`${name}.${field}`, String(place[field]));
      }
    }
    this.#internals.setFormValue(data, JSON.stringify({ text, place }));
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
    const customError = this.#custom !== "";
    const message = this.#custom || (valueMissing ? this.messages.required : "");
    this.#internals.setValidity({ valueMissing, customError }, message, this.#input);
    if (!message) this.#mark(false);
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

  /** Takes the texts in the language of the field. If they cannot be loaded, those that it has stay. */
  async #translate() {
    const languages = languagesOf(this);
    if (this.#languages === String(languages)) return;
    this.#languages = String(languages);
    const spoken = await translated(languages).catch(() => undefined);
    if (!spoken || this.#languages !== String(languages)) return;
    this.#spoken = spoken;
    this.#describe();
  }

  #describe() {
    const labels = [...(this.labels ?? [])].map((label) => textBeside(this, label).trim()).join(" ");
    const label = this.getAttribute("label") ?? this.getAttribute("aria-label") ?? (labels || this.messages.label);
    this.#input.ariaLabel = label;
    this.#list.ariaLabel = label;
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
