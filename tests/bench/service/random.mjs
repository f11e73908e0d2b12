// Sends random queries over HTTP: texts of every script, golden cases with typing errors, unusual parameters, coordinates
// and bodies. Prints the number of answers by status, and fails at the first 5xx. After `cargo xtask build worker`:
//
//     edge-worker/node_modules/.bin/node tests/bench/service/random.mjs [questions] [seed]

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../live/harness.mjs";
import { startService } from "../../workerd.mjs";

const [QUESTIONS = 20_000, SEED = 1] = process.argv.slice(2).map(Number);

/** Requests under way at once. */
const CONNECTIONS = 4;

/** Longest text, in characters: slightly above the limit of the interface. */
const LONGEST = 520;

// Mulberry32: a generator of 32 bits of state.
let state = SEED;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}
const below = (bound) => Math.floor(random() * bound);
const one = (list) => list[below(list.length)];

const texts = ["forward", "autocomplete"].flatMap((name) => {
  const rows = readFileSync(join(ROOT, "tests/golden", `${name}.csv`), "utf8").trim().split("\n").slice(1);
  return rows.map((row) => row.split(",")[1].replaceAll('"', ""));
});

/** First and last letter of blocks of Unicode: controls, Latin, combining marks, Greek, Cyrillic, Hebrew, Arabic, Indic, Thai,
 * Hangul, kana, Han, ligatures, emoji, the last plane. */
const BLOCKS = [
  [0x00, 0x20], [0x20, 0x7f], [0xa0, 0x24f], [0x300, 0x36f], [0x370, 0x3ff], [0x400, 0x52f], [0x590, 0x5ff], [0x600, 0x6ff],
  [0x900, 0xdff], [0xe00, 0xeff], [0x1100, 0x11ff], [0x3040, 0x30ff], [0x4e00, 0x9fff], [0xac00, 0xd7a3], [0xfb00, 0xfeff],
  [0xff00, 0xffef], [0x1f300, 0x1f6ff], [0x10ff00, 0x10ffff],
];
const letter = ([first, last]) => String.fromCodePoint(first + below(last - first + 1));

// A golden text with some letters omitted, doubled, swapped or replaced.
function slipped() {
  const letters = [...one(texts)];
  for (let slips = below(4); slips > 0; slips--) {
    const at = below(letters.length + 1);
    one([
      () => letters.splice(at, 1),
      () => letters.splice(at, 0, letter(one(BLOCKS))),
      () => letters.splice(at, 2, ...letters.slice(at, at + 2).reverse()),
      () => letters.splice(at, 0, one([",", " ", "  ", "'", "-", "%", "/", "\0"])),
    ])();
  }
  return letters.join("");
}

function strange() {
  const blocks = [one(BLOCKS), one(BLOCKS)];
  return Array.from({ length: below(below(10) ? 40 : LONGEST) }, () => letter(one(blocks))).join("");
}

const repeated = () => [...one(texts).slice(0, 1 + below(12)).repeat(200)].slice(0, below(LONGEST)).join("");
const joined = () => Array.from({ length: 1 + below(6) }, () => one(texts)).join(one([" ", ", ", ",", ";"]));
const text = () => one([slipped, slipped, joined, repeated, strange])();

const number = () => one([() => String((random() - 0.5) * 800), () => String(below(200) - 90), () => one(["", "NaN", "1e3", "-0", "90", "180", "-180.0000001", "٣"])])();
const extras = () => one(["", "", "", `&limit=${number()}`, `&lang=${encodeURIComponent(slipped())}`, `&countries=${one(["fr", "FR,de", "xx", "f", ","])}`, `&lat=${number()}`, "&&=", "&query=%"]);
const named = (name) => `GET /v1/geocoding/${name}${encodeURIComponent(text())}${extras()}`;

const QUESTION = [
  () => [named("forward?query=")],
  () => [named("autocomplete?q=")],
  () => [`GET /v1/geocoding/reverse?lat=${number()}&lon=${number()}${extras()}`],
  () => ["POST /v1/geocoding/batch", JSON.stringify({ queries: Array.from({ length: below(12) }, text) }).slice(0, below(8) ? undefined : below(200))],
];

const { service, stop } = await startService({ quiet: true });
const statuses = {};
let asked = 0;
try {
  const key = await service.create("enterprise", { overrides: { perMinute: 10_000_000 } });
  const token = await service.token("", key);
  const connection = async () => {
    while (asked < QUESTIONS) {
      asked++;
      const [line, body] = one(QUESTION)();
      const response = await service.sendAs(token, line, body);
      await response.arrayBuffer();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      if (response.status >= 500) throw new Error(`${response.status}: ${line} ${body ?? ""}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
} finally {
  console.log(`${asked} questions: ${Object.entries(statuses).map(([status, count]) => `${count} x ${status}`).join(", ")}`);
  await stop();
}
