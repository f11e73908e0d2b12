// The calls of a page to its thread. The thread is asked one at a time, so that a call that is aborted while it waits costs
// nothing.

import { abortable } from "./attempts.js";

export class Calls {
  #ask;
  #waiting = [];
  #isBusy = false;

  /** `ask(method, args)` asks the thread, and returns a promise of its answer. */
  constructor(ask) {
    this.#ask = ask;
  }

  /** Asks the thread when it is this call's turn. Rejects with the reason of `signal` as soon as that is aborted. */
  async add(method, args, { signal } = {}) {
    signal?.throwIfAborted();
    const call = { method, args };
    const ended = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    this.#waiting.push(call);
    this.#next();
    try {
      return await abortable(ended, signal);
    } finally {
      this.#waiting = this.#waiting.filter((other) => other !== call);
    }
  }

  /** Rejects the calls that wait. */
  stop(reason) {
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }

  async #next() {
    if (this.#isBusy || this.#waiting.length === 0) return;
    const { method, args, resolve, reject } = this.#waiting.shift();
    this.#isBusy = true;
    await this.#ask(method, args).then(resolve, reject);
    this.#isBusy = false;
    this.#next();
  }
}
