#!/usr/bin/env node
// The command `toponym-mcp`: reads the options, and speaks the Model Context Protocol over standard input and output.
// Nothing else may be written to standard output: messages for people go to standard error.

import { readFileSync } from "node:fs";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { Offline } from "./offline.js";
import { HELP, WrongOptions, options } from "./options.js";
import { serverOf } from "./server.js";
import { Service } from "./service.js";

/** The exit status for wrong arguments: EX_USAGE. */
const WRONG_USAGE = 64;

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));

try {
  const chosen = options(process.argv.slice(2), process.env);
  if (chosen.help) console.log(HELP);
  else if (chosen.version) console.log(version);
  else await serve(chosen);
} catch (error) {
  if (!(error instanceof WrongOptions)) throw error;
  console.error(`toponym-mcp: ${error.message}\n\n${HELP}`);
  process.exitCode = WRONG_USAGE;
}

async function serve({ service, packs, language }) {
  const source = service ? new Service(service) : new Offline(packs);
  await serverOf(source, { version, language }).connect(new StdioServerTransport());
  // Now, so that the first question need not wait. If it fails, each question says why, and tries again.
  source.prepare().catch((error) => console.error(`toponym-mcp: ${error.message}`));
}
