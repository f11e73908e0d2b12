// What a form sees of <toponym-autocomplete>: the value that it sends, and whether that is valid.

/** Facts of a place that a form sends beside its name, each as `name.fact`. */
const FACTS = ["lat", "lon", "place_id"];

export class FormValue {
  #internals;
  #input;
  // Why the page holds it invalid.
  #custom = "";

  constructor(internals, input) {
    this.#internals = internals;
    this.#input = input;
  }

  set custom(message) {
    this.#custom = String(message);
  }

  /** Sets what the form sends by the element's name, if it has one, and what the browser gives back with the page. */
  send(name, place) {
    const text = this.#input.value;
    const data = new FormData();
    if (name) {
      data.append(name, text);
      for (const fact of FACTS) if (place?.[fact] !== undefined) data.append(`${name}.${fact}`, String(place[fact]));
    }
    this.#internals.setFormValue(data, JSON.stringify({ text, place }));
  }

  /** Sets whether it is valid. Returns the message if it is not; `required` is that of a value that is missing. */
  validate(valueMissing, required) {
    const customError = this.#custom !== "";
    const message = this.#custom || (valueMissing ? required : "");
    this.#internals.setValidity({ valueMissing, customError }, message, this.#input);
    return message;
  }
}

/** What an input has for its form. */
const GETTERS = ["form", "labels", "validity", "validationMessage", "willValidate"];
const METHODS = ["checkValidity", "reportValidity"];

/** Gives an element what an input has for its form, as its internals know it. */
export function defineForm(prototype, internalsOf) {
  for (const name of GETTERS) {
    const get = function () {
      return internalsOf(this)[name];
    };
    Object.defineProperty(prototype, name, { get, enumerable: true, configurable: true });
  }
  for (const name of METHODS) {
    prototype[name] = function () {
      return internalsOf(this)[name]();
    };
  }
}
