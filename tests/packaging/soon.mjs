// Waits for what happens elsewhere: in a browser, a thread or a server.

import assert from "node:assert/strict";

/** The wait between two looks, and their number: 10 seconds in all. */
const LOOK_MS = 50;
const LOOKS = 200;

/** Waits until a value is as it should be. */
export async function soon(value, check) {
  let last;
  for (let attempt = 0; attempt < LOOKS; attempt += 1) {
    last = await value();
    if (check(last)) return last;
    await new Promise((resume) => setTimeout(resume, LOOK_MS));
  }
  assert.fail(`it never became so; the last value was ${JSON.stringify(last)}`);
}
