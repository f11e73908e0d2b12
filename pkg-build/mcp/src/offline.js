// Answers from packs of places on this machine, by the package `toponym`. Nothing leaves the machine, but for the download
// of a pack that is given by its address.

import { Geocoder } from "toponym";
import { Fault } from "./fault.js";

/** Answers like `Service`. */
export class Offline {
  /** Answers come from the same bytes on every machine, and nobody else is asked. */
  isOpenWorld = false;
  #packs;
  #loading;

  /** `packs` as for `Geocoder.load()`. */
  constructor(packs) {
    this.#packs = packs;
  }

  /** Opens the packs. After a failure the next call tries again. */
  prepare() {
    this.#loading ??= Geocoder.load({ packs: this.#packs }).catch((error) => {
      this.#loading = undefined;
      throw new Fault(`The places cannot be loaded: ${error.message}. The user has to mend the option --pack of this server.`);
    });
    return this.#loading;
  }

  /** Places for a text or fields. */
  forward(query, options) {
    return this.#ask((geocoder) => geocoder.forward(query, options));
  }

  /** Suggestions for an unfinished text. */
  autocomplete(text, options) {
    return this.#ask((geocoder) => geocoder.autocomplete(text, options));
  }

  /** The place at a point, or with `limit` the nearest ones: always an array. */
  reverse({ lat, lon }, options) {
    return this.#ask((geocoder) => [geocoder.reverse(lat, lon, options) ?? []].flat());
  }

  /** The place with an id or a code, in an array; an empty one if there is none. */
  place(reference, options) {
    return this.#ask((geocoder) => [geocoder.place(reference, options) ?? []].flat());
  }

  /** `{ title, date, credits }` of the places. */
  about() {
    return this.#ask((geocoder) => {
      const { title, data_date, attribution } = geocoder.about();
      return { title, date: data_date, credits: attribution };
    });
  }

  async #ask(call) {
    const geocoder = await this.prepare();
    try {
      return call(geocoder);
    } catch (error) {
      throw error.code === "invalid_argument" ? new Fault(`${error.message}. Change that argument and ask again.`) : error;
    }
  }
}
