// The smallest Worker with an object: one request, one row written, one response.

import { DurableObject } from "cloudflare:workers";

export class Counter extends DurableObject {
  #count = 0;

  constructor(context, env) {
    super(context, env);
    context.storage.sql.exec("CREATE TABLE IF NOT EXISTS slots (slot INTEGER PRIMARY KEY, count INTEGER)");
  }

  async fetch(request) {
    await request.text();
    this.#count++;
    const slot = Math.floor(Date.now() / 100);
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO slots VALUES (?, ?)", slot, this.#count);
    return Response.json({ count: this.#count });
  }
}

export default {
  async fetch(_request, env) {
    const object = env.COUNTER.getByName("only");
    const answer = await object.fetch("https://object.invalid/", { method: "POST", body: "{}" });
    return Response.json(await answer.json());
  },
};
