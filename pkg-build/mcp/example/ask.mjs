// Asks the server as an assistant's host does: starts it, lists its tools, asks one question.
//
//     npm install toponym-mcp @modelcontextprotocol/sdk
//     node ask.mjs "Springfield"

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: "npx", args: ["--no-install", "toponym-mcp"] }));
const { tools } = await client.listTools();
console.log(`tools: ${tools.map(({ name }) => name).join(", ")}`);
const { content } = await client.callTool({ name: "geocode", arguments: { query: process.argv[2] ?? "Springfield", limit: 3 } });
console.log(content[0].text);
await client.close();
