// The popup of <toponym-autocomplete> in the top layer, where nothing clips it: below the field, or above it where there is more room.

/** Pixels between field and popup, and from the edge of the window. */
const GAP = 4;

/** A popup is not made lower than this, pixels: three places of a list. */
const LOWEST = 144;

export class Popup {
  #field;
  #popup;
  #place = () => this.#put();

  /** Of a popup beside a field. */
  constructor(field, popup) {
    this.#field = field;
    this.#popup = popup;
    // Without the attribute the browser has no top layer for it: then it lies above what is around it.
    popup.popover = "manual";
  }

  get isShown() {
    return !this.#popup.hidden;
  }

  /** Shows it, or puts it where it belongs now. */
  show() {
    const isNew = this.#popup.hidden;
    this.#popup.hidden = false;
    if (isNew) {
      this.#popup.showPopover?.();
      globalThis.addEventListener("scroll", this.#place, { capture: true, passive: true });
      globalThis.addEventListener("resize", this.#place);
    }
    this.#put();
  }

  hide() {
    if (this.#popup.hidden) return;
    // What is removed is hidden.
    if (this.#popup.isConnected) this.#popup.hidePopover?.();
    this.#popup.hidden = true;
    globalThis.removeEventListener("scroll", this.#place, { capture: true });
    globalThis.removeEventListener("resize", this.#place);
  }

  #put() {
    const { top, bottom, left, width } = this.#field.getBoundingClientRect();
    const { style } = this.#popup;
    const height = document.documentElement.clientHeight;
    style.left = `${left}px`;
    style.width = `${width}px`;
    style.maxBlockSize = "";
    const below = height - bottom - 2 * GAP;
    const above = top - 2 * GAP;
    const isAbove = this.#popup.offsetHeight > below && above > below;
    style.top = isAbove ? "auto" : `${bottom + GAP}px`;
    style.bottom = isAbove ? `${height - top + GAP}px` : "auto";
    // The style sheet has a limit of its own.
    const room = Math.max(isAbove ? above : below, LOWEST);
    if (this.#popup.offsetHeight > room) style.maxBlockSize = `${room}px`;
  }
}
