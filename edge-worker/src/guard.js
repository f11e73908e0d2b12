// The module around what wasm-bindgen makes of the Rust crate: it starts the instance of Rust anew after a trap.
//
// A trap leaves the memory of the instance in an unknown state. The next call gets a fresh instance; objects of the old one
// are made again, with the arguments that they were made with. `cargo xtask build worker` bundles this file with the module of
// wasm-bindgen, `./index.js`, and adds an export for each class of Rust.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as rust from "./index.js";

Error.stackTraceLimit = 100;

// `instanceId` counts the instances; `criticalError` is set when the present one must not be called again.
const state = rust.__worker_init_state();

function renewIfBroken() {
  if (!state.criticalError) return;
  console.log("Reinitializing Wasm application");
  rust.__wbg_reset_state();
  state.criticalError = false;
  state.instanceId++;
}

function notice(error) {
  if (!(error instanceof WebAssembly.RuntimeError)) return;
  console.error("Critical", error);
  state.criticalError = true;
}

addEventListener("error", (event) => notice(event.error));

// `method` of Rust, on a sound instance.
const sound = (method) =>
  new Proxy(method, {
    apply(target, self, values) {
      renewIfBroken();
      try {
        return Reflect.apply(target, self, values);
      } catch (error) {
        notice(error);
        throw error;
      }
    },
  });

// A class whose objects outlive the instance of Rust.
const guarded = (type) =>
  new Proxy(type, {
    construct(ctor, values, newTarget) {
      const make = () => Reflect.construct(ctor, values, newTarget);
      try {
        renewIfBroken();
        let object = make();
        let made = state.instanceId;
        return new Proxy(object, {
          get(_, name, receiver) {
            if (made !== state.instanceId) {
              object = make();
              made = state.instanceId;
            }
            const found = Reflect.get(object, name, receiver);
            return typeof found === "function" ? sound(found) : found;
          },
        });
      } catch (error) {
        state.criticalError = true;
        throw error;
      }
    },
  });

// Rust's functions as methods. Those that handle an event of the platform get the environment and the context with it.
class Entrypoint extends WorkerEntrypoint {}

const EVENTS = ["fetch", "scheduled"];
const OWN = ["__wbg_reset_state", "__worker_init_state"];
const isClass = (value) => Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;

for (const [name, value] of Object.entries(rust)) {
  if (typeof value !== "function" || isClass(value) || OWN.includes(name)) continue;
  Entrypoint.prototype[name] = EVENTS.includes(name)
    ? function (event) {
        return value.call(this, event, this.env, this.ctx);
      }
    : value;
}

export default guarded(Entrypoint);
