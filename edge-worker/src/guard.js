// The module around what wasm-bindgen makes of the Rust crate: it keeps the service alive where an instance of Rust ends.
//
// An instance ends with a trap, such as for want of memory, or when the stack of JavaScript is full. Its memory is in an unknown state
// then. The next call gets a fresh instance, objects of the old one are made again, with the arguments that they were made with, and
// the requests under way are told, for which no promise of the old one would ever settle. (A panic unwinds, and ends its request
// alone.) `cargo xtask build worker` bundles this file with the module of wasm-bindgen, `./index.js`, and adds an export for each
// class of Rust.

import * as rust from "./index.js";

Error.stackTraceLimit = 100;

// `instanceId` counts the instances; `criticalError` is set when the present one must not be called again.
const state = rust.__worker_init_state();

/** Requests under way, the earliest first: how to end each, and since when. */
const underWay = new Map();

/** How long a request is told, milliseconds. Of one whose client has gone nothing is heard. */
const TOLD_MS = 60_000;

let requests = 0;

/** What comes of a request, the promise `answer`. Rejects if the instance ends before. */
export function answered(answer) {
  const [number, now] = [++requests, Date.now()];
  for (const [earlier, { since }] of underWay) {
    if (now < since + TOLD_MS) break;
    underWay.delete(earlier);
  }
  return new Promise((resolve, reject) => {
    underWay.set(number, { reject, since: now });
    answer.then(resolve, reject).finally(() => underWay.delete(number));
  });
}

function renewIfBroken() {
  if (!state.criticalError) return;
  console.log("Reinitializing Wasm application");
  rust.__wbg_reset_state();
  state.criticalError = false;
  state.instanceId++;
}

function notice(error) {
  if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) return;
  console.error(`the instance failed: ${error.name}`);
  state.criticalError = true;
  for (const { reject } of underWay.values()) reject(error);
  underWay.clear();
}

// What ends an instance while Rust goes on with a request, behind no call of ours.
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

const OWN = ["__wbg_reset_state", "__worker_init_state"];
const isClass = (value) => Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
const isOurs = ([name, value]) => typeof value === "function" && !isClass(value) && !OWN.includes(name);

/** The functions of Rust. */
export default Object.fromEntries(Object.entries(rust).filter(isOurs).map(([name, value]) => [name, sound(value)]));
