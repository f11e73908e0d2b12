// The module that is deployed: the Worker that worker-build makes of the Rust crate, and the index beside it.

import Worker, { ApiKey, Directory, MetricsBoard, MetricsShard } from "./build/index.js";

// The index is a module of its own and imported when the first geocoding request asks for it: isolates that only run
// the objects of API keys never hold it. `entry.rs` calls this by its name.
globalThis.toponymIndex = async () => new Uint8Array((await import("../build/index.toponym")).default);

// What the Rust side answers to a panic. It stands here once more for what takes the whole instance down, such as
// running out of memory.
const unexpected = () =>
  Response.json(
    { statusCode: 500, error: "Internal Server Error", message: "An unexpected error occurred" },
    { status: 500, headers: { "access-control-allow-origin": "*", "cache-control": "no-store" } },
  );

export { ApiKey, Directory, MetricsBoard, MetricsShard };

export default {
  async fetch(request, env, context) {
    try {
      return await new Worker(context, env).fetch(request);
    } catch (error) {
      // Its name alone: a message may hold what the caller sent.
      console.error(`the instance failed: ${error?.name}`);
      return unexpected();
    }
  },

  scheduled(event, env, context) {
    return new Worker(context, env).scheduled(event);
  },
};
