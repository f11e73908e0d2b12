// Turns places of the engine into what a model reads: a structure, and a short text that says the same.

/** A confidence from which the first place is the one that was meant: reliability was measured at it. */
const CLEAR = 0.8;

/** A place is a rival of the first from this share of its confidence on. */
const RIVAL = 0.25;

/** Most rivals in a question to the user. */
const MOST_RIVALS = 4;

/** The least confidence that the text shows: what would round to 0.00 tells nothing. The structure has it. */
const LEAST_SHOWN = 0.005;

/** The resource with all credits. */
export const CREDITS_URI = "toponym://attribution";

const NOTHING =
  "Nothing was found. Check the spelling, drop filters, or ask for the town alone: street addresses and businesses are not covered.";

/** What is known of a place. */
export function placeOf({ bbox, boundingbox, address, matched, ancestors, importance, city, capital, ...place }) {
  const [west, south, east, north] = bbox;
  const other = matched && matched.name !== place.name ? matched.name : undefined;
  return without({
    ...place,
    country_code: address.country_code?.toUpperCase(),
    bounds: { south, north, west, east },
    matched: other,
    lies_in: ancestors,
  });
}

/** What is known of a suggestion. */
export const suggestionOf = ({ display_name, name, population, timezone, distance, lat, lon, type, country }) =>
  without({ display_name, name, population, timezone, distance, lat, lon, type, country });

const without = (all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** Whether the first of `places` is meant, and what to do. */
export function judged(places) {
  const [first, ...others] = places;
  if (!first) return { certainty: "none", advice: NOTHING };
  if (first.confidence >= CLEAR) return { certainty: "clear", advice: `${first.display_name} is very probably meant.` };
  const rivals = others.filter(({ confidence }) => confidence >= first.confidence * RIVAL).slice(0, MOST_RIVALS - 1);
  if (rivals.length === 0) return { certainty: "unsure", advice: `The best guess is ${first.display_name}. Check that it is meant before you rely on it.` };
  const names = [first, ...rivals].map(({ display_name, type }) => `${display_name} (${type})`);
  return { certainty: "ambiguous", advice: `Several places may be meant. Ask the user, or name the area in the query: is it ${listed(names)}?` };
}

/** `a, b or c`, with semicolons because names have commas. */
const listed = (names) => `${names.slice(0, -1).join("; ")}; or ${names.at(-1)}`;

/** The advice for tools that find at most what they are asked for. */
export const adviceFor = (found) => (found.length === 0 ? { advice: NOTHING } : {});

/** A result of a tool: the structure, and its text. */
export function result(structure) {
  const { advice, places, suggestions } = structure;
  const lines = [advice, ...(places ?? suggestions).map(line), `Credits to show with the results: ${CREDITS_URI}`];
  return { structuredContent: structure, content: [{ type: "text", text: lines.filter(Boolean).join("\n") }] };
}

function line({ display_name, type, lat, lon, confidence, distance, population, timezone, place_id }, at) {
  const parts = [
    `${lat}, ${lon}`,
    confidence >= LEAST_SHOWN ? `confidence ${confidence.toFixed(2)}` : "",
    distance === undefined ? "" : `${Math.round(distance)} m away`,
    population === undefined ? "" : `${population} people`,
    timezone,
    place_id === undefined ? "" : `place_id ${place_id}`,
  ];
  return `${at + 1}. ${display_name} (${type}): ${parts.filter(Boolean).join("; ")}`;
}
