// What may succeed a moment later is tried again, what was started once is not started twice, and what its caller no
// longer waits for is given up.

/** Attempts in all, and the pause before the second one; each further one is twice as long. */
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;

/** Codes of the faults that another attempt may mend, unless they are `final`. */
const PASSING = new Set(["download_failed", "invalid_index"]);

/** The outcome of `work(attempt)`, from 1 on. */
export async function attempted(work, signal) {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      if (!PASSING.has(error?.code) || error.final || attempt === ATTEMPTS) throw error;
      await new Promise((resume) => setTimeout(resume, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  }
}

/** A function that does `work` when it is first called. A failure is forgotten, so that the next call may succeed. */
export function once(work) {
  let outcome;
  return () =>
    (outcome ??= work().catch((error) => {
      outcome = undefined;
      throw error;
    }));
}

/** What `work` comes to, or the signal's reason as soon as it is aborted. */
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
