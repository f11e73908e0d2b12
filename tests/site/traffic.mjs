// A day of traffic for the status page.

import assert from "node:assert/strict";

const MINUTE_MS = 60_000;

/** The step of the history. */
export const BUCKET_MS = 5 * MINUTE_MS;

/** Sends the board of `service` an hour of traffic like an isolate: more and less busy, ten minutes without any, a few failures at one time. */
export async function tellADay(service) {
  const { BOARD } = await service.server.getWorker().getEnv();
  const send = async (message) => {
    const response = await BOARD.getByName("board").fetch("https://object.invalid/", { method: "POST", body: JSON.stringify(message) });
    assert.equal(response.status, 200, await response.text());
  };
  const now = Math.floor(Date.now() / BUCKET_MS);
  // The board takes an hour from an isolate.
  const counts = [];
  for (let back = 0; back < 12; back++) {
    if (back === 5 || back === 6) continue;
    const good = Math.round(1400 + 900 * Math.sin(back / 2));
    const failed = back === 8 ? 25 : 0;
    const slow = 40 + Math.round(60 * Math.abs(Math.sin(back / 7)));
    const latencies = [[3, good - 40], [slow, 40], ...(failed ? [[1503, failed]] : [])];
    const metering = { object: [[slow, 40]], rest: [[3, good + failed]], lost: back === 3 ? 70 : 0 };
    counts.push([now - back, { good, refused: 0, failed, latencies, metering }]);
  }
  await send({ samples: { isolate: 1, sequence: 1, counts } });
  // One every ten minutes: what the page shows of them is their share.
  const minutes = Array.from({ length: 140 }, (_, n) => 10 * n);
  await Promise.all(minutes.map((minute) => send({ probe: { at_ms: Date.now() - minute * MINUTE_MS, good: minute !== 250 } })));
}
