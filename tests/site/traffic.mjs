// A day of traffic for the status page.

import assert from "node:assert/strict";

const MINUTE_MS = 60_000;

/** The step of the history. */
export const BUCKET_MS = 5 * MINUTE_MS;

/** Sends the board of `service` a day of traffic like a shard: busy by day, an hour without any, a few failures at one time. */
export async function tellADay(service) {
  const { BOARD } = await service.server.getWorker().getEnv();
  const send = async (message) => {
    const response = await BOARD.getByName("board").fetch("https://object.invalid/", { method: "POST", body: JSON.stringify(message) });
    assert.equal(response.status, 200, await response.text());
  };
  const now = Math.floor(Date.now() / BUCKET_MS);
  // The board takes only the last three hours from a shard, so older ones are sent as of their time.
  const totals = [];
  for (let back = 0; back < 36; back++) {
    if (back >= 6 && back < 12) continue;
    const good = Math.round(400 + 300 * Math.sin(back / 4));
    const failed = back === 20 ? 25 : 0;
    const slow = 40 + Math.round(60 * Math.abs(Math.sin(back / 7)));
    const latencies = [[3, good - 40], [slow, 40], ...(failed ? [[1503, failed]] : [])];
    const metering = { object: [[slow, 40]], rest: [[3, good + failed]], lost: back === 3 ? 70 : 0 };
    totals.push([now - back, { sequence: 1, counts: { good, refused: 0, failed, latencies, metering } }]);
  }
  await send({ totals: { shard: "seed", totals } });
  // One every ten minutes: what the page shows of them is their share.
  const minutes = Array.from({ length: 140 }, (_, n) => 10 * n);
  await Promise.all(minutes.map((minute) => send({ probe: { at_ms: Date.now() - minute * MINUTE_MS, good: minute !== 250 } })));
}
