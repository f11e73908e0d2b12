// The deployed module, in which the objects of API keys may lie in another workerd: `LESSOR` is its address. So several
// processes, one isolate each, use one namespace of objects, and each can be killed by itself. leases.mjs runs it.

import service from "../../../edge-worker/entry.mjs";

export { ApiKey, Directory, MetricsBoard } from "../../../edge-worker/entry.mjs";

let calls = 0;

function keysOf(env) {
  const elsewhere = (name) => ({ fetch: (request) => fetch(new URL(`/object/${name}`, env.LESSOR), request) });
  const find = env.LESSOR ? elsewhere : (name) => env.KEYS.getByName(name);
  return {
    getByName(name) {
      calls++;
      return find(name);
    },
  };
}

export default {
  ...service,

  async fetch(request, env, context) {
    const begun = Date.now();
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/object/")) return env.KEYS.getByName(pathname.slice("/object/".length)).fetch(request);
    if (pathname === "/calls") return Response.json(calls);
    const response = await service.fetch(request, { ...env, KEYS: keysOf(env) }, context);
    // Between these instants the request was admitted.
    response.headers.set("x-between", `${begun} ${Date.now()}`);
    return response;
  },
};
