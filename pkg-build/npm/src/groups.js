// Calls of `autocomplete` that name a group: a newer call supersedes the unanswered one of its group. The one place where calls
// overtake each other: threads, indexes in pages, the service and the search field all use it.

import { abortable } from "./attempts.js";
import { fault } from "./fault.js";

export class Groups {
  // What aborts the unanswered call of each group.
  #unanswered = new Map();

  /**
   * Returns the answer of `ask(signal)`. Aborts it and rejects when `signal` is aborted, with its reason, or when a newer call
   * names the same `group`, with `superseded`. A call without a group supersedes none.
   */
  async ask({ signal, group }, ask) {
    signal?.throwIfAborted();
    if (group === undefined) return ask(signal);
    const stop = new AbortController();
    const abort = () => stop.abort(signal.reason);
    signal?.addEventListener("abort", abort);
    try {
      const asked = abortable(ask(stop.signal), stop.signal);
      // Asked before the older call is aborted: a page that both need is fetched on.
      this.#supersede(group, stop);
      const answer = await asked;
      // A newer call may have come after the answer.
      stop.signal.throwIfAborted();
      return answer;
    } finally {
      signal?.removeEventListener("abort", abort);
      if (this.#unanswered.get(group) === stop) this.#unanswered.delete(group);
    }
  }

  /** Tells whether a call of a group is unanswered. */
  isAsking(group) {
    return this.#unanswered.has(group);
  }

  /** Aborts the unanswered call of a group, as a newer one would. */
  giveUp(group) {
    this.#supersede(group);
  }

  #supersede(group, newer) {
    const older = this.#unanswered.get(group);
    if (newer) this.#unanswered.set(group, newer);
    else this.#unanswered.delete(group);
    older?.abort(fault("superseded", "a newer autocomplete of the same group superseded this one"));
  }
}
