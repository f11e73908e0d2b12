// Where the suggestions of one <toponym-autocomplete> come from: the geocoder that the page has set, or a thread.

import { Lease, isBroken } from "./element-threads.js";

/** Loading in less time needs no word that it goes on, milliseconds. */
export const QUICK_MS = 300;

/** Milliseconds after the last key before a question to a service, where nothing else is said: each is counted. */
const REMOTE_DELAY_MS = 200;

export class Source {
  #hears;
  #given;
  // The use of a thread, what waits for it, and its geocoder.
  #lease;
  #loading;
  #loaded;
  // The geocoder whose other places are waited for.
  #completing;

  /**
   * `hears` is told how loading goes: `slow()`, `ready()`, `failed(error)`; and of the places behind the first: `completed()`,
   * `incomplete(error)`.
   */
  constructor(hears) {
    this.#hears = hears;
  }

  /** What the page has set, or what is loaded. */
  get geocoder() {
    return this.#given ?? this.#loaded;
  }

  /** Whether it has all its places. One that does not tell has. */
  get isComplete() {
    return this.geocoder?.isComplete !== false;
  }

  get isGiven() {
    return this.#given !== undefined;
  }

  /** Takes a geocoder of the page, or none. What loads meanwhile is not used. */
  give(geocoder) {
    this.#given = geocoder ?? undefined;
    this.release();
  }

  /** The geocoder, which may have to `load(places)` first: the options of that method. */
  async load(places) {
    if (this.geocoder) return this.geocoder;
    this.#loading ??= this.#fetch(places);
    return this.#loading;
  }

  /** Returns what `question(geocoder)` finds, asked after a delay. One other thread takes the place of one that fails. */
  async ask(places, question, signal, delay = this.geocoder?.remote ? REMOTE_DELAY_MS : 0) {
    if (delay) await new Promise((done) => setTimeout(done, delay));
    signal.throwIfAborted();
    const geocoder = await this.load(places);
    signal.throwIfAborted();
    void this.#complete(geocoder);
    try {
      return await question(geocoder);
    } catch (error) {
      if (signal.aborted || this.isGiven || !isBroken(error)) throw error;
    }
    this.release(true);
    return question(await this.load(places));
  }

  /** Gives back the thread, which may be broken. */
  release(isBroken = false) {
    this.#lease?.end(isBroken);
    this.#lease = this.#loading = this.#loaded = undefined;
  }

  /** Waits for the places behind the first. After a failure the next question tries again. */
  async #complete(geocoder) {
    if (geocoder.isComplete !== false || geocoder === this.#completing) return;
    this.#completing = geocoder;
    // Another may have taken its place meanwhile.
    const isWanted = () => geocoder === this.geocoder;
    try {
      await geocoder.complete();
      if (isWanted()) this.#hears.completed();
    } catch (error) {
      if (isWanted()) this.#hears.incomplete(error);
    } finally {
      if (geocoder === this.#completing) this.#completing = undefined;
    }
  }

  async #fetch(places) {
    const lease = (this.#lease = new Lease(places));
    // It may be given back meanwhile.
    const isWanted = () => lease === this.#lease;
    const slow = setTimeout(() => isWanted() && this.#hears.slow(), QUICK_MS);
    try {
      const geocoder = await lease.geocoder;
      if (isWanted()) {
        this.#loaded = geocoder;
        this.#hears.ready();
        void this.#complete(geocoder);
      }
      return geocoder;
    } catch (error) {
      if (isWanted()) {
        // The next call tries again.
        this.release();
        this.#hears.failed(error);
      }
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }
}
