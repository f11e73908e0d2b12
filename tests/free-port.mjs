// Finds a port for a server that a test starts.

import { once } from "node:events";
import { createServer } from "node:net";

/** Returns a free port of this machine. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
