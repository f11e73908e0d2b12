// Installs the MCP server from its tarball as its users do, and talks to it with the protocol's own client over stdio.
//
// Needs `cargo xtask build npm` (build/npm, build/npm-mcp) and the npm packages of this folder. Run with the Node of edge-worker:
//
//     edge-worker/node_modules/.bin/node --test 'tests/mcp/*.test.mjs'

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export const ROOT = resolve(import.meta.dirname, "../..");

/** A project in a temporary folder that has installed the server and the package `toponym` from their tarballs. */
export class Project {
  #clients = [];

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "toponym-mcp-"));
    // What the server depends on besides is there already, in the versions of the lock file, so that no registry is asked.
    cpSync(join(import.meta.dirname, "node_modules"), join(this.folder, "node_modules"), { recursive: true });
    writeFileSync(join(this.folder, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
    const tarballs = ["npm", "npm-mcp"].map((name) => `./${this.#pack(join(ROOT, "build", name))}`);
    npm(["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", ...tarballs], this.folder);
    this.command = join(this.folder, "node_modules/.bin/toponym-mcp");
  }

  #pack(built) {
    if (!existsSync(built)) throw new Error(`${built} is missing: run \`cargo xtask build npm\` first`);
    const [{ filename, files }] = JSON.parse(npm(["pack", "--json", "--pack-destination", this.folder], built));
    /** Paths in the last tarball. */
    this.packed = files.map(({ path }) => path);
    return filename;
  }

  /** A client of a server that was started with these arguments and variables. `said()` is its standard error. */
  async connect(args = [], env = {}) {
    const transport = new StdioClientTransport({ command: this.command, args, env: { PATH: process.env.PATH, ...env }, stderr: "pipe" });
    let said = "";
    transport.stderr.setEncoding("utf8").on("data", (part) => (said += part));
    const client = new Client({ name: "test", version: "1.0.0" });
    const faults = [];
    client.onerror = (error) => faults.push(error);
    await client.connect(transport);
    this.#clients.push(client);
    // From now on the client checks each structured result against the schema of its tool.
    const { tools } = await client.listTools();
    const call = (name, arguments_) => client.callTool({ name, arguments: arguments_ });
    return { client, tools, call, faults, said: () => said };
  }

  async remove() {
    await Promise.all(this.#clients.map((client) => client.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function npm(args, cwd) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
