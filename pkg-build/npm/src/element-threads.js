// The threads of <toponym-autocomplete>. Elements with the same `src` share one, and it ends some time after the last of them.

import { GeocoderWorker } from "./worker.js";

/** How long a thread without elements is kept, milliseconds: the next view of an application often has a field again. */
const IDLE_MS = 60_000;

/** Codes of the errors after which a thread may answer nothing more. */
const BROKEN = new Set(["internal", "freed"]);

/** The threads by what they load: the options of `load` as JSON. */
const threads = new Map();

/** Whether another thread should take the place of the one that failed so. */
export function isBroken(error) {
  return BROKEN.has(error?.code);
}

/** The use of a thread by one element. */
export class Lease {
  #thread;

  /** Of a thread with the places that `load(source)` loads. */
  constructor(source) {
    const key = JSON.stringify(source);
    this.#thread = threads.get(key) ?? started(key, source);
    this.#thread.uses += 1;
    clearTimeout(this.#thread.idle);
  }

  /** A promise of the geocoder. */
  get geocoder() {
    return this.#thread?.geocoder;
  }

  /** Ends the use. A thread that `isBroken` serves no other element either. */
  end(isBroken = false) {
    const thread = this.#thread;
    if (!thread) return;
    this.#thread = undefined;
    thread.uses -= 1;
    if (isBroken) free(thread);
    else if (thread.uses === 0) thread.idle = setTimeout(() => free(thread), IDLE_MS);
  }
}

function started(key, source) {
  const geocoder = GeocoderWorker.load(source);
  const thread = { key, geocoder, uses: 0, idle: undefined };
  threads.set(key, thread);
  // The next use tries again.
  geocoder.catch(() => forget(thread));
  return thread;
}

function free(thread) {
  forget(thread);
  thread.geocoder.then((geocoder) => geocoder.free(), () => {});
}

function forget(thread) {
  if (threads.get(thread.key) === thread) threads.delete(thread.key);
}
