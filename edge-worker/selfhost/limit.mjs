// The rate limit that the platform counts for the Worker, here in the memory of the only process: so many in each period.

/** Names that are remembered in a period. A flood of more networks than that is admitted no faster than by one of them. */
const MOST_NAMES = 100_000;

/** Name under which the names beyond are counted together. */
const OTHERS = "";

/** A binding like those of `[[ratelimits]]` in wrangler.toml. */
export class Limit {
  #counts = new Map();
  #period = -1;

  /** At most `limit` in `period` seconds, for each name. */
  constructor({ limit, period }) {
    this.most = limit;
    this.periodMs = period * 1000;
  }

  /** Counts one more for `key`, and says whether it is within the limit. */
  async limit({ key }) {
    const period = Math.floor(Date.now() / this.periodMs);
    if (period !== this.#period) this.#counts.clear();
    this.#period = period;
    const name = this.#counts.has(key) || this.#counts.size < MOST_NAMES ? key : OTHERS;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return { success: count <= this.most };
  }
}
