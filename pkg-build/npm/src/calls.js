// The calls of a page to its thread. The thread is asked one at a time, so that a call that is given up or overtaken
// while it waits costs nothing.

import { fault } from "./fault.js";

export class Calls {
  #ask;
  #waiting = [];
  #isBusy = false;
  // The newest unanswered call of each group.
  #newest = new Map();

  /** `ask(method, args)` asks the thread, and returns a promise of its answer. */
  constructor(ask) {
    this.#ask = ask;
  }

  /**
   * Asks the thread when it is this call's turn. If `signal` is aborted, the call is rejected with its reason at once.
   * A call with a `group` overtakes the unanswered one of that group, which then has the answer of the newer one, or is
   * rejected if it `isRejected` in that case.
   */
  async add(method, args, { signal, group, isRejected } = {}) {
    signal?.throwIfAborted();
    const call = { method, args, group, isRejected, isOvertaken: false, overtaken: [] };
    const ended = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    const abort = () => this.#end(call, () => call.reject(signal.reason));
    signal?.addEventListener("abort", abort, { once: true });
    if (group !== undefined) this.#overtake(call);
    this.#waiting.push(call);
    this.#next();
    try {
      return await ended;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Rejects all calls. */
  stop(reason) {
    const calls = [...this.#waiting, ...this.#newest.values()];
    this.#waiting = [];
    this.#newest.clear();
    for (const call of calls) for (const each of [call, ...call.overtaken]) each.reject(reason);
  }

  #overtake(call) {
    const older = this.#newest.get(call.group);
    this.#newest.set(call.group, call);
    if (!older) return;
    this.#drop(older);
    older.isOvertaken = true;
    call.overtaken = older.overtaken;
    if (older.isRejected) older.reject(fault("superseded", "a newer autocomplete took the place of this one"));
    else call.overtaken.push(older);
    older.overtaken = [];
  }

  async #next() {
    if (this.#isBusy || this.#waiting.length === 0) return;
    const call = this.#waiting.shift();
    this.#isBusy = true;
    try {
      const answer = await this.#ask(call.method, call.args);
      if (!call.isOvertaken) this.#end(call, () => call.resolve(answer), answer);
    } catch (error) {
      if (!call.isOvertaken) this.#end(call, () => call.reject(error));
    }
    this.#isBusy = false;
    this.#next();
  }

  /** Ends a call by `settle`. Those that it overtook have its answer, or an empty one if there is none: it is no fault of theirs. */
  #end(call, settle, answer = []) {
    this.#drop(call);
    if (this.#newest.get(call.group) === call) this.#newest.delete(call.group);
    settle();
    // A list of its own for each: callers may change it.
    for (const older of call.overtaken.splice(0)) older.resolve([...answer]);
  }

  #drop(call) {
    this.#waiting = this.#waiting.filter((other) => other !== call);
  }
}
