// A server in front of the service that compresses texts, as the platform does for visitors; workerd leaves it to the platform.

import { once } from "node:events";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/** What the platform compresses, of what the service serves. */
const COMPRESSED = /^(text\/|image\/svg|application\/(javascript|json|wasm|yaml))/;

/** The effort that servers afford for each answer. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Starts the server. Returns its `url`, and `stop()`. */
export async function compressing(origin) {
  const server = createServer((request, response) => {
    answer(origin, request, response).catch((error) => response.writeHead(502).end(error.message));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(origin, request, response) {
  const { method, url, headers } = request;
  // `fetch` chooses its own encoding, and undoes it.
  const { host, connection, "accept-encoding": accepted = "", ...sent } = headers;
  const answered = await fetch(new URL(url, origin), { method, headers: sent, redirect: "manual" });
  const found = Object.fromEntries(answered.headers);
  for (const name of ["connection", "content-length", "content-encoding", "transfer-encoding"]) delete found[name];
  let body = Buffer.from(await answered.arrayBuffer());
  if (body.length > 0 && accepted.includes("br") && COMPRESSED.test(found["content-type"] ?? "")) {
    body = await compress(body, QUALITY);
    Object.assign(found, { "content-encoding": "br", vary: "accept-encoding" });
  }
  response.writeHead(answered.status, { ...found, "content-length": body.length }).end(body);
}
