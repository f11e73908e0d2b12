// Reads the options of the command, and the variables that stand in for them. Key and secret come from the environment
// only: arguments are visible to everybody on the machine.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

export const HELP = `Finds places for assistants: an MCP server over standard input and output.

usage: toponym-mcp [--pack FILE_OR_URL ...] [--language TAG]
       toponym-mcp --url URL [--language TAG]

  --pack FILE_OR_URL  answer offline from this pack instead of the one that is included; several answer together, and
                      "core" is the included one (TOPONYM_PACK)
  --url URL           ask a Toponym service instead (TOPONYM_URL); its key and secret are in the environment:
                      TOPONYM_API_KEY and TOPONYM_API_SECRET
  --language TAG      language of names where a question has none, such as fr or pt-BR (TOPONYM_LANGUAGE)
  --help, --version`;

/** Wrong options; the message says what to change. */
export class WrongOptions extends Error {}

/** Hosts that may be asked without HTTPS: nobody can listen on the way. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

const OPTIONS = {
  pack: { type: "string", multiple: true },
  url: { type: "string" },
  language: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
};

/** `{ help }`, `{ version }`, or where answers come from: `{ service, language }` or `{ packs, language }`. */
export function options(arguments_, env) {
  const given = parsed(arguments_);
  if (given.help || given.version) return given;
  if (given.url && given.pack) throw new WrongOptions("--url and --pack exclude each other: a service has its own places");
  const language = given.language ?? (env.TOPONYM_LANGUAGE || undefined);
  if (language && !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language)) {
    throw new WrongOptions(`--language must be a language tag such as fr or pt-BR, not ${JSON.stringify(language)}`);
  }
  // What is said in the arguments goes before the environment.
  const url = given.url ?? (given.pack ? undefined : env.TOPONYM_URL || undefined);
  if (url) return { service: { url: address(url), ...credentials(env) }, language };
  return { packs: (given.pack ?? [env.TOPONYM_PACK || "core"]).map(pack), language };
}

function parsed(arguments_) {
  try {
    return parseArgs({ args: arguments_, options: OPTIONS }).values;
  } catch (error) {
    throw new WrongOptions(error.message);
  }
}

/** The address of a service, which ends in a slash. */
function address(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new WrongOptions(`--url must be an address such as https://api.example.com, not ${JSON.stringify(text)}`);
  if (url.username || url.password) throw new WrongOptions("--url holds a password: give key and secret in TOPONYM_API_KEY and TOPONYM_API_SECRET");
  if (url.protocol === "http:" && !LOOPBACK.includes(url.hostname)) {
    throw new WrongOptions("--url must begin with https: key and secret would travel unencrypted");
  }
  return new URL(`${url.origin}${url.pathname.replace(/\/*$/, "/")}`);
}

function credentials({ TOPONYM_API_KEY: apiKey, TOPONYM_API_SECRET: apiSecret }) {
  if (!apiKey || !apiSecret) {
    throw new WrongOptions("a service needs a key: set TOPONYM_API_KEY (gck_...) and TOPONYM_API_SECRET (gcs_...) in the environment of this command");
  }
  return { apiKey, apiSecret };
}

/** A pack for `Geocoder.load()`: `"core"`, or its address. */
function pack(text) {
  if (text === "core") return text;
  if (/^(https?|file):\/\//.test(text)) return { url: text };
  if (!existsSync(text)) throw new WrongOptions(`the pack ${resolve(text)} is not there: give a file, an address, or "core"`);
  return { url: pathToFileURL(resolve(text)).href };
}
