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
  export function begin(number) { return number + 1; }
  export function fetch(request, env, context) { return [request, env, context]; }
`;

const WORKERS = "export class WorkerEntrypoint { constructor(ctx, env) { this.ctx = ctx; this.env = env; } }";

const module = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

globalThis.addEventListener ??= () => {};
console.error = () => {};
const guard = readFileSync(GUARD, "utf8").replace("from \"cloudflare:workers\"", `from "${module(WORKERS)}"`).replace("from \"./index.js\"", `from "${module(RUST)}"`);
const { default: Worker, Half } = await import(module(`${guard}\nexport const Half = guarded(rust.Half);`));

test("functions of Rust are methods, events with environment and context", () => {
  const worker = new Worker("context", "env");
  assert.equal(worker.begin(1), 2);
  assert.deepEqual(worker.fetch("request"), ["request", "env", "context"]);
  for (const name of ["Half", "__wbg_reset_state", "__worker_init_state"]) assert.equal(worker[name], undefined, name);
});

test("after a trap the next call gets a new instance, and objects are made again", () => {
  const half = new Half("a");
  assert.equal(half.answer(), "a0");
  assert.throws(() => half.answer("error"), /no/);
  assert.equal(half.answer(), "a0");
  assert.equal(globalThis.resets, 0, "an error is no trap");
  assert.throws(() => half.answer("trap"), WebAssembly.RuntimeError);
  new Worker("context", "env").begin(1);
  assert.equal(globalThis.resets, 1);
  assert.equal(half.answer(), "a1");
  assert.equal(globalThis.resets, 1);
  // A full stack of JavaScript is told by entry.mjs.
  globalThis.__worker_init_state.criticalError = true;
  half.answer();
  assert.deepEqual([globalThis.resets, half.answer()], [2, "a2"]);
});
