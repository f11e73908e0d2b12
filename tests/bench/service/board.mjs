// Prints how many rows the board of the metrics reads and writes for a message, after a week of traffic, as workerd counts them.
//
//     edge-worker/node_modules/.bin/node tests/bench/service/board.mjs
//
// Needs `cargo xtask build worker --faults`. The object sleeps before each message, as it does on the platform between two minutes.

import { start } from "../../live/harness.mjs";

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
    const [minute, bucket] = [MINUTE_MS, BUCKET_MS].map((ms) => Math.floor(Date.now() / ms));
    const hours = new Map();
    const of = (hour) => hours.get(hour) ?? hours.set(hour, { sums: {}, probed: 0n }).get(hour);
    for (let n = 1; n <= SUMS; n++) of(Math.floor((bucket - n) / 12)).sums[bucket - n] = COUNTS;
    for (let n = 1; n <= PROBES; n++) of(Math.floor((minute - n) / 60)).probed |= 1n << BigInt((minute - n) % 60);
    const json = ({ sums, probed }) => `{"sums":${JSON.stringify(sums)},"probed":${probed},"good":${probed}}`;
    for (const [hour, row] of hours) await this.#ask("sql", `INSERT INTO hours VALUES (${hour}, '${json(row)}')`);
    const register = JSON.stringify({ last: {}, first_probe: minute - PROBES });
    await this.#ask("sql", `INSERT INTO facts VALUES ('register', '${register}')`);
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

/** The probe of this minute. */
export function probe() {
  return { probe: { at_ms: Date.now(), good: true } };
}

/** Samples of an isolate in this bucket and the one before. */
export function samples(sequence) {
  const bucket = Math.floor(Date.now() / BUCKET_MS);
  return { samples: { isolate: 7, sequence, counts: [bucket - 1, bucket].map((of) => [of, COUNTS]) } };
}

/** Rows that a free account may read in a day. */
const FREE = 5_000_000;

const MINUTES = 24 * 60;

const DAY = { history: { hours: 24 } };

const MESSAGES = {
  "a probe": () => [probe()],
  "samples of an isolate": () => [samples(2)],
  "the figures of a day": () => ["metrics"],
  "the history of a day": () => [DAY],
  "the history of a week": () => [{ history: { hours: 168 } }],
  "the page of the status": () => ["metrics", "metering", DAY],
};

if (process.argv[1] === import.meta.filename) await print();

async function print() {
  const week = await Week.of();
  try {
    const read = {};
    console.log("| after a week | rows read | rows written |\n|---|---:|---:|");
    for (const [name, messages] of Object.entries(MESSAGES)) {
      const rows = await week.wake(...messages());
      read[name] = rows.read;
      console.log(`| ${name} | ${rows.read} | ${rows.written} |`);
    }
    const day = (name, rows) => console.log(`| ${name} | ${rows.toLocaleString("en")} | ${((rows / FREE) * 100).toFixed(1)} % |`);
    console.log("\n| in a day | rows read | of a free account |\n|---|---:|---:|");
    day("probes", MINUTES * read["a probe"]);
    day("probes and samples a minute", MINUTES * (read["a probe"] + read["samples of an isolate"]));
    day("the page of the status, open all day", MINUTES * read["the page of the status"]);
  } finally {
    await week.stop();
  }
}
