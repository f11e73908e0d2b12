// Calls of `autocomplete` that name a group: a newer call supersedes the unanswered one of its group.

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

  #supersede(group, newer) {
    const older = this.#unanswered.get(group);
    this.#unanswered.set(group, newer);
    older?.abort(fault("superseded", "a newer autocomplete of the same group superseded this one"));
  }
}
