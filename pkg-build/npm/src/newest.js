// Calls of `autocomplete` that overlap: only the newest is worth an answer. Those that it overtakes are given up and have its
// answer, so that a page may show whatever comes.

import { abortable } from "./attempts.js";
import { fault } from "./fault.js";

export class Newest {
  // The newest unanswered call of each group.
  #calls = new Map();

  /**
   * Asks by `ask(signal)`, whose signal is aborted when `signal` is, or when a newer call of the `group` overtakes this one,
   * which then has the answer of the newer one, or is rejected if it `isRejected` in that case.
   */
  async ask({ signal, group, isRejected }, ask) {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const abort = () => stop.abort(signal.reason);
    signal?.addEventListener("abort", abort);
    // Asked before the older one is given up: what both wait for goes on.
    const call = { stop, answer: ask(stop.signal) };
    this.#overtake(group, call);
    try {
      return await call.answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (isRejected || !call.newer) throw error;
      return await abortable(newestOf(call), signal);
    } finally {
      signal?.removeEventListener("abort", abort);
      if (this.#calls.get(group) === call) this.#calls.delete(group);
    }
  }

  #overtake(group, call) {
    const older = this.#calls.get(group);
    this.#calls.set(group, call);
    if (!older) return;
    older.newer = call;
    older.stop.abort(fault("superseded", "a newer autocomplete took the place of this one"));
  }
}

/** The answer of the newest of the calls that overtook one. If it fails there is none, for that is no fault of the older ones. */
async function newestOf({ newer }) {
  try {
    // A list of its own for each: callers may change it.
    return [...(await newer.answer)];
  } catch {
    return newer.newer ? newestOf(newer) : [];
  }
}
