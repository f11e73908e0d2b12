// Tests how many rows the board of the metrics reads and writes after a week, as workerd counts them: a free account has five
// million rows read a day.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Week, probe, samples } from "../bench/service/board.mjs";

/** Rows of a message that adds a minute: two hours, the register, and what the platform counts beside. */
const MOST_READ = 3 + 12;

/** Rows that the figures of a day read: the hours that have a part of it, and the register. */
const MOST_READ_OF_A_DAY = 25 + 1;

/** Rows of two hours, the register, and an hour that became a week old meanwhile. */
const MOST_WRITTEN = 4;

let week;
before(async () => (week = await Week.of()));
after(() => week?.stop());

test("after a week, adding a minute reads and writes a handful of rows", async () => {
  const messages = [probe(), samples(1), samples(2), probe()];
  for (const message of messages) {
    const { answer, read, written } = await week.wake(message);
    assert.equal(answer, "noted");
    assert.ok(0 < written && written <= MOST_WRITTEN, `${written} rows written by ${JSON.stringify(message)}`);
    assert.ok(read <= MOST_READ, `${read} rows read by ${JSON.stringify(message)}`);
  }
});

test("the figures are those of the whole day and the whole week", async () => {
  const { answer, read } = await week.wake("metrics");
  assert.ok(0 < read && read <= MOST_READ_OF_A_DAY + 12, `${read} rows`);
  assert.equal(answer.metrics.availability.uptime, 100);
  // Two requests in each of 287 buckets, and what the isolate sent: see samples().
  assert.ok(answer.metrics.requests.total >= 2 * 287, JSON.stringify(answer));
  const { history } = (await week.wake({ history: { hours: 168 } })).answer;
  assert.ok(history.points.length >= 2_015, `${history.points.length} points`);
});
