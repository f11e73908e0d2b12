// The server: its tools, when to use which, and the credits as a resource. It asks a source, `Offline` or `Service`, and
// answers the same either way.

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CREDITS_URI, adviceFor, judged, placeOf, result, suggestionOf } from "./answers.js";
import { Fault } from "./fault.js";
import * as schemas from "./schemas.js";

const INSTRUCTIONS = `Finds places of the world: countries, states, cities, quarters, airports, stations, landmarks, islands, seas.
Use geocode for a name, reverse for coordinates, place for a place_id or a code such as iata:CDG, and autocomplete only for a text that is still being typed.
Never guess coordinates of a place: ask here. Street addresses and businesses are not covered.
If certainty is "ambiguous", ask the user which place is meant. Show the credits with results that you publish.`;

/** Facts that answers have where the places know them. */
const PLACE_FIELDS = ["name", "matched", "population", "timezone", "iso_3166_2", "codes", "ancestors", "distance"];
const SUGGESTION_FIELDS = ["name", "population", "timezone", "distance"];

/** Places that geocode looks at, at least: with fewer it could not see that a name is ambiguous. */
const LOOKED_AT = 5;

const FIELDS = ["name", "city", "county", "state", "country"];

/** A server over `source`; `language` is that of names where a question has none. */
export function serverOf(source, { version, language }) {
  const server = new McpServer({ name: "toponym", title: "Toponym", version }, { instructions: INSTRUCTIONS });
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: source.isOpenWorld };
  const add = (name, { answer, ...config }) =>
    server.registerTool(name, { ...config, annotations: { title: config.title, ...annotations } }, (arguments_, { signal }) => guarded(() => answer(arguments_, signal), signal));
  for (const [name, tool] of Object.entries(tools(source, language))) add(name, tool);
  addCredits(server, source);
  return server;
}

function tools(source, usual) {
  const options = ({ limit, radius, near, countries, types, within, bbox, language = usual }, fields, signal) => ({
    limit, radius, focus: near, countries, types, within, bbox, lang: language, fields, signal,
  });
  const credits = async (signal) => (await source.about(signal)).attribution;
  /** Asks the source. `reverse` and `place` find one place or none, or several. */
  const found = async (question, signal) => [(await source.ask(question, signal)) ?? []].flat();
  return {
    geocode: {
      title: "Find a place by name",
      description:
        "Coordinates and facts of places by name: city, country, state, airport, station, landmark, island, sea. Forgives typing errors, understands any language, \"Paris, Texas\" and codes such as CDG. Use it whenever a question needs the position of a named place. Look at certainty: ask the user if it is ambiguous. Not for street addresses or businesses, and not for coordinates (reverse).",
      inputSchema: schemas.GEOCODE,
      outputSchema: schemas.JUDGED,
      async answer(arguments_, signal) {
        const { limit } = arguments_;
        const looked = { ...arguments_, limit: Math.max(limit, LOOKED_AT) };
        const question = questionOf(arguments_);
        const places = (await found((geocoder) => geocoder.forward(question, options(looked, PLACE_FIELDS, signal)), signal)).map(placeOf);
        return { ...judged(places), places: places.slice(0, limit), credits: await credits(signal) };
      },
    },
    reverse: {
      title: "Find the place at a point",
      description:
        "The place at coordinates: the city, quarter or sight that names the point, with its country, exact at borders. With limit, the nearest places instead, such as the three nearest stations: limit 3, types [\"station\"]. Use it whenever a question has latitude and longitude. Nothing is found at sea.",
      inputSchema: schemas.REVERSE,
      outputSchema: schemas.FOUND,
      async answer(arguments_, signal) {
        const { lat, lon } = arguments_;
        const places = (await found((geocoder) => geocoder.reverse(lat, lon, options(arguments_, PLACE_FIELDS, signal)), signal)).map(placeOf);
        return { places, ...(places.length === 0 ? { advice: NOWHERE } : {}), credits: await credits(signal) };
      },
    },
    autocomplete: {
      title: "Complete a name",
      description:
        "Suggestions for a place name that is still being typed, such as \"san fr\": for search fields. For a finished name use geocode, which also says how sure it is and returns ids.",
      inputSchema: schemas.AUTOCOMPLETE,
      outputSchema: schemas.SUGGESTED,
      async answer(arguments_, signal) {
        const { text } = arguments_;
        const suggestions = (await found((geocoder) => geocoder.autocomplete(text, options(arguments_, SUGGESTION_FIELDS, signal)), signal)).map(suggestionOf);
        return { suggestions, ...adviceFor(suggestions), credits: await credits(signal) };
      },
    },
    place: {
      title: "Look up a place by id or code",
      description:
        "One place by the place_id of an earlier answer, or by a code: iata:CDG, icao:LFPG, iso:FR, iso:US-TX, geonames:2988507. For names use geocode.",
      inputSchema: schemas.PLACE,
      outputSchema: schemas.FOUND,
      async answer({ reference, language }, signal) {
        // An id may come as text: models write numbers either way.
        const known = /^\d+$/.test(reference) ? Number(reference) : reference;
        const places = (await found((geocoder) => geocoder.place(known, options({ language }, PLACE_FIELDS, signal)), signal)).map(placeOf);
        return { places, ...(places.length === 0 ? { advice: UNKNOWN } : {}), credits: await credits(signal) };
      },
    },
  };
}

const NOWHERE = "There is no such place here: the point is at sea or far from every settlement, or the filters leave nothing. Check that lat and lon are not swapped, drop filters, or give a larger radius.";

const UNKNOWN = "No place has this id or code here. Find the place by its name with geocode.";

/** The text of a question, or its fields. */
function questionOf(arguments_) {
  const fields = Object.fromEntries(FIELDS.filter((name) => arguments_[name] !== undefined).map((name) => [name, arguments_[name]]));
  const count = Object.keys(fields).length;
  if (arguments_.query === undefined && count === 0) throw new Fault("query is missing: give the name of a place, or fields such as city and country.");
  if (arguments_.query !== undefined && count > 0) throw new Fault(`query and ${Object.keys(fields).join(", ")} exclude each other: put all into query, or leave query out.`);
  return arguments_.query ?? fields;
}

/** The result of a tool, or an error that a model can act on. `signal` is aborted when the caller gives up. */
async function guarded(answer, signal) {
  try {
    return result(await answer());
  } catch (error) {
    // Nobody reads this: the wait was ended as it should be.
    if (signal.aborted) return { isError: true, content: [{ type: "text", text: "The question was cancelled." }] };
    if (!(error instanceof Fault)) console.error(`toponym-mcp: ${error.stack}`);
    const text = error instanceof Fault ? error.message : `This server failed, which is its own fault: ${error.message}. Try another question.`;
    return { isError: true, content: [{ type: "text", text }] };
  }
}

function addCredits(server, source) {
  const config = { title: "Credits of the data", description: "Whose data the answers come from. Show it wherever results are shown.", mimeType: "text/plain" };
  server.registerResource("attribution", CREDITS_URI, config, async (uri) => {
    const { title, data_date: date, attribution } = await source.about();
    const text = [`Places: ${title}, data as of ${date || "an unknown date"}`, ...attribution].join("\n");
    return { contents: [{ uri: uri.href, mimeType: config.mimeType, text }] };
  });
}
