// The list of <toponym-autocomplete>: which places it shows, and which of them is active. The focus stays in the field, whose
// aria-activedescendant names the active one.

import { isSame } from "./in-place.js";

export class List {
  #node;
  #input;
  #highlighted;
  #places = [];
  #active = -1;

  /** `highlighted(place)` hears which place becomes active, or `null`. */
  constructor(node, input, highlighted) {
    this.#node = node;
    this.#input = input;
    this.#highlighted = highlighted;
  }

  /** The places that it shows. */
  get places() {
    return this.#places;
  }

  get isOpen() {
    return !this.#node.hidden;
  }

  /** The active place, or `null`. */
  get active() {
    return this.#places[this.#active] ?? null;
  }

  /** Names it for screen readers. */
  set label(text) {
    this.#node.ariaLabel = text;
  }

  /** Returns the place of the row that a node lies in. */
  placeOf(node) {
    return this.#places[[...this.#node.children].indexOf(node.closest("li"))];
  }

  /** Tells whether the user is about to choose the place of a row, counted from 0. */
  isHeld(at) {
    return at >= 0 && (at === this.#active || Boolean(this.#node.children[at]?.matches(":hover")));
  }

  /** Moves from the field through the list and back to the field. */
  move(step) {
    const stops = this.#places.length + 1;
    this.activate(((this.#active + 1 + step + stops) % stops) - 1);
  }

  /** Makes the place of a row the active one; -1 is the field. */
  activate(at) {
    const old = this.active;
    this.#active = at;
    [...this.#node.children].forEach((item, index) => {
      const is = index === at;
      item.setAttribute("aria-selected", String(is));
      item.part.toggle("active", is);
      if (is) item.scrollIntoView({ block: "nearest" });
    });
    if (at < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `option-${at}`);
    if (this.active !== old) this.#highlighted(this.active);
  }

  /** Shows places, each as the row `row(place, at)`. What is `shown` at the same place stays as it is. */
  show(places, row, shown = []) {
    const stays = (at) => shown[at] && places[at] && isSame(shown[at], places[at]);
    if (!stays(this.#active)) this.activate(-1);
    this.#places = places;
    while (this.#node.children.length > places.length) this.#node.lastChild.remove();
    places.forEach((place, at) => {
      if (stays(at)) return;
      const old = this.#node.children[at];
      if (old) old.replaceWith(row(place, at));
      else this.#node.append(row(place, at));
    });
    this.#node.hidden = places.length === 0;
  }
}
