// Waits for what happens elsewhere: in a browser, a thread or a server.

import assert from "node:assert/strict";

/** The wait between two looks. */
const LOOK_MS = 50;

/** The longest wait, unless a test says how long it takes. */
const WITHIN_MS = 10_000;

/** Waits until a value is as it should be. */
export async function soon(value, check, withinMs = WITHIN_MS) {
  let last;
  for (let attempt = 0; attempt < withinMs / LOOK_MS; attempt += 1) {
    last = await value();
    if (check(last)) return last;
    await new Promise((resume) => setTimeout(resume, LOOK_MS));
  }
  assert.fail(`it never became so; the last value was ${JSON.stringify(last)}`);
}
