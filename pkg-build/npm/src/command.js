#!/usr/bin/env node
// The command `toponym`: answers one question offline, from the core pack of this package.
//
//     npx toponym "monaco di baviera"

import { parseArgs } from "node:util";
import { Geocoder } from "./node.js";

/** Exit codes, as those of the command in Rust. */
const WRONG_USAGE = 2;
const NOT_FOUND = 3;

const HELP = `Finds the place that a text means, offline.

usage: toponym TEXT [--limit NUMBER] [--lang TAG] [--json]
       toponym --credits

  --limit NUMBER  shows up to so many places [1]
  --lang TAG      names places in this language, such as fr or pt-BR [en]
  --json          prints the answers of Geocoder.forward() as JSON
  --credits       prints the credits of the data: show them wherever you show results
  --help

It exits with 0 if a place was found, with 3 if none was, with 2 for wrong arguments.`;

const OPTIONS = {
  limit: { type: "string", default: "1" },
  lang: { type: "string" },
  json: { type: "boolean" },
  credits: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

try {
  process.exitCode = await run(parseArgs({ options: OPTIONS, allowPositionals: true }));
} catch (error) {
  if (error.code !== "invalid_argument" && !error.code?.startsWith("ERR_PARSE_ARGS")) throw error;
  console.error(`toponym: ${error.message}\n\n${HELP}`);
  process.exitCode = WRONG_USAGE;
}

async function run({ values: { limit, lang, json, credits, help }, positionals }) {
  const text = positionals.join(" ");
  if (help || (!text && !credits)) {
    (help ? console.log : console.error)(HELP);
    return help ? 0 : WRONG_USAGE;
  }
  const geocoder = await Geocoder.load();
  if (credits) {
    console.log(geocoder.about().attribution.join("\n"));
    return 0;
  }
  const places = geocoder.forward(text, { limit: Number(limit), lang });
  if (json) console.log(JSON.stringify(places, null, 2));
  else if (places.length > 0) console.log(places.map(line).join("\n"));
  else console.error(`no place is called ${JSON.stringify(text)}`);
  return places.length > 0 ? 0 : NOT_FOUND;
}

/** Returns a place as a line: its name, its coordinates, and its kind. */
function line({ display_name, lat, lon, type }) {
  return `${display_name}: ${lat}, ${lon} (${type})`;
}
