// <toponym-autocomplete>: a search field for places. It follows the combobox pattern of the ARIA Authoring Practices: the
// focus stays in the field, and aria-activedescendant names the active suggestion. It loads its places in a separate
// thread when it first gets the focus, or at once with `preload`.

import { GeocoderWorker } from "./worker.js";
import { STYLE } from "./element-style.js";

/** The texts that users see or hear. The property `messages` replaces them. */
const MESSAGES = {
  label: "Place",
  loading: "Loading places",
  failed: "Places cannot be loaded",
  none: "No place found",
  count: (count) => (count === 1 ? "1 suggestion" : `${count} suggestions`),
  required: "Choose a place from the list",
};

const KEYS = { ArrowDown: 1, ArrowUp: -1 };

let shared;

/** One thread for all elements of a page that load the core pack. */
function sharedGeocoder() {
  shared ??= GeocoderWorker.load().catch((error) => {
    shared = undefined;
    throw error;
  });
  return shared;
}

let styled;

function sheet() {
  if (!styled) (styled = new CSSStyleSheet()).replaceSync(STYLE);
  return styled;
}

// Allows importing the module where there is no document, for example when a server renders a page.
const Base = globalThis.HTMLElement ?? class {};

export class ToponymAutocomplete extends Base {
  static formAssociated = true;
  static observedAttributes = ["placeholder", "label", "value", "required", "disabled"];

  #internals = this.attachInternals();
  #messages = MESSAGES;
  #geocoder;
  #loading;
  #suggestions = [];
  #active = -1;
  #place = null;
  #committed = null;
  #request = 0;
  #input;
  #list;
  #status;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    // Not a <style> element: a page's policy (style-src) may forbid it.
    root.adoptedStyleSheets = [sheet()];
    root.innerHTML = `
      <input part="input" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="list"
        type="text" dir="auto" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false"
        enterkeyhint="search">
      <ul part="list" role="listbox" id="list" hidden></ul>
      <div part="status" role="status" class="quiet"></div>`;
    [this.#input, this.#list, this.#status] = root.querySelectorAll("input, ul, div");
    this.#input.addEventListener("focus", () => this.#load().catch(() => {}));
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => this.#left());
    // Otherwise the field would lose the focus, and the list would close before the click arrives.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = event.target.closest("li");
      if (option) this.#choose(this.#suggestions[[...this.#list.children].indexOf(option)]);
    });
  }

  connectedCallback() {
    // Takes over values that the page set before the class was defined.
    for (const name of ["geocoder", "messages", "value", "place"]) {
      if (Object.hasOwn(this, name)) {
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }
    this.#describe();
    if (this.hasAttribute("preload")) this.#load().catch(() => {});
  }

  disconnectedCallback() {
    this.#close();
  }

  attributeChangedCallback(name, _, value) {
    if (name === "value") this.value = value ?? "";
    else this.#describe();
  }

  formResetCallback() {
    this.value = this.getAttribute("value") ?? "";
  }

  formDisabledCallback(disabled) {
    this.#input.disabled = disabled;
    if (disabled) this.#close();
  }

  /** The source of suggestions: any object with `autocomplete(text, options)`, which may return a promise. */
  get geocoder() {
    return this.#geocoder;
  }

  set geocoder(geocoder) {
    this.#geocoder = geocoder;
    this.#loading = undefined;
    if (this.#isOpen) this.#search();
  }

  /** The texts of the element. Texts that are not set keep their default. */
  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    this.#messages = { ...MESSAGES, ...messages };
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
    this.#input.value = text;
    this.#set(null);
    this.#committed = null;
    this.#close();
  }

  get form() {
    return this.#internals.form;
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

  async #load() {
    if (this.#geocoder) return this.#geocoder;
    this.#loading ??= this.#fetch();
    return this.#loading;
  }

  async #fetch() {
    const url = this.getAttribute("src");
    const quiet = setTimeout(() => this.#say(this.#messages.loading), 300);
    try {
      this.#geocoder = await (url ? GeocoderWorker.load({ url }) : sharedGeocoder());
      this.dispatchEvent(new CustomEvent("ready"));
      this.#say("");
      return this.#geocoder;
    } catch (error) {
      // The next focus tries again.
      this.#loading = undefined;
      this.#say(this.#messages.failed);
      this.dispatchEvent(new CustomEvent("error", { detail: error }));
      throw error;
    } finally {
      clearTimeout(quiet);
    }
  }

  #typed() {
    this.#set(null);
    this.#search();
  }

  async #search() {
    const request = ++this.#request;
    const text = this.#input.value;
    if (!text.trim()) return this.#close();
    try {
      const geocoder = await this.#load();
      if (request !== this.#request) return;
      const suggestions = await geocoder.autocomplete(text, this.#options());
      // Ignores a slow answer to an earlier text.
      if (request === this.#request) this.#show(suggestions);
    } catch (error) {
      if (request !== this.#request || error.code === "superseded") return;
      this.#close();
      if (error.code !== "invalid_argument") this.#say(this.#messages.failed);
    }
  }

  #options() {
    const options = {};
    const limit = Number(this.getAttribute("limit"));
    if (limit) options.limit = limit;
    if (this.lang) options.lang = this.lang;
    const countries = this.getAttribute("countries")?.split(/[\s,]+/).filter(Boolean);
    if (countries?.length) options.countries = countries;
    const [lat, lon] = this.getAttribute("focus-at")?.split(",").map(Number) ?? [];
    if (Number.isFinite(lat) && Number.isFinite(lon)) options.focus = { lat, lon };
    return options;
  }

  #key(event) {
    // Leaves keys to an input method while it composes.
    if (event.isComposing || event.keyCode === 229) return;
    const step = KEYS[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (this.#isOpen) this.#move(step);
      else this.#search();
    } else if (event.key === "ArrowDown" && event.altKey) {
      event.preventDefault();
      this.#search();
    } else if (event.key === "ArrowUp" && event.altKey) {
      event.preventDefault();
      this.#close();
    } else if (event.key === "Enter" && this.#isOpen && this.#active >= 0) {
      event.preventDefault();
      this.#choose(this.#suggestions[this.#active]);
    } else if (event.key === "Enter" && !this.#isOpen) {
      this.#internals.form?.requestSubmit();
    } else if (event.key === "Escape") {
      this.#escape(event);
    }
  }

  /** Closes the list. If there is none, clears the field. */
  #escape(event) {
    if (!this.#isOpen && !this.#input.value) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.#isOpen) return this.#close();
    this.#input.value = "";
    this.#set(null);
    this.#commit();
  }

  /** Moves from the field through the list and back to the field. */
  #move(step) {
    const stops = this.#suggestions.length + 1;
    this.#activate(((this.#active + 1 + step + stops) % stops) - 1);
  }

  #activate(at) {
    this.#active = at;
    [...this.#list.children].forEach((option, index) => {
      const is = index === at;
      option.setAttribute("aria-selected", String(is));
      option.part.toggle("active", is);
      if (is) option.scrollIntoView({ block: "nearest" });
    });
    if (at < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `option-${at}`);
  }

  #show(suggestions) {
    // The user may have left the field meanwhile.
    if (!this.#isFocused) return this.#close();
    this.#suggestions = suggestions;
    this.#list.replaceChildren(...suggestions.map(option));
    this.#expand(suggestions.length > 0);
    this.#activate(-1);
    this.#say(suggestions.length ? this.#messages.count(suggestions.length) : this.#messages.none);
  }

  #close() {
    this.#request += 1;
    this.#suggestions = [];
    this.#list.replaceChildren();
    this.#expand(false);
    this.#activate(-1);
    this.#say("");
  }

  #expand(open) {
    this.#list.hidden = !open;
    this.#input.setAttribute("aria-expanded", String(open));
  }

  get #isOpen() {
    return !this.#list.hidden;
  }

  get #isFocused() {
    return this.shadowRoot.activeElement === this.#input;
  }

  #choose(place) {
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
      if (place) ["lat", "lon"].forEach((part) => data.append(`${name}.${part}`, String(place[part])));
    }
    this.#internals.setFormValue(data);
    const missing = this.hasAttribute("required") && !place;
    this.#internals.setValidity(missing ? { valueMissing: true } : {}, missing ? this.#messages.required : "", this.#input);
  }

  /** Fires `change` if the choice differs from the last one reported. */
  #commit() {
    if (this.#place === this.#committed) return;
    this.#committed = this.#place;
    this.dispatchEvent(new CustomEvent("change", { detail: this.#place, bubbles: true, composed: true }));
  }

  #describe() {
    const labels = [...(this.#internals.labels ?? [])].map((label) => label.textContent.trim()).join(" ");
    const label = this.getAttribute("label") ?? this.getAttribute("aria-label") ?? (labels || this.#messages.label);
    this.#input.setAttribute("aria-label", label);
    this.#list.setAttribute("aria-label", label);
    this.#input.placeholder = this.getAttribute("placeholder") ?? "";
    this.#input.setAttribute("aria-required", String(this.hasAttribute("required")));
    this.#input.disabled = this.matches(":disabled");
    this.#set(this.#place);
  }

  #say(text) {
    this.#status.textContent = text;
  }
}

/** Makes the list item of a place, with its name and its areas in separate parts. */
function option(place, at) {
  const item = document.createElement("li");
  item.id = `option-${at}`;
  item.setAttribute("role", "option");
  item.setAttribute("part", "option");
  item.dir = "auto";
  const [name, ...areas] = place.display_name.split(", ");
  const head = document.createElement("span");
  head.setAttribute("part", "name");
  head.textContent = name;
  const rest = document.createElement("span");
  rest.setAttribute("part", "areas");
  rest.textContent = areas.join(", ");
  item.append(head, areas.length ? ", " : "", rest);
  return item;
}

if (globalThis.customElements && !customElements.get("toponym-autocomplete")) {
  customElements.define("toponym-autocomplete", ToponymAutocomplete);
}
