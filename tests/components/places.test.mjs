// Tests `toponym/places`, which `usePlaces` keeps: its states, one after the other, and in orders that nobody would think of.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";

import { PACKAGE } from "./harness.mjs";

const { IDLE, Places } = await import(pathToFileURL(join(PACKAGE, "places.js")));

/** Places with a geocoder whose answers wait: `waiting` has the questions, `told` the states. */
function kept(options = {}) {
  const waiting = [];
  const told = [];
  const autocomplete = (text, { signal, ...given }) =>
    new Promise((resolve, reject) => {
      const answer = () => resolve([{ display_name: text, lat: 1, lon: 2 }]);
      waiting.push({ text, signal, given, answer, fail: () => reject(new Error(`no ${text}`)) });
    });
  const geocoder = { autocomplete, ...options };
  const places = new Places((state) => told.push(state));
  return { places, geocoder, waiting, told, search: (text, given) => places.search(text, { geocoder, ...given }) };
}

/** Until all that can happen without an answer has happened. */
const settled = () => new Promise((done) => setImmediate(done));

const brief = ({ items, status, error }) => [status, ...items.map(({ display_name: name }) => name), ...(error ? [error.message] : [])].join(" ");

test("the states of a search: suggestions stay until there are others", async () => {
  const { search, waiting, told, places } = kept();
  search("o");
  await settled();
  waiting[0].answer();
  await settled();
  search("os", { limit: 3 });
  await settled();
  waiting[1].fail();
  await settled();
  search(" ");
  search("osl");
  places.stop();
  assert.deepEqual(told.map(brief), ["loading", "ready o", "loading o", "failed no os", "idle", "loading", "idle"]);
  assert.deepEqual(waiting[1].given, { limit: 3 });
});

test("what the first places answer is asked again when all are there", async () => {
  for (const finds of [["xb", "xa"], ["b"], []]) {
    const completing = Promise.withResolvers();
    const named = (names) => names.map((name) => ({ display_name: name, lat: 1, lon: 2 }));
    const geocoder = {
      isComplete: false,
      complete: () => completing.promise,
      autocomplete: () => named(geocoder.isComplete ? ["xc", "xa"] : finds),
    };
    const told = [];
    const places = new Places((state) => told.push(brief(state)));
    places.search("x", { geocoder });
    await settled();
    geocoder.isComplete = true;
    completing.resolve();
    await settled();
    // What is only similar may be another place.
    const expected = finds.length > 1 ? ["loading", "ready xb xa", "ready xc xa"] : ["loading", "loading", "ready xc xa"];
    assert.deepEqual(told, expected);
  }
});

test("the first places have nothing, and the others cannot be loaded", async () => {
  const completing = Promise.withResolvers();
  const geocoder = { isComplete: false, complete: () => completing.promise, autocomplete: () => [] };
  const told = [];
  new Places((state) => told.push(brief(state))).search("x", { geocoder });
  await settled();
  completing.reject(new Error("no network"));
  await settled();
  assert.deepEqual(told, ["loading", "loading", "failed no network"]);
});

test("a text that is too short is not asked for", async () => {
  const { search, waiting, told } = kept();
  search("os", { minLength: 3 });
  await settled();
  assert.deepEqual([waiting, told], [[], []]);
  assert.deepEqual(IDLE.items, []);
});

test("nothing is told after the end, and what is asked is given up", async () => {
  const { search, waiting, told, places } = kept();
  search("o");
  await settled();
  places.end();
  waiting[0].answer();
  await settled();
  assert.deepEqual(told.map(brief), ["loading"]);
  assert.ok(waiting[0].signal.aborted);
});

test("a service is asked when the text has not changed for a moment", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { search, waiting } = kept({ remote: true });
  search("o");
  search("os");
  context.mock.timers.tick(199);
  await settled();
  assert.equal(waiting.length, 0);
  context.mock.timers.tick(1);
  await settled();
  assert.deepEqual(waiting.map(({ text }) => text), ["os"]);
});

const HAPPENINGS = fc.oneof(
  { weight: 4, arbitrary: fc.record({ text: fc.constantFrom("p", "pa", "par", "") }) },
  { weight: 3, arbitrary: fc.record({ settle: fc.nat(9), how: fc.constantFrom("answer", "answer", "fail") }) },
  { weight: 2, arbitrary: fc.constant({ pause: true }) },
);

test("whatever order answers come in, what is ready is for the last text", async () => {
  const property = fc.asyncProperty(fc.array(HAPPENINGS, { minLength: 4, maxLength: 24 }), async (happenings) => {
    const { search, waiting, told } = kept();
    let last = "";
    const look = async () => {
      await settled();
      const { status, items, error } = told.at(-1) ?? IDLE;
      if (status === "ready") assert.equal(items[0].display_name, last);
      if (status === "failed") assert.equal(error.message, `no ${last}`);
      assert.equal(status === "idle", last === "");
    };
    for (const { text, settle, how } of happenings) {
      if (text !== undefined) search((last = text));
      else if (settle !== undefined) waiting.splice(settle % (waiting.length || 1), 1)[0]?.[how]();
      else await look();
    }
    await look();
    for (const one of waiting) one.answer();
    await look();
    assert.notEqual(told.at(-1)?.status, "loading");
  });
  await fc.assert(property, { numRuns: 500, seed: 41 });
});
