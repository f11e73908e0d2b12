// Measures the memory of an isolate on workerd by part: before the first query, while the index opens, after mixed queries,
// and after batches with the largest bodies. Fails if a sum exceeds its bound. After `cargo xtask build worker`:
//
//     edge-worker/node_modules/.bin/node tests/bench/service/memory.mjs [questions] [batches] [index ...]
//
// With indexes, paths from the root, these answer together.
//
// - `buffers`: array buffers, among them the modules of indexes until the instance has copied them, and garbage until it is
//   collected: what V8 accounts to the isolate, besides
// - `wasm`: the memory of the instance, which never shrinks; and
// - `heap`: all of the heap of JavaScript, used or not, with what the runtime keeps for it.
//
// It shows the peak of many samples, and the rest after a garbage collection. `resident` is the maximum growth of the whole
// process meanwhile, as Linux counts it. It includes the parts above and everything else in the process, so a copy between
// two samples would show there.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../live/harness.mjs";
import { startService } from "../../workerd.mjs";
import { golden } from "./golden.mjs";

const [QUESTIONS = 1_000, BATCHES = 50] = process.argv.slice(2, 4).map(Number);
const INDEXES = process.argv.slice(4);

/** A megabyte, in the stricter reading of the platform's limit of 128. */
const MB = 1e6;

/** Bounds of the sums with the default index, which has 50 MB: at most when it is open; at most ever, of the 128 of an isolate,
 * which the objects of keys share; and what is kept when the garbage is collected. V8 lets some 20 MB of that gather between two
 * collections. */
const OPENED_MB = 60;
const LIMIT_MB = 100;
const KEPT_MB = 65;

/** Requests between two samples. */
const LOOK_EVERY = 20;

/** Requests under way at once. */
const CONNECTIONS = 4;

/** Largest body of a batch, bytes. */
const BODY = 1024 * 1024;

const encoded = (name, ...columns) => golden(name, ...columns).map((values) => values.map(encodeURIComponent));

const KINDS = [
  ...encoded("forward", "query").map(([query]) => [`GET /v1/geocoding/forward?query=${query}&limit=50`]),
  ...encoded("autocomplete", "query").map(([query]) => [`GET /v1/geocoding/autocomplete?q=${query}&limit=10`]),
  ...encoded("reverse", "lat", "lon").map(([lat, lon]) => [`GET /v1/geocoding/reverse?lat=${lat}&lon=${lon}`]),
];

/** Kinds of bodies, each repeated until it is as large as it may be. */
const filled = (before, item, after) => before + Array(Math.floor((BODY - before.length - after.length) / (item.length + 1))).fill(item).join(",") + after;
const BODIES = [
  JSON.stringify({ queries: Array(100).fill("x".repeat(BODY / 100 - 5)) }),
  JSON.stringify({ queries: Array(100).fill("\u{1f355}".repeat(BODY / 400 - 5)) }),
  filled('{"queries":[', '{"":0}', "]}"),
  filled('{"queries":[', '""', "]}"),
  filled('{"other":[', "[[]]", '],"queries":["Paris"]}'),
  filled("{", '"queries":["Paris"]', "}"),
];

const { service, inspector, pid, stop } = await startService({ inspected: true, indexes: INDEXES.length > 0 ? INDEXES : undefined });

// Kilobytes of a line of the process's status.
const status = (name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;
const isLinux = existsSync(`/proc/${pid}/status`);

// The handles stay valid while memories grow, and reading them collects no garbage.
const memories = await inspector.all("WebAssembly.Memory");
const wasm = () => inspector.about(memories, function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); });

async function look() {
  const { totalSize, embedderHeapUsedSize, backingStorageSize } = await inspector.ask("Runtime.getHeapUsage");
  return { wasm: await wasm(), external: backingStorageSize, heap: totalSize + embedderHeapUsedSize };
}

const sum = ({ wasm, external, heap }) => wasm + external + heap;

// Runs `requests`, a list of [line, body], and reports the isolate's peak memory, and its memory afterwards.
async function phase(name, requests, bound = LIMIT_MB) {
  if (isLinux) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = isLinux ? status("VmRSS") : 0;
  let peak = await look();
  let next = 0;
  const connection = async () => {
    while (next < requests.length) {
      const [line, body] = requests[next++];
      const response = await service.sendAs(token, line, body);
      await response.arrayBuffer();
      if (response.status >= 500) throw new Error(`${line} answers ${response.status}`);
      if (next % LOOK_EVERY === 0 || requests.length <= BATCHES) {
        const now = await look();
        if (sum(now) > sum(peak)) peak = now;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const resident = isLinux ? status("VmHWM") - before : NaN;
  await inspector.collectGarbage();
  const kept = await look();
  show(name, "peak", peak, resident);
  show(name, "kept", kept);
  check(name, peak, bound);
  check(name, kept, KEPT_MB);
}

function check(name, memory, bound) {
  if (sum(memory) <= bound * MB) return;
  console.error(`${name}: ${(sum(memory) / MB).toFixed(1)} MB are more than ${bound}`);
  process.exitCode = 1;
}

const inMb = (bytes) => (bytes / MB).toFixed(1).padStart(9);
function show(name, when, memory, resident) {
  const parts = [memory.wasm, memory.external, memory.heap, sum(memory)].map(inMb).join("");
  console.log(`${name.padEnd(24)}${when.padEnd(6)}${parts}${resident === undefined ? "" : inMb(resident)}`);
}

const token = await service.token("localdemo");
try {
  console.log(`MB${" ".repeat(28)}${["wasm", "buffers", "heap", "sum", "resident"].map((name) => name.padStart(9)).join("")}`);
  await phase("before the first", []);
  await phase("the first question", [KINDS[0]], OPENED_MB);
  const mixed = Array.from({ length: QUESTIONS }, (_, n) => KINDS[(n * 7919) % KINDS.length]);
  await phase(`${QUESTIONS} mixed questions`, mixed);
  const batches = Array.from({ length: BATCHES }, (_, n) => ["POST /v1/geocoding/batch", BODIES[n % BODIES.length]]);
  await phase(`${BATCHES} batches of 1 MiB`, batches);
  await phase("at rest", []);
} finally {
  await stop();
}
