// The guard around the instance of Rust, with a stand-in for the module of wasm-bindgen. faults.test.mjs breaks real instances.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const GUARD = join(import.meta.dirname, "../../edge-worker/src/guard.js");

// What wasm-bindgen exports, with a method that traps on demand.
const RUST = `
  globalThis.resets = 0;
  const state = { criticalError: false, instanceId: 0 };
  globalThis.__worker_init_state = state;
  export const __worker_init_state = () => state;
  export const __wbg_reset_state = () => { globalThis.resets++; };
  export class Half {
    constructor(name) { this.name = name; this.instance = state.instanceId; }
    answer(how) {
      if (how === "trap") throw new WebAssembly.RuntimeError("unreachable");
      if (how === "error") throw new Error("no");
      return this.name + this.instance;
    }
  }
  export function fetch(request, env, context) { return [request, env, context]; }
`;

const module = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

let happened;
globalThis.addEventListener = (_, listener) => (happened = listener);
console.error = () => {};
const guard = readFileSync(GUARD, "utf8").replace("from \"./index.js\"", `from "${module(RUST)}"`);
const { default: service, answered, Half } = await import(module(`${guard}\nexport const Half = guarded(rust.Half);`));

test("the functions of Rust, and nothing else", () => {
  assert.deepEqual(Object.keys(service), ["fetch"]);
  assert.deepEqual(service.fetch("request", "env", "context"), ["request", "env", "context"]);
});

test("after a trap the next call gets a new instance, and objects are made again", () => {
  const half = new Half("a");
  assert.equal(half.answer(), "a0");
  assert.throws(() => half.answer("error"), /no/);
  assert.equal(half.answer(), "a0");
  assert.equal(globalThis.resets, 0, "an error is not a trap");
  assert.throws(() => half.answer("trap"), WebAssembly.RuntimeError);
  service.fetch();
  assert.equal(globalThis.resets, 1);
  assert.equal(half.answer(), "a1");
  assert.equal(globalThis.resets, 1);
  // A full stack of JavaScript, behind no call.
  happened({ error: new RangeError("Maximum call stack size exceeded") });
  half.answer();
  assert.deepEqual([globalThis.resets, half.answer()], [2, "a2"]);
});

test("requests under way are told that their instance has ended, those that are answered are not", async () => {
  const never = new Promise(() => {});
  assert.equal(await answered(Promise.resolve("yes")), "yes");
  await assert.rejects(answered(Promise.reject(new Error("no"))), /no/);
  const [one, other] = [answered(never), answered(never)];
  happened({ error: new Error("an ordinary one") });
  happened({ error: new WebAssembly.RuntimeError("unreachable") });
  await assert.rejects(one, WebAssembly.RuntimeError);
  await assert.rejects(other, WebAssembly.RuntimeError);
});
