// The questions of slow4g.mjs, drawn from the places of the index with a fixed seed: most by their name, some with a slip, some
// in another language or script.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { ROOT } from "../../packaging/harness.mjs";

const SEED = 20261126;

/** Ids at GeoNames that are tried, and the greatest of them: about one of fifty is in the index, most of them villages. */
const TRIED = 60_000;
const MOST_ID = 13_000_000;

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** Nobody types more letters of a name before looking at the list. */
const MOST_LETTERS = 12;

/** Of ten questions. */
const KINDS = [...Array(6).fill("name"), "slip", "slip", "other language", "other language"];

const LANGUAGES = ["de", "fr", "es", "it", "ru", "ar", "zh", "ja", "el", "pl"];

/** Returns so many questions `{ kind, text, place_id }`, and how many places each index has. */
export async function drawn(project, count) {
  const { Geocoder } = await import(pathToFileURL(project.write("draw.mjs", 'export * from "toponym";\n')));
  const geo = await Geocoder.load({ bytes: readFileSync(join(ROOT, "build/index.toponym")) });
  const random = randomOf(SEED);
  const pools = [known(geo), any(geo, random)];
  const questions = [];
  for (let drawn = 0; questions.length < count; drawn += 1) {
    const kind = KINDS[questions.length % KINDS.length];
    // Villages have no names in other languages.
    const pool = pools[kind === "other language" ? 0 : drawn % 2];
    const place = pool[Math.floor(random() * pool.length)];
    if (random() > place.importance || questions.some(({ place_id }) => place_id === place.place_id)) continue;
    const text = textOf(geo, place, kind, random);
    if (text) questions.push({ kind, text, place_id: place.place_id });
  }
  geo.free();
  return { questions, places: { pages: placesOf("index"), first: placesOf("first"), core: placesOf("core") } };
}

/** The most important places that begin with every two letters. */
function known(geo) {
  const found = new Map();
  for (const one of LETTERS) {
    for (const two of LETTERS) {
      for (const { place_id } of geo.autocomplete(one + two, { limit: 10 })) found.set(place_id, place_id);
    }
  }
  return [...found.keys()].map((id) => geo.place(id, { fields: ["name"] }));
}

/** Places of any size. */
function any(geo, random) {
  const ids = Array.from({ length: TRIED }, () => 1 + Math.floor(random() * MOST_ID));
  return ids.map((id) => geo.place(id, { fields: ["name"] })).filter(Boolean);
}

function textOf(geo, place, kind, random) {
  const letters = [...place.name.toLowerCase()];
  if (kind === "name") return letters.slice(0, MOST_LETTERS).join("");
  if (kind === "slip") return letters.length >= 5 ? slipped(letters, random).slice(0, MOST_LETTERS).join("") : undefined;
  const others = LANGUAGES.map((lang) => geo.place(place.place_id, { lang, fields: ["name"] }).name).filter((name) => name !== place.name);
  return others.length ? [...others[Math.floor(random() * others.length)].toLowerCase()].slice(0, MOST_LETTERS).join("") : undefined;
}

/** With one letter doubled, left out, exchanged with the next one, or replaced; never the first two. */
function slipped(letters, random) {
  const at = 2 + Math.floor(random() * (Math.min(letters.length, MOST_LETTERS) - 3));
  const [one, next] = letters.slice(at, at + 2);
  const changed = [[one, one, next], [next], [next, one], ["aeinrst"[Math.floor(random() * 7)], next]];
  return [...letters.slice(0, at), ...changed[Math.floor(random() * changed.length)], ...letters.slice(at + 2)];
}

function placesOf(name) {
  const said = execFileSync(join(ROOT, "target/debug/toponym"), ["inspect", "--index", join(ROOT, `build/${name}.toponym`)], { encoding: "utf8" });
  return said.match(/: ([\d,]+) places/)[1];
}

/** Numbers from 0 to 1 (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
