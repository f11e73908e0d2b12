// Prints how many rows the board of the metrics reads and writes for a message, after a week of traffic, as workerd counts them.
//
//     edge-worker/node_modules/.bin/node tests/bench/service/board.mjs
//
// Needs `cargo xtask build worker --faults`. The object sleeps before each message, as it does on the platform between two minutes.

import { Week, probe, samples } from "../../live/board.mjs";

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
