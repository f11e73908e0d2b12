// Retries, shared starts and cancellation for asynchronous work.

/** The number of attempts, and the pause before the second one. Each further pause is twice as long. */
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;

/** Codes of the errors that are worth another attempt, unless they are `final`. */
const RETRYABLE = new Set(["download_failed", "invalid_index"]);

/** Runs `work(attempt)` until it succeeds or the attempts run out. `attempt` counts from 1. */
export async function attempted(work, signal, attempts = ATTEMPTS) {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      if (!RETRYABLE.has(error?.code) || error.final || attempt === attempts) throw error;
      await new Promise((resume) => setTimeout(resume, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  }
}

/** Returns a function that runs `work` on its first call. After a failure, the next call runs it again. */
export function once(work) {
  let outcome;
  return () =>
    (outcome ??= work().catch((error) => {
      outcome = undefined;
      throw error;
    }));
}

/** Waits for `work`. Rejects with the signal's reason as soon as the signal is aborted. */
export async function abortable(work, signal) {
  if (!signal) return work;
  let abort;
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
