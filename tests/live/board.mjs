// The board of the metrics after a week, and how many rows the platform counts for a message to it, on workerd.

import { start } from "./harness.mjs";

const MINUTE_MS = 60_000;
const BUCKET_MS = 5 * MINUTE_MS;

/** Minutes and buckets of a week. */
const PROBES = 7 * 24 * 60;
const SUMS = PROBES / 5;

const COUNTS = { good: 2, refused: 0, failed: 0, latencies: [[1, 2]] };

/** The board of a service that keeps it after a week of traffic. */
export class Week {
  #before = { read: 0, written: 0 };

  static async of() {
    const service = await start({ faults: true });
    try {
      const week = new Week(service, (await service.bindings()).BOARD.getByName("board"));
      await week.#fill();
      return week;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  constructor(service, board) {
    Object.assign(this, { service, board });
  }

  #ask(path, body) {
    return this.board.fetch(`https://object.invalid/${path}`, { method: "POST", body });
  }

  async #fill() {
    // This makes the tables.
    await this.send("coverage");
    const now = Date.now();
    const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
    const [minute, bucket] = [MINUTE_MS, BUCKET_MS].map((ms) => Math.floor(now / ms));
    const json = JSON.stringify(COUNTS);
    await this.#ask("sql", `${numbers(PROBES)} INSERT INTO probes SELECT ${minute} - i, 1 FROM n`);
    // Earlier versions have no such table.
    const tables = await (await this.#ask("sql", "SELECT name FROM sqlite_master WHERE name = 'probed_hours'")).json();
    const hour = Math.floor(minute / 60);
    if (tables.length > 0) await this.#ask("sql", `${numbers(PROBES / 60)} INSERT INTO probed_hours SELECT ${hour} - i, 60 FROM n`);
    await this.#ask("sql", `${numbers(SUMS)} INSERT INTO sums SELECT ${bucket} - i, '${json}' FROM n`);
    // This deletes what is older than a week.
    await this.send(probe());
    await this.counted();
  }

  /** The answer of the board to a message. */
  async send(message) {
    const response = await this.#ask("", JSON.stringify(message));
    return response.json();
  }

  /** Takes the numbers of rows that were read and written since the last call. */
  async counted() {
    const { read, written } = (await (await this.service.send("GET /faults")).json()).objects.MetricsBoard;
    const since = { read: read - this.#before.read, written: written - this.#before.written };
    this.#before = { read, written };
    return since;
  }

  /** Sends messages to the board after it slept. Returns the answer to the last one, and the numbers of rows. */
  async wake(...messages) {
    await this.service.server.getWorker().evictDurableObject("MetricsBoard", { name: "board" });
    let answer;
    for (const message of messages) answer = await this.send(message);
    return { answer, ...(await this.counted()) };
  }

  stop() {
    return this.service.stop();
  }
}

/** The probe of this minute, or of the one before: the last one of an hour counts the others. */
export function probe() {
  const now = Date.now();
  const endsHour = Math.floor(now / MINUTE_MS) % 60 === 59;
  return { probe: { at_ms: endsHour ? now - MINUTE_MS : now, good: true } };
}

/** Samples of an isolate in this bucket and the one before. */
export function samples(sequence) {
  const bucket = Math.floor(Date.now() / BUCKET_MS);
  return { samples: { isolate: 7, sequence, counts: [bucket - 1, bucket].map((of) => [of, COUNTS]) } };
}
