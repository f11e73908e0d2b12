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

  /** Returns what `question(geocoder)` finds. */
  async ask(question) {
    const geocoder = await this.prepare();
    try {
      return question(geocoder);
    } catch (error) {
      throw error.code === "invalid_argument" ? new Fault(`${error.message}. Change that argument and ask again.`) : error;
    }
  }

  /** Returns title, date and credits of the places. */
  about() {
    return this.ask((geocoder) => geocoder.about());
  }
}
