// Servers that tests start: a free port for any of them, and one that serves files of this machine to pages under test.

import { once } from "node:events";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocket } from "node:net";
import { extname, join, normalize } from "node:path";

/** Returns a free port of this machine. */
export async function freePort() {
  const socket = createSocket().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  await once(socket, "close");
  return port;
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".md": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/**
 * Serves `folders` on a free port by the beginning of the path, such as `{ "/": "site", "/library/": "node_modules/library" }`.
 * `intercept(request, response, path)` may answer first, by returning true. `url` has no slash at its end.
 */
export async function serveFiles(folders, intercept = () => false) {
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://files").pathname));
    if (intercept(request, response, path)) return;
    const prefix = prefixes.find((start) => path.startsWith(start));
    send(join(folders[prefix], path.slice(prefix.length)), response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A test that fails before it stops the server must not keep its file from ending.
  server.unref();
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

/** Answers with a file, or with the `index.html` of a folder. */
function send(path, response) {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
  if (!existsSync(file)) return response.writeHead(404).end();
  const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-length": statSync(file).size };
  response.writeHead(200, headers);
  createReadStream(file).pipe(response);
}
